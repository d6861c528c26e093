// Nodes of two tiers: what the picture of a run shows of processes, pauses and migrations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launch, site } from './browser.js';
import { core, runToEnd, scenario } from './core.js';
import { serve } from './server.js';
import { answer } from './visitor.js';

const NODES = 64;

const PAIRS = [
  ['system', 'nodes'],
  ['nodes', String(NODES)],
  ['tiers', '2'],
  ['bandwidth', 'none'],
  ['jobs', '200'],
  ['size', 'harmonic:1.5:5:64'],
  ['migration_cost_s', '600'],
  ['policy', 'amcbf'],
  ['x', 'none'],
  ['load', '1'],
  ['reps', '1'],
];

test('Node: cells tell the CPU asked for, are hollow while a job pays for a migration, and migrations add up', () => {
  const text = scenario(PAIRS);
  const finished = () => {
    const run = runToEnd(text, 0, core.Keep.Allocations);
    return run;
  };
  const board = new core.Board(text);
  board.add(finished().outcome());
  const migrations = Number(/,migrations,(\d+),/.exec(board.csv())[1]);
  assert.ok(migrations > 0);

  const replay = finished().replay();
  const { machine, span } = replay.info();
  const picture = new core.Picture(machine, 100);
  let pauses = 0;
  let looks = 0;
  let before = 0;
  for (let step = 0; step <= 500; step += 1) {
    const at = (span * step) / 500;
    const [running, , paused, soFar] = replay.jobs_at(at);
    assert.ok(soFar >= before && paused <= running && paused <= soFar);
    before = soFar;
    const shares = replay.shares_at(at);
    assert.equal(shares.length, 2 * NODES);
    assert.ok(
      shares.every((share) => share === 0 || (share >= 0.4 - 1e-6 && share <= 1)),
      `${shares}`,
    );
    const parts = [...replay.paused_at(at)];
    assert.equal(parts.length > 0, paused > 0);
    pauses += parts.length;
    // A few pictures are enough to look at pixel by pixel.
    if (parts.length === 0 || looks === 5) continue;
    looks += 1;
    const [full, hollow] = [[], parts].map((of) =>
      picture.paint(shares, new Uint32Array(of), false),
    );
    for (let y = 0; y < picture.height; y += 1) {
      for (let x = 0; x < picture.width; x += 1) {
        const pixel = 4 * (y * picture.width + x);
        if (full[pixel + 3] === hollow[pixel + 3]) continue;
        assert.ok(parts.includes(picture.spot(x, y).part));
        assert.ok(shares[picture.spot(x, y).part] > 0);
      }
    }
  }
  assert.ok(pauses > 0);
  assert.equal(before, migrations);
  assert.throws(
    () => picture.paint(new Float32Array(2 * NODES), new Uint32Array([2 * NODES]), false),
    /another machine/,
  );
});

test('Node: on the plan each tier has its lanes, pauses are hatched and migrations marked', () => {
  const run = runToEnd(scenario(PAIRS), 0, core.Keep.Allocations);
  const replay = run.replay();
  const { span } = replay.info();
  const inspector = replay.inspector();
  const about = inspector.about();
  assert.deepEqual(about.blocks, ['foreground', 'background']);

  // The places of all migrated jobs, by the words on each job.
  const moves = [];
  for (let job = 0; job < 200; job += 1) {
    for (let at = 0; at <= span; at += span / 200) {
      const { allocation } = inspector.job_details(job, at);
      if (
        allocation?.migrated &&
        !moves.some((other) => other.job === job && other.start === allocation.start)
      )
        moves.push({ job, ...allocation });
    }
  }
  assert.ok(moves.length > 0 && moves.length <= about.moves[0].migrations);
  assert.ok(new Set(moves.map(({ job }) => job)).size <= about.moves[0].jobs);
  assert.ok(about.moves[0].paused > 0);

  // One by one, from just before the migration to the end of its pause, as large as it can be seen.
  const width = 400;
  const dark = [0x1b, 0x1f, 0x27];
  let hatched = 0;
  for (const { job, start, end, works_from: worksFrom, parts } of moves.slice(0, 20)) {
    assert.ok(start < worksFrom && worksFrom - start <= 600 + 1e-6, `${start} to ${worksFrom}`);
    const paused = Math.min(worksFrom, end) - start;
    const { height } = inspector.lay_out(width, 3000, start - paused * 0.1, start + paused * 1.1);
    const pixels = inspector.plan(0, job, false);
    const colour = (x, y) => [...pixels.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)];
    const x = (share) => Math.round((width * (0.1 + share)) / 1.2);
    const lanes = Array.from({ length: height }, (_, y) => y).filter(
      (y) => inspector.job_at(x(0.5), y) === job,
    );
    assert.ok(lanes.length >= parts.length, `${lanes.length} rows of ${parts.length} lanes`);
    const y = lanes[Math.floor(lanes.length / 2)];
    assert.deepEqual(colour(x(0) + 1, y), dark);
    const during = new Set(
      Array.from({ length: 12 }, (_, step) => String(colour(x(0.5) + step, y))),
    );
    assert.equal(during.size, 2, [...during].join(' and '));
    hatched += 1;
    if (end <= worksFrom + paused * 0.1) continue;
    assert.equal(
      new Set(Array.from({ length: 12 }, (_, step) => String(colour(x(1.05) + step, y)))).size,
      1,
    );
  }
  assert.ok(hatched > 0);
});

test('the picture names both tiers, reads its cells and counts migrations', async () => {
  const host = await serve(site);
  const browser = await launch('chromium');
  try {
    const tab = await browser.open(`${host.url}${core.write_link(scenario(PAIRS), '')}`);
    await answer(tab);
    await tab.waitFor(() => document.querySelectorAll('#replay .pods span').length === 2);
    const said = (/** @type {string} */ selector) =>
      tab.evaluate((of) => document.querySelector(of).textContent, selector);
    assert.equal(await said('#replay .pods'), 'foregroundbackground');
    assert.match(
      await said('#replay .scale'),
      /100 %of a node's CPU asked for; hollow: paused after a migration/,
    );
    await tab.evaluate(() => document.querySelector('#replay .map').focus());
    await tab.press('ArrowRight');
    await tab.waitFor(() =>
      /^node 0, foreground: \d+\.\d % of the CPU asked for/.test(
        document.querySelector('#replay .at').textContent,
      ),
    );
    await tab.evaluate(() => {
      const time = document.querySelector('#replay input[type="range"]');
      time.value = time.max;
      time.dispatchEvent(new Event('input'));
    });
    await tab.waitFor(() =>
      /0 jobs running, 0 waiting; \d+ migrations so far$/.test(
        document.querySelector('#replay .figures').textContent,
      ),
    );
    await tab.evaluate(() => document.querySelector('#replay .map').scrollIntoView());
    await tab.waitFor(() =>
      /Migrated here\.Migrating: holds its slots and does not compute yet\.In the whole run \d+ jobs migrated, [\d,]+ times in all, and held slots for [\d:,]+ without computing\.$/.test(
        document.querySelector('.moved').textContent,
      ),
    );
    assert.deepEqual(await tab.faults(), []);
  } finally {
    await browser.close();
    await host.close();
  }
});
