// The JSON Schemas beside the page: what Backfill writes is valid, changed documents are not. All in
// Node.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import { commandLine, site } from './built.js';
import { core, runToEnd, scenario } from './core.js';
import { AT, LOG } from './forecasts.js';
import { bring } from './log.js';

/** Says of a value what is wrong with it by a schema, which is one itself. */
function problemsBy(/** @type {string} */ name) {
  const schema = JSON.parse(readFileSync(join(site, `${name}.schema.json`), 'utf8'));
  const isValid = new Ajv({ allErrors: true, strictTypes: false }).compile(schema);
  return (/** @type {unknown} */ value) => (isValid(value) ? [] : isValid.errors);
}

const inScenario = problemsBy('scenario');
const inResult = problemsBy('result');

test('Node: every example and every default is a scenario by the schema', () => {
  const { examples, keys } = core.tables();
  for (const { pairs } of examples) {
    assert.deepEqual(inScenario(Object.fromEntries(pairs)), []);
    const { values } = core.read_scenario(pairs);
    assert.deepEqual(inScenario(Object.fromEntries(values)), []);
  }
  const numbers = keys
    .filter(({ kind, default: value }) => kind === 'text' && /^-?[\d.]+$/.test(value))
    .map(({ name, default: value }) => [name, Number(value)]);
  assert.ok(numbers.length > 20, `${numbers.length} numbers`);
  assert.deepEqual(inScenario(Object.fromEntries(numbers)), []);
});

test('Node: what TOML has of its own is a scenario by the schema', () => {
  const problems = inScenario({
    k: 8,
    hide_aware: true,
    load: 0.9,
    policy: ['fcfs+adaba', 'list(order=area)+adaba'],
    reference: 'list(order=area)+adaba',
    nodes_per_cluster: '100+50',
    x: 'load: 0.5, 0.9',
  });
  assert.deepEqual(problems, []);
});

test('Node: what is no scenario is none by the schema', () => {
  for (const [key, value] of [
    ['slotz', '8'],
    ['k', 7],
    ['k', 'six'],
    ['k', 1_000_000],
    ['load', '1e3'],
    ['system', 'torus'],
    ['hide_aware', 'maybe'],
    ['policy', 'easier+adaba'],
    ['policy', []],
    ['reference', 'last'],
    ['x', 'policy:fcfs,easy'],
    ['metric', 'happiness'],
    ['sha256', '12'],
    ['centre_mbps', 'fast'],
    ['reps', null],
  ]) {
    const said = `${key}: ${JSON.stringify(value)}`;
    assert.notDeepEqual(inScenario({ [key]: value }), [], said);
    const text = Array.isArray(value) ? value.join() : String(value);
    assert.throws(() => scenario([[key, text]]), said);
  }
});

/** A small result of a system, which is whole, or lacks its first run and names a log. */
function result(system, isWhole) {
  const text = scenario([
    ['jobs', '30'],
    ['reps', '2'],
    ['system', system],
    ['policy', 'fcfs,easy'],
    ['x', system === 'nodes' ? 'none' : 'load:0.5,0.9'],
  ]);
  const board = new core.Board(text);
  const cells = [...core.running_order(text)];
  for (const cell of isWhole ? cells : cells.slice(1)) {
    const run = runToEnd(text, cell);
    board.add(run.outcome());
  }
  const log = isWhole ? [undefined, '', 0] : ['log.swf', '0f'.repeat(32), 30];
  return JSON.parse(board.json(...log));
}

test('Node: results of every system are results by the schema', () => {
  for (const system of ['fat-tree', 'nodes', 'multi-cluster', 'pool', 'tree']) {
    const whole = result(system, true);
    const part = result(system, false);
    assert.deepEqual([inResult(whole), inResult(part)], [[], []], system);
    assert.match(whole.digest, /^[0-9a-f]{16}$/);
    assert.equal(part.digest, null);
    assert.equal(part.trace.jobs, 30);
    assert.equal(part.outcomes.length, whole.outcomes.length - 1);
  }
});

test('Node: what is no result is none by the schema', () => {
  const whole = result('fat-tree', true);
  const changed = (/** @type {(copy: any) => void} */ change) => {
    const copy = structuredClone(whole);
    change(copy);
    return inResult(copy);
  };
  for (const [place, value] of [
    ['schema', 3],
    ['core', ''],
    ['digest', '12'],
    ['scenario/k', 6],
    ['scenario/system', 'torus'],
    ['policies', []],
    ['x/0', 0.5],
    ['metrics/0/better', 'always'],
    ['points/0/metric', 'happiness'],
    ['points/0/value/half_width', -1],
    ['points/0/value', null],
    ['outcomes/0/cell/policy', -1],
    ['outcomes/0/digest', 7],
    ['outcomes/0/metrics/wait_mean', 'long'],
    ['outcomes/0/metrics', [0.5]],
    ['trace', { name: 'log.swf' }],
  ]) {
    const names = place.split('/');
    const last = names.pop();
    const problems = changed((copy) => {
      const holder = names.reduce((part, name) => part[name], copy);
      assert.ok(last in holder, place);
      holder[last] = value;
    });
    assert.notDeepEqual(problems, [], place);
  }
  for (const name of ['schema', 'core', 'scenario', 'trace', 'digest', 'outcomes'])
    assert.notDeepEqual(
      changed((copy) => delete copy[name]),
      [],
      name,
    );
  assert.notDeepEqual(
    changed((copy) => {
      copy.remark = 'more';
    }),
    [],
  );
});

test('Node: a forecast is one by its schema', async () => {
  const inForecast = problemsBy('forecast');
  const asked = ['forecast', await bring('made.swf', LOG), '--at', AT, '--size', '12', '--json'];
  const printed = execFileSync(commandLine, [...asked, '--limit', '3', '--map'], {
    encoding: 'utf8',
  });
  const forecast = JSON.parse(printed);
  assert.deepEqual(inForecast(forecast), []);
  forecast.p50.wait_s = 'long';
  assert.notDeepEqual(inForecast(forecast), []);
});
