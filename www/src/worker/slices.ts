/** Simulates in slices. It needs no worker and no page: a package for others does it, too. */
import { SLICE } from './protocol.ts';
import type { Run } from '../../pkg/backfill_web.js';

/**
 * Simulates a run to its end.
 * @param spent the milliseconds that were spent on it before
 * @param rest is awaited between slices, with the milliseconds that were spent so far; it frees the
 *   run where it throws
 * @returns the milliseconds that were spent in all
 */
export async function simulateInSlices(
  run: Run,
  spent: number,
  rest: (spent: number) => Promise<void>,
) {
  // A few thousand events take about a millisecond; many servers take longer.
  let events = 256;
  let until = performance.now() + SLICE;
  for (;;) {
    const before = performance.now();
    const ended = run.advance(events);
    const now = performance.now();
    spent += now - before;
    if (ended) return spent;
    if (now - before < SLICE / 8) events *= 2;
    else if (now - before > SLICE / 2 && events > 1) events /= 2;
    if (now < until) continue;
    await rest(spent);
    until = performance.now() + SLICE;
  }
}
