// What a large run costs in a tab: runs of 100,000 and of a million jobs in Chromium, from the link
// to the answer, from there to its picture, and from there to the plan of all slots over time; then
// how long the plan takes at each of the first steps of the zoom, the longest frame of the page
// meanwhile, and the most memory that any core has, with the picture and at the end. Words on the
// command line choose the subjects whose names contain one.

import assert from 'node:assert/strict';
import { availableParallelism, loadavg } from 'node:os';
import { launch } from '../page/browser.js';
import { site } from '../page/built.js';
import { core, scenario } from '../page/core.js';
import { listen, telling } from '../page/core-memory.js';
import { serve } from '../page/server.js';

/** Long enough for a million jobs on a busy machine. */
const PATIENCE = 15 * 60_000;
const ZOOMS = 6;

const NODES = [
  ['system', 'nodes'],
  ['nodes', '1024'],
  ['bandwidth', 'none'],
  ['policy', 'easy'],
];
const tree = (policy) => [
  ['k', '32'],
  ['policy', `${policy}+adaba`],
];
const SUBJECTS = [
  ['EASY on 1,024 nodes', NODES, '100000'],
  ['EASY on 1,024 nodes', NODES, '1000000'],
  ['without a queue on a fat-tree of k = 32', tree('none'), '1000000'],
  ['EASY on a fat-tree of k = 32', tree('easy'), '100000'],
];

/** Seconds until this holds in the page. */
async function until(tab, call) {
  const begun = performance.now();
  await tab.waitFor(call, undefined, PATIENCE);
  return (performance.now() - begun) / 1000;
}

/** Runs in the page: zooms in, and returns the milliseconds to each plan and the longest frame. */
async function zoom(times) {
  const plan = document.querySelector('#inspector canvas.plan').getContext('2d');
  const closer = [...document.querySelectorAll('.over-time button')].find(
    ({ textContent }) => textContent === '+',
  );
  let longest = 0;
  let last = performance.now();
  let going = true;
  const frame = (now) => {
    longest = Math.max(longest, now - last);
    last = now;
    if (going) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const spans = [];
  for (let done = 0; done < times; done += 1) {
    const begun = performance.now();
    await new Promise((resolve) => {
      plan.putImageData = (...given) => {
        delete plan.putImageData;
        plan.putImageData(...given);
        resolve();
      };
      closer.click();
    });
    spans.push(performance.now() - begun);
  }
  going = false;
  return { slowest: Math.max(...spans), longest };
}

const words = process.argv.slice(2);
const [busy] = loadavg();
console.log(
  `large runs in a tab; load of the machine ${busy.toFixed(1)} on ${availableParallelism()} cores`,
);
console.log('  answer  picture    plan  slowest zoom  longest frame        cores');
const host = await serve(site, await telling());
const browser = await launch('chromium');
try {
  for (const [name, pairs, jobs] of SUBJECTS) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
    const text = scenario([
      ...pairs,
      ['load', '0.9'],
      ['x', 'none'],
      ['reps', '1'],
      ['jobs', jobs],
    ]);
    const tab = await browser.open(`${host.url}${core.write_link(text, '')}`);
    await tab.evaluate(listen);
    const answer = await until(tab, () => {
      const run = document.querySelector('#run');
      // Built into the page is the answer to another scenario.
      window.before ??= document.querySelector('#digest').textContent;
      if (!window.begun && !run.disabled) {
        window.begun = true;
        run.click();
      }
      const digest = document.querySelector('#digest').textContent;
      return (
        /^[0-9a-f]{16}$/.test(digest) &&
        digest !== window.before &&
        document.querySelector('#cancel').disabled
      );
    });
    const picture = await until(tab, () => !document.querySelector('#inside').hidden);
    const most = () => tab.evaluate(() => Math.max(...window.told.values()));
    const bytes = [await most()];
    const plan = await until(tab, () => {
      document.querySelector('#inside').scrollIntoView();
      return document.querySelector('#inspector canvas.plan')?.width > 300;
    });
    const { slowest, longest } = await tab.evaluate(zoom, ZOOMS);
    bytes.push(await most());
    const cells = [
      `${answer.toFixed(1)} s`,
      `${picture.toFixed(1)} s`,
      `${plan.toFixed(1)} s`,
      `${slowest.toFixed(0)} ms`,
      `${longest.toFixed(0)} ms`,
      `${bytes.map((each) => (each / 1e6).toFixed(0)).join(', ')} MB`,
    ].map((cell, place) => cell.padStart([8, 9, 8, 14, 15, 13][place]));
    console.log(`${cells.join('')}  ${Number(jobs).toLocaleString('en')} jobs, ${name}`);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  }
} finally {
  await browser.close();
  await host.close();
}
