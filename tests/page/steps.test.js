// A scheduling pass of a run, step by step: what is said and drawn is what the core tells, and keys,
// buttons and the clock lead from step to step.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { core, scenario } from './core.js';
import { answer, scrollToRun } from './visitor.js';
import { visits } from './visits.js';

const TEXT = scenario([
  ['system', 'nodes'],
  ['nodes', '16'],
  ['policy', 'easy+index'],
  ['size', 'uniform:1:12'],
  ['bandwidth', 'none'],
  ['jobs', '80'],
  ['load', '0.9'],
  ['x', 'none'],
  ['reps', '1'],
]);

function inspector(text = TEXT) {
  const run = new core.Run(text, 0, core.Trace.none(), core.Keep.Allocations);
  while (!run.advance(50_000));
  return run.replay().inspector();
}

/** What the view shows. */
const shown = (tab) =>
  tab.evaluate(() => {
    const section = document.querySelector('.steps');
    const count = (/** @type {string} */ selector) => section.querySelectorAll(selector).length;
    return {
      at: Number(section.getAttribute('data-at')),
      pass: section.querySelector('.pass')?.textContent ?? '',
      sentence: section.querySelector('.sentence')?.textContent ?? '',
      rows: count('tbody tr'),
      running: count('.running'),
      reserved: count('.reserved'),
      started: count('tr.started'),
    };
  });

const press = (tab, name) =>
  tab.evaluate((name) => {
    const buttons = [...document.querySelectorAll('.steps button')];
    const label = (/** @type {Element} */ each) =>
      each.getAttribute('aria-label') ?? each.textContent ?? '';
    /** @type {HTMLElement} */ (buttons.find((each) => label(each).startsWith(name))).click();
  }, name);

const isAt = (tab, position, step) =>
  tab.waitFor(
    ([pass, step]) => {
      const section = document.querySelector('.steps');
      const words = section.querySelector('.sentence')?.textContent ?? '';
      return (
        section.querySelector('.pass')?.textContent.startsWith(`Pass ${pass} of `) &&
        (step === 0 ? !words.startsWith('Step') : words.startsWith(`Step ${step} of `))
      );
    },
    [position + 1, step],
  );

/** Puts a told sentence as the page does, but for its instants. */
const plain = (sentence) => sentence.filter((piece) => typeof piece === 'string');

test('Node: a pass is told by instant, position, decision and start', () => {
  const looked = inspector();
  const first = looked.pass('upTo', 0);
  assert.equal(first.position, 0);
  assert.equal(first.at, 0);
  assert.equal(looked.pass('position', first.passes), null);
  assert.equal(looked.pass('decisionBefore', 0), null);
  const start = looked.pass('startOf', 40);
  assert.ok(start.steps.some(({ kind, job }) => kind === 'started' && job === 40));
  const next = looked.pass('decisionAfter', start.position);
  assert.ok(next.position > start.position);
  assert.ok(next.steps.some(({ kind }) => kind === 'started'));
  assert.deepEqual(looked.pass('decisionBefore', next.position), start);
});

const visit = Object.fromEntries(DAILY_ENGINES.map((engine) => [engine, visits(engine, AXE)]));

