/** Reads the log of a scenario. */
import { breath } from '../src/worker/protocol.ts';
import { readInSlices } from '../src/worker/slices.ts';
import { holding } from './held.ts';
import { checked } from './scenario.ts';
import type { Reading, Trace, TraceReport } from '../pkg/backfill_web.js';
import type { Core } from '../src/core.ts';
import type { Entries, Log } from './types.ts';

/** How much of a log is read before the time is taken, in bytes. */
const PIECE = 1 << 20;

/** A scenario with its log, and what was found in its lines. */
export interface Opened {
  reading: Reading;
  trace: Trace;
  report: TraceReport | null;
}

/** What `act` makes of a scenario and its log, if it has one. */
export async function withLog<Made>(
  core: Core,
  entries: Entries,
  { log, signal }: { log?: Log; signal?: AbortSignal },
  act: (opened: Opened) => Promise<Made>,
): Promise<Made> {
  if (log === undefined) {
    const reading = checked(core, entries);
    return holding(core.Trace.none(), (trace) => act({ reading, trace, report: null }));
  }
  const named = { ...entries, workload: core.trace_kind(log.name), file: log.name };
  const values = Object.fromEntries(checked(core, named).values);
  return holding(await read(core, log, values, signal), (trace) => {
    const report = trace.report();
    const { format: workload, sha256 } = report;
    if (values.sha256 !== '' && values.sha256 !== sha256)
      throw `sha256 = ${values.sha256}: ${log.name} has the SHA-256 ${sha256}; give the log of the scenario, or leave that key out`;
    const reading = checked(core, { ...named, workload, sha256 });
    return act({ reading, trace, report });
  });
}

function read(
  core: Core,
  { name, bytes }: Log,
  { processors, cancelled, columns }: Entries,
  signal: AbortSignal | undefined,
) {
  const form = { name, kind: core.trace_kind(name), processors, cancelled, columns };
  return readInSlices(core, form, piecesOf(bytes), () => othersTurn(signal));
}

function* piecesOf(bytes: Uint8Array) {
  for (let from = 0; from < bytes.length; from += PIECE) yield bytes.subarray(from, from + PIECE);
}

/** Lets others have their turn, and ends what it is awaited in if they aborted that meanwhile. */
export async function othersTurn(signal: AbortSignal | undefined) {
  await breath();
  signal?.throwIfAborted();
}
