// Lesson links: a note, and a prediction that is asked for before the answer is shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings, overflow } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { core, scenario } from './core.js';
import { answer, runIsKept } from './visitor.js';
import { visits } from './visits.js';

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
    const run = new core.Run(TEXT, cell, core.Trace.none(), core.Keep.Metrics);
    while (!run.advance(50_000));
    board.add(run.outcome());
  }
  return board.compare(metric, 0).places.at(-1).ranking;
}

const visit = Object.fromEntries(DAILY_ENGINES.map((engine) => [engine, visits(engine, AXE)]));

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
    const ranks = ranking(new core.Board(TEXT).summary(0).headline[0]);
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
  assert.match(question, /wait time/i);
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