for (const engine of DAILY_ENGINES) {
  test(`${engine}: a pass is stepped through by buttons, keys and the clock`, async () => {
    const looked = inspector();
    // A pass that reserves and starts.
    let told = looked.pass('upTo', 0);
    const does = (/** @type {string} */ wanted) => told.steps.some(({ kind }) => kind === wanted);
    while (!(does('reserved') && does('started') && does('compared')))
      told = looked.pass('decisionAfter', told.position);

    const tab = await visit[engine](core.write_link(TEXT, ''));
    await answer(tab);
    await scrollToRun(tab);
    await tab.waitFor(() => document.querySelector('.steps button') !== null);
    await press(tab, 'Step through');
    await tab.waitFor(() => document.querySelector('.steps .pass') !== null);
    const number = async () => Number(/^Pass (\d+)/.exec((await shown(tab)).pass)?.[1]) - 1;
    for (let now = await number(); now !== told.position; now = await number()) {
      await press(tab, now < told.position ? 'Next decision' : 'Decision before');
      await tab.waitFor(
        (before) => !document.querySelector('.steps .pass').textContent.startsWith(before),
        `Pass ${now + 1} of`,
      );
    }
    const begins = await shown(tab);
    assert.ok(Math.abs(begins.at - told.at) < 1e-9);
    assert.equal(begins.running, told.running.length);
    assert.equal(begins.rows, Math.min(told.queue.length, 30));
    for (const [place, { sentence }] of told.steps.entries()) {
      await press(tab, 'The next step');
      await isAt(tab, told.position, place + 1);
      const words = (await shown(tab)).sentence;
      for (const piece of plain(sentence)) assert.ok(words.includes(piece), `${piece} in ${words}`);
    }
    const ends = await shown(tab);
    const starts = told.steps.filter(({ kind }) => kind === 'started').length;
    assert.equal(ends.started, starts);
    assert.equal(ends.running, told.running.length + starts);
    assert.ok(ends.reserved > 0);
    assert.deepEqual(await findings(tab), []);

    // Keys lead on to the next pass and back to the last step of this one.
    await tab.evaluate(() =>
      /** @type {HTMLElement} */ (
        document.querySelector('.steps [aria-label^="The next step"]')
      ).focus(),
    );
    await tab.press('ArrowRight');
    await isAt(tab, told.position + 1, 0);
    await tab.press('ArrowLeft');
    await isAt(tab, told.position, told.steps.length);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

test('what a second policy has decided by then stands beside a pass', async () => {
  const pairs = core.read_link(core.write_link(TEXT, '')).pairs;
  const both = pairs.map(([key, value]) => [key, key === 'policy' ? 'easy,fcfs' : value]);
  const { text } = core.read_scenario(both);
  const told = inspector().pass('startOf', 40);
  const run = new core.Run(text, 1, core.Trace.none(), core.Keep.Allocations);
  while (!run.advance(50_000));
  const other = run.replay().inspector().pass('upTo', told.at);

  const tab = await visit.chromium(
    core.write_link(text, '', `run:0+0+0+0+1,step:${told.position}+1`),
  );
  await isAt(tab, told.position, 1);
  const beside = await tab.waitFor(() => {
    const title = document.querySelector('.steps h4')?.textContent ?? '';
    const items = document.querySelectorAll('.steps ol li');
    return title !== '' && { title, said: [...items].map(({ textContent }) => textContent) };
  });
  assert.match(beside.title, /^Beside it: FCFS/);
  assert.equal(beside.said.length, other.steps.length);
  for (const [place, { sentence }] of other.steps.entries())
    for (const piece of plain(sentence)) assert.ok(beside.said[place].includes(piece), piece);
  assert.deepEqual(await findings(tab), []);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('the subtrees of a placement are listed as the core tells them', async () => {
  const text = scenario([
    ['system', 'tree'],
    ['tree', '((4,4,4)(4,4,4)(4,4,4)(4,4,4)(4,4,4)(4,4,4))'],
    ['node_slots', '1'],
    ['policy', 'easy+slurm-tree'],
    ['size', 'uniform:1:14'],
    ['bandwidth', 'none'],
    ['jobs', '80'],
    ['load', '0.9'],
    ['x', 'none'],
    ['reps', '1'],
  ]);
  const looked = inspector(text);
  // A job on several leaves.
  const spread = ({ placement }) =>
    placement !== null && placement.subtrees.filter(({ taken }) => taken > 0).length > 1;
  let told = looked.pass('upTo', 0);
  while (!told.steps.some(spread)) told = looked.pass('decisionAfter', told.position);
  const done = told.steps.findIndex(spread) + 1;
  const { rule, subtrees, more } = told.steps[done - 1].placement;
  assert.equal(subtrees.length, 16);
  assert.notEqual(more, '');

  const tab = await visit.chromium(
    core.write_link(text, '', `run:0+0+0+0+1,step:${told.position}+${done}`),
  );
  await isAt(tab, told.position, done);
  const listed = () =>
    tab.evaluate(() => {
      const box = document.querySelector('.steps .placement');
      const texts = (/** @type {string} */ selector) =>
        [...(box?.querySelectorAll(selector) ?? [])].map(({ textContent }) => textContent);
      return { said: texts('p'), items: texts('li'), taken: texts('li.taken') };
    });
  const { said, items, taken } = await listed();
  assert.deepEqual(said, [rule, more]);
  const words = (/** @type {{ name: string, sentence: string }} */ of) =>
    `${of.name} ${of.sentence}`;
  assert.deepEqual(items, subtrees.map(words));
  assert.deepEqual(taken, subtrees.filter((of) => of.taken > 0).map(words));
  assert.deepEqual(await findings(tab), []);

  // It belongs to the step that starts the job.
  await press(tab, 'A step back');
  await isAt(tab, told.position, done - 1);
  assert.deepEqual((await listed()).items, []);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
