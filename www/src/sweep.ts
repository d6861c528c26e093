/** One simulation of a scenario: the outcomes that have come, how long the others take, and progress. */
import { cellAt, sizesOf, topology, work } from './state.ts';
import { runTexts } from './texts/run.ts';
import type { Board, CellOutcome } from '../pkg/backfill_web.js';
import type { Answer } from './answer.ts';
import type { Forecast, Range } from './forecast.ts';
import type { Asked, Reading, Saturated } from './state.ts';
import type { TraceFile } from './worker/messages.ts';
import type { Pool } from './worker/pool.ts';
import type { Under } from './worker/pool-run.ts';

/** A run whose queue only grows is named if it lasts longer than this, in milliseconds. */
const LONG = 3000;
/**
 * The interval between two updates of the progress of a run, in milliseconds: more frequent drawing
 * takes time from the workers on machines with few cores.
 */
const UPDATE = 225;
const FORETELL = 500;

interface SweepParts {
  reading: Reading;
  trace: TraceFile | null;
  /** The outcomes of cells that are not run again. */
  kept: CellOutcome[];
  pool: Pool;
  answer: Answer;
  board: Board;
  forecast: Forecast;
  /** Whether the current answer stays while it is checked; otherwise curves grow. */
  isCheck: boolean;
  /** The digest of the link that asked for it. */
  promise: Asked['promised'];
}

export class Sweep {
  readonly reading: Reading;
  readonly trace: TraceFile | null;
  readonly isCheck: boolean;
  readonly promise: Asked['promised'];
  readonly board: Board;
  /** The number of finished cells. */
  done: number;
  /** The stopped points, in words, and the number of their runs that are left out. */
  readonly stopped: { points: string[]; runs: number } = { points: [], runs: 0 };
  readonly #parts: SweepParts;
  readonly #begun = performance.now();
  /** The times of the last updates of the progress and of the remaining time. */
  #updated = 0;
  #estimated = 0;
  #left: Range | null = null;
  #saturated: Saturated | null = null;

  constructor(parts: SweepParts) {
    this.#parts = parts;
    this.reading = parts.reading;
    this.trace = parts.trace;
    this.isCheck = parts.isCheck;
    this.promise = parts.promise;
    this.board = parts.board;
    this.done = parts.kept.length;
    for (const { cell } of parts.answer.outcomes) this.#foresee(cell, null);
  }

  /** Simulates what is left; returns the time since it began, in milliseconds. */
  async simulate(): Promise<number> {
    const { pool, answer } = this.#parts;
    // With the progress: each frame of the page takes time from the workers, too.
    const unsubscribe = work.subscribe(({ phase }) => {
      if (!this.isCheck) answer.redrawGrown(phase === 'paused');
    });
    const run = pool.run({
      scenario: this.reading.text,
      trace: this.trace,
      isKept: this.reading.runs === 1,
      topology: topology.peek(),
      order: this.board.left(),
      took: (outcome, spent) => this.#take(outcome, spent),
      progress: (cells, under) => this.#progress(cells, under),
    });
    await run.finally(unsubscribe);
    return performance.now() - this.#begun;
  }

  #take(outcome: CellOutcome, spent: number | null) {
    const { answer } = this.#parts;
    this.board.add(outcome);
    this.#foresee(outcome.cell, spent);
    answer.outcomes.push(outcome);
    this.done += 1;
  }

  #foresee(cell: CellOutcome['cell'], spent: number | null) {
    this.#parts.forecast.done(cellAt(sizesOf(this.reading), cell), spent);
  }

  #progress(cells: number, under: Under | undefined) {
    const { forecast, kept } = this.#parts;
    if (under !== undefined) forecast.under(under.cell, under);
    const moment = performance.now();
    if (moment - this.#updated < UPDATE) return;
    this.#updated = moment;
    if (moment - this.#estimated > FORETELL) {
      this.#estimated = moment;
      this.#left = forecast.rest();
      this.#saturated = this.#saturatedPoint();
    }
    const { phase, done: shown } = work.peek();
    work.value = {
      phase,
      done: Math.max(kept.length + cells, shown),
      total: this.reading.runs - this.stopped.runs,
      left: this.#left,
      words: '',
      saturated: this.#saturated,
    };
  }

  /** The point whose queue only grows, if there is one and it takes long. */
  #saturatedPoint(): Saturated | null {
    const { forecast } = this.#parts;
    const found = forecast.saturated();
    if (found === null || found.left < LONG) return null;
    const { cell } = found;
    const point = pointInWords(this.reading, cell);
    const waiting = forecast.parts.get(cell)?.waiting ?? 0;
    return { words: runTexts.saturated(point, waiting), stop: () => this.#stop(cell, point) };
  }

  /** Leaves out the other runs of a point. */
  #stop(cell: number, point: string) {
    const { forecast, pool } = this.#parts;
    const cells = forecast.besides(cell);
    forecast.leaveOut(cells);
    this.stopped.points.push(point);
    this.stopped.runs += cells.length;
    this.#saturated = null;
    pool.leaveOut(cells);
  }
}

/** The point of the sweep of a cell: its policy and the swept values. */
export function pointInWords(now: Reading, cell: number) {
  const { xs, policies, replications } = sizesOf(now);
  const point = Math.floor(cell / replications);
  const at = [Math.floor(point / policies) % xs, Math.floor(point / policies / xs)];
  const values = [now.x, now.y].flatMap((axis, place) =>
    axis === null ? [] : [`${axis.label} ${axis.values[at[place]]}`],
  );
  return runTexts.point(now.policies[point % policies].label, values);
}
