/** The futures of a job that is asked about, simulated a few at a time by the workers of the page. */
import type { Told } from '../../pkg/backfill_web.js';
import type { AskedCall, Question } from '../worker/messages.ts';
import type { Pool } from '../worker/pool.ts';

/** The fewest futures that are shown, and how many a worker takes at once. */
export const FIRST = 20;
const BATCH = 5;

/** The answer so far. */
export interface Answered {
  question: Question;
  /** The start in each future so far, ascending, in seconds since time 0; those without one last. */
  starts: number[];
  /** What holds it back just before P50, and the starts of all jobs of the map, as the core has them. */
  holds: number[];
  cells: number[];
  /** Null until all futures are simulated. */
  told: Told | null;
  /** The answer before, if it was about another job at the same instant. */
  before: Told | null;
}

export class Futures {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Simulates futures from one up to another.
   * @param what the starts of the job, or of all jobs of the map
   * @param came gets the results so far of the first futures, up to the first that is missing
   */
  async simulate(
    question: Question,
    what: 'starts' | 'cells',
    [first, end]: readonly [number, number],
    came: (found: number[], futures: number) => void,
  ) {
    const calls = batches(first, end).map(([from, until]): AskedCall => [what, from, until]);
    const found: (number[] | undefined)[] = [];
    await this.#each(question, calls, (results, place) => {
      found[place] = [...results];
      const missing = Array.from(found).indexOf(undefined);
      const whole = found.slice(0, missing < 0 ? found.length : missing);
      came(
        whole.flatMap((batch) => batch ?? []),
        Math.min(first + whole.length * BATCH, end),
      );
    });
  }

  /** What holds the job back just before an instant in the first futures. */
  async holds(question: Question, futures: number, instant: number) {
    const calls = batches(0, futures).map(([from, until]): AskedCall => {
      const seeds = Uint32Array.from({ length: until - from }, (_, more) => from + more);
      return ['holds', seeds, instant];
    });
    const found: number[] = [];
    await this.#each(question, calls, (results) => found.push(...results));
    return found;
  }

  /** The answer in numbers and words. */
  async tell(question: Question, starts: number[], holds: number[], cells: number[]) {
    const [one, two, three] = [starts, holds, cells].map((list) => Float64Array.from(list));
    const calls: AskedCall[] = [['told', one, two, three]];
    const [[told]] = await this.#pool.aside('forecast', [{ ...question, calls }]);
    return told as Told;
  }

  async #each(
    question: Question,
    calls: AskedCall[],
    came: (found: Float64Array, place: number) => void,
  ) {
    const all = calls.map((call) => ({ ...question, calls: [call] }));
    await this.#pool.aside('forecast', all, ([found], place) => came(found as Float64Array, place));
  }
}

/** The futures of batches, from one up to another. */
function batches(first: number, end: number) {
  return Array.from({ length: Math.ceil((end - first) / BATCH) }, (_, place) => {
    const from = first + place * BATCH;
    return [from, Math.min(from + BATCH, end)] as const;
  });
}

/** Starts in order, in seconds; those without one, below 0, last. */
export function inOrder(starts: number[]) {
  return [...starts].sort((one, other) => (one < 0 || other < 0 ? other - one : one - other));
}

/** The start that is not exceeded in so many per cent of the futures, as the core has it. */
export function quantile(starts: number[], percent: number) {
  const start = starts[Math.max(0, Math.ceil((percent * starts.length) / 100) - 1)];
  return start === undefined || start < 0 ? null : start;
}
