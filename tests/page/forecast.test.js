// How long the rest of a sweep takes, foretold from made times: the range holds what it took, and
// narrows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { core, scenario } from './core.js';
import { source } from './source.js';
import { answer } from './visitor.js';
import { visits } from './visits.js';

const visit = visits('chromium');

const { Forecast, wholeOf } = await source('forecast.ts');
const { roughly } = await source('format.ts');

const WORKERS = 2;
const SIZES = { xs: 4, ys: 1, policies: 2, replications: 10 };
const CELLS = SIZES.xs * SIZES.policies * SIZES.replications;

/**
 * Milliseconds that a run takes: one policy's queue grows from the third value of x on.
 * @param {number} cell
 */
function takes(cell) {
  const point = Math.floor(cell / SIZES.replications);
  const [x, policy] = [Math.floor(point / SIZES.policies), point % SIZES.policies];
  const even = 100 * (1 + x) * (0.9 + 0.02 * (cell % SIZES.replications));
  return policy === 0 && x >= 2 ? even * 200 * (x - 1) : even;
}

/**
 * The progress of a run after this many milliseconds: with a growing queue the time is quadratic in
 * the jobs.
 */
function seen(/** @type {number} */ cell, /** @type {number} */ spent) {
  const all = takes(cell);
  const grows = all > 10_000;
  return { share: grows ? Math.sqrt(spent / all) : spent / all, spent, queued: grows ? 0.2 : 0 };
}

/** Cells in the order in which they run: the first replication of all comes first. */
const order = Array.from(
  { length: CELLS },
  (_, place) =>
    (place % (CELLS / SIZES.replications)) * SIZES.replications +
    Math.floor(place / (CELLS / SIZES.replications)),
);

/**
 * How long workers that each take the next cell need for these, the first of which may be done in
 * part.
 */
function shared(/** @type {number[]} */ times) {
  const free = Array.from({ length: WORKERS }, () => 0);
  for (const time of times) free[free.indexOf(Math.min(...free))] += time;
  return Math.max(...free);
}

/** Forecasts in the course of a sweep, and what the rest took then. */
function course(/** @type {boolean} */ tried) {
  const forecast = new Forecast(SIZES, WORKERS);
  const [first, last] = [0, SIZES.xs - 1].map((x) =>
    [0, 1].map((policy) => (x * SIZES.policies + policy) * SIZES.replications),
  );
  if (tried)
    for (const cell of [...first, ...last])
      forecast.try(
        cell,
        takes(cell) < 160 ? { share: 1, spent: takes(cell), queued: 0 } : seen(cell, 160),
      );
  const times = order.map(takes);
  const said = [{ at: 0, rest: forecast.rest(), took: shared(times) }];
  for (const [place, cell] of order.entries()) {
    forecast.under(cell, seen(cell, takes(cell) / 2));
    said.push({
      at: place + 0.5,
      rest: forecast.rest(),
      took: shared([times[place] / 2, ...times.slice(place + 1)]),
    });
    forecast.done(cell, times[place]);
    said.push({ at: place + 1, rest: forecast.rest(), took: shared(times.slice(place + 1)) });
  }
  return said;
}

test('the range holds what the rest of a saturated sweep takes, from the first trials to the end', () => {
  for (const tried of [true, false]) {
    for (const { at, rest, took } of course(tried)) {
      // Without trials nothing is known about the values still to come; their neighbours give an
      // estimate.
      if (rest === null || (!tried && at < SIZES.xs * SIZES.policies)) continue;
      assert.ok(
        rest.low <= took * 1.001 && took <= rest.high + 0.001,
        `at ${at} of ${CELLS}: ${rest.low} to ${rest.high}, took ${took}`,
      );
    }
  }
});

test('once every point has run, the range is narrow', () => {
  for (const { at, rest } of course(true)) {
    if (at < SIZES.xs * SIZES.policies + 1 || at > CELLS - 4) continue;
    assert.ok(rest.high <= 3.2 * rest.low, `at ${at} of ${CELLS}: ${rest.low} to ${rest.high}`);
  }
});

