// How much slower the core is in the two parts that the page is sent than as one module: both run the
// same scenarios by turns in one process.

import assert from 'node:assert/strict';
import { scenario, simulate } from '../page/core.js';
import { ofParts } from '../page/parts.js';

const ROUNDS = 9;

const ONE_RUN = [
  ['x', 'none'],
  ['reps', '1'],
  ['load', '0.9'],
];
/** What is timed. */
const SUBJECTS = [
  ['default scenario', []],
  ['BgMBF, k = 10', [...ONE_RUN, ['k', '10'], ['jobs', '10000'], ['policy', 'bgmbf']]],
  ['EASY with AdaBa, k = 16', [...ONE_RUN, ['k', '16'], ['jobs', '2000'], ['policy', 'easy']]],
  [
    'EASY on 1,024 nodes',
    [
      ...ONE_RUN,
      ['system', 'nodes'],
      ['nodes', '1024'],
      ['bandwidth', 'none'],
      ['jobs', '100000'],
      ['policy', 'easy'],
    ],
  ],
  [
    'half of the bandwidth guaranteed',
    [...ONE_RUN, ['k', '8'], ['jobs', '3000'], ['guarantee', '50'], ['policy', 'easy']],
  ],
];

const { core: parted, asked } = await ofParts();
const least = (/** @type {number[]} */ all) => Math.min(...all);
console.log(
  'least of',
  ROUNDS,
  'rounds, in ms: whole, two parts, ratio; whether the rest was needed',
);
for (const [name, pairs] of SUBJECTS) {
  const text = scenario(pairs);
  const before = asked.times;
  const times = { whole: [], parts: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const whole = simulate(text);
    const parts = simulate(text, parted.Trace.none(), parted);
    assert.equal(parts.digest, whole.digest, name);
    times.whole.push(1000 * whole.seconds);
    times.parts.push(1000 * parts.seconds);
  }
  const [whole, parts] = [least(times.whole), least(times.parts)];
  const needed = asked.times > before ? 'rest needed' : '';
  console.log(name, whole.toFixed(0), parts.toFixed(0), (parts / whole).toFixed(2), needed);
}
