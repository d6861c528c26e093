/**
 * How long the rest of a sweep will take, learnt from what has run of it: a pure function of times,
 * for the page to show.
 *
 * What a run costs depends on its policy and on how busy its machine is, above all on how many jobs
 * wait: the cost of a job grows with the queue that it meets. So each point of the sweep is
 * foretold from the same policy's runs, and where a queue grows a range is given: at least as if
 * the rest cost as much a job as what is done, at most as if the queue grew on.
 *
 * @typedef {{low: number, high: number, grows?: boolean}} Range in milliseconds, and whether a
 *   queue was seen to grow
 * @typedef {{share: number, spent: number, queued: number, waiting?: number}} Part how much of a run
 *   is done and how long that took, in milliseconds, and which share waits of the jobs that have
 *   arrived, and how many these are; all that is to be done if the first is 1
 * @typedef {{xs: number, ys: number, policies: number, replications: number}} Sizes
 */

/** Which share of the arrived jobs waits where a queue is taken to grow on. */
export const GROWING = 0.01;
/**
 * A run is saturated if of its arrived jobs at least this share waits, and has waited ever since as
 * few as a quarter of them had arrived; a queue that is worked off becomes a smaller share.
 */
const SATURATED = 0.05;
const KEPT = 0.9;
/** At least so many jobs wait in a run that is saturated. */
const MANY = 100;
/**
 * The cost of a run whose queue grows goes with this power of the jobs, that of another one with
 * that power.
 */
const WITH_QUEUE = 2;
const WITHOUT = 1.2;
/**
 * Up to this share of a run its code may not be optimized yet, and what follows take this part of
 * the time for a job.
 */
const BEGUN = 0.25;
const COLD = 0.2;
/**
 * How far runs of one point differ in time, as a factor, from one that was measured, and from
 * several.
 */
const ONE = 1.5;
const SEVERAL = 1.2;
/**
 * How many times as long a run may take as that of the nearest value that was measured on one side
 * of it alone.
 */
const BEYOND = 4;

/**
 * What a whole run takes of which this part is done.
 * @param {Part} part
 * @returns {Range}
 */
export function wholeOf({ share, spent, queued }) {
  if (share >= 1) return { low: spent, high: spent };
  const power = queued < GROWING ? WITHOUT : WITH_QUEUE;
  return {
    low: ((share < BEGUN ? COLD : 0.8) * spent) / share,
    high: (1.2 * spent) / share ** power,
  };
}

export class Forecast {
  /**
   * @param {Sizes} sizes
   * @param {number} workers that share the runs
   */
  constructor(sizes, workers) {
    this.sizes = sizes;
    this.workers = workers;
    /** Times of whole runs by the number of their point. @type {Map<number, number[]>} */
    this.measured = new Map();
    /** What trials let expect, by point. @type {Map<number, Range>} */
    this.tried = new Map();
    /** The runs under way, by cell. @type {Map<number, Part>} */
    this.parts = new Map();
    /**
     * What was seen of the runs under way each time that they had come twice as far, by cell.
     * @type {Map<number, Part[]>}
     */
    this.seen = new Map();
    const cells = sizes.xs * sizes.ys * sizes.policies * sizes.replications;
    /** The cells that are not done. */
    this.left = new Set(Array.from({ length: cells }, (_, cell) => cell));
  }

  /** @param {number} cell */
  point(cell) {
    return Math.floor(cell / this.sizes.replications);
  }

  /**
   * A run of this cell was tried.
   * @param {number} cell
   * @param {Part} part
   */
  try(cell, part) {
    this.tried.set(this.point(cell), wholeOf(part));
  }

  /**
   * So much of this cell is done.
   * @param {number} cell
   * @param {Part} part
   */
  under(cell, part) {
    if (!this.left.has(cell)) return;
    this.parts.set(cell, part);
    const seen = this.seen.get(cell) ?? [];
    if (part.share >= 2 * (seen.at(-1)?.share ?? 0)) this.seen.set(cell, [...seen, part]);
  }

  /**
   * Of the runs under way whose queue only grows, the one that is to take longest.
   * @returns {{cell: number, left: number} | null} and for how many milliseconds it may go on
   */
  saturated() {
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

  /**
   * These cells are not run.
   * @param {Iterable<number>} cells
   */
  leaveOut(cells) {
    for (const cell of cells) {
      this.left.delete(cell);
      this.parts.delete(cell);
      this.seen.delete(cell);
    }
  }

  /** The cells that are left of the point of this one. @param {number} cell */
  besides(cell) {
    return [...this.left].filter((other) => this.point(other) === this.point(cell));
  }

  /**
   * This cell is done.
   * @param {number} cell
   * @param {number | null} spent the milliseconds that it took, where they are known
   */
  done(cell, spent) {
    this.leaveOut([cell]);
    if (spent === null) return;
    const point = this.point(cell);
    this.measured.set(point, [...(this.measured.get(point) ?? []), spent]);
  }

  /**
   * How long all that is left takes; null while nothing is known.
   * @returns {Range | null}
   */
  rest() {
    /** @type {Map<number, Range>} what is known of points, from runs of their own */
    const known = new Map(this.tried);
    for (const [cell, part] of this.parts) {
      if (part.share > 0) known.set(this.point(cell), wholeOf(part));
    }
    for (const [point, times] of this.measured) known.set(point, spread(times));
    if (known.size === 0) return null;
    /** @type {Map<number, Range>} */
    const points = new Map();
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
    // However they are shared out, the longest run takes its time (Graham 1966).
    return {
      low: Math.max(low / workers, surely),
      high: high / workers + longest * (1 - 1 / workers),
    };
  }

  /**
   * What a run at a point takes, from what is known of this and of others.
   * @param {number} point
   * @param {Map<number, Range>} known
   * @returns {Range}
   */
  foretold(point, known) {
    const own = known.get(point);
    if (own !== undefined) return own;
    const { xs, ys, policies } = this.sizes;
    const policy = point % policies;
    const row = Math.floor(point / policies / xs);
    const x = Math.floor(point / policies) % xs;
    const at = (/** @type {number} */ y, /** @type {number} */ x) =>
      known.get((y * xs + x) * policies + policy);
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
    // Nothing is known of the policy: others at the same point, or anywhere.
    const ranges = [...known.values()];
    return {
      low: Math.min(...ranges.map(({ low }) => low)),
      high: BEYOND * Math.max(...ranges.map(({ high }) => high)),
    };
  }
}

/**
 * What lies between the nearest known values on both sides, or beyond those on one; null where none
 * is known.
 * @param {number} xs
 * @param {number} x
 * @param {(x: number) => Range | undefined} at
 * @returns {Range | null}
 */
function between(xs, x, at) {
  /** @param {1 | -1} step */
  const nearest = (step) => {
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

/** @param {number[]} times @returns {Range} */
function spread(times) {
  const factor = times.length > 1 ? SEVERAL : ONE;
  return { low: Math.min(...times) / factor, high: Math.max(...times) * factor };
}

/**
 * What is known of a point, and of a run that is under way there: both, where they agree.
 * @param {Range} range
 * @param {Part} part
 * @returns {Range}
 */
function narrowed(range, part) {
  if (part.share <= 0) return range;
  const own = wholeOf(part);
  const both = { low: Math.max(own.low, range.low), high: Math.min(own.high, range.high) };
  return both.low <= both.high ? both : own;
}

/** @param {Range} range @param {number} spent @returns {Range} */
function minus({ low, high }, spent) {
  return { low: Math.max(0, low - spent), high: Math.max(0, high - spent) };
}