test('a mean of all that ran would be wrong by far where a queue is still to come', () => {
  // The earlier estimate: the remaining time after the cheap half of the first replication.
  const done = order.slice(0, 4);
  const mean = done.reduce((sum, cell) => sum + takes(cell), 0) / done.length;
  const left = order.slice(4);
  const took = left.reduce((sum, cell) => sum + takes(cell), 0);
  assert.ok(took > 10 * mean * left.length);
});

test('a run of a queue that grows takes up to the square, one without at most little more than its share', () => {
  assert.deepEqual(wholeOf({ share: 1, spent: 70, queued: 0.4 }), { low: 70, high: 70 });
  const grows = wholeOf({ share: 0.1, spent: 100, queued: 0.3 });
  assert.ok(grows.low <= 1000 && grows.high >= 10_000);
  const even = wholeOf({ share: 0.1, spent: 100, queued: 0 });
  assert.ok(even.low <= 1000 && even.high >= 1000 && even.high < 2000);
});

test('nothing is foretold of nothing, and one long run is not shared out among workers', () => {
  assert.equal(new Forecast(SIZES, WORKERS).rest(), null);
  const one = new Forecast({ xs: 1, ys: 1, policies: 1, replications: 1 }, 8);
  one.try(0, { share: 1, spent: 4000, queued: 0 });
  assert.deepEqual(one.rest(), { low: 4000, high: 4000 });
  one.done(0, 4000);
  assert.deepEqual(one.rest(), { low: 0, high: 0 });
});

test('lengths of time are said no finer than they are known', () => {
  const said = [
    [20, 283, 'less than a second'],
    [4600, 5400, 'about 5 s'],
    [60_000, 240_000, '60 s to 4 min'],
    [120_000, 240_000, '2 to 4 min'],
    [2000, 600_000, '2 s to 10 min'],
    [300, 4000, 'up to 4 s'],
    [35_000, 37_000, 'about 35 s'],
    [80 * 60_000, 100 * 60_000, 'about 90 min'],
    [3 * 3_600_000, 23 * 3_600_000, '3 to 25 h'],
    [30 * 86_400_000, 90 * 86_400_000, '30 to 90 days'],
  ];
  for (const [low, high, words] of said) assert.equal(roughly({ low, high }), words);
});

test('a run whose queue only grows is found, one whose queue comes and goes is not', () => {
  /** The run of a cell after this part of it, with this share of the arrived jobs waiting. */
  const sees = (/** @type {(share: number) => number} */ queued) => {
    const forecast = new Forecast(SIZES, WORKERS);
    for (let share = 0.001; share < 0.5; share *= 1.3)
      forecast.under(3, {
        share,
        spent: 40_000 * share ** 2,
        queued: queued(share),
        waiting: 100_000 * share * queued(share),
      });
    return forecast;
  };
  const saturated = sees((share) => 0.4 - 0.01 / (share + 0.05));
  assert.equal(saturated.saturated()?.cell, 3);
  // From the same number of jobs that wait on average, a smaller share of ever more that arrived.
  assert.equal(sees((share) => 0.001 / share).saturated(), null);
  assert.equal(sees(() => 0.02).saturated(), null);

  // All that is left of its point can be left out; the others stay.
  const cells = saturated.besides(3);
  assert.deepEqual(cells, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  saturated.leaveOut(cells);
  assert.equal(saturated.saturated(), null);
  assert.equal(saturated.left.size, CELLS - 10);
});

test('chromium: a point whose queue only grows is named, and stopped alone', async () => {
  const text = scenario([
    ['policy', 'none+adaba,easy+adaba'],
    ['jobs', '100000'],
    ['reps', '2'],
    ['x', 'load:0.2,4'],
  ]);
  const tab = await visit(core.write_link(text, ''));
  const named = await tab.waitFor(() => {
    const box = document.querySelector('.saturated');
    return box !== null && !box.hidden && box.querySelector('p').textContent;
  });
  assert.match(named, /^EASY \+ AdaBa at Load 4 is saturated: [\d,]+ jobs wait\.$/);
  await tab.evaluate(() => document.querySelector('.saturated button').click());
  const now = await answer(tab);
  assert.equal(now.status, '6 of 8 runs; stopped: EASY + AdaBa at Load 4.');
  assert.equal(now.badge, 'partial: 6 of 8 runs');
  assert.deepEqual(now.banners, []);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
