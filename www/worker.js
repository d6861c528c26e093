import init, { version } from './pkg/backfill_web.js';

await init();
postMessage(version());
