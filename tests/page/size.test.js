// What a visitor's first look at the published page costs, as a static host sends it: gzipped, and
// once to all workers.
//
// Alone: it measures what is fetched until the page rests.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { dist, launch } from './browser.js';
import { serve } from './server.js';

const FIRST_LOAD = 720_000;
const MODULE = 600_000;
/** What whoever follows a link or uses the page is sent of the module besides. */
const REST = 540_000;
const SCRIPTS = 70_000;
/** The runs that move on a first visit, which nothing waits for. */
const MOTION = /\/motion-[^/]*\.js$/;
const MOTION_ALONE = 30_000;

test('the first load is small and fetches one module once', async () => {
  const host = await serve(dist, {}, undefined, { caching: 'max-age=600' });
  const browser = await launch('chromium');
  try {
    const tab = await browser.open(host.url);
    const quiet = async () => {
      const before = host.requests.length;
      await sleep(3_000);
      return host.requests.length === before;
    };
    while (!(await quiet()));
    assert.deepEqual(await tab.faults(), []);

    const sizes = host.requests.map(({ path, body }) => ({ path, bytes: gzipSync(body).length }));
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { path, bytes } of sizes)
      console.log(`${String(bytes).padStart(8)} bytes gzipped  ${path}`);
    console.log(`${String(total).padStart(8)} bytes gzipped in all, of at most ${FIRST_LOAD}`);
    const modules = sizes.filter(({ path }) => path.endsWith('.wasm'));
    assert.equal(
      modules.length,
      1,
      `requests for wasm modules: ${modules.map(({ path }) => path)}`,
    );
    const { folder, sources } = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'));
    const rest = readFileSync(join(dist, folder, sources['pkg/backfill_web_rest.wasm']));
    const restBytes = gzipSync(rest).length;
    console.log(`${String(restBytes).padStart(8)} bytes gzipped are the rest of the module`);
    assert.ok(restBytes <= REST, `the rest has ${restBytes} bytes gzipped, more than ${REST}`);
    assert.ok(
      modules[0].bytes <= MODULE,
      `the module has ${modules[0].bytes} bytes gzipped, more than ${MODULE}`,
    );
    const sum = (/** @type {(path: string) => boolean} */ wanted) =>
      sizes.filter(({ path }) => wanted(path)).reduce((sum, { bytes }) => sum + bytes, 0);
    const motion = sum((path) => MOTION.test(path));
    assert.ok(motion > 0 && motion <= MOTION_ALONE, `what moves has ${motion} bytes gzipped`);
    const scripts = sum((path) => path.endsWith('.js') && !MOTION.test(path));
    assert.ok(
      scripts <= SCRIPTS,
      `the scripts have ${scripts} bytes gzipped, more than ${SCRIPTS}`,
    );
    assert.ok(
      total <= FIRST_LOAD,
      `the first load has ${total} bytes gzipped, more than ${FIRST_LOAD}`,
    );
  } finally {
    await browser.close();
    await host.close();
  }
});
