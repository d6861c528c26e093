// What a log of 2.2 million jobs costs in a tab: a made log on 9,472 nodes in Chromium, from the
// file to its jobs, from there to the answer of each policy alone, and from there to the picture of
// its run; then the memory of the largest core, and the most that the tab's process ever had. Words
// on the command line choose the subjects whose names contain one.

import assert from 'node:assert/strict';
import { availableParallelism, loadavg } from 'node:os';
import { launch } from '../page/browser.js';
import { site } from '../page/built.js';
import { mostOfRenderers, telling } from '../page/core-memory.js';
import { NODES } from '../page/log.js';
import { serve } from '../page/server.js';
import { bringWholeLog, JOBS, runWholeLog } from '../page/whole-log.js';

/** Long enough for the slowest policy on a busy machine. */
const PATIENCE = 30 * 60_000;

/** The nodes of the log, and a fat-tree with as many servers of one slot, rounded up. */
const SYSTEMS = {
  nodes: [
    ['system', 'nodes'],
    ['nodes', String(NODES)],
  ],
  'a fat-tree': [
    ['k', '34'],
    ['slots', '1'],
  ],
};
const SUBJECTS = [
  ['nodes', ['fcfs', 'sbf', 'easy', 'fpfs', 'conservative', 'fcfs,easy']],
  ['a fat-tree', ['none+adaba', 'fcfs+adaba', 'easy+adaba']],
].flatMap(([system, policies]) =>
  policies.map((policy) => [`${policy} on ${system}`, [...SYSTEMS[system], ['policy', policy]]]),
);

const words = process.argv.slice(2);
const [busy] = loadavg();
console.log(
  `${JOBS.toLocaleString('en')} jobs; load of the machine ${busy.toFixed(1)} on ${availableParallelism()} cores`,
);
console.log(' reading   answer  picture     core  process');
const path = await bringWholeLog();
const host = await serve(site, await telling());
try {
  for (const [name, pairs] of SUBJECTS) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
    const browser = await launch('chromium');
    const { tab, seconds } = await runWholeLog(browser, host.url, pairs, path, PATIENCE);
    const core = await tab.evaluate(() => Math.max(...window.told.values()));
    const bytes = [core, await mostOfRenderers()];
    const cells = [
      ...seconds.map((each) => `${each.toFixed(1)} s`),
      ...bytes.map((each) => `${(each / 1e6).toFixed(0)} MB`),
    ].map((cell) => cell.padStart(8));
    console.log(`${cells.join(' ')}  ${name}`);
    assert.deepEqual(await tab.faults(), []);
    await browser.close();
  }
} finally {
  await host.close();
}
