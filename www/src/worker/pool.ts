import { Cancelled, WorkerClient, Silent } from './worker-client.ts';
import { SILENCE } from './protocol.ts';
import type { CellOutcome } from '../../pkg/backfill_web.js';
import type { Part } from '../forecast.ts';
import type { Build, CallName, Given, Result, TraceFile } from './messages.ts';
import type { Heard } from './worker-client.ts';

/** The progress of a running cell, and the number of its waiting jobs. */
export type Under = Part & { cell: number; waiting: number };

/** How many cells a worker holds: the next one is there before the current one is done. */
const AHEAD = 2;

/** The workers that share the cells of a sweep. */
export class Pool {
  workers: WorkerClient[];
  silence: number;
  resting: boolean;
  panics: boolean;
  /** Makes the current run, if there is one, request no more cells. */
  giveUp: (reason: Error) => void;
  /** Makes the current run, if there is one, skip cells that are not done. */
  leaveOut: (cells: Iterable<number>) => void;
  /** The number of requests aside, which give way to a run. */
  asides: number;
  /** The number of requests to the workers; only the last is served. */
  turn: number;

  /** @param silence for how many milliseconds a worker may be silent */
  constructor(build: Build, size: number, silence: number = SILENCE) {
    this.workers = Array.from({ length: size }, () => new WorkerClient(build));
    this.silence = silence;
    this.resting = false;
    this.panics = false;
    this.giveUp = () => {};
    this.leaveOut = () => {};
    this.asides = 0;
    this.turn = 0;
  }

  /** Fault injection: the first cell of the next run panics instead. */
  panicOnce() {
    this.panics = true;
  }

  /**
   * Runs cells in the given order; each outcome is reported as it comes, in any order. Ends when
   * all are done or left out, when `cancel` is called (throws Cancelled) or at the first refusal or
   * fault (throws it). A cell whose worker falls silent is run once more.
   * @param work `took` also gets the milliseconds of the simulation; `progress` the number of cells
   * done so far, running ones as fractions, and the progress of one of those
   */
  async run({
    scenario,
    trace,
    order,
    took,
    progress,
  }: {
    scenario: string;
    trace: TraceFile | null;
    order: Iterable<number>;
    took: (outcome: CellOutcome, spent: number | null) => void;
    progress: (cells: number, under?: Under) => void;
  }) {
    let left = [...order].reverse();
    let done = 0;
    /** Aborts a single running cell. */
    const underWay = new Map<number, AbortController>();
    const leftOut = new Set<number>();
    this.leaveOut = (cells) => {
      for (const cell of cells) {
        leftOut.add(cell);
        underWay.get(cell)?.abort();
      }
      left = left.filter((cell) => !leftOut.has(cell));
    };
    const shares = new Map<number, number>();
    /** Cells whose worker fell silent. */
    const silenced = new Set<number>();
    const report = (under: Under | undefined = undefined) =>
      progress(
        [...shares.values()].reduce((sum, share) => sum + share, done),
        under,
      );
    let stop: Error | null = null;
    this.giveUp = (reason) => {
      left = [];
      stop ??= reason;
    };

    const lane = async (worker: WorkerClient) => {
      for (let cell = left.pop(); cell !== undefined; cell = left.pop()) {
        const asked = cell;
        try {
          const type = this.panics ? 'panic' : 'cell';
          this.panics = false;
          let spent: number | null = null;
          const run = { scenario, trace, cell: asked };
          const one = new AbortController();
          underWay.set(asked, one);
          const heard: Heard = (part, total, effort) => {
            const share = total > 0 ? part / total : 0;
            shares.set(asked, share);
            if (effort === undefined) {
              report();
            } else {
              spent = effort.spent;
              report({ cell: asked, share, ...effort });
            }
          };
          const outcome = await worker.ask(type, run, heard, one.signal);
          done += 1;
          shares.delete(asked);
          took(outcome, spent);
          report();
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          if (error instanceof Cancelled && stop === null && leftOut.has(asked)) {
            shares.delete(asked);
            report();
            continue;
          }
          if (error instanceof Silent && stop === null && !silenced.has(asked)) {
            silenced.add(asked);
            shares.delete(asked);
            left.push(asked);
            continue;
          }
          const first = stop === null;
          this.giveUp(error);
          if (first && !(error instanceof Cancelled)) void this.cancel();
        }
      }
    };
    this.turn += 1;
    await this.makeWay();
    this.resting = false;
    const watch = this.listen();
    // The first cells go to different workers: one that still has to read the log takes no more.
    const lanes = Array.from({ length: AHEAD }, () => this.workers.map(lane)).flat();
    await Promise.all(lanes).finally(() => clearInterval(watch));
    if (stop !== null) throw stop;
  }

  /**
   * Sends requests of one kind to idle workers; throws what they throw, and Cancelled if a run or
   * other requests took their place.
   */
  async aside<Name extends CallName>(type: Name, all: Given<Name>[]): Promise<Result<Name>[]> {
    this.turn += 1;
    const { turn } = this;
    await this.makeWay();
    if (turn !== this.turn) throw new Cancelled();
    this.asides += 1;
    try {
      return await Promise.all(
        all.map((given, place) => this.workers[place % this.workers.length].ask(type, given)),
      );
    } finally {
      this.asides -= 1;
    }
  }

  async makeWay() {
    if (this.asides > 0) await Promise.all(this.workers.map((worker) => worker.cancel()));
  }

  /**
   * Watches for workers that die silently.
   * @returns the timer to clear
   */
  listen(): ReturnType<typeof setInterval> {
    const every = this.silence / 8;
    let last = performance.now();
    return setInterval(() => {
      const now = performance.now();
      // Paused workers are silent, and nothing is received while the page sleeps.
      const deaf = this.resting || now - last > 2 * every;
      last = now;
      for (const worker of this.workers) {
        if (deaf) worker.heard = now;
        else worker.endIfSilent(this.silence);
      }
    }, every);
  }

  /** Ends the workers, with all their state; new ones start on the next request. */
  release() {
    for (const worker of this.workers) worker.release();
  }

  /** Pauses all. */
  pause() {
    this.resting = true;
    for (const worker of this.workers) worker.steer('pause');
  }

  /** Resumes all. */
  resume() {
    this.resting = false;
    for (const worker of this.workers) worker.steer('resume');
  }

  /**
   * Cancels everything that is running; finished outcomes were reported already. Workers that have
   * just finished everything have nothing to cancel, so the run ends as well.
   */
  async cancel() {
    this.giveUp(new Cancelled());
    await Promise.all(this.workers.map((worker) => worker.cancel()));
  }
}

/** One worker for each core, but few enough for a tab; some browsers do not report cores. */
export function poolSize(cores = navigator.hardwareConcurrency) {
  return Math.min(Math.max(cores || 4, 1), 8);
}
