// Numbers and times as the page writes them, without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './source.js';

const { cell } = await source('view/cell.ts');
const { duration, instant, percent, roughly, significant, span, tenths, timeOfDay, whole } =
  await source('format.ts');

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test('numbers have their thousands separated and no more digits than they need', () => {
  assert.deepEqual([0, 999, 1234567].map(whole), ['0', '999', '1,234,567']);
  assert.deepEqual([0.04, 1234.56].map(tenths), ['0.0', '1,234.6']);
  assert.deepEqual([0, 1.23456, 0.0001, 123456789, 1e-5, 1e9, -2.5e12].map(significant), [
    '0',
    '1.235',
    '0.0001',
    '123,500,000',
    '1.000e-5',
    '1.000e+9',
    '-2.500e+12',
  ]);
  assert.deepEqual([0, 0.1234, 1].map(percent), ['0.0 %', '12.3 %', '100.0 %']);
});

test('instants of a run count days from 1, spans count hours', () => {
  assert.deepEqual([0, 59.6, 86399, 86400].map(instant), [
    '00:00:00',
    '00:01:00',
    '23:59:59',
    'day 2, 00:00:00',
  ]);
  assert.deepEqual([0, 59.96, 60, 360000].map(span), ['0.0 s', '60.0 s', '0:01:00', '100:00:00']);
});

test('durations are told in the largest unit that they fill', () => {
  const durations = [0, 999.4, 1000, 9_940, 59_000, 91_732, 59 * MINUTE, HOUR, 100 * HOUR];
  assert.deepEqual(durations.map(duration), [
    '0 ms',
    '999 ms',
    '1.0 s',
    '9.9 s',
    '59 s',
    '1.5 min',
    '59 min',
    '1.0 h',
    '100.0 h',
  ]);
});

test('a range of durations is told no finer than it is known', () => {
  const said = (low, high) => roughly({ low, high });
  assert.equal(said(0, 900), 'less than a second');
  assert.equal(said(4 * SECOND, 6 * SECOND), 'about 5 s');
  assert.equal(said(0, 12 * SECOND), 'up to 10 s');
  assert.equal(said(MINUTE, 4 * MINUTE), '60 s to 4 min');
  assert.equal(said(2 * MINUTE, 8 * MINUTE), '2 to 8 min');
  assert.equal(said(60 * HOUR, 70 * HOUR), 'about 3 days');
});

test('a time of day has its date where that is not today', () => {
  const noon = new Date(2024, 4, 17, 12, 5).getTime();
  assert.equal(timeOfDay(noon, noon + HOUR), '12:05');
  assert.equal(timeOfDay(noon, noon + 30 * HOUR), '17 May, 12:05');
});

test('values of columns are written by their kind', () => {
  const written = (kind, value) => cell(kind, value, ['idle', 'busy']);
  assert.equal(written('count', null), '–');
  assert.deepEqual(
    [
      ['count', 12],
      ['instant', 60],
      ['span', 60],
      ['rate', 2.25],
      ['ratio', 1.005],
      ['number', 12345.6],
      ['word', 1],
    ].map(([kind, value]) => written(kind, value)),
    ['12', '00:01:00', '0:01:00', '2.3', '1.00', '12,350', 'busy'],
  );
});
