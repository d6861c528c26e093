// Where tests and benches find what was built, and the real logs.

import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('../../target/', import.meta.url));

/** The folder of the assembled page. */
export const site = process.env.BACKFILL_SITE ?? `${build}site`;
/** The folder of the page as it is published. */
export const dist = process.env.BACKFILL_DIST ?? `${build}dist`;
/** The folder of the module for Node. */
export const nodeModule = process.env.BACKFILL_NODE_PKG ?? `${build}node-pkg`;
/** The command line's program. */
export const commandLine = process.env.BACKFILL_CLI ?? `${build}debug/backfill`;
/** The folder of real logs, or undefined: then a test that needs one skips itself and says so. */
export const traces = process.env.BACKFILL_TRACES;
