/** What all of a worker shares: the core, and what the page wants of the request that it serves. */
import type { Core } from '../core.ts';
import type { FromWorker } from './messages.ts';

/** Thrown when a cancelled request ends. */
export const CANCELLED = Symbol('cancelled');

let loaded: Core | null = null;
/** The core's own. */
let memory: WebAssembly.Memory | null = null;

/** Makes the core known, once it is loaded. */
export function start(core: Core, itsMemory: WebAssembly.Memory) {
  [loaded, memory] = [core, itsMemory];
}

/** The size of the core's memory, in bytes. */
export function memoryUsed() {
  return memory?.buffer.byteLength ?? 0;
}

/** The core; requests before it is loaded wait. */
export function core(): Core {
  if (loaded === null) throw new Error('the core is not loaded yet');
  return loaded;
}

interface Wanted {
  /** Whether every request is to be cancelled. */
  cancelled: boolean;
  /** The only request to cancel. */
  stopped: number | null;
  /** Resolved unless the page pauses simulating. */
  going: Promise<void>;
}

/** What the page wants. */
export const wanted: Wanted = { cancelled: false, stopped: null, going: Promise.resolve() };

export function answer(message: FromWorker, transfer: Transferable[] = []) {
  postMessage(message, { transfer });
}
