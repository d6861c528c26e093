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

export function estimates(pool: Pool, answer: Answer) {
  /** The forecast of the runs of a scenario from trials, before any was run. */
  let foretold: { text: string; forecast: Forecast } | null = null;

  /** An empty forecast of the runs of a scenario. */
  function forecastOf(now: Pick<Reading, 'x' | 'y' | 'policies' | 'replications'>) {
    return new Forecast({ ...sizesOf(now), ys: now.y?.values.length ?? 1 }, pool.workers.length);
  }

  /** The forecast of a scenario from short trials of every policy at the ends of the sweep. */
  const tried = async (
    now: Pick<Reading, 'text' | 'x' | 'y' | 'policies' | 'replications'>,
    mineTrace: TraceFile | null,
  ) => {
    const mine = sizesOf(now);
    const [x, y] = [mine.xs - 1, (now.y?.values.length ?? 1) - 1];
    const ends =
      x + y > 0
        ? [
            { x: 0, y: 0 },
            { x, y },
          ]
        : [{ x, y }];
    const cells = ends.flatMap((end) =>
      now.policies.map((_, policy) => cellAt(mine, { ...end, policy, replication: 0 })),
    );
    const parts: (Part | null)[] = await pool.aside(
      'estimate',
      cells.map((cell) => ({ scenario: now.text, trace: mineTrace, cell })),
    );
    const forecast = forecastOf(now);
    for (const [place, part] of parts.entries()) {
      if (part !== null) forecast.try(cells[place], part);
    }
    return { forecast, parts };
  };

  /**
   * The run time of the scenario in the form, from short trials of every policy at the ends of the
   * sweep; null if unknown or unnecessary, as when its answer is shown already.
   */
  const takes = async (now: Reading) => {
    const mineTrace = traceFor(now);
    if (
      now.text === answer.text ||
      (now.trace !== null && mineTrace === null) ||
      safe.broke(now.text) ||
      !fits(now)
    )
      return null;
    const { forecast, parts } = await tried(now, mineTrace);
    foretold = { text: now.text, forecast };
    const rest = forecast.rest();
    const grows = parts.some((part) => part !== null && part.share < 1 && part.queued >= GROWING);
    return rest === null || parts.includes(null) ? null : { ...rest, grows };
  };

  let timer = 0;
  /** The last scenario considered, not to be again. */
  let seen: Reading | null = null;

  const look = async () => {
    const now = reading.get();
    if (now === null || now === seen || now.problems.length > 0 || work.get().phase !== 'idle')
      return;
    if (answering.get() !== null) return;
    seen = now;
    const range = await takes(now).catch(() => {
      seen = null;
      return null;
    });
    if (range !== null && reading.get() === now && work.get().phase === 'idle')
      estimate.set({ text: now.text, range });
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), REST);
  };

  return {
    /** Begins to watch the form. */
    watch() {
      reading.watch(later);
      trace.watch(() => {
        seen = null;
        later();
      });
      work.watch(({ phase }) => {
        if (phase === 'idle') later();
      });
      answering.watch((text) => {
        if (text === null) later();
      });
    },

    /** The forecast of the runs of a scenario at their start. */
    forecastFor(now: Reading) {
      const forecast =
        foretold !== null && foretold.text === now.text ? foretold.forecast : forecastOf(now);
      foretold = null;
      return forecast;
    },
  };
}
