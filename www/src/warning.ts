/**
 * Keeps the warning about the scenario in the form that some of its jobs can never run.
 */
import { Cancelled } from './worker/worker-client.ts';
import { reading, trace, warning } from './state.ts';
import type { Reading } from './state.ts';

/** How long the form must be unchanged, in milliseconds. */
const REST = 150;

/**
 * @param warningFor the warning about a scenario; null if all of its jobs can run, or its trace is
 * missing. Its errors are ignored: the run will report them.
 */
export function warn(warningFor: (now: Reading) => Promise<string | null>) {
  let timer = 0;

  const look = async () => {
    const now = reading.peek();
    if (now === null || now.problems.length > 0) return;
    const words = now.trace === null && !now.mayExceed ? null : await warningFor(now).catch(again);
    if (reading.peek() === now) warning.value = words === null ? null : { text: now.text, words };
  };
  /** The worker may have been cancelled. */
  const again = (error: unknown) => {
    if (error instanceof Cancelled) later();
    return null;
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), REST);
  };
  reading.subscribe(later);
  trace.subscribe(later);
}
