// What Lighthouse says of the page as it is published, served compressed as a static host does it:
// accessibility and best practices at their most, and the median of three for performance, which
// depends on the machine and is printed beside its aim.
//
// Long: it runs with --long, by the pinned version of Lighthouse from the npm registry; where that
// cannot be had the test skips itself and says so.
//
// Alone: it measures time.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { dist } from './built.js';
import { serve } from './server.js';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const ROUNDS = 3;
/** What performance should be, of 100. */
const AIMS = { desktop: 95, mobile: 90 };
/** Times and shifts that are printed, with their aims: milliseconds but for the last. */
const AUDITS = {
  'largest-contentful-paint': [800, 1800],
  'total-blocking-time': [0, 150],
  'cumulative-layout-shift': [0.02, 0.02],
};

/** Runs Lighthouse with these words. */
const lighthouse = (...words) =>
  promisify(execFile)(
    'npm',
    ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', ...words],
    {
      env: { ...process.env, CHROME_PATH: process.env.BACKFILL_CHROMIUM ?? '/usr/bin/chromium' },
    },
  );

/** Lighthouse's report of an address. */
async function report(url, form) {
  const file = join(mkdtempSync(join(tmpdir(), 'backfill-')), 'report.json');
  const words = [
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    '--only-categories=performance,accessibility,best-practices',
  ];
  if (form === 'desktop') words.push('--preset=desktop');
  const flags =
    '--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-quic --disable-background-networking --disable-component-update';
  await lighthouse(url, ...words, flags);
  return JSON.parse(readFileSync(file, 'utf8'));
}

const median = (/** @type {number[]} */ numbers) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

test('Lighthouse', {
  skip: process.env.BACKFILL_LONG ? false : 'long: run with --long',
}, async (t) => {
  try {
    await lighthouse('--version');
  } catch {
    t.skip(`${LIGHTHOUSE} cannot be had from the npm registry`);
    return;
  }
  const host = await serve(dist, {}, undefined, { caching: 'max-age=600', compressed: true });
  try {
    for (const [form, aim] of Object.entries(AIMS)) {
      const reports = [];
      for (let round = 0; round < ROUNDS; round += 1) reports.push(await report(host.url, form));
      const score = (/** @type {string} */ category) =>
        median(reports.map(({ categories }) => Math.round(100 * categories[category].score)));
      console.log(
        `# ${form}: performance ${score('performance')} of 100, aim ${aim}; load of the machine ${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores`,
      );
      for (const [audit, aims] of Object.entries(AUDITS)) {
        const value = median(reports.map(({ audits }) => audits[audit].numericValue));
        console.log(
          `# ${form}: ${audit} ${value < 1 ? value.toFixed(3) : value.toFixed(0)}, aim ${aims[form === 'desktop' ? 0 : 1]}`,
        );
        if (audit === 'cumulative-layout-shift')
          assert.ok(value <= aims[0], `${form}: ${audit} is ${value}`);
      }
      for (const category of ['accessibility', 'best-practices']) {
        const failed = Object.values(reports[0].audits).filter(
          ({ score, scoreDisplayMode }) => score === 0 && scoreDisplayMode === 'binary',
        );
        assert.equal(score(category), 100, `${form}: ${category}: ${failed.map(({ id }) => id)}`);
      }
    }
  } finally {
    await host.close();
  }
});
