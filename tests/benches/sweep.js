// How long the page takes for a sweep over a whole log in Chromium: four policies at four loads with
// ten replications each, from Run to the complete answer; and what its threads took of the processors
// meanwhile, by Linux's account.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { launch } from '../page/browser.js';
import { site, traces } from '../page/built.js';
import { core, scenario } from '../page/core.js';
import { serve } from '../page/server.js';
import { answer, newDigest } from '../page/visitor.js';

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

/** The name of a thread or process and the fields that follow it; null if it has ended. */
function stat(path) {
  try {
    const text = readFileSync(join(path, 'stat'), 'utf8');
    const end = text.lastIndexOf(')');
    return { name: text.slice(text.indexOf('(') + 1, end), fields: text.slice(end + 2).split(' ') };
  } catch {
    return null;
  }
}

/** The processor seconds of the threads of all processes below this one, by the thread's name. */
function spent() {
  const parents = new Map();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    parents.set(Number(entry), Number(stat(join('/proc', entry))?.fields[1] ?? 0));
  const isOurs = (id) => id === process.pid || (parents.has(id) && isOurs(parents.get(id)));
  const seconds = new Map();
  for (const id of parents.keys()) {
    if (id === process.pid || !isOurs(id)) continue;
    const kind = readFileSync(join('/proc', String(id), 'cmdline'), 'utf8');
    const type = kind.match(/--type=([\w-]+)/)?.[1] ?? 'browser';
    for (const thread of readdirSync(join('/proc', String(id), 'task'))) {
      const seen = stat(join('/proc', String(id), 'task', thread));
      if (seen === null) continue;
      const name = Number(thread) === id ? `${type}, main thread` : `${type}, ${seen.name}`;
      const ticks = Number(seen.fields[11]) + Number(seen.fields[12]);
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
  const link = core.write_link(scenario(SWEEP), '');
  await tab.evaluate((hash) => {
    location.hash = hash;
  }, link);
  await tab.waitFor(() => document.querySelector('#answer').classList.contains('stale'));
  const before = await tab.evaluate(() => document.querySelector('#digest').textContent);
  const [earlier, begun] = [spent(), performance.now()];
  await tab.click('#run');
  await tab.waitFor(newDigest, before, PATIENCE);
  const seconds = (performance.now() - begun) / 1000;
  const digest = await tab.evaluate(() => document.querySelector('#digest').textContent);
  console.log(`${seconds.toFixed(1)} s, digest ${digest}; of the processors:`);
  const took = [...spent()].map(([name, later]) => [name, later - (earlier.get(name) ?? 0)]);
  for (const [name, all] of took.sort(([, one], [, other]) => other - one).slice(0, 8))
    console.log(`${all.toFixed(2).padStart(8)} s  ${name}`);
  assert.deepEqual(await tab.faults(), []);
} finally {
  await browser.close();
  await host.close();
}
