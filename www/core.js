/**
 * The core as compiled modules. The page opens with the smaller one; the complete one, which also
 * reads traces and simulates every system, is fetched when it is first needed, and once.
 */

import { Refused } from './worker/worker-client.js';
import { texts } from './texts.js';

/** @typedef {import('./worker/messages.d.ts').Build} Build */

const OPENING = './pkg/';
const COMPLETE = './pkg/complete/';

/** @type {Promise<Build> | null} */
let complete = null;

/** The module that the page opens with. */
export function openingBuild() {
  return compile(OPENING);
}

/** The complete module. Throws Refused where it cannot be had; the next call tries again. */
export function completeBuild() {
  complete ??= compile(COMPLETE).catch((error) => {
    complete = null;
    throw new Refused(
      texts.core.incomplete(error instanceof Error ? error.message : String(error)),
    );
  });
  return complete;
}

/**
 * Compiles a module once; the page and all workers share it.
 * @param {string} folder
 * @returns {Promise<Build>}
 */
async function compile(folder) {
  const address = new URL(`${folder}backfill_web_bg.wasm`, import.meta.url);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`);
  // Some hosts serve it under another media type, which streaming refuses.
  const streams = response.headers.get('content-type') === 'application/wasm';
  const module = await (streams
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer()));
  return { module, script: new URL(`${folder}backfill_web.js`, import.meta.url).href };
}
