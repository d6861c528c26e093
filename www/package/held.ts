/** The core as it is loaded once, what it refuses as errors, and its objects, which are freed. */
import * as glue from '../pkg/backfill_web.js';
import { loadCore } from '../src/core.ts';
import type { Core } from '../src/core.ts';
import type { Source } from './types.ts';

let isLoaded = false;
/** Why the core cannot be used any more. */
let fault: string | null = null;

/** Loads the core from a module or from where its file lies. */
export async function loadFrom(source?: Source) {
  const module = source ?? (await loadCore(() => {})).module;
  await glue.default({ module_or_path: module });
  if (isLoaded) return;
  isLoaded = true;
  glue.on_panic((words: string) => {
    fault = `a fault of the core, which has to be loaded anew in another process or worker: ${words}`;
  });
}

/** What `act` makes of the core; what that refuses is thrown as an `Error`. */
export function withCore<Made>(act: (core: Core) => Made): Made {
  try {
    if (!isLoaded) throw 'the core is not loaded: await load() first';
    if (fault !== null) throw fault;
    return act(glue);
  } catch (error) {
    throw asError(error);
  }
}

/** The same where that takes time; the reason of an aborted signal is thrown as it is. */
export async function withCoreUntil<Made>(
  signal: AbortSignal | undefined,
  act: (core: Core) => Promise<Made>,
): Promise<Made> {
  try {
    signal?.throwIfAborted();
    return await withCore(act);
  } catch (error) {
    throw signal?.aborted && error === signal.reason ? error : asError(error);
  }
}

function asError(error: unknown) {
  if (error instanceof WebAssembly.RuntimeError && fault !== null) return new Error(fault);
  return typeof error === 'string' ? new Error(error) : error;
}

/** What `act` makes of an object of the core, which is then freed; after a fault it cannot be. */
export async function holding<Held extends { free: () => void }, Made>(
  held: Held,
  act: (held: Held) => Promise<Made>,
): Promise<Made> {
  try {
    return await act(held);
  } finally {
    if (fault === null) held.free();
  }
}
