// The pool of workers by itself: its requests to them, and that it stops on request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './source.js';

const { Cancelled, Fault, Silent, WorkerClient } = await source('worker/worker-client.ts');
const { Pool } = await source('worker/pool.ts');

/** A worker that finishes every request before it can be cancelled. */
class Swift {
  asked = 0;

  async ask() {
    this.asked += 1;
    await new Promise((resolve) => setTimeout(resolve));
  }

  async cancel() {}
}

/** @param {Swift[]} workers @param {number} [silence] */
function poolOf(workers, silence) {
  const pool = new Pool({ module: null, script: '' }, 0, silence);
  pool.workers = workers;
  return pool;
}

test('every cell is asked for once, and progress ends at all of them', async () => {
  const pool = poolOf([new Swift(), new Swift()]);
  let took = 0;
  let last = 0;
  await pool.run({
    scenario: '',
    trace: null,
    order: [0, 1, 2, 3, 4],
    took: () => (took += 1),
    progress: (cells) => (last = cells),
  });
  assert.deepEqual([took, last, pool.workers[0].asked + pool.workers[1].asked], [5, 5, 5]);
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

/** A worker that falls silent over some cells, each a number of times, and is ended then. */
class Mute {
  asked = [];
  heard = 0;

  /** @param {Record<number, number>} falls how many times, by cell */
  constructor(falls) {
    this.falls = { ...falls };
  }

  ask(_type, { cell }) {
    this.asked.push(cell);
    if (!(this.falls[cell] > 0)) return new Promise((resolve) => setTimeout(resolve, 1, cell));
    this.falls[cell] -= 1;
    return new Promise((_, reject) => {
      this.end = reject;
    });
  }

  endIfSilent() {
    this.end?.(new Silent('nothing was said'));
    this.end = undefined;
  }

  async cancel() {}
}

test('a cell whose worker falls silent is run once more', async () => {
  const worker = new Mute({ 2: 1 });
  const pool = poolOf([worker], 40);
  const cells = [];
  await pool.run({
    scenario: '',
    trace: null,
    order: [0, 1, 2, 3],
    took: (cell) => cells.push(cell),
    progress: () => {},
  });
  assert.deepEqual(cells.sort(), [0, 1, 2, 3]);
  assert.equal(worker.asked.filter((cell) => cell === 2).length, 2);
});

test('a cell whose worker falls silent twice ends the run with that fault', async () => {
  const worker = new Mute({ 2: 9 });
  const pool = poolOf([worker], 40);
  await assert.rejects(
    pool.run({
      scenario: '',
      trace: null,
      order: [0, 1, 2, 3],
      took: () => {},
      progress: () => {},
    }),
    Fault,
  );
  assert.equal(worker.asked.filter((cell) => cell === 2).length, 2);
});

test('while a run rests its workers may be silent', async () => {
  const worker = new Mute({ 0: 1 });
  const pool = poolOf([worker], 40);
  const run = pool.run({
    scenario: '',
    trace: null,
    order: [0],
    took: () => {},
    progress: () => {},
  });
  worker.steer = () => {};
  await new Promise((resolve) => setTimeout(resolve));
  pool.pause();
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.deepEqual(worker.asked, [0]);
  pool.resume();
  await run;
  assert.deepEqual(worker.asked, [0, 0]);
});

test('a run that is to be kept, and whose worker fails, is run once more without being kept', async () => {
  const asked = [];
  const worker = {
    ask: async (_type, { isKept }) => {
      asked.push(isKept);
      if (isKept) throw new Fault('out of memory');
    },
    cancel: async () => {},
  };
  const pool = poolOf([worker]);
  const swapped = [];
  pool.keeper = { swap: (other) => swapped.push(other) };
  let took = 0;
  const cells = { scenario: '', trace: null, took: () => (took += 1), progress: () => {} };
  await pool.run({ ...cells, order: [0], isKept: true });
  assert.deepEqual([asked, swapped, took], [[true, false], [], 1]);

  worker.ask = async () => {};
  await pool.run({ ...cells, order: [0], isKept: true });
  await pool.run({ ...cells, order: [0] });
  assert.deepEqual([swapped, took], [[worker], 3]);
});

test('clients swap their workers, whose answers they hear then, unless one of them is busy', async (t) => {
  class Echo {
    postMessage({ id }) {
      if (id !== undefined)
        setTimeout(() => this.onmessage({ data: { id, type: 'done', result: this } }));
    }
  }
  Object.assign(globalThis, { Worker: Echo, BUILT: { worker: 'file:///worker.js' } });
  t.after(() => {
    for (const name of ['Worker', 'BUILT']) delete globalThis[name];
  });
  const [one, other] = [0, 1].map(() => new WorkerClient({ module: null, script: '' }));
  const [first, second] = [one.worker, other.worker];
  one.swap(other);
  assert.equal(await one.ask('cell', {}), second);
  assert.equal(await other.ask('cell', {}), first);
  const answered = other.ask('cell', {});
  one.swap(other);
  assert.deepEqual([one.worker, other.worker], [second, first]);
  assert.equal(await answered, first);
  const last = other.ask('cell', {});
  void other.cancel();
  await last;
  one.swap(other);
  assert.deepEqual([one.worker, other.worker], [second, first], 'it may still stop one');
});

/** A worker of the browser: a trial ends some time after it is told to stop, and cells wait for that. */
class Slow {
  /** That time, of each worker to come. */
  static delays = [];
  delay = Slow.delays.shift() ?? 0;
  /** Ends the trial. */
  end = () => {};
  free = Promise.resolve();

  constructor() {
    setTimeout(() => this.onmessage?.({ data: { type: 'ready' } }));
  }

  async postMessage({ id, type }) {
    const say = (data) => setTimeout(() => this.onmessage?.({ data }));
    if (type === 'estimate')
      this.free = new Promise((resolve) => {
        this.end = () => {
          say({ id, type: 'cancelled' });
          setTimeout(resolve, 50);
        };
      });
    if (type === 'cancel') setTimeout(this.end, this.delay);
    await this.free;
    if (type === 'cell') say({ id, type: 'done', result: id });
    if (type === 'cancel') say({ type: 'idle' });
  }

  terminate() {}
}

for (const [which, delays] of [
  ['ends late', [0, 240]],
  ['does not end', [0, 10_000]],
])
  test(`a run is not cancelled with the trials before it, one of which ${which}`, async (t) => {
    Object.assign(globalThis, { Worker: Slow, BUILT: { worker: 'file:///worker.js' } });
    t.after(() => {
      for (const name of ['Worker', 'BUILT']) delete globalThis[name];
    });
    Slow.delays = delays;
    const pool = poolOf([0, 1].map(() => new WorkerClient({ module: null, script: '' })));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const trial = () => pool.aside('estimate', [{}, {}]).catch((error) => error);
    const first = trial();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const second = trial();
    assert.ok((await first) instanceof Cancelled);
    let took = 0;
    await pool.run({
      scenario: '',
      trace: null,
      order: [0, 1, 2, 3],
      took: () => (took += 1),
      progress: () => {},
    });
    assert.equal(took, 4);
    assert.ok((await second) instanceof Cancelled);
  });

test('a worker serves what it is asked for after it was cancelled while it was starting', async () => {
  const told = [];
  const page = { self: globalThis.self, postMessage: globalThis.postMessage };
  Object.assign(globalThis, { self: {}, postMessage: (message) => told.push(message) });
  await source('worker/worker.ts');
  const send = (data) => globalThis.self.onmessage({ data });
  // A core whose runs take several slices.
  const script = `data:text/javascript,
    export const Keep = {};
    export const Trace = { none: () => ({ free() {} }) };
    export const on_panic = () => {};
    export const joinRest = () => () => {};
    export default async () => ({ memory: null });
    export class Run {
      left = 3;
      advance() {
        for (const end = performance.now() + 60; performance.now() < end; );
        return (this.left -= 1) === 0;
      }
      progress() { return [0, 1]; }
      waiting() { return 0; }
      outcome() { return 'its outcome'; }
      free() {}
    }`;
  const cell = { type: 'cell', scenario: '', trace: null, cell: 0, rest: null };
  send({ type: 'start', module: null, script });
  send({ ...cell, id: 1 });
  send({ type: 'cancel' });
  send({ ...cell, id: 2 });
  const isOver = ({ id, type }) => type === 'fault' || (id === 2 && type !== 'progress');
  while (!told.some(isOver)) await new Promise((resolve) => setTimeout(resolve, 10));
  Object.assign(globalThis, page);
  const words = told.filter(({ type }) => type !== 'progress').map(({ id, type }) => [type, id]);
  const idle = ['idle', undefined];
  assert.deepEqual(words, [['cancelled', 1], ['ready', undefined], idle, ['done', 2]]);
});
