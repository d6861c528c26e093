/** Reads traces; the last one is kept. */
import { CANCELLED, answer, core, wanted } from './context.ts';
import { breath } from './protocol.ts';
import { readInSlices } from './slices.ts';
import type { Trace } from '../../pkg/backfill_web.js';
import type { TraceFile } from './messages.ts';

/** The trace read last. */
let held: { source: TraceFile; trace: Trace } | null = null;

/** The trace of this file, read unless it is the last one read. */
export async function open(source: TraceFile, id: number): Promise<Trace> {
  if (held !== null && same(held.source, source)) return held.trace;
  held?.trace.free();
  held = null;
  const { file } = source;
  const form = { ...source, name: file.name };
  const trace = await readInSlices(core(), form, piecesOf(file), async (bytes) => {
    answer({ id, type: 'progress', done: bytes, total: file.size });
    await breath();
    if (wanted.cancelled || wanted.stopped === id) throw CANCELLED;
  });
  held = { source, trace };
  return trace;
}

/** The bytes of a file as they come; some browsers do not iterate over streams. */
async function* piecesOf(file: File) {
  const reader = file.stream().getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

/**
 * Whether two readings of files give the same trace; a file posted twice arrives as two objects.
 */
function same(one: TraceFile, other: TraceFile) {
  return (
    one.kind === other.kind &&
    one.processors === other.processors &&
    one.cancelled === other.cancelled &&
    one.columns === other.columns &&
    one.file.name === other.file.name &&
    one.file.size === other.file.size &&
    one.file.lastModified === other.file.lastModified
  );
}

/**
 * The result of `act` on an object of the core, which is then freed. After a panic of the core an
 * object cannot be freed, and the error of trying would replace the original one.
 */
export function used<Held extends { free: () => void }, Made>(
  held: Held,
  act: (held: Held) => Made,
) {
  try {
    const made = act(held);
    held.free();
    return made;
  } catch (error) {
    if (typeof error === 'string') held.free();
    throw error;
  }
}

/** The result of `act` on the trace of a scenario's file, which may have none. */
export async function withTrace<Made>(
  source: TraceFile | null,
  id: number,
  act: (trace: Trace) => Made,
) {
  return source === null ? used(core().Trace.none(), act) : act(await open(source, id));
}

/**
 * The results of methods of an object of the core. The types of the calls define the methods and
 * their parameters.
 */
export function callAll<Made>(of: object, calls: [method: string, ...given: unknown[]][]): Made[] {
  return calls.map(([method, ...given]) => Reflect.apply(Reflect.get(of, method), of, given));
}
