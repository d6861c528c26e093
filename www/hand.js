import { PATIENCE } from './protocol.js';

/** @typedef {import('./protocol.js').Ask} Ask */
/** @typedef {import('./protocol.js').Answer} Answer */

/** The input is at fault; the message says how. */
export class Refused extends Error {}
/** The request was given up. */
export class Cancelled extends Error {}
/** The worker ended on a fault of its own; a new one has taken its place. */
export class Fault extends Error {}

/**
 * One worker as the page sees it: ask and await. After a fault, or when it does not listen, the worker
 * is replaced; what it was asked fails and is not asked again.
 */
export class Hand {
  /** @param {import('./protocol.js').Build} build the compiled core */
  constructor(build) {
    this.build = build;
    /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void, progress: (done: number, total: number) => void}>} */
    this.pending = new Map();
    this.count = 0;
    /** @type {(() => void)[]} */
    this.waiting = [];
    this.worker = this.hire();
  }

  hire() {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => this.hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.replace(new Fault(event.message || 'the worker could not be started'));
    };
    worker.postMessage({ type: 'start', ...this.build });
    return worker;
  }

  /**
   * From now on works with this build of the core; what it was doing is given up.
   * @param {import('./protocol.js').Build} build
   */
  equip(build) {
    if (this.build === build) return;
    this.build = build;
    this.replace(new Cancelled());
  }

  /**
   * @param {Ask} message
   * @param {(done: number, total: number) => void} [progress]
   * @returns {Promise<any>}
   */
  ask(message, progress = () => {}) {
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject, progress });
      this.worker.postMessage({ id, ...message });
    });
  }

  /** Gives up everything asked so far; returns when the worker is idle again. */
  async cancel() {
    if (this.pending.size === 0) return;
    const idle = new Promise((resolve) => this.waiting.push(() => resolve(true)));
    this.worker.postMessage({ type: 'cancel' });
    const late = new Promise((resolve) => setTimeout(() => resolve(false), PATIENCE));
    if (!(await Promise.race([idle, late]))) this.replace(new Cancelled());
  }

  /** @param {Answer} answer */
  hear(answer) {
    if (answer.type === 'fault') {
      this.replace(new Fault(answer.words));
      return;
    }
    if (answer.type === 'idle') {
      for (const resolve of this.waiting.splice(0)) resolve();
      return;
    }
    const request = this.pending.get(answer.id);
    if (request === undefined) return;
    if (answer.type === 'progress') {
      request.progress(answer.done, answer.total);
      return;
    }
    this.pending.delete(answer.id);
    if (answer.type === 'done') request.resolve(answer.result);
    else if (answer.type === 'refused') request.reject(new Refused(answer.words));
    else request.reject(new Cancelled());
  }

  /** @param {Error} reason */
  replace(reason) {
    this.worker.onmessage = null;
    this.worker.onerror = null;
    this.worker.terminate();
    const pending = [...this.pending.values()];
    this.pending.clear();
    for (const resolve of this.waiting.splice(0)) resolve();
    this.worker = this.hire();
    for (const request of pending) request.reject(reason);
  }
}
