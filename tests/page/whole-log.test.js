// A log of 2.2 million jobs in a tab: it is read and run to its last job under two policies, with
// the digest of the command line, and looked into, while no core has more than a gigabyte.
//
// Long: it runs with --long.
//
// Alone: it measures memory.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { launch, site } from './browser.js';
import { commandLine } from './built.js';
import { telling } from './core-memory.js';
import { NODES } from './log.js';
import { serve } from './server.js';
import { scrollToRun } from './visitor.js';
import { bringWholeLog, JOBS, runWholeLog, WHOLE_LOG } from './whole-log.js';

/** Long enough for a busy machine. */
const PATIENCE = 15 * 60_000;
const MOST_BYTES = 1e9;

test('chromium: a log of 2.2 million jobs runs at its full length', {
  skip: process.env.BACKFILL_LONG ? false : 'long: run with --long',
}, async () => {
  const path = await bringWholeLog();
  const pairs = [
    ['system', 'nodes'],
    ['nodes', String(NODES)],
    ['policy', 'fcfs,easy'],
  ];
  const host = await serve(site, await telling());
  const browser = await launch('chromium');
  try {
    const { tab, digest } = await runWholeLog(browser, host.url, pairs, path, PATIENCE);
    const jobs = JOBS.toLocaleString('en');
    const report = await tab.evaluate(() => document.querySelector('.report dl').textContent);
    assert.ok(report.startsWith(`Jobs${jobs}`), report);

    await scrollToRun(tab);
    await tab.waitFor(() => document.querySelector('.jobs tbody tr') !== null, null, PATIENCE);
    await tab.type('.jobs input', 'outcome=ran job>1');
    await tab.waitFor(
      (found) => document.querySelector('#jobs-found').textContent.startsWith(found),
      `${(JOBS - 1).toLocaleString('en')} of ${jobs}`,
      PATIENCE,
    );

    const cores = await tab.evaluate(() => [...window.told.values()]);
    const told = cores.map((bytes) => `${(bytes / 1e6).toFixed(0)} MB`).join(', ');
    console.log(`# cores: ${told}`);
    assert.ok(Math.max(...cores) <= MOST_BYTES, told);
    assert.deepEqual(await tab.faults(), []);

    const words = [...pairs, ...WHOLE_LOG].map(([key, value]) =>
      key === 'file' ? `file=${path}` : `${key}=${value}`,
    );
    const printed = execFileSync(commandLine, ['run', ...words], { encoding: 'utf8' });
    assert.equal(printed.match(/^digest ([0-9a-f]{16})$/m)?.[1], digest);
  } finally {
    await browser.close();
    await host.close();
  }
});
