import { texts } from '../texts.js';
import { PATIENCE } from './protocol.js';

/**
 * @typedef {(done: number, total: number, effort?: import('./messages.d.ts').Effort) => void} Heard
 *   called on progress
 */

/** The input is invalid; the message says why. */
export class Refused extends Error {}
/** The request was cancelled. */
export class Cancelled extends Error {}
/** The worker ended on a fault of its own and was replaced. */
export class Fault extends Error {}
/** The worker was silent for too long: it may have ended. */
export class Silent extends Fault {}

/**
 * One worker as the page sees it: request and await. After a fault, or when it does not respond,
 * the worker is replaced; its requests fail and are not repeated.
 */
export class WorkerClient {
  /** @param {import('./messages.d.ts').Build} build the compiled core */
  constructor(build) {
    this.build = build;
    /**
     * The requests without a final answer, by their numbers.
     * @type {Map<number, {resolve: (result: never) => void, reject: (error: Error) => void,
     *   progress: Heard}>}
     */
    this.pending = new Map();
    this.count = 0;
    /** @type {(() => void)[]} */
    this.waiting = [];
    /**
     * Whether the worker has sent anything yet: one that could not even start is replaced when it
     * is needed.
     */
    this.begun = false;
    /** The time of the last message from or to it. */
    this.heard = performance.now();
    /** @type {Worker | null} */
    this.worker = this.start();
  }

  start() {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = (
      /** @type {MessageEvent<import('./messages.d.ts').FromWorker>} */ { data },
    ) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.fail(event.message);
    };
    worker.postMessage({ type: 'start', ...this.build });
    this.begun = false;
    return worker;
  }

  /**
   * Sends a request to the worker.
   * @template {import('./messages.d.ts').CallName} Name
   * @param {Name} type
   * @param {import('./messages.d.ts').Given<Name>} given
   * @param {Heard} [progress]
   * @param {AbortSignal} [signal] cancels only this request
   * @returns {Promise<import('./messages.d.ts').Result<Name>>}
   */
  ask(type, given, progress = () => {}, signal = undefined) {
    const id = ++this.count;
    signal?.addEventListener('abort', () => this.worker?.postMessage({ type: 'stop', id }));
    return new Promise((resolve, reject) => {
      if (this.pending.size === 0) this.heard = performance.now();
      this.pending.set(id, { resolve, reject, progress });
      this.worker ??= this.start();
      this.worker.postMessage({ id, type, ...given });
    });
  }

  /** Cancels all requests so far; returns when the worker is idle again. */
  async cancel() {
    if (this.pending.size === 0) return;
    const idle = new Promise((resolve) => this.waiting.push(() => resolve(true)));
    this.worker?.postMessage({ type: 'cancel' });
    const late = new Promise((resolve) => setTimeout(() => resolve(false), PATIENCE));
    if (!(await Promise.race([idle, late]))) this.replace(new Cancelled());
  }

  /**
   * Ends the worker, with all its state, unless it is busy; a new one starts on the next request.
   */
  release() {
    if (this.pending.size > 0) return;
    this.worker?.terminate();
    this.worker = null;
  }

  /** @param {'pause' | 'resume'} type whether to pause or to resume simulating */
  steer(type) {
    this.worker?.postMessage({ type });
  }

  /**
   * Ends the worker if it has been silent for this long with a request open.
   * @param {number} silence in milliseconds
   */
  endIfSilent(silence) {
    if (this.pending.size === 0 || performance.now() - this.heard < silence) return;
    this.replace(new Silent(texts.run.silent(silence / 1000)));
  }

  /** @param {import('./messages.d.ts').FromWorker} answer */
  receive(answer) {
    this.heard = performance.now();
    if (answer.type === 'fault') {
      this.fail(answer.words);
      return;
    }
    this.begun = true;
    if (answer.type === 'ready') return;
    if (answer.type === 'idle') {
      for (const resolve of this.waiting.splice(0)) resolve();
      return;
    }
    const request = this.pending.get(answer.id);
    if (request === undefined) return;
    if (answer.type === 'progress') {
      request.progress(answer.done, answer.total, answer.effort);
      return;
    }
    this.pending.delete(answer.id);
    if (answer.type === 'done') request.resolve(/** @type {never} */ (answer.result));
    else if (answer.type === 'refused') request.reject(new Refused(answer.words));
    else request.reject(new Cancelled());
  }

  /**
   * The worker is unusable; if it has not even started, its files could not be fetched.
   * @param {string} words its message
   */
  fail(words) {
    this.replace(this.begun ? new Fault(words) : new Refused(texts.core.noWorker(words)));
  }

  /** @param {Error} reason */
  replace(reason) {
    if (this.worker !== null) {
      this.worker.onmessage = null;
      this.worker.onerror = null;
      this.worker.terminate();
    }
    const pending = [...this.pending.values()];
    this.pending.clear();
    for (const resolve of this.waiting.splice(0)) resolve();
    this.worker = this.begun ? this.start() : null;
    for (const request of pending) request.reject(reason);
  }
}
