import { texts } from '../texts.js';
import { PATIENCE } from './protocol.js';

/**
 * @typedef {(done: number, total: number, effort?: import('./messages.d.ts').Effort) => void} Heard
 *   what comes of progress
 */

/** The input is at fault; the message says how. */
export class Refused extends Error {}
/** The request was given up. */
export class Cancelled extends Error {}
/** The worker ended on a fault of its own; a new one has taken its place. */
export class Fault extends Error {}
/** The worker said nothing for too long: it may have ended without a word. */
export class Silent extends Fault {}

/**
 * One worker as the page sees it: ask and await. After a fault, or when it does not listen, the
 * worker is replaced; what it was asked fails and is not asked again.
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
     * Whether the worker has said anything yet: one that could not even begin is replaced when it
     * is needed.
     */
    this.begun = false;
    /** When it was last asked something or said something. */
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
   * Asks the worker for something.
   * @template {import('./messages.d.ts').CallName} Name
   * @param {Name} type
   * @param {import('./messages.d.ts').Given<Name>} given
   * @param {Heard} [progress]
   * @param {AbortSignal} [signal] has this request alone given up
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

  /** Gives up everything asked so far; returns when the worker is idle again. */
  async cancel() {
    if (this.pending.size === 0) return;
    const idle = new Promise((resolve) => this.waiting.push(() => resolve(true)));
    this.worker?.postMessage({ type: 'cancel' });
    const late = new Promise((resolve) => setTimeout(() => resolve(false), PATIENCE));
    if (!(await Promise.race([idle, late]))) this.replace(new Cancelled());
  }

  /**
   * Ends the worker, with all that it keeps, unless it has something to do; another one begins when
   * it is asked for something.
   */
  release() {
    if (this.pending.size > 0) return;
    this.worker?.terminate();
    this.worker = null;
  }

  /** @param {'pause' | 'resume'} type whether the worker is to rest from simulating, or to go on */
  steer(type) {
    this.worker?.postMessage({ type });
  }

  /**
   * Ends the worker if it has said nothing for so long although something was asked of it.
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
   * The worker is of no more use; where it has not even begun, what it needs could not be fetched.
   * @param {string} words what it said
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
