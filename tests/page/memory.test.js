// The page that is used for long: 50 runs and 20 exchanged logs leave the core's memory, the page's
// own and the number of its workers where they were.
//
// Long: it runs with --long.
//
// Alone: it measures memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launch, site } from './browser.js';
import { listen, telling } from './core-memory.js';
import { bring, log } from './log.js';
import { serve } from './server.js';
import { answer, enter, run } from './visitor.js';

const RUNS = 50;
const SWAPS = 20;
/**
 * How much more there may be in the end than after the fifth of them for the core, and than when as
 * many runs are kept and as many steps can be undone as ever for the page's scripts.
 */
const MORE = 1.1;
const SETTLED = 5;
const FULL = 0.6;

/** Runs in the page before its own scripts: counts workers. */
function count() {
  const alive = new Set();
  window.mostWorkers = 0;
  window.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      alive.add(this);
      window.mostWorkers = Math.max(window.mostWorkers, alive.size);
    }

    terminate() {
      alive.delete(this);
      super.terminate();
    }
  };
}

test('chromium: memory stays flat', {
  skip: process.env.BACKFILL_LONG ? false : 'long: run with --long',
}, async () => {
  const cores = 2;
  const host = await serve(site, await telling());
  const browser = await launch('chromium', { before: count, cores });
  try {
    const tab = await browser.open(host.url);
    await tab.evaluate(listen);
    await answer(tab);
    /**
     * The most memory that any core has, that of the page's scripts once garbage is collected, in
     * MB, and the workers so far.
     */
    const measure = async () => {
      const heap = await tab.heap();
      const [core, workers] = await tab.evaluate(() => [
        Math.max(...window.told.values()),
        window.mostWorkers,
      ]);
      return { core: core / 1e6, heap: heap / 1e6, workers };
    };
    const compared = async (what, rounds, round) => {
      let settled;
      let full;
      for (let done = 1; done <= rounds; done += 1) {
        await round(done);
        if (done === SETTLED) settled = await measure();
        if (done === FULL * rounds) full = await measure();
      }
      const end = await measure();
      const told = (at) => `core ${at.core.toFixed(1)} MB, scripts ${at.heap.toFixed(1)} MB`;
      console.log(
        `# ${what}: after ${SETTLED}: ${told(settled)}; after ${FULL * rounds}: ${told(full)}; after ${rounds}: ${told(end)}; at most ${end.workers} workers at once`,
      );
      assert.ok(
        end.core <= MORE * settled.core,
        `${what}: the core's memory grows from ${settled.core} to ${end.core} MB`,
      );
      assert.ok(
        end.heap <= MORE * full.heap,
        `${what}: the scripts' memory grows from ${full.heap} to ${end.heap} MB`,
      );
      // The pool's, the one that keeps a run, and the one that writes and opens files.
      assert.ok(end.workers <= cores + 2, `${end.workers} workers`);
    };

    await enter(tab, 'jobs', '400');
    await enter(tab, 'reps', '2');
    await compared('runs', RUNS, async (round) => {
      await enter(tab, 'seed', String(100 + round));
      await run(tab);
    });

    const files = await Promise.all(
      Array.from({ length: SWAPS }, (_, place) =>
        bring(`swap-${place}.swf`, log(2000, [`${place}`])),
      ),
    );
    await compared('logs', SWAPS, async (round) => {
      await tab.choose('#file', files[round - 1]);
      await tab.waitFor((name) => location.hash.includes(name), `swap-${round - 1}.swf`);
      await run(tab);
    });
    assert.deepEqual(await tab.faults(), []);
  } finally {
    await browser.close();
    await host.close();
  }
});
