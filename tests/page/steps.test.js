// A scheduling pass of a run, step by step: what is said and drawn is what the core tells, and keys,
// buttons and the clock lead from step to step.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { core, runToEnd, scenario } from './core.js';
import { answer, scrollToRun } from './visitor.js';
import { visitsIn } from './visits.js';

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

function inspector(text = TEXT, cell = 0) {
  const run = runToEnd(text, cell, core.Keep.Allocations);
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

const visit = visitsIn(DAILY_ENGINES, AXE);

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
    // What is pressed before the run is shown, which hides it, would be undone by that.
    await tab.waitFor(() => document.querySelector('.steps button')?.checkVisibility());
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

/** The scenario under these policies. */
function under(policies) {
  const { pairs } = core.read_link(core.write_link(TEXT, ''));
  return core.read_scenario(pairs.map(([key, value]) => [key, key === 'policy' ? policies : value]))
    .text;
}

/** The policies side by side, once so many have a pass: what each shows. */
const sides = (tab, count) =>
  tab.waitFor((count) => {
    const boxes = [...document.querySelectorAll('.steps details')];
    const shown = boxes.map((box) => ({
      title: box.querySelector('summary').textContent,
      said: [...box.querySelectorAll('ol li')].map(({ textContent }) => textContent),
      running: box.querySelectorAll('.running').length,
      ends: box.querySelector('svg')?.getAttribute('aria-label'),
      left: box.getBoundingClientRect().left,
      top: box.getBoundingClientRect().top,
    }));
    return shown.length === count && shown.every(({ ends }) => ends !== undefined) && shown;
  }, count);

/** Checks that a policy shows these steps of a pass. */
function tells({ title, said }, { at, steps }, label, done = steps.length) {
  assert.ok(title.startsWith(label), title);
  assert.equal(said.length, done, `${label} at ${at}`);
  for (const [place, { sentence }] of steps.slice(0, done).entries())
    for (const piece of plain(sentence)) assert.ok(said[place].includes(piece), piece);
}

test('what a second policy has decided by then stands beside a pass', async () => {
  const text = under('easy,fcfs');
  const told = inspector(text).pass('startOf', 40);
  const other = inspector(text, 1).pass('upTo', told.at);
  const tab = await visit.chromium(
    core.write_link(text, '', `run:0+0+0+0+1,step:${told.position}+1`),
  );
  await isAt(tab, told.position, 1);
  const [own, beside, ...more] = await sides(tab, 2);
  assert.deepEqual(more, []);
  tells(own, told, 'EASY', 1);
  tells(beside, other, 'FCFS');
  assert.deepEqual(await findings(tab), []);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('all policies stand side by side, in step with the clock, in links, and share a job', async () => {
  const text = under('easy,fcfs,conservative,none');
  const labels = ['EASY', 'FCFS', 'Conservative', 'No queue'];
  const looked = labels.map((_, policy) => inspector(text, policy));
  let told = looked[0].pass('startOf', 40);

  const tab = await visit.chromium(core.write_link(text, '', `step:${told.position}+1`));
  await isAt(tab, told.position, 1);
  const all = () =>
    tab.evaluate(() =>
      [...document.querySelectorAll('.steps label')]
        .find(({ textContent }) => textContent === 'All policies side by side')
        .querySelector('input')
        .click(),
    );
  await all();
  const agree = async (/** @type {any} */ page, /** @type {number} */ done) => {
    const shown = await sides(page, 4);
    tells(shown[0], told, labels[0], done);
    for (const place of [1, 2, 3])
      tells(shown[place], looked[place].pass('upTo', told.at), labels[place]);
    assert.equal(new Set(shown.map(({ ends }) => ends)).size, 1, 'one axis of time');
    return shown;
  };
  const shown = await agree(tab, 1);
  assert.ok(new Set(shown.map(({ left }) => left)).size > 1, 'they are beside each other');

  // The clock leads all of them on.
  told = looked[0].pass('decisionAfter', told.position);
  await press(tab, 'Next decision');
  await isAt(tab, told.position, 0);
  await press(tab, 'The next step');
  await tab.waitFor(
    (position) => decodeURIComponent(location.hash).includes(`step:${position}+1+1`),
    told.position,
  );
  await agree(tab, 1);
  assert.deepEqual(await findings(tab), []);

  // A job that is chosen in one of them is marked in all.
  const marked = await tab.evaluate(() => {
    const [own] = document.querySelectorAll('.steps details');
    const { textContent } = own.querySelector('.running text');
    own.querySelector('.running text').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    return textContent;
  });
  await tab.waitFor((number) => {
    const buttons = [...document.querySelectorAll('.steps tbody button')];
    const same = buttons.filter(({ textContent }) => textContent === number);
    const plans = [...document.querySelectorAll('.steps g.chosen text')];
    return (
      plans.length > 0 &&
      plans.every(({ textContent }) => textContent === number) &&
      same.every((each) => each.getAttribute('aria-pressed') === 'true')
    );
  }, marked);

  const { hash } = new URL(await tab.evaluate(() => location.href));
  assert.deepEqual(await tab.faults(), []);
  await tab.close();

  // A link keeps them; in a narrow window they stand below each other, and can be folded.
  const other = await visit.chromium(hash);
  await other.resize(390, 800);
  await isAt(other, told.position, 1);
  const narrow = await agree(other, 1);
  assert.equal(new Set(narrow.map(({ left }) => left)).size, 1);
  await other.evaluate(() => document.querySelectorAll('.steps summary')[0].click());
  const folded = await sides(other, 4);
  assert.ok(folded[1].top - folded[0].top < 60, 'a policy is folded');
  await other.waitFor(() => document.documentElement.scrollWidth <= innerWidth);
  assert.deepEqual(await findings(other), []);
  assert.deepEqual(await other.faults(), []);
  await other.close();
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

test('real ends are dashed, what is free until the reservation is shaded, sizes are shades', async () => {
  const text = scenario([
    ['system', 'nodes'],
    ['nodes', '16'],
    ['policy', 'easy+index'],
    ['size', 'uniform:1:12'],
    ['runtime', 'exponential:2400'],
    ['estimate', 'tsafrir'],
    ['bandwidth', 'none'],
    ['jobs', '200'],
    ['load', '0.9'],
    ['x', 'none'],
    ['reps', '1'],
  ]);
  const looked = inspector(text);
  const reserves = ({ steps, running, free, queue }) =>
    steps.some(({ kind }) => kind === 'reserved') &&
    running.length > 2 &&
    free > 0 &&
    new Set(queue.map(({ asked }) => Math.floor(Math.log2(asked.size)))).size > 1;
  let told = looked.pass('upTo', 0);
  while (!reserves(told)) told = looked.pass('decisionAfter', told.position);
  const done = told.steps.findIndex(({ kind }) => kind === 'reserved') + 1;

  const tab = await visit.chromium(core.write_link(text, '', `step:${told.position}+${done}`));
  await isAt(tab, told.position, done);
  const drawn = () =>
    tab.evaluate(() => {
      const figure = document.querySelector('.steps figure');
      const left = (/** @type {Element} */ each) => each.getBoundingClientRect().left;
      const boxes = (/** @type {string} */ kind) =>
        [...figure.querySelectorAll(kind)].map((each) => each.getBoundingClientRect().toJSON());
      const rows = [...document.querySelectorAll('.steps tbody tr')];
      return {
        caption: figure.querySelector('figcaption').textContent,
        ends: [...figure.querySelectorAll('.end')].map(left),
        room: boxes('.room')[0],
        gap: boxes('.gap'),
        reserved: boxes('.reserved rect')[0],
        sizes: rows.map(({ cells }) => cells[2].textContent),
        shades: rows.map(
          ({ cells }) => getComputedStyle(cells[2].firstElementChild).backgroundColor,
        ),
      };
    });
  const { caption, ends, room, gap, reserved, sizes, shades } = await drawn();

  // The ends that no scheduler knows, from the core, on the axis that the reservation spans.
  const { start, job } = told.steps[done - 1];
  const head = told.queue.find(({ asked }) => asked.job === job).asked;
  const until = Math.max(
    start + head.estimate,
    ...told.running.map(({ estimated_end }) => estimated_end),
  );
  const scale = (reserved.left - room.left) / (start - told.at);
  assert.equal(ends.length, told.running.length);
  assert.ok(room.right - room.left <= (until - told.at) * scale + 2);
  const real = told.running.map(({ end }) => room.left + (end - told.at) * scale);
  const sorted = (/** @type {number[]} */ each) => each.toSorted((a, b) => a - b);
  for (const [place, left] of sorted(ends).entries())
    assert.ok(Math.abs(left - sorted(real)[place]) < 2, `${ends} are at ${real}`);
  const early = told.running.filter(({ end, estimated_end }) => end < estimated_end).length;
  assert.ok(early > 0);
  assert.ok(caption.includes(`no scheduler knows: ${early} of ${ends.length} earlier`), caption);

  // From now until the reservation, as high as there are slots free.
  assert.ok(caption.includes('free until then'), caption);
  assert.ok(
    Math.abs(gap[0].left - room.left) < 2 && Math.abs(gap.at(-1).right - reserved.left) < 2,
  );
  const free = (gap[0].height / room.height) * told.slots;
  assert.ok(Math.abs(free - told.free) < 0.2, `${free} of ${told.free} slots`);

  // The shade says the size, beside the number.
  const listed = told.queue.map(({ asked }) => String(asked.size));
  assert.deepEqual(sizes, listed.slice(0, sizes.length));
  const shadeOf = new Map(sizes.map((size, row) => [Math.floor(Math.log2(size)), shades[row]]));
  assert.equal(new Set(shades).size, shadeOf.size);
  assert.deepEqual(await findings(tab), []);

  // Before the reservation nothing is held for it.
  await press(tab, 'A step back');
  await isAt(tab, told.position, done - 1);
  assert.deepEqual((await drawn()).gap, []);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

/** What the plan of a scenario of 16 slots shows after a step that the core tells. */
async function planOf(pairs, wanted) {
  const text = scenario([
    ...pairs,
    ['size', 'uniform:1:12'],
    ['bandwidth', 'none'],
    ['jobs', '80'],
    ['load', '0.9'],
    ['x', 'none'],
    ['reps', '1'],
  ]);
  const looked = inspector(text);
  let told = looked.pass('upTo', 0);
  while (!told.steps.some(wanted)) told = looked.pass('position', told.position + 1);
  const done = told.steps.findIndex(wanted) + 1;
  const tab = await visit.chromium(core.write_link(text, '', `step:${told.position}+${done}`));
  await isAt(tab, told.position, done);
  const drawn = await tab.evaluate(() => {
    const figure = document.querySelector('.steps figure');
    const heights = (/** @type {string} */ kind) =>
      [...figure.querySelectorAll(kind)].map((each) => each.getBoundingClientRect().height);
    const [room] = heights('.room');
    return {
      caption: figure.querySelector('figcaption').textContent,
      running: heights('.running rect').map((height) => height / room),
      off: heights('.off').map((height) => height / room),
      lines: figure.querySelectorAll('.tiers').length,
      ends: figure.querySelectorAll('.end').length,
    };
  });
  assert.deepEqual(await findings(tab), []);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
  return { step: told.steps[done - 1], told, drawn };
}

const sum = (/** @type {number[]} */ each) => each.reduce((all, one) => all + one, 0);

test('jobs in the background are above those in front', async () => {
  const pairs = [
    ['system', 'nodes'],
    ['nodes', '16'],
    ['tiers', '2'],
    ['policy', 'cmcbf'],
  ];
  const { drawn, told } = await planOf(
    pairs,
    ({ kind, shares }) => kind === 'started' && shares[0][0] >= 16,
  );
  assert.equal(drawn.lines, 1);
  assert.ok(drawn.caption.includes('background of the nodes'), drawn.caption);
  assert.ok(drawn.running.length > told.running.length);
  assert.ok(sum(drawn.running) <= 1.01, `${drawn.running} fit`);
});

test('machines that are off are drawn where nothing runs', async () => {
  const pairs = [
    ['system', 'pool'],
    ['vms', '16'],
    ['policy', 'easy'],
    ['elastic', 'corrected'],
  ];
  const { drawn, step } = await planOf(
    pairs,
    ({ kind, value }) => kind === 'poweredOn' && value < 16,
  );
  assert.ok(Math.abs(drawn.off[0] * 16 - (16 - step.value)) < 0.1, `${drawn.off}`);
  assert.ok(drawn.caption.includes('off'), drawn.caption);
});

test('a job that starts as it arrives is drawn with its real end', async () => {
  const pairs = [
    ['system', 'nodes'],
    ['nodes', '16'],
    ['policy', 'none'],
  ];
  const { drawn, told } = await planOf(pairs, ({ kind }) => kind === 'started');
  assert.equal(drawn.running.length, told.running.length + 1);
  assert.equal(drawn.ends, drawn.running.length);
  assert.deepEqual([drawn.lines, drawn.off], [0, []]);
});
