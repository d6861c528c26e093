// Lessons: the six that the page offers, and links with a note, a step of a pass, or a prediction that
// is asked for before the answer is shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings, overflow } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { SMALL, core, runToEnd, scenario } from './core.js';
import { answer, read, runIsKept } from './visitor.js';
import { visitsIn } from './visits.js';

const NOTE = 'Guess, then look: who packs best? (k = 4, "hose")';
const TEXT = scenario([
  ['k', '4'],
  ['jobs', '80'],
  ['reps', '3'],
  ['policy', 'none+adaba,none+greedy,fcfs+adaba'],
  ['x', 'load:0.5,1.1'],
]);

/** The ranking by a metric at the last value of x. */
function ranking(metric) {
  const board = new core.Board(TEXT);
  for (const cell of core.running_order(TEXT)) {
    const run = runToEnd(TEXT, cell);
    board.add(run.outcome());
  }
  return board.compare(metric, 0).places.at(-1).ranking;
}

const visit = visitsIn(DAILY_ENGINES, AXE);

/** Which of the parts that hold the answer are to be seen. */
function seen(tab) {
  return tab.evaluate(() =>
    ['answer', 'compare', 'inside'].filter(
      (id) => document.getElementById(id).getClientRects().length > 0,
    ),
  );
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: a link asks for a prediction before it shows the answer, and says who was right`, async () => {
    const ranks = ranking(new core.Board(TEXT).summary(0, undefined, false).headline[0]);
    const first = ranks.find(({ rank }) => rank === 1).policy;
    const link = core.write_link(TEXT, '', `note:${NOTE}`, 'compare,prediction');
    for (const choice of [first, (first + 1) % 3]) {
      const tab = await visit[engine](link);
      await answer(tab);
      await tab.waitFor(() => document.querySelectorAll('.prediction input').length === 3);
      assert.deepEqual(await seen(tab), []);
      assert.equal(
        await tab.evaluate(
          () => document.querySelector('.banner[data-kind="note"] p + p').textContent,
        ),
        NOTE,
      );
      assert.equal(
        await tab.evaluate(() => document.querySelector('.prediction button').disabled),
        true,
      );
      if (engine === 'chromium') assert.deepEqual(await findings(tab), []);

      // By keyboard: to the choice, and on to the button.
      await tab.evaluate(
        (place) => document.querySelectorAll('.prediction input')[place].focus(),
        choice,
      );
      await tab.press(' ');
      await tab.waitFor(() => !document.querySelector('.prediction button').disabled);
      await tab.press('Tab');
      await tab.press('Enter');
      const words = await tab.waitFor(
        () => document.querySelector('.prediction .said-then')?.textContent,
      );
      const { mean } = ranks.find(({ policy }) => policy === first).value;
      assert.match(
        words,
        choice === first
          ? /^As you expected: .* comes first with /
          : /^You expected .*, which .*\. First is .* with /,
      );
      assert.ok(words.includes(mean), `${words} says ${mean}`);
      // What the link hides for good stays hidden; the rest is there, and drawn.
      await tab.waitFor(
        () =>
          document.querySelectorAll('#charts canvas').length === 3 &&
          document.querySelector('#charts canvas').clientWidth > 200,
      );
      await runIsKept(tab);
      assert.deepEqual(await seen(tab), ['answer', 'inside']);
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    }
  });
}

test('the question is about a metric by which one policy alone comes first', async () => {
  // Three policies accept all jobs of the opening scenario.
  const tab = await visit.chromium(core.write_link(scenario([]), '', '', 'prediction'));
  const question = await tab.waitFor(
    () => document.querySelector('.prediction legend')?.textContent,
  );
  assert.match(question, /bounded slowdown/i);
  const policies = await tab.waitFor(() => {
    const labels = [...document.querySelectorAll('.prediction label')];
    return labels.length === 4 && labels.map((label) => label.textContent);
  });
  await tab.click('.prediction label:nth-of-type(1)');
  await tab.waitFor(() => !document.querySelector('.prediction button').disabled);
  await tab.click('.prediction button');
  const words = await tab.waitFor(
    () => document.querySelector('.prediction .said-then')?.textContent,
  );
  assert.equal(policies.filter((policy) => words.includes(policy)).length, 2, words);
  assert.match(words, /^You expected /);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('Share makes such a link, and whoever wants to sees everything at once', async () => {
  const tab = await visit.chromium(core.write_link(TEXT, ''));
  await answer(tab);
  await tab.click('#share');
  await tab.waitFor(() => document.querySelector('dialog[open] textarea')?.value);
  await tab.click('dialog[open] details summary');
  await tab.click('dialog[open] input[value="prediction"]');
  await tab.type('dialog[open] .lesson-note input', NOTE);
  const link = await tab.waitFor(() => {
    const { hash } = new URL(document.querySelector('dialog[open] textarea').value);
    return /view=note/.test(hash) && hash;
  });
  const { hide, view, digest } = core.read_link(link);
  assert.deepEqual([hide, view], ['prediction', `note:${NOTE}`]);
  assert.match(digest, /^[0-9a-f]{16}$/);
  await tab.close();

  const other = await visit.chromium(link);
  await other.resize(320, 700);
  await answer(other);
  await other.waitFor(() => document.querySelectorAll('.prediction input').length === 3);
  assert.equal(await overflow(other), 0);
  assert.deepEqual(await findings(other), []);
  await other.click('.banner[data-kind="hides"] button');
  await other.waitFor(() => document.querySelector('.prediction') === null);
  await runIsKept(other);
  assert.deepEqual(await seen(other), ['answer', 'compare', 'inside']);
  assert.deepEqual(await other.faults(), []);
  await other.close();
});

/** The pass at which a lesson begins, as the core tells it, and what it says of it. */
function taught({ pairs, view }) {
  const [, policy = '0', pass] = /^(?:run:(\d+)\+[\d+]+,)?step:(\d+)/.exec(view);
  const text = core.read_scenario(pairs).text;
  const run = runToEnd(text, Number(policy), core.Keep.Allocations);
  const told = run.replay().inspector().pass('position', Number(pass));
  return { told, note: view.slice(view.indexOf('note:') + 'note:'.length) };
}

/** The steps of a pass that are about a job, by its number. */
function stepsOf({ queue, running, steps }, number) {
  const { asked } = [...queue, ...running].find(({ asked }) => asked.number === number);
  return steps.filter(({ job }) => job === asked.job);
}

test('Node: what the notes of lessons say of jobs is so', () => {
  const { lessons } = core.tables();
  const all = lessons.map(taught);
  for (const { note } of all) assert.ok([...note].length <= 240, note);
  const [waits, backfills, estimates, hose, accepts, preempts] = all.map(({ told }) => told);

  const behind = waits.queue.slice(1);
  assert.equal(waits.queue[0].asked.number, 9);
  assert.ok(waits.queue[0].asked.size > waits.free && waits.free === 7);
  assert.ok(behind.length > 1 && behind.every(({ asked }) => asked.size <= waits.free));
  assert.equal(waits.steps.at(-1).kind, 'stopped');

  assert.deepEqual(
    stepsOf(backfills, 13).map(({ kind, effect }) => effect ?? kind),
    ['tried', 'delays'],
  );
  assert.deepEqual(
    stepsOf(backfills, 15).map(({ kind, effect }) => effect ?? kind),
    ['tried', 'endsBefore', 'started'],
  );

  const [job22] = estimates.queue;
  const job24 = estimates.running.find(({ asked }) => asked.number === 24).asked;
  assert.equal(job22.asked.number, 22);
  assert.ok(estimates.free < job22.asked.size && job22.asked.size <= estimates.free + job24.size);

  const [started] = hose.steps.filter(({ kind }) => kind === 'started');
  const slots = started.shares.map(([, count]) => count);
  assert.equal(Math.max(...slots), 3);
  assert.equal(
    slots.reduce((sum, count) => sum + count, 0),
    10,
  );

  assert.equal(accepts.steps.at(-1).kind, 'dismissed');
  assert.equal(accepts.free, 17);
  const beside = taught({ ...lessons[4], view: lessons[4].view.replace('run:0', 'run:1') }).told;
  assert.equal(beside.free, 17);
  assert.equal(beside.steps.at(-1).shares.length, 3);

  assert.deepEqual(
    stepsOf(preempts, 23).map(({ kind }) => kind),
    ['suspended', 'tried', 'started'],
  );
});

/** What the view of steps shows. */
const steps = (tab) =>
  tab.waitFor(() => {
    const text = (/** @type {string} */ selector) =>
      document.querySelector(`.steps ${selector}`)?.textContent ?? '';
    const parts = { note: text('.note'), pass: text('.pass'), sentence: text('.sentence') };
    return parts.pass !== '' && parts;
  });

for (const engine of DAILY_ENGINES) {
  test(`${engine}: a lesson opens at its step, and is the same after a reload`, async () => {
    const tab = await visit[engine](SMALL);
    await answer(tab);
    await tab.evaluate(() => {
      const select = /** @type {HTMLSelectElement} */ (document.querySelector('#example'));
      select.value = 'lesson 1';
      select.dispatchEvent(new Event('change'));
    });
    const { note, pass } = await steps(tab);
    assert.match(note, /Why may only one of them start/);
    assert.match(pass, /^Pass 28 of 80/);
    const next = () =>
      tab.evaluate(() => {
        const ahead = /** @type {HTMLElement} */ (
          document.querySelector('.steps button[aria-label^="The next step"]')
        );
        ahead.click();
      });
    const said = [];
    for (let done = 0; done < 7; done += 1) {
      await next();
      said.push((await steps(tab)).sentence);
    }
    // Why job 13 may not start, and job 15 may.
    assert.match(said[3], /job 9 would not fit at .*: it waits/);
    assert.match(said[5], /no later than job 9 starts/);
    assert.match(said[6], /Step 7 of 7\. Job 15 starts/);
    await tab.waitFor(() => /step:27%2B7|step:27\+7/.test(location.hash));
    await tab.reload();
    const again = await steps(tab);
    assert.deepEqual(again, { note, pass, sentence: said[6] });
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

test('in a slide or an iframe a lesson is its steps alone', async () => {
  const { pairs, view } = core.tables().lessons[1];
  const link = core.write_link(core.read_scenario(pairs).text, '', view, 'compact');
  const tab = await visit.chromium(link);
  await tab.resize(800, 500);
  await steps(tab);
  await runIsKept(tab);
  const isSeen = () =>
    tab.evaluate(() =>
      ['#tools', '#scenario', '#answer', '.steps'].filter(
        (selector) => document.querySelector(selector).getClientRects().length > 0,
      ),
    );
  assert.deepEqual(await isSeen(), ['.steps']);
  assert.equal(await overflow(tab), 0);
  assert.deepEqual(await findings(tab), []);
  // What it hides stays hidden when it is loaded again, until somebody wants to see all.
  await tab.reload();
  await steps(tab);
  assert.deepEqual(await isSeen(), ['.steps']);
  await tab.click('.banner[data-kind="hides"] button');
  assert.deepEqual(await isSeen(), ['#tools', '#scenario', '#answer', '.steps']);
  await tab.reload();
  await steps(tab);
  assert.deepEqual(await isSeen(), ['#tools', '#scenario', '#answer', '.steps']);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('the note of a link and what it hides go with it', async () => {
  const { pairs, view } = core.tables().lessons[0];
  const tab = await visit.chromium(
    core.write_link(core.read_scenario(pairs).text, '', view, 'compact'),
  );
  await steps(tab);
  await runIsKept(tab);
  await tab.evaluate(() => {
    location.hash = '';
  });
  await tab.waitFor(() => document.querySelector('#tools').getClientRects().length > 0);
  await answer(tab);
  assert.equal(await tab.evaluate(() => location.hash), '');
  assert.deepEqual((await read(tab)).banners, []);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
