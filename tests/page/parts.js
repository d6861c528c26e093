// The core of the two parts that the page is sent, in Node.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtOf, nodeModule, site } from './built.js';

/** The names of both parts. */
export const FIRST = builtOf('pkg/backfill_web_bg.wasm');
export const REST = builtOf('pkg/backfill_web_rest.wasm');

/** Another instance of the core, of both parts, and how often it asked for the second. */
export async function ofParts() {
  const script = pathToFileURL(join(nodeModule, 'backfill_web.js'));
  script.search = 'parts';
  const core = await import(script.href);
  const module = (/** @type {string} */ name) =>
    new WebAssembly.Module(readFileSync(join(site, name)));
  const first = core.initSync({ module: module(FIRST) });
  const asked = { times: 0 };
  core.on_rest_wanted(() => {
    asked.times += 1;
    if (asked.times === 1) new WebAssembly.Instance(module(REST), { first });
  });
  return { core, asked };
}
