// How long the page takes for a sweep over a whole log in Chromium: four policies at four loads with
// ten replications each, from Run to the complete answer; and what its threads took of the processors
// meanwhile, by Linux's account.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { launch } from '../page/browser.js';
import { site, traces } from '../page/built.js';
import { processes } from '../page/core-memory.js';
import { core, scenario } from '../page/core.js';
import { serve } from '../page/server.js';
import { answer, followLink, newDigest } from '../page/visitor.js';

const LOG = 'KTH-SP2-1996-2.1-cln.swf.gz';
const SWEEP = [
  ['workload', 'swf'],
  ['file', LOG],
  ['policy', 'fcfs+adaba,easy+adaba,bgmbf+adaba,none+adaba'],
  ['x', 'load:0.5,0.6,0.7,0.8'],
  ['reps', '10'],
];
const PATIENCE = 5 * 60_000;
/** A tick of Linux's account, in seconds. */
const TICK = 0.01;

/** The processor seconds of the threads of all processes that this one has started, by their names. */
async function spent() {
  const seconds = new Map();
  for (const { number, command } of await processes()) {
    const type = command.match(/--type=([\w-]+)/)?.[1] ?? 'browser';
    const threads = `/proc/${number}/task`;
    for (const thread of readdirSync(threads)) {
      const stat = readFileSync(join(threads, thread, 'stat'), 'utf8');
      const end = stat.lastIndexOf(')');
      const [own, fields] = [
        stat.slice(stat.indexOf('(') + 1, end),
        stat.slice(end + 2).split(' '),
      ];
      const name = `${type}, ${Number(thread) === number ? 'main thread' : own}`;
      const ticks = Number(fields[11]) + Number(fields[12]);
      seconds.set(name, (seconds.get(name) ?? 0) + ticks * TICK);
    }
  }
  return seconds;
}

const host = await serve(site);
const browser = await launch('chromium', { cores: availableParallelism() });
try {
  console.log(
    `${availableParallelism()} cores; load of the machine ${loadavg()[0].toFixed(1)} before it begins`,
  );
  const tab = await browser.open(host.url);
  await answer(tab);
  await tab.choose('#file', join(traces, LOG));
  await tab.waitFor(() => document.querySelector('#log .card'), undefined, PATIENCE);
  await followLink(tab, core.write_link(scenario(SWEEP), ''));
  await tab.waitFor(() => document.querySelector('#answer').classList.contains('stale'));
  const before = await tab.evaluate(() => document.querySelector('#digest').textContent);
  const [earlier, begun] = [await spent(), performance.now()];
  await tab.click('#run');
  await tab.waitFor(newDigest, before, PATIENCE);
  const seconds = (performance.now() - begun) / 1000;
  const digest = await tab.evaluate(() => document.querySelector('#digest').textContent);
  console.log(`${seconds.toFixed(1)} s, digest ${digest}; of the processors:`);
  const took = [...(await spent())].map(([name, later]) => [
    name,
    later - (earlier.get(name) ?? 0),
  ]);
  for (const [name, all] of took.sort(([, one], [, other]) => other - one).slice(0, 8))
    console.log(`${all.toFixed(2).padStart(8)} s  ${name}`);
  assert.deepEqual(await tab.faults(), []);
} finally {
  await browser.close();
  await host.close();
}
