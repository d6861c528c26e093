/** The core as a compiled module: fetched and compiled once, shared by the page and its workers. */
import type { Build } from './worker/messages.ts';

/** What the module's script exports. */
export type Core = typeof import('../pkg/backfill_web.js');

/**
 * Fetches the module and compiles it while it comes.
 * @param heard hears how many bytes have come so far
 */
export async function loadCore(heard: (bytes: number) => void): Promise<Build> {
  const module = await compiled(BUILT.module, heard);
  return { module, rest: null, script: new URL(BUILT.script, import.meta.url).href };
}

/** Fetches and compiles the rest. */
export const loadRest = () => compiled(BUILT.rest);

async function compiled(name: string, heard?: (bytes: number) => void) {
  const address = new URL(name, import.meta.url);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`);
  if (heard) void count(response.clone(), heard);
  // Some hosts serve it under another media type, which streaming refuses.
  const streams = response.headers.get('content-type') === 'application/wasm';
  return streams
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

async function count(response: Response, heard: (bytes: number) => void) {
  const reader = response.body?.getReader();
  let bytes = 0;
  try {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      bytes += part.value.length;
      heard(bytes);
    }
  } catch {
    // Whoever compiles the module learns what happened.
  }
}
