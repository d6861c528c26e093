/**
 * Keeps what is to be known before the scenario in the form is run: that some of its jobs can never
 * run.
 */
import { Cancelled } from './worker/worker-client.js';
import { reading, trace, warning } from './state.js';

/** How long the form must have been left alone, in milliseconds. */
const REST = 150;

/**
 * @param {(now: import('./state.js').Reading) => Promise<string | null>} warningFor what is to be
 *   known of a scenario; null where all of its jobs can run, or its trace is not at hand. What it
 *   throws is no matter here: the run will meet the same and say so.
 */
export function warn(warningFor) {
  let timer = 0;

  const look = async () => {
    const now = reading.get();
    if (now === null || now.problems.length > 0) return;
    const words = now.trace === null && !now.mayExceed ? null : await warningFor(now).catch(again);
    if (reading.get() === now) warning.set(words === null ? null : { text: now.text, words });
  };
  /** Whoever was asked may have been called away. @param {unknown} error */
  const again = (error) => {
    if (error instanceof Cancelled) later();
    return null;
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), REST);
  };
  reading.watch(later);
  trace.watch(later);
}
