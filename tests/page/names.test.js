// How a run of the history is named by its differences to the one before, without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { core } from './core.js';
import { source } from './source.js';

const { changes } = await source('view/changes.ts');
const { keys } = core.tables();

/** A run of a scenario as the history stores it. */
function run(...pairs) {
  const { problems, values } = core.read_scenario(pairs);
  assert.deepEqual(problems, []);
  return { scenario: Object.fromEntries(values) };
}

/** The names of a run's differences. */
const named = (now, before) => changes(run(...now), run(...before), keys);

test('equal scenarios do not differ', () => {
  assert.deepEqual(named([], []), []);
});

test('a changed number is told with its label and both values', () => {
  const [said, ...others] = named([['k', '10']], []);
  assert.deepEqual(others, []);
  const { label, default: before } = keys.find(({ name }) => name === 'k');
  assert.ok(said.includes(label) && said.includes(before) && said.includes('10'), said);
});

test('a seed is told without the one before', () => {
  assert.deepEqual(named([['seed', '9']], [['seed', '8']]), ['Seed 9']);
});

test('policies are told as added and removed, the placement left out where all have the same', () => {
  const of = (...labels) => ({
    ...run(),
    policies: labels.map((label) => ({ value: label, label })),
  });
  assert.deepEqual(changes(of('A + P', 'C + P'), of('A + P', 'B + P'), keys), [
    '+\u00a0C',
    '−\u00a0B',
  ]);
  assert.deepEqual(changes(of('A + P', 'A + Q'), of('A + P'), keys), ['+\u00a0A + Q']);
});

test('a changed system is told before what follows from it', () => {
  const said = named(
    [
      ['system', 'nodes'],
      ['seed', '9'],
    ],
    [],
  );
  const { label } = keys.find(({ name }) => name === 'system');
  assert.ok(said[0].includes(label), said.join());
  assert.ok(said.includes('Seed 9'), said.join());
});
