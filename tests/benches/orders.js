// What a value of an order costs in wasm. The inspector orders the jobs that wait in a run by an
// expression E, and by (E)+0*(E), whose values are the same: all else being equal, the difference is
// one more evaluation of E. The least time of each over the rounds counts, and each row first checks
// that both have the same jobs in the same order.
//
// `node tests/benches/orders.js` after `cargo xtask dist`; native values beside it are those of
// `cargo bench -p backfill-tests --bench orders`.

import assert from 'node:assert/strict';
import { core, scenario } from '../page/core.js';

const ROUNDS = 60;

const text = scenario([
  ['k', '4'],
  ['slots', '2'],
  ['jobs', '12000'],
  ['load', '40'],
  ['x', 'none'],
  ['reps', '1'],
  ['policy', 'fcfs+adaba'],
]);
const run = new core.Run(text, 0, core.Trace.none(), core.Keep.Allocations);
while (!run.advance(50_000));
const inspector = run.replay().inspector();
const { at, waiting } = inspector.examples('submit', 0, 1);

const ORDERS = [
  'wait/estimate*size',
  'if wait>3600 then -wait else estimate*size',
  '-(wait/max(estimate,1))^3*size',
  '-wait/(max(log2(size),1)*max(estimate,1))',
  'log10(max(estimate,1))*size+870*log10(max(submit,1))',
  'estimate*sqrt(size)+530000*log10(max(submit,1))',
];
for (const order of ORDERS) {
  const twice = `(${order})+0*(${order})`;
  const jobs = (/** @type {string} */ of) => inspector.examples(of, at, waiting).jobs;
  assert.deepEqual(jobs(twice), jobs(order));
  const least = [order, twice].map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [place, of] of [order, twice].entries()) {
      const begun = performance.now();
      inspector.order_by(of, at);
      least[place] = Math.min(least[place], performance.now() - begun);
    }
  }
  const nanos = ((least[1] - least[0]) * 1e6) / waiting;
  console.log(`${nanos.toFixed(0).padStart(5)} ns  ${order}`);
}
