import { Cancelled, Fault, Silent } from './worker-client.ts';
import type { CellOutcome } from '../../pkg/backfill_web.js';
import type { Part } from '../forecast.ts';
import type { Run, TraceFile } from './messages.ts';
import type { Heard, WorkerClient } from './worker-client.ts';

/** The progress of a running cell, and the number of its waiting jobs. */
export type Under = Part & { cell: number; waiting: number };

/** The cells that a pool is to run. */
export interface Cells {
  scenario: string;
  trace: TraceFile | null;
  order: Iterable<number>;
  /** Whether it is one cell, whose run is opened next. */
  isKept?: boolean;
  topology?: Run['topology'];
  /** Also gets the milliseconds of the simulation. */
  took: (outcome: CellOutcome, spent: number | null) => void;
  /** Gets the number of cells done so far, running ones as fractions, and the progress of one. */
  progress: (cells: number, under?: Under) => void;
}

/** A run of a pool: which of its cells are left, under way, done or left out. */
export class PoolRun {
  /** Why it gives up, if it does. */
  stop: Error | null = null;
  readonly #cells: Cells;
  #left: number[];
  #done = 0;
  /** Each aborts a single running cell. */
  readonly #underWay = new Map<number, AbortController>();
  readonly #leftOut = new Set<number>();
  readonly #shares = new Map<number, number>();
  /** Cells that are run once more. */
  readonly #again = new Set<number>();
  /** Gets the worker that keeps the run, if that is to be kept. */
  #keeper: WorkerClient | null;

  constructor(cells: Cells, keeper: WorkerClient | null) {
    this.#cells = cells;
    this.#left = [...cells.order].reverse();
    this.#keeper = cells.isKept ? keeper : null;
  }

  /** Requests no more cells. */
  giveUp(reason: Error) {
    this.#left = [];
    this.stop ??= reason;
  }

  /** Skips cells that are not done. */
  leaveOut(cells: Iterable<number>) {
    for (const cell of cells) {
      this.#leftOut.add(cell);
      this.#underWay.get(cell)?.abort();
    }
    this.#left = this.#left.filter((cell) => !this.#leftOut.has(cell));
  }

  /**
   * Has a worker run cells, one after the other, as long as there are any; throws what ends the run.
   * @param typeOf what is asked for in place of a cell
   */
  async occupy(worker: WorkerClient, typeOf: () => 'cell' | 'panic') {
    for (let cell = this.#left.pop(); cell !== undefined; cell = this.#left.pop()) {
      try {
        await this.#request(worker, typeOf(), cell);
      } catch (error) {
        if (!(error instanceof Error) || !this.#goesOn(cell, error)) throw error;
      }
    }
  }

  async #request(worker: WorkerClient, type: 'cell' | 'panic', cell: number) {
    const { scenario, trace, took, topology } = this.#cells;
    let spent: number | null = null;
    const abort = new AbortController();
    this.#underWay.set(cell, abort);
    const heard: Heard = (part, total, effort) => {
      const share = total > 0 ? part / total : 0;
      this.#shares.set(cell, share);
      if (effort !== undefined) spent = effort.spent;
      this.#report(effort && { cell, share, ...effort });
    };
    const isKept = this.#keeper !== null;
    const given = { scenario, trace, cell, isKept, topology };
    const outcome = await worker.ask(type, given, heard, abort.signal);
    this.#keeper?.swap(worker);
    this.#done += 1;
    this.#shares.delete(cell);
    took(outcome, spent);
    this.#report();
  }

  /**
   * Whether a run goes on although a cell ended in this way: it was left out, or its worker fell
   * silent, after which it is run once more, as after a fault where it was to be kept, which takes
   * more memory.
   */
  #goesOn(cell: number, error: Error) {
    if (this.stop !== null) return false;
    const isLeftOut = error instanceof Cancelled && this.#leftOut.has(cell);
    const isBare = error instanceof Fault && this.#keeper !== null;
    const isAgain = isBare || (error instanceof Silent && !this.#again.has(cell));
    if (!isLeftOut && !isAgain) return false;
    this.#shares.delete(cell);
    if (isLeftOut) {
      this.#report();
    } else {
      this.#keeper = null;
      this.#again.add(cell);
      this.#left.push(cell);
    }
    return true;
  }

  #report(under?: Under) {
    const running = [...this.#shares.values()].reduce((sum, share) => sum + share, 0);
    this.#cells.progress(this.#done + running, under);
  }
}
