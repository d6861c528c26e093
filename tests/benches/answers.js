// How long a dropped log takes to its first answer in Chromium: each log of the folder that
// BACKFILL_TRACES names, from the file to its jobs, and from there to the answer; then the mean of
// the frames, and the longest, while the charts by day are zoomed and moved. Words on the command
// line choose the logs whose names contain one.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { launch } from '../page/browser.js';
import { site } from '../page/built.js';
import { serve } from '../page/server.js';
import { newDigest } from '../page/visitor.js';

const PATIENCE = 120_000;
const ROUNDS = 3;

const ms = (length) => length.toFixed(1).padStart(7);

/** Seconds until this holds in the page. */
async function until(tab, call, argument) {
  const begun = performance.now();
  await tab.waitFor(call, argument, PATIENCE);
  return (performance.now() - begun) / 1000;
}

/**
 * Runs in the page, two seconds after the last of its parts is there: zooms in eight times and out again, by a step in
 * every frame but two after the first step, and returns what the page computes in each of these
 * frames and in two more, in ms, from its beginning to the end of what was asked for in it.
 */
async function zoomFrames() {
  const buttons = [...document.querySelectorAll('#by-day .chart button')];
  // A pointer comes to a button before it clicks, which fetches the words of hints.
  buttons[0].dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const [closer, wider] = ['+', '−'].map((sign) =>
    buttons.find(({ textContent }) => textContent === sign),
  );
  const steps = [closer, null, null, ...Array(7).fill(closer), ...Array(8).fill(wider), null, null];
  const { port1, port2 } = new MessageChannel();
  const frames = [];
  return new Promise((resolve) => {
    const measure = () => {
      const begun = performance.now();
      port1.onmessage = () => {
        frames.push(performance.now() - begun);
        if (steps.length === 0) return resolve(frames);
        requestAnimationFrame(measure);
        steps.shift()?.click();
      };
      port2.postMessage(null);
    };
    requestAnimationFrame(measure);
    steps.shift()?.click();
  });
}

const { BACKFILL_TRACES: traces } = process.env;
assert.ok(traces, 'BACKFILL_TRACES names the folder of real logs');
const words = process.argv.slice(2);
const logs = readdirSync(traces)
  .filter((name) => /\.swf(\.gz)?$/.test(name))
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
const [busy] = loadavg();
console.log(`load of the machine ${busy.toFixed(1)} on ${availableParallelism()} cores`);
console.log(' reading   answer    frame: first, mean and longest of the others');
const host = await serve(site);
try {
  for (const name of logs) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const browser = await launch('chromium');
      const tab = await browser.open(host.url);
      await until(tab, () => document.querySelector('#undo[data-hint]') !== null);
      const before = await tab.evaluate(() => document.querySelector('#digest').textContent);
      await tab.choose('#file', join(traces, name));
      const reading = await until(tab, () => document.querySelector('.report dl') !== null);
      const answer = await until(tab, newDigest, before);
      for (const part of ['#by-day', '#inside'])
        await until(tab, (name) => !document.querySelector(name).hidden, part);
      const frames = await tab.evaluate(zoomFrames);
      const first = Math.max(...frames.splice(0, 3));
      const mean = frames.reduce((sum, frame) => sum + frame, 0) / frames.length;
      const cells = [`${reading.toFixed(2)} s`, `${answer.toFixed(2)} s`].map((cell) =>
        cell.padStart(8),
      );
      console.log(
        `${cells.join(' ')} ${ms(first)} ${ms(mean)} ${ms(Math.max(...frames))} ms  ${name}`,
      );
      assert.deepEqual(await tab.faults(), []);
      await browser.close();
    }
  }
} finally {
  await host.close();
}
