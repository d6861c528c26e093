/** The core as a compiled module: fetched and compiled once, shared by the page and its workers. */

/** @typedef {import('./worker/messages.d.ts').Build} Build */

const MODULE = './pkg/backfill_web_bg.wasm';
const SCRIPT = './pkg/backfill_web.js';

/**
 * Fetches the module and compiles it while it comes.
 * @param {(bytes: number) => void} heard hears how many bytes have come so far
 * @returns {Promise<Build>}
 */
export async function loadCore(heard) {
  const address = new URL(MODULE, import.meta.url);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`);
  void count(response.clone(), heard);
  // Some hosts serve it under another media type, which streaming refuses.
  const streams = response.headers.get('content-type') === 'application/wasm';
  const module = await (streams
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer()));
  return { module, script: new URL(SCRIPT, import.meta.url).href };
}

/**
 * @param {Response} response
 * @param {(bytes: number) => void} heard
 */
async function count(response, heard) {
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
