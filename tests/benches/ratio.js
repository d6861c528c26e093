// How much slower wasm is than native code on whole runs: the command line and the module in Node
// take turns at the same scenario in one go, so that whatever else the machine does meets both.
//
// Both times are pure simulation on one worker: the median over the rounds, after one to warm up,
// and the best, since whatever else the machine does only ever makes a run slower. Each round first
// checks that both sides have one digest, so that a fast wrong answer is not a win. The module's
// time for the default scenario is what one warm worker of the page needs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { commandLine, traces } from '../page/built.js';
import { readTrace, scenario, simulate } from '../page/core.js';

const ROUNDS = 15;

const KTH = 'KTH-SP2-1996-2.1-cln.swf.gz';
const PLACEMENTS = ['adaba', 'best-fit', 'first-fit', 'oktopus', 'greedy'];

/** What is timed: its name, its pairs, and its log if it has one. */
const SUBJECTS = [
  ['default scenario', []],
  [
    'fig4, quick',
    [
      ['policy', 'none+adaba,none+oktopus,none+greedy,none+best-fit'],
      ['x', 'bandwidth_mbps:50,150,250,350,450,550,700'],
      ['jobs', '1000'],
      ['reps', '5'],
    ],
  ],
  [
    'BgMBF at load 0.9',
    [
      ['policy', 'bgmbf+adaba'],
      ['load', '0.9'],
      ['jobs', '2000'],
      ['reps', '2'],
    ],
  ],
  [
    'A1 at 8 bandwidths × 9 thresholds, 16,000 jobs each',
    [
      ['system', 'multi-cluster'],
      ['load', 'as-logged'],
      ['bandwidth', 'constant'],
      ['interarrival', 'exponential:37.5'],
      ['size', 'uniform:10:50'],
      ['runtime', 'exponential:450'],
      ['jobs', '16000'],
      ['reps', '1'],
      ['policy', 'fpfs+a1'],
      ['x', 'bandwidth_mbps:200:900:100'],
      ['y', 'lslt:40:120:10'],
    ],
  ],
];
if (traces && existsSync(join(traces, KTH))) {
  const policies = PLACEMENTS.map((placement) => `none+${placement}`).join();
  const pairs = [
    ['workload', 'swf'],
    ['file', KTH],
    ['first', '1000'],
    ['load', '0.5'],
    ['policy', policies],
  ];
  SUBJECTS.push(['KTH-SP2, first 1000 jobs, no queue, five placements', pairs, join(traces, KTH)]);
} else {
  console.log(`skipped: BACKFILL_TRACES leads to no ${KTH}`);
}

/** The digest and the seconds of a native run. */
function native(pairs, log) {
  const words = pairs.map(([key, value]) => `${key}=${key === 'file' ? log : value}`);
  const { stdout, stderr, status } = spawnSync(
    commandLine,
    ['run', ...words, '--workers', '1', '--time'],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  const [, digest] = stdout.match(/^digest ([0-9a-f]{16})$/m);
  const [, seconds] = stderr.match(/^simulated \d+ jobs in ([\d.]+) s/m);
  return { digest, seconds: Number(seconds) };
}

/** The middle one of an odd number of numbers. */
function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[(numbers.length - 1) / 2];
}

/** Prints a row of the table. */
function row(...cells) {
  const widths = [12, 12, 8, 12, 12, 8];
  console.log(
    cells
      .map((cell, place) => (place < widths.length ? cell.padStart(widths[place]) : `  ${cell}`))
      .join(''),
  );
}

console.log(`wasm against native, ${ROUNDS} rounds: median and best`);
row('native', 'wasm', 'ratio', 'best native', 'best wasm', 'ratio', 'digest');
const ratios = [];
for (const [name, pairs, log] of SUBJECTS) {
  const text = scenario(pairs);
  const trace = log && readTrace(KTH, [readFileSync(log)]);
  const round = () => {
    const both = { native: native(pairs, log), wasm: simulate(text, trace) };
    assert.equal(both.wasm.digest, both.native.digest, name);
    return both;
  };
  const { digest } = round().wasm;
  const rounds = Array.from({ length: ROUNDS }, round);
  const cells = [median, (numbers) => Math.min(...numbers)].flatMap((of) => {
    const times = ['native', 'wasm'].map((side) => of(rounds.map((both) => both[side].seconds)));
    if (of === median) ratios.push(times[1] / times[0]);
    return [
      ...times.map((seconds) => `${(seconds * 1000).toFixed(0)} ms`),
      (times[1] / times[0]).toFixed(2),
    ];
  });
  row(...cells, `${digest}  ${name}`);
}
const product = ratios.reduce((all, ratio) => all * ratio, 1);
console.log(
  `wasm takes ${(product ** (1 / ratios.length)).toFixed(2)} times as long as native, in the geometric mean of the medians`,
);
const [busy] = loadavg();
const verdict =
  busy > availableParallelism()
    ? ': too busy to trust the ratios, since new processes are served first'
    : '';
console.log(
  `load of the machine in the last minute: ${busy.toFixed(1)} on ${availableParallelism()} cores${verdict}`,
);
