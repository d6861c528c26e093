/**
 * Keeps an estimate of the run time of the scenario in the form, whenever nothing is running. It is
 * based on short trials of its policies.
 */
import { Forecast, GROWING } from './forecast.ts';
import { fits } from './limits.ts';
import * as safe from './safe.ts';
import { answering, cellAt, estimate, reading, sizesOf, trace, traceFor, work } from './state.ts';
import type { Answer } from './answer.ts';
import type { Part } from './forecast.ts';
import type { Reading } from './state.ts';
import type { TraceFile } from './worker/messages.ts';
import type { Pool } from './worker/pool.ts';

/** How long the form must be unchanged, in milliseconds. */
const REST = 150;

/** What determines the runs of a scenario. */
type Runs = Pick<Reading, 'text' | 'x' | 'y' | 'policies' | 'replications'>;

export class Estimates {
  readonly #pool: Pool;
  readonly #answer: Answer;
  /** The forecast of the runs of a scenario from trials, before any was run. */
  #foretold: { text: string; forecast: Forecast } | null = null;
  /** The last scenario considered, not to be again. */
  #seen: Reading | null = null;
  #timer = 0;

  constructor(pool: Pool, answer: Answer) {
    this.#pool = pool;
    this.#answer = answer;
  }

  /** Begins to watch the form. */
  watch() {
    const later = () => this.#later();
    reading.subscribe(later);
    trace.subscribe(() => {
      this.#seen = null;
      later();
    });
    work.subscribe(({ phase }) => {
      if (phase === 'idle') later();
    });
    answering.subscribe((text) => {
      if (text === null) later();
    });
  }

  /** The forecast of the runs of a scenario at their start. */
  forecastFor(now: Reading) {
    const foretold = this.#foretold;
    this.#foretold = null;
    return foretold !== null && foretold.text === now.text
      ? foretold.forecast
      : this.#forecastOf(now);
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), REST);
  }

  /** Estimates the run time of the scenario in the form. */
  async #look() {
    const now = reading.peek();
    if (now === null || now === this.#seen || now.problems.length > 0) return;
    if (work.peek().phase !== 'idle' || answering.peek() !== null) return;
    this.#seen = now;
    const range = await this.#takes(now).catch(() => {
      this.#seen = null;
      return null;
    });
    if (range !== null && reading.peek() === now && work.peek().phase === 'idle')
      estimate.value = { text: now.text, range };
  }

  /**
   * The run time of the scenario in the form, from short trials of every policy at the ends of the
   * sweep; null if unknown or unnecessary, as when its answer is shown already.
   */
  async #takes(now: Reading) {
    const source = traceFor(now);
    if (now.text === this.#answer.text || (now.trace !== null && source === null)) return null;
    if (safe.broke(now.text) || !fits(now)) return null;
    const { forecast, parts } = await this.#tried(now, source);
    this.#foretold = { text: now.text, forecast };
    const rest = forecast.rest();
    const grows = parts.some((part) => part !== null && part.share < 1 && part.queued >= GROWING);
    return rest === null || parts.includes(null) ? null : { ...rest, grows };
  }

  /** The forecast of a scenario from short trials of every policy at the ends of the sweep. */
  async #tried(now: Runs, source: TraceFile | null) {
    const sizes = sizesOf(now);
    const [x, y] = [sizes.xs - 1, (now.y?.values.length ?? 1) - 1];
    const ends = [...(x + y > 0 ? [{ x: 0, y: 0 }] : []), { x, y }];
    const cells = ends.flatMap((end) =>
      now.policies.map((_, policy) => cellAt(sizes, { ...end, policy, replication: 0 })),
    );
    const parts: (Part | null)[] = await this.#pool.aside(
      'estimate',
      cells.map((cell) => ({ scenario: now.text, trace: source, cell })),
    );
    const forecast = this.#forecastOf(now);
    for (const [place, part] of parts.entries()) {
      if (part !== null) forecast.try(cells[place], part);
    }
    return { forecast, parts };
  }

  /** An empty forecast of the runs of a scenario. */
  #forecastOf(now: Runs) {
    const ys = now.y?.values.length ?? 1;
    return new Forecast({ ...sizesOf(now), ys }, this.#pool.workers.length);
  }
}
