/**
 * The remaining time of a sweep, estimated from the runs so far: a pure function of times.
 *
 * The cost of a run depends on its policy and on the number of waiting jobs: the cost of a job
 * grows with the queue that it meets. So each point of the sweep is estimated from runs of the same
 * policy, and for a growing queue as a range: at least as if the rest cost as much a job as so far,
 * at most as if the queue grew on.
 */

/** In milliseconds, and whether a queue was seen to grow. */
export type Range = { low: number; high: number; grows?: boolean };
/**
 * The finished share of a run, the milliseconds that it took, the share of arrived jobs that wait,
 * and their number; a share of 1 is the whole run.
 */
export type Part = { share: number; spent: number; queued: number; waiting?: number };
type Sizes = { xs: number; ys: number; policies: number; replications: number };

/** The share of waiting among arrived jobs from which a queue is assumed to grow. */
export const GROWING = 0.01;
/**
 * A run is saturated if at least this share of its arrived jobs waits, and has done so since a
 * quarter of them had arrived; a queue that is worked off becomes a smaller share.
 */
const SATURATED = 0.05;
const KEPT = 0.9;
/** The least number of waiting jobs in a saturated run. */
const MANY = 100;
/**
 * The exponents of the number of jobs in the cost of a run, with a growing queue and without.
 */
const WITH_QUEUE = 2;
const WITHOUT = 1.2;
/**
 * Up to this share of a run its code may not be optimized yet, and later jobs take this part of the
 * time.
 */
const BEGUN = 0.25;
const COLD = 0.2;
/**
 * The range of times of runs of one point, as a factor, after one measurement, and after several.
 */
const ONE = 1.5;
const SEVERAL = 1.2;
/**
 * The largest factor between the time of a run and that of the nearest measured value, if there is
 * one only on one side.
 */
const BEYOND = 4;

/** The time of a whole run with this part done. */
export function wholeOf({ share, spent, queued }: Part): Range {
  if (share >= 1) return { low: spent, high: spent };
  const power = queued < GROWING ? WITHOUT : WITH_QUEUE;
  return {
    low: ((share < BEGUN ? COLD : 0.8) * spent) / share,
    high: (1.2 * spent) / share ** power,
  };
}

export class Forecast {
  sizes: Sizes;
  workers: number;
  /** Times of whole runs by the number of their point. */
  readonly measured = new Map<number, number[]>();
  /** Estimates from trials, by point. */
  readonly tried = new Map<number, Range>();
  /** The running cells. */
  readonly parts = new Map<number, Part>();
  /** The states of running cells at each doubling of their progress. */
  readonly seen = new Map<number, Part[]>();
  /** The unfinished cells. */
  left: Set<number>;

  /** @param workers that share the runs */
  constructor(sizes: Sizes, workers: number) {
    this.sizes = sizes;
    this.workers = workers;
    const cells = sizes.xs * sizes.ys * sizes.policies * sizes.replications;
    this.left = new Set(Array.from({ length: cells }, (_, cell) => cell));
  }

  point(cell: number) {
    return Math.floor(cell / this.sizes.replications);
  }

  /** Adds a trial of this cell. */
  try(cell: number, part: Part) {
    this.tried.set(this.point(cell), wholeOf(part));
  }

  /** Sets the progress of this cell. */
  under(cell: number, part: Part) {
    if (!this.left.has(cell)) return;
    this.parts.set(cell, part);
    const seen = this.seen.get(cell) ?? [];
    if (part.share >= 2 * (seen.at(-1)?.share ?? 0)) this.seen.set(cell, [...seen, part]);
  }

  /**
   * The saturated running cell with the longest remaining time.
   * @returns with the milliseconds that it may still take
   */
  saturated(): { cell: number; left: number } | null {
    const grown = [...this.parts].filter(([cell, part]) => {
      const before = (this.seen.get(cell) ?? []).slice(-3);
      const shares = [...before.map(({ queued }) => queued), part.queued];
      const waiting = (part.waiting ?? 0) >= MANY && part.queued >= SATURATED;
      return (
        waiting &&
        before.length === 3 &&
        shares.every((queued, at) => at === 0 || queued >= KEPT * shares[at - 1])
      );
    });
    const longest = grown
      .map(([cell, part]) => ({ cell, left: wholeOf(part).high - part.spent }))
      .sort((one, other) => other.left - one.left);
    return longest[0] ?? null;
  }

  /** Removes cells that are not run. */
  leaveOut(cells: Iterable<number>) {
    for (const cell of cells) {
      this.left.delete(cell);
      this.parts.delete(cell);
      this.seen.delete(cell);
    }
  }

