// The pool of workers by itself: what it asks of them, and that it stops when it is told to.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cancelled } from '../../www/hand.js';
import { Pool } from '../../www/pool.js';

/** A worker that has done whatever it is asked before it can be told to give it up. */
class Swift {
  asked = 0;

  async ask() {
    this.asked += 1;
    await new Promise((resolve) => setTimeout(resolve));
  }

  async cancel() {}
}

/** @param {Swift[]} hands */
function poolOf(hands) {
  const pool = new Pool({ module: null, script: '' }, 0);
  pool.hands = hands;
  return pool;
}

test('every cell is asked for once, and progress ends at all of them', async () => {
  const pool = poolOf([new Swift(), new Swift()]);
  let took = 0;
  let last = 0;
  await pool.run({ scenario: '', trace: null, order: [0, 1, 2, 3, 4], took: () => (took += 1), progress: (cells) => (last = cells) });
  assert.deepEqual([took, last, pool.hands[0].asked + pool.hands[1].asked], [5, 5, 5]);
});

test('a run that is cancelled ends although every worker had finished all it held', async () => {
  const pool = poolOf([new Swift(), new Swift()]);
  const order = Array.from({ length: 1000 }, (_, cell) => cell);
  let took = 0;
  const run = pool.run({
    scenario: '',
    trace: null,
    order,
    took: () => {
      took += 1;
      if (took === 10) void pool.cancel();
    },
    progress: () => {},
  });
  await assert.rejects(run, Cancelled);
  assert.ok(took >= 10 && took <= 14, `${took} cells`);
});
