// Where tests and benches find what was built, and the real logs.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('../../target/', import.meta.url));

/** The folder of the assembled page. */
export const site = process.env.BACKFILL_SITE ?? `${build}site`;
/** The folder of the page as it is published. */
export const dist = process.env.BACKFILL_DIST ?? `${build}dist`;
/** The folder of the module for Node. */
export const nodeModule = process.env.BACKFILL_NODE_PKG ?? `${build}node-pkg`;
/** The folder of the npm package and its archive. */
export const npmPackage = process.env.BACKFILL_PACKAGE ?? `${build}package`;
/** The command line's program. */
export const commandLine = process.env.BACKFILL_CLI ?? `${build}debug/backfill`;
/** The folder of real logs, or undefined: then a test that needs one skips itself and says so. */
export const traces = process.env.BACKFILL_TRACES;

/** The name of what is built of a source of the page, such as `src/main.ts`. */
export function builtOf(source) {
  const { sources } = JSON.parse(readFileSync(join(site, 'manifest.json'), 'utf8'));
  const name = sources[source];
  if (name === undefined) throw new Error(`nothing is built of ${source} alone`);
  return name;
}

/**
 * The files that put a worker in place of the page's own, for `serve`; it finds that one as
 * `./real-worker.js`.
 */
export function inPlaceOfWorker(script) {
  const worker = builtOf('src/worker/worker.ts');
  return { [`/${worker}`]: script, '/real-worker.js': readFileSync(join(site, worker), 'utf8') };
}
