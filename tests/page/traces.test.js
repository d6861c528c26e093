// Real logs, where there are any: the small ones from the first answer to a shared comparison, the large one without
// freezing the page.
//
// Alone: it measures time.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DAILY_ENGINES, launch, site, traces } from './browser.js';
import { serve } from './server.js';
import { answer, answerOf, ask, compare, copiedReport, enter, run, share } from './visitor.js';

const SMALL = [
  ['KTH-SP2-1996-2.1-cln.swf.gz', '28,475'],
  ['NASA-iPSC-1993-3.1-cln.swf.gz', '18,239'],
];
const LARGE = ['RICC-2010-2.swf.gz', '447,794'];

/** The path of a log, or why its test is skipped. */
function find(name) {
  const path = traces && join(traces, name);
  return { path, skip: path && existsSync(path) ? false : `BACKFILL_TRACES leads to no ${name}` };
}

/** Watches for tasks of the page that block it; says how long they were, in milliseconds. */
const watch = () => {
  globalThis.blocked = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) globalThis.blocked.push(Math.round(entry.duration));
  }).observe({ type: 'longtask' });
};

for (const engine of DAILY_ENGINES) {
  for (const [name, jobs] of SMALL) {
    const { path, skip } = find(name);
    test(`${engine}: ${name} is answered, compared under guarantees and shared`, {
      skip,
    }, async () => {
      const host = await serve(site);
      const browser = await launch(engine);
      try {
        const tab = await browser.open(host.url);
        assert.match((await answerOf(tab, path)).sentence, /weeks/);
        const report = await tab.evaluate(() => document.querySelector('.report dl').textContent);
        assert.ok(report.startsWith(`Jobs${jobs}`), report);
        await ask(tab, 'bandwidth guarantees');
        await answer(tab);
        await enter(tab, 'reps', '2');
        await compare(tab, 'none+adaba', 'none+oktopus', 'fcfs+adaba', 'bgmbf+adaba');
        const mine = await run(tab);
        assert.match(mine.badge, /^computed here/);
        const link = await share(tab);
        await tab.close();

        const other = await browser.open(link);
        await other.waitFor(() =>
          /This link uses the trace/.test(document.querySelector('#banners').textContent),
        );
        await other.choose('#file', path);
        const theirs = await answer(other);
        assert.match(theirs.badge, /^identical to the link's result/);
        assert.equal(theirs.digest, mine.digest);
        assert.deepEqual(await other.faults(), []);
        assert.deepEqual(host.violations, []);
      } finally {
        await browser.close();
        await host.close();
      }
    });
  }
}

const { path, skip } = find(LARGE[0]);
test(`chromium: ${LARGE[0]} is read without freezing the page, in little memory`, {
  skip,
}, async () => {
  const host = await serve(site);
  const browser = await launch('chromium');
  try {
    const tab = await browser.open(host.url);
    await answer(tab);
    await tab.evaluate(watch);
    const begun = Date.now();
    await tab.choose('#file', path);
    const report = await tab.waitFor(() => document.querySelector('.report dl')?.textContent);
    const took = Date.now() - begun;
    assert.ok(report.startsWith(`Jobs${LARGE[1]}`), report);
    const whole = await copiedReport(tab);
    await tab.press('Escape');
    const megabytes = Number(whole.match(/Memory used to read it: (\d+) MB/)?.[1]);
    await enter(tab, 'reps', '1');
    await enter(tab, 'first', '500');
    await run(tab);
    const blocked = await tab.evaluate(() => globalThis.blocked);
    console.log(
      `# read in ${took} ms, ${megabytes} MB of memory (aim: 512), tasks over 50 ms: ${blocked.join(', ') || 'none'} (aim: none)`,
    );
    assert.ok(megabytes <= 512, `${megabytes} MB`);
    assert.ok(Math.max(0, ...blocked) <= 250, `a task of ${Math.max(...blocked)} ms`);
    assert.deepEqual(await tab.faults(), []);
  } finally {
    await browser.close();
    await host.close();
  }
});
