/**
 * Reads logs and simulates in slices, between which others get their turn. It needs no worker and no
 * page: the package for others does it by this, too.
 */
import { SLICE } from './protocol.ts';
import type { Run, Trace } from '../../pkg/backfill_web.js';
import type { Core } from '../core.ts';

/** The name of a log, its format, and the values of the keys that say how it is read. */
export interface LogForm {
  name: string;
  kind: string;
  processors: string;
  cancelled: string;
  columns: string;
}

/**
 * Reads a log.
 * @param rest is awaited between slices, with the number of bytes that were read so far; what it
 *   throws ends the reading
 */
export async function readInSlices(
  core: Core,
  { name, kind, processors, cancelled, columns }: LogForm,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  rest: (bytes: number) => Promise<void>,
): Promise<Trace> {
  const loader = new core.TraceLoader(name, kind, processors, cancelled, columns);
  let bytes = 0;
  let until = performance.now() + SLICE;
  for await (const piece of pieces) {
    loader.push(piece);
    bytes += piece.length;
    if (performance.now() < until) continue;
    await freedByFailure(loader, rest(bytes));
    until = performance.now() + SLICE;
  }
  return loader.finish();
}

/**
 * Simulates a run to its end.
 * @param spent the milliseconds that were spent on it before
 * @param rest is awaited between slices, with the milliseconds that were spent so far; what it throws
 *   ends the run
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
    await freedByFailure(run, rest(spent));
    until = performance.now() + SLICE;
  }
}

async function freedByFailure(held: { free: () => void }, rest: Promise<void>) {
  try {
    await rest;
  } catch (error) {
    held.free();
    throw error;
  }
}
