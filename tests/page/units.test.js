// What the page decides without a browser: links' views, verdicts, chosen runs, and when.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signal } from '@preact/signals-core';
import { source } from './source.js';

const { once } = await source('once.ts');
const { linesIn } = await source('scenario-lines.ts');
const { readView, writeView } = await source('link-view.ts');
const { pointInWords } = await source('sweep.ts');
const { judge } = await source('verdict.ts');
const { ofPolicy, openedRun, withOther } = await source('view/run-choice.ts');

const SECTIONS = ['answer', 'compare', 'inside', 'when'];

/** A view of which nothing is shown but the whole answer. */
const WHOLE = {
  facet: 0,
  hidden: new Set(),
  run: null,
  step: null,
  across: null,
  up: {},
  section: '',
  note: '',
};

test('a view is read as it was written', () => {
  const range = { of: { low: 0.5, high: 2, logarithmic: false }, from: 0, to: 1 };
  const view = {
    facet: 2,
    hidden: new Set([0, 3]),
    run: { policy: 1, x: 2, y: 0, replication: 4, beside: 0 },
    step: { pass: 27, done: 3, isAll: false },
    across: range,
    up: { mean_wait: range },
    section: 'compare',
    note: 'Look here, and: there',
  };
  const text = writeView(view);
  assert.equal(
    text,
    'y:2,off:0+3,run:1+2+0+4+0,step:27+3,zoom:0.5+2,zoom-mean_wait:0.5+2,compare,note:Look here, and: there',
  );
  assert.deepEqual(readView(text, SECTIONS), { ...view, invalid: null, forecast: '' });
  assert.equal(writeView(WHOLE), '');
  assert.deepEqual(readView('', SECTIONS), { ...WHOLE, invalid: null, forecast: '' });
  const { section, forecast } = readView('off:1,when:9000+16+3600+1', SECTIONS);
  assert.deepEqual([section, forecast], ['when', '9000+16+3600+1']);
});

test('the ends of a visible range are values of the axis, also of a logarithmic one', () => {
  const of = { low: 1, high: 100, logarithmic: true };
  const across = { of, from: 0.5, to: 1 };
  assert.equal(writeView({ ...WHOLE, across }), 'zoom:10+100');
});

test('what is invalid in a view is left out and reported', () => {
  const { across, up, invalid } = readView('zoom:2+1,zoom-mean_wait:1+3', SECTIONS);
  assert.equal(across, null);
  assert.deepEqual(Object.keys(up), ['mean_wait']);
  assert.equal(invalid, 'zoom:2+1');
  const other = readView('y:-1,off:a+1,run:0+1,nothing', SECTIONS);
  assert.deepEqual([other.facet, [...other.hidden], other.run, other.section], [0, [1], null, '']);
});

test('a note that is longer than can be written is cut', () => {
  const { note } = readView(`note:${'é'.repeat(1000)}`, SECTIONS);
  assert.ok(note.length < 1000 && /^é+$/.test(note));
});

test('an answer is compared with that of the link, else with the one built in', () => {
  const promise = { text: '', digest: 'aa', core: '' };
  assert.equal(judge({ promise, built: 'bb' }, 'aa', 10).badge.tone, 'good');
  const differs = judge({ promise, built: null }, 'cc', 10);
  assert.equal(differs.badge.tone, 'bad');
  assert.match(differs.differs.details, /aa.*cc/s);
  assert.equal(judge({ promise: null, built: 'bb' }, 'bb', 10).badge.tone, 'good');
  assert.equal(judge({ promise: null, built: 'bb' }, 'cc', 10).badge.tone, 'bad');
  assert.deepEqual(judge({ promise: null, built: null }, 'cc', 10).differs, null);
});

/** A scenario of three policies, three values of x and two replications. */
const RUNS = {
  policies: ['A', 'B', 'C'].map((label) => ({ label, value: label })),
  x: { label: 'Load', values: ['0.5', '0.7', '0.9'] },
  y: null,
  replications: 2,
};

test('the run that is opened is the wanted one as far as there is one', () => {
  const first = { policy: 0, x: 2, y: 0, replication: 0, beside: null };
  assert.deepEqual(openedRun(RUNS, null, null), first);
  assert.deepEqual(openedRun(RUNS, null, 1), { ...first, beside: 1 });
  const wanted = { policy: 1, x: 0, y: 5, replication: 1, beside: 2 };
  assert.deepEqual(openedRun(RUNS, wanted, 0), { ...wanted, y: 0 });
  assert.deepEqual(openedRun(RUNS, { ...wanted, policy: 3 }, 0).policy, 0);
});

test('a run is not compared with itself', () => {
  const run = { policy: 0, x: 0, y: 0, replication: 0, beside: 1 };
  assert.deepEqual(ofPolicy(RUNS, run, 1), { ...run, policy: 1, beside: 0 });
  assert.deepEqual(ofPolicy(RUNS, run, 2), { ...run, policy: 2 });
  assert.equal(withOther(RUNS, { ...run, policy: 1 }).beside, null);
  assert.equal(withOther(RUNS, { ...run, beside: 7 }).beside, null);
});

test('a point of a sweep is called by its policy and its values', () => {
  // Cells go by y, x, policy and replication, the last one fastest.
  const words = pointInWords(RUNS, (1 * 3 + 2) * 2 + 1);
  assert.match(words, /C/);
  assert.match(words, /Load 0\.7/);
});

test('what waits for a value is done once it is such, and no more', () => {
  const value = signal(1);
  const seen = [];
  once(
    value,
    (now) => now > 1,
    () => seen.push(value.peek()),
  );
  for (const now of [0, 2, 3]) value.value = now;
  assert.deepEqual(seen, [2]);
});

test('lines of a scenario have keys, values, remarks and faults', () => {
  const text =
    '# all\nk = 4 # pods\n\nfile="a #1.swf"  # log\nno line\nx=load:0.5,0.7\n note =\ny = # none';
  const { entries, faults } = linesIn(text);
  assert.deepEqual(
    entries.map(({ line, key, value }) => [line, key, value]),
    [
      [1, 'k', '4'],
      [3, 'file', 'a #1.swf'],
      [5, 'x', 'load:0.5,0.7'],
      [6, 'note', ''],
      [7, 'y', ''],
    ],
  );
  assert.deepEqual(faults, [4]);
});
