// How well two workers of the command line share runs: the same scenario on one and on two, in
// turns, so that whatever else the machine does meets both.
//
// Times are those of the whole command, reading and printing included; the best of the rounds is
// taken, since whatever else the machine does only ever makes a run slower. With `--out` every
// finished part is written to the disk as well. Each round checks that both have one digest.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../page/built.js';

const ROUNDS = 5;

const SUBJECTS = [
  'k=8 jobs=4000 reps=10 policy=fcfs,easy,bgmbf x=load:0.5:0.9:0.2',
  'system=nodes jobs=50000 reps=10 policy=fcfs,easy x=load:0.5:0.9:0.1',
  'system=pool jobs=20000 reps=10 policy=zomt,fpfs,fair x=load:0.5:0.9:0.2',
];

/** The digest and the seconds of a command. */
function timed(words) {
  const begun = performance.now();
  const { stdout, stderr, status } = spawnSync(commandLine, ['run', ...words], {
    encoding: 'utf8',
  });
  const seconds = (performance.now() - begun) / 1000;
  assert.equal(status, 0, stderr);
  const [, digest] = stdout.match(/^digest ([0-9a-f]{16})$/m);
  return { digest, seconds };
}

console.log(`one worker and two, the best of ${ROUNDS} rounds`);
for (const subject of SUBJECTS) {
  for (const writes of [false, true]) {
    const best = [Infinity, Infinity];
    let digest = '';
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const workers of [1, 2]) {
        const folder = mkdtempSync(join(tmpdir(), 'backfill-workers-'));
        const out = writes ? ['--out', folder] : [];
        const run = timed([...subject.split(' '), '--workers', `${workers}`, ...out]);
        rmSync(folder, { recursive: true });
        assert.equal(run.digest, digest || run.digest);
        ({ digest } = run);
        best[workers - 1] = Math.min(best[workers - 1], run.seconds);
      }
    }
    const [one, two] = best;
    const cells = [one, two].map((seconds) => `${seconds.toFixed(2)} s`.padStart(9));
    const efficiency = (one / two / 2).toFixed(2);
    console.log(`${cells.join('')}  efficiency ${efficiency}  ${subject}${writes ? ' --out' : ''}`);
  }
}
const [busy] = loadavg();
console.log(
  `load of the machine in the last minute: ${busy.toFixed(1)} on ${availableParallelism()} cores; \
beside other work the efficiency says nothing`,
);
