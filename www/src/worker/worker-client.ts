import { coreTexts } from '../texts/core.ts';
import { runTexts } from '../texts/run.ts';
import { PATIENCE } from './protocol.ts';
import type { Build, CallName, Effort, FromWorker, Given, Result } from './messages.ts';

/** Called on progress. */
export type Heard = (done: number, total: number, effort?: Effort) => void;

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
  build: Build;
  /** The requests without a final answer, by their numbers. */
  readonly pending = new Map<
    number,
    { resolve: (result: never) => void; reject: (error: Error) => void; progress: Heard }
  >();
  count = 0;
  waiting: (() => void)[] = [];
  /**
   * Whether the worker has sent anything yet: one that could not even start is replaced when it
   * is needed.
   */
  begun = false;
  /** The time of the last message from or to it. */
  heard = performance.now();
  worker: Worker | null;

  /** @param build the compiled core */
  constructor(build: Build) {
    this.build = build;
    this.worker = this.start();
  }

  start() {
    const worker = new Worker(new URL(BUILT.worker, import.meta.url), { type: 'module' });
    this.#listen(worker);
    worker.postMessage({ type: 'start', ...this.build });
    this.begun = false;
    return worker;
  }

  #listen(worker: Worker) {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.fail(event.message);
    };
  }

  /** Swaps the workers of two clients, which go on if they pause, unless one of them is busy. */
  swap(other: WorkerClient) {
    const clients = [this, other];
    if (clients.some(({ pending, waiting }) => pending.size + waiting.length > 0)) return;
    [this.worker, other.worker] = [other.worker, this.worker];
    [this.begun, other.begun] = [other.begun, this.begun];
    for (const client of clients) {
      if (client.worker !== null) client.#listen(client.worker);
      client.steer('resume');
    }
  }

  /**
   * Sends a request to the worker.
   * @param signal cancels only this request
   */
  ask<Name extends CallName>(
    type: Name,
    given: Given<Name>,
    progress: Heard = () => {},
    signal?: AbortSignal,
  ): Promise<Result<Name>> {
    const id = ++this.count;
    signal?.addEventListener('abort', () => this.worker?.postMessage({ type: 'stop', id }));
    return new Promise((resolve, reject) => {
      if (this.pending.size === 0) this.heard = performance.now();
      this.pending.set(id, { resolve, reject, progress });
      this.worker ??= this.start();
      this.worker.postMessage({ id, type, rest: this.build.rest, ...given });
    });
  }

  /** Cancels all requests so far; returns when the worker is idle again. */
  async cancel() {
    if (this.pending.size === 0) return;
    const last = this.count;
    const idle = new Promise((resolve) => this.waiting.push(() => resolve(true)));
    this.worker?.postMessage({ type: 'cancel' });
    const late = new Promise((resolve) => setTimeout(() => resolve(false), PATIENCE));
    if (await Promise.race([idle, late])) return;
    // Where all of these have ended, those asked for since go on.
    const [oldest = Infinity] = this.pending.keys();
    if (oldest <= last) this.replace(new Cancelled());
  }

  /**
   * Ends the worker, with all its state, unless it is busy; a new one starts on the next request.
   */
  release() {
    if (this.pending.size > 0) return;
    this.worker?.terminate();
    this.worker = null;
  }

  /** @param type whether to pause or to resume simulating */
  steer(type: 'pause' | 'resume') {
    this.worker?.postMessage({ type });
  }

  /**
   * Ends the worker if it has been silent for this long with a request open.
   * @param silence in milliseconds
   */
  endIfSilent(silence: number) {
    if (this.pending.size === 0 || performance.now() - this.heard < silence) return;
    this.replace(new Silent(runTexts.silent(silence / 1000)));
  }

  receive(answer: FromWorker) {
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
    if (answer.type === 'done') request.resolve(answer.result as never);
    else if (answer.type === 'refused') request.reject(new Refused(answer.words));
    else request.reject(new Cancelled());
  }

  /**
   * The worker is unusable; if it has not even started, its files could not be fetched.
   * @param words its message
   */
  fail(words: string) {
    this.replace(this.begun ? new Fault(words) : new Refused(coreTexts.noWorker(words)));
  }

  replace(reason: Error) {
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
