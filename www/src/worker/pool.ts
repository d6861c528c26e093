import { PoolRun } from './pool-run.ts';
import { SILENCE } from './protocol.ts';
import { Cancelled, WorkerClient } from './worker-client.ts';
import type { Build, CallName, Given, Result, TraceFile } from './messages.ts';
import type { Cells } from './pool-run.ts';

/** How many cells a worker holds: the next one is there before the current one is done. */
const AHEAD = 2;
/** How many workers at most read a trace before a run needs it: a first answer has four cells. */
const HOLDING = 4;

/** The workers that share the cells of a sweep. */
export class Pool {
  workers: WorkerClient[];
  silence: number;
  /** Gets the worker that keeps a run which is opened next. */
  keeper: WorkerClient | null = null;
  resting = false;
  panics = false;
  /** The last run. */
  #run: PoolRun | null = null;
  /** Ends the reading of a trace for the next run. */
  #held = new AbortController();
  /** The number of requests aside, which give way to a run. */
  asides = 0;
  /** The number of requests to the workers; only the last is served. */
  turn = 0;

  /** @param silence for how many milliseconds a worker may be silent */
  constructor(build: Build, size: number, silence: number = SILENCE) {
    this.workers = Array.from({ length: size }, () => new WorkerClient(build));
    this.silence = silence;
  }

  /** Fault injection: the first cell of the next run panics instead. */
  panicOnce() {
    this.panics = true;
  }

  /**
   * Runs cells in the given order; each outcome is reported as it comes, in any order. Ends when
   * all are done or left out, when `cancel` is called (throws Cancelled) or at the first refusal or
   * fault (throws it). A cell whose worker falls silent is run once more, and after a fault one that
   * was to be kept.
   */
  async run(cells: Cells) {
    const run = new PoolRun(cells, this.keeper);
    this.#run = run;
    const typeOf = () => {
      const type = this.panics ? 'panic' : 'cell';
      this.panics = false;
      return type;
    };
    const lane = async (worker: WorkerClient) => {
      try {
        await run.occupy(worker, typeOf);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        const isFirst = run.stop === null;
        run.giveUp(error);
        if (isFirst && !(error instanceof Cancelled)) void this.cancel();
      }
    };
    this.turn += 1;
    await this.makeWay();
    this.resting = false;
    const watch = this.listen();
    // The first cells go to different workers: one that still has to read the log takes no more.
    const lanes = Array.from({ length: AHEAD }, () => this.workers.map(lane)).flat();
    await Promise.all(lanes).finally(() => clearInterval(watch));
    if (run.stop !== null) throw run.stop;
  }

  /** Makes the current run, if there is one, skip cells that are not done. */
  leaveOut(cells: Iterable<number>) {
    this.#run?.leaveOut(cells);
  }

  /**
   * Has workers read the trace of the next run beside the one that reports on it, which has a core
   * of its own and says what goes wrong.
   */
  hold(trace: TraceFile) {
    this.#held.abort();
    this.#held = new AbortController();
    const count = Math.min(this.workers.length - 1, HOLDING);
    for (const worker of this.workers.slice(0, count)) {
      worker.ask('hold', { trace }, undefined, this.#held.signal).catch(() => {});
    }
  }

  /**
   * Sends requests of one kind to idle workers; throws what they throw, and Cancelled if a run or
   * other requests took their place.
   * @param came gets each result as it comes, and the position of its request
   */
  async aside<Name extends CallName>(
    type: Name,
    all: Given<Name>[],
    came: (result: Result<Name>, place: number) => void = () => {},
  ): Promise<Result<Name>[]> {
    this.turn += 1;
    const { turn } = this;
    await this.makeWay();
    if (turn !== this.turn) throw new Cancelled();
    const asked = all.map(async (given, place) => {
      const result = await this.workers[place % this.workers.length].ask(type, given);
      came(result, place);
      return result;
    });
    this.asides += 1;
    // One that is cancelled ends before others, whose worker may yet be replaced.
    void Promise.allSettled(asked).then(() => {
      this.asides -= 1;
    });
    return Promise.all(asked);
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
    this.#run?.giveUp(new Cancelled());
    await Promise.all(this.workers.map((worker) => worker.cancel()));
  }
}

/** One worker for each core, but few enough for a tab; some browsers do not report cores. */
export function poolSize(cores = navigator.hardwareConcurrency) {
  return Math.min(Math.max(cores || 4, 1), 8);
}
