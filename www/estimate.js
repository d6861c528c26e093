/**
 * Keeps an estimate of how long the scenario in the form would take to run, whenever nothing is
 * running.
 */
import { estimate, reading, trace, work } from './state.js';

/** How long the form must have been left alone, in milliseconds. */
const REST = 150;

/**
 * @param {(now: import('./state.js').Reading) => Promise<import('./forecast.js').Range | null>}
 *   takes how long a scenario takes, where that can be told. What it throws is no matter here: the
 *   run will meet the same and say so.
 */
export function foresee(takes) {
  let timer = 0;
  /** What was tried last, which is not tried again. @type {import('./state.js').Reading | null} */
  let tried = null;

  const look = async () => {
    const now = reading.get();
    if (now === null || now === tried || now.problems.length > 0 || work.get().phase !== 'idle')
      return;
    tried = now;
    const range = await takes(now).catch(() => {
      tried = null;
      return null;
    });
    if (range !== null && reading.get() === now && work.get().phase === 'idle')
      estimate.set({ text: now.text, range });
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), REST);
  };
  reading.watch(later);
  trace.watch(() => {
    tried = null;
    later();
  });
  work.watch(({ phase }) => {
    if (phase === 'idle') later();
  });
}
