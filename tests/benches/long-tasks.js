// How long the page keeps its main thread from a visitor while it answers: Chromium follows a whole
// log from its file to the answers of its first question, of two sweeps over it and of a fat-tree
// with replications. Counts tasks longer than 50 ms, and gives the longest; with --where also the
// functions that the frames with such a task spent most in. With --workers=N the page has N workers:
// with one, a machine of two cores has the other for the main thread.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { launch } from '../page/browser.js';
import { site, traces } from '../page/built.js';
import { core, scenario } from '../page/core.js';
import { serve } from '../page/server.js';
import { answer, ask, followLink } from '../page/visitor.js';

const LOG = 'KTH-SP2-1996-2.1-cln.swf.gz';
const FAT_TREE = [
  ['policy', 'fcfs+adaba,easy+adaba,bgmbf+adaba,none+adaba'],
  ['x', 'load:0.5,0.7,0.9,1.1'],
  ['reps', '10'],
];
/** Long enough for the sweep on a busy machine. */
const PATIENCE = 5 * 60_000;

/** Keeps the length of each long task, and where long frames spent their time. */
function watch() {
  window.longTasks = [];
  window.longScripts = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const { scripts } of list.getEntries())
      for (const {
        duration,
        invoker,
        sourceURL,
        sourceFunctionName,
        sourceCharPosition,
      } of scripts)
        window.longScripts.push([
          duration,
          `${invoker} ${sourceFunctionName} ${sourceURL.split('/').at(-1)}:${sourceCharPosition}`,
        ]);
  }).observe({ type: 'long-animation-frame', buffered: true });
}

/** The long tasks since the last call, and where they were. */
const longTasks = (tab) =>
  tab.evaluate(() => ({
    tasks: window.longTasks.splice(0),
    scripts: window.longScripts.splice(0),
  }));

/** Waits for the complete answer, whose badge is no longer this one, and for what follows it. */
async function answered(tab, badge) {
  await tab.waitFor(
    (before) =>
      document.querySelector('#cancel').disabled &&
      document.querySelector('#badge').textContent !== before,
    badge,
    PATIENCE,
  );
  await new Promise((resolve) => setTimeout(resolve, 2_000));
}

/** The questions are fetched when there is a log. */
async function askOnceThere(tab, words) {
  await tab.waitFor(() => document.querySelector('#log .card'), undefined, PATIENCE);
  await ask(tab, words);
}

const badgeOf = (tab) => tab.evaluate(() => document.querySelector('#badge').textContent);

const { where: tellsWhere, workers } = parseArgs({
  options: {
    where: { type: 'boolean' },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
}).values;
const host = await serve(site);
const browser = await launch('chromium', { before: watch, cores: Number(workers) });
try {
  const busy = loadavg()[0].toFixed(1);
  console.log(`long tasks, ${availableParallelism()} cores; load of the machine ${busy}`);
  console.log('  count  longest     all');
  const tab = await browser.open(host.url);
  const PHASES = [
    ['the page opens', () => answer(tab)],
    ['the log is answered', () => tab.choose('#file', join(traces, LOG))],
    ['a larger machine', () => askOnceThere(tab, 'A larger machine?')],
    ['more load', () => askOnceThere(tab, 'More load?')],
    [
      'a fat-tree, 4 policies, 4 loads, 10 replications',
      () => followLink(tab, core.write_link(scenario(FAT_TREE), '')),
    ],
  ];
  for (const [name, act] of PHASES) {
    const before = await badgeOf(tab);
    await act();
    await answered(tab, name === PHASES[0][0] ? '' : before);
    const { tasks, scripts } = await longTasks(tab);
    const sum = tasks.reduce((all, each) => all + each, 0);
    const figures = [tasks.length, Math.max(0, ...tasks), sum];
    console.log(`${figures.map((each) => each.toFixed(0).padStart(7)).join('  ')}  ${name}`);
    if (!tellsWhere) continue;
    for (const [duration, where] of scripts.sort(([one], [other]) => other - one).slice(0, 8))
      console.log(`         ${duration.toFixed(0).padStart(7)}  ${where}`);
  }
  assert.deepEqual(await tab.faults(), []);
} finally {
  await browser.close();
  await host.close();
}