  /** The unfinished cells of the point of this one. */
  besides(cell: number) {
    return [...this.left].filter((other) => this.point(other) === this.point(cell));
  }

  /**
   * Adds a finished cell.
   * @param spent the milliseconds that it took, if known
   */
  done(cell: number, spent: number | null) {
    this.leaveOut([cell]);
    if (spent === null) return;
    const point = this.point(cell);
    this.measured.set(point, [...(this.measured.get(point) ?? []), spent]);
  }

  /** The time of all that is left; null without any measurement. */
  rest(): Range | null {
    /** Estimates of points, from runs of their own. */
    const known: Map<number, Range> = new Map(this.tried);
    for (const [cell, part] of this.parts) {
      if (part.share > 0) known.set(this.point(cell), wholeOf(part));
    }
    for (const [point, times] of this.measured) known.set(point, spread(times));
    if (known.size === 0) return null;
    const points = new Map<number, Range>();
    let [low, high, longest, surely] = [0, 0, 0, 0];
    for (const cell of this.left) {
      const point = this.point(cell);
      let range = points.get(point);
      if (range === undefined) {
        range = this.foretold(point, known);
        points.set(point, range);
      }
      const part = this.parts.get(cell);
      const left = part === undefined ? range : minus(narrowed(range, part), part.spent);
      low += left.low;
      high += left.high;
      longest = Math.max(longest, left.high);
      surely = Math.max(surely, left.low);
    }
    const workers = Math.max(1, Math.min(this.workers, this.left.size));
    // In any distribution over workers, the longest run takes its time (Graham 1966).
    return {
      low: Math.max(low / workers, surely),
      high: high / workers + longest * (1 - 1 / workers),
    };
  }

  /** The time of a run at a point, from estimates of this and other points. */
  foretold(point: number, known: Map<number, Range>): Range {
    const own = known.get(point);
    if (own !== undefined) return own;
    const { xs, ys, policies } = this.sizes;
    const policy = point % policies;
    const row = Math.floor(point / policies / xs);
    const x = Math.floor(point / policies) % xs;
    const at = (y: number, x: number) => known.get((y * xs + x) * policies + policy);
    // First along the same row; else from the nearest rows, whose ends are tried.
    for (let away = 0; away < ys; away += 1) {
      const found = (away === 0 ? [row] : [row - away, row + away]).flatMap((y) => {
        const range = y < 0 || y >= ys ? null : between(xs, x, (x) => at(y, x));
        return range === null ? [] : [range];
      });
      if (found.length > 0)
        return away === 0
          ? found[0]
          : {
              low: Math.min(...found.map(({ low }) => low)) / 2,
              high: 2 * Math.max(...found.map(({ high }) => high)),
            };
    }
    // Without data on the policy: others at the same point, or anywhere.
    const ranges = [...known.values()];
    return {
      low: Math.min(...ranges.map(({ low }) => low)),
      high: BEYOND * Math.max(...ranges.map(({ high }) => high)),
    };
  }
}

/**
 * The interpolation of the nearest known values on both sides, or extrapolation from one; null
 * without any.
 */
function between(xs: number, x: number, at: (x: number) => Range | undefined): Range | null {
  const nearest = (step: 1 | -1) => {
    for (let near = x; near >= 0 && near < xs; near += step) {
      const range = at(near);
      if (range !== undefined) return { range, steps: Math.abs(near - x) };
    }
    return null;
  };
  const [before, after] = [nearest(-1), nearest(1)];
  if (before !== null && after !== null) {
    return {
      low: Math.min(before.range.low, after.range.low),
      high: Math.max(before.range.high, after.range.high),
    };
  }
  const one = before ?? after;
  return (
    one && { low: one.range.low / BEYOND, high: one.range.high * BEYOND ** Math.min(one.steps, 3) }
  );
}

function spread(times: number[]): Range {
  const factor = times.length > 1 ? SEVERAL : ONE;
  return { low: Math.min(...times) / factor, high: Math.max(...times) * factor };
}

/** The intersection of the estimate of a point with that of its running cell, if they overlap. */
function narrowed(range: Range, part: Part): Range {
  if (part.share <= 0) return range;
  const own = wholeOf(part);
  const both = { low: Math.max(own.low, range.low), high: Math.min(own.high, range.high) };
  return both.low <= both.high ? both : own;
}

function minus({ low, high }: Range, spent: number): Range {
  return { low: Math.max(0, low - spent), high: Math.max(0, high - spent) };
}
