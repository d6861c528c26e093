// The marks of axes of time: few, round, in order, at every length from seconds to years.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './source.js';

const { ticks } = await source('ticks.ts');

const DAY = 86_400;
const LENGTHS = [10, 45, 300, 3600, 20_000, DAY, 3 * DAY, 11 * DAY, 45 * DAY].concat(
  [100, 200, 365.25, 3 * 365.25, 10 * 365.25].map((days) => days * DAY),
);
const STARTS = [null, Date.UTC(1993, 9, 1, 0, 0, 3) / 1000, Date.UTC(1996, 8, 23, 14, 35) / 1000];

for (const begins of STARTS) {
  const when = begins === null ? 'since the first submit' : 'by the calendar';
  test(`marks ${when} are few, in order and told apart, from 10 seconds to 10 years`, () => {
    for (const length of LENGTHS) {
      for (const from of [0, 1234.5, length / 3]) {
        for (const most of [2, 4, 9, 14]) {
          const until = from + length;
          const marks = ticks(from, until, most, begins);
          const told = `${length} s from ${from}, at most ${most}: ${JSON.stringify(marks)}`;
          assert.ok(marks.length <= most + 1, told);
          if (most >= 4) assert.ok(marks.length >= 1, told);
          if (most >= 9) assert.ok(marks.length >= 3, told);
          for (const [place, { at, label }] of marks.entries()) {
            assert.ok(at >= from - 1e-6 && at <= until + 1e-6 && label !== '', told);
            if (place > 0) assert.ok(at > marks[place - 1].at, told);
            if (place > 0) assert.notEqual(label, marks[place - 1].label, told);
          }
        }
      }
    }
  });
}

test('marks say clock times, days and dates as read-outs do', () => {
  const labels = (...of) => ticks(...of).map(({ label }) => label);
  assert.deepEqual(labels(0, 10, 5), [
    '00:00:00',
    '00:00:02',
    '00:00:04',
    '00:00:06',
    '00:00:08',
    '00:00:10',
  ]);
  assert.deepEqual(labels(0, 4 * 3600, 4), ['00:00', '01:00', '02:00', '03:00', '04:00']);
  assert.deepEqual(labels(20 * 3600, 30 * 3600, 5), [
    '20:00',
    '22:00',
    'day 2',
    '02:00',
    '04:00',
    '06:00',
  ]);
  assert.deepEqual(labels(0, 4 * DAY, 4), ['day 1', 'day 2', 'day 3', 'day 4', 'day 5']);
  const begins = Date.UTC(1996, 8, 23, 14, 30) / 1000;
  assert.deepEqual(labels(0, 6 * 3600, 3, begins), ['16:00', '18:00', '20:00']);
  assert.deepEqual(labels(0, 3 * DAY, 4, begins), ['24 Sep', '25 Sep', '26 Sep']);
  assert.deepEqual(labels(0, 150 * DAY, 6, begins), [
    'Oct 1996',
    'Nov 1996',
    'Dec 1996',
    'Jan 1997',
    'Feb 1997',
  ]);
  assert.deepEqual(labels(0, 3 * 365 * DAY, 4, begins), ['1997', '1998', '1999']);
});
