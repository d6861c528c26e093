// Clusters: what the picture of a run shows of nodes and links, and how much memory a long run
// takes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { core, memoryBytes, runToEnd, scenario } from './core.js';

const CLUSTERS = 4;
const NODES = 100;

/** A run that can be looked into. */
function replay(placement, mbps) {
  const run = new core.Run(
    scenario([
      ['system', 'multi-cluster'],
      ['jobs', '400'],
      ['bandwidth', 'constant'],
      ['bandwidth_mbps', mbps],
      ['policy', `fpfs+${placement}`],
      ['x', 'none'],
      ['load', '0.9'],
      ['reps', '1'],
    ]),
    0,
    core.Trace.none(),
    core.Keep.Allocations,
  );
  while (!run.advance(50_000));
  return run.replay();
}

/** The shares at 200 instants, links and nodes separately. */
function* looks(run) {
  const { span } = run.info();
  for (let step = 0; step < 200; step += 1) {
    const at = (span * step) / 200;
    const shares = [...run.shares_at(at)];
    assert.equal(shares.length, CLUSTERS + CLUSTERS * NODES);
    yield {
      running: run.jobs_at(at)[0],
      links: shares.slice(0, CLUSTERS),
      nodes: shares.slice(CLUSTERS),
    };
  }
}

test('Node: a run of twice as many jobs takes no more memory', () => {
  const measured = (/** @type {string} */ jobs) => {
    const text = scenario([
      ['system', 'multi-cluster'],
      ['load', 'as-logged'],
      ['interarrival', 'exponential:37.5'],
      ['size', 'uniform:10:50'],
      ['runtime', 'exponential:450'],
      ['policy', 'fpfs+migration-only'],
      ['x', 'none'],
      ['reps', '1'],
      ['jobs', jobs],
    ]);
    const run = runToEnd(text, 0);
    assert.equal(run.outcome().jobs, Number(jobs));
    return memoryBytes();
  };
  // Up to half a million jobs each of their times is kept. What a run leaves free is in pieces, of
  // which the next one uses what it can.
  measured('600000');
  const few = measured('600000');
  assert.ok(measured('1200000') <= 1.05 * few, `${few} bytes`);
  assert.ok(few < 64 * 2 ** 20, `${few} bytes`);
});

test('Node: without co-allocation a node is held or free, and links carry nothing', () => {
  let held = 0;
  for (const { running, links, nodes } of looks(replay('no-share', '300'))) {
    assert.ok(
      nodes.every((share) => share === 0 || share === 1),
      `${nodes}`,
    );
    assert.ok(links.every((share) => share === 0));
    const inUse = nodes.filter((share) => share === 1).length;
    assert.ok(inUse >= running, `${running} jobs on ${inUse} nodes`);
    held = Math.max(held, inUse);
  }
  assert.ok(held > (CLUSTERS * NODES) / 2);
});

test('Node: who is co-allocated over links asked for too much gets less than it asks for', () => {
  let slowed = 0;
  for (const { links, nodes } of looks(replay('first-fit', '2000'))) {
    assert.ok(
      nodes.every((share) => share >= 0 && share <= 1),
      `${nodes}`,
    );
    const less = nodes.some((share) => share > 0 && share < 1);
    assert.equal(
      less,
      links.some((share) => share > 1),
      `${links}`,
    );
    slowed += Number(less);
  }
  assert.ok(slowed > 0);
});
