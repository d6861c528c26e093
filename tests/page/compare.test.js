// The comparison: differences to a reference that can be exchanged without running anything again,
// in words, as a chart and as tables; and more replications until the intervals are narrow enough.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAILY_ENGINES } from './browser.js';
import { SMALL, core, runToEnd, scenario, simulate } from './core.js';
import { answer, compare, enter, read, run, untilInked } from './visitor.js';
import { visitsIn } from './visits.js';

const visit = visitsIn(DAILY_ENGINES);

/** What the section says now. */
function compared(tab) {
  return tab.waitFor(() => {
    const section = document.querySelector('#compare');
    if (section === null || section.hidden || !section.querySelector('.ranking')) return null;
    const texts = (selector) =>
      [...section.querySelectorAll(selector)].map((each) => each.textContent);
    return {
      reference: section.querySelectorAll('.pick select')[1].selectedOptions[0].textContent,
      sentences: texts('.said.here li'),
      overview: texts('.said.overall li'),
      ranks: texts('.ranking tbody td:first-child'),
      policies: texts('.ranking tbody th'),
      verdicts: texts('.ranking tbody .says'),
      apart: section.querySelectorAll('.ranking tr.apart').length,
      warning: section.querySelector('.warning').textContent,
      replications: section.querySelector('.replicating [role="status"]').textContent,
    };
  });
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: every answer compares, and another reference takes no other runs`, async () => {
    const tab = await visit[engine](SMALL);
    await answer(tab);
    await enter(tab, 'jobs', '200');
    await enter(tab, 'reps', '4');
    await compare(tab, 'fcfs+adaba', 'bgmbf+adaba', 'none+adaba');
    const { digest } = await run(tab);
    const first = await compared(tab);
    assert.equal(first.reference, 'FCFS + AdaBa');
    assert.equal(first.sentences.length, 2);
    for (const sentence of first.sentences)
      assert.match(sentence, /^Wait time: .* at load 0\.9 \(95 % CI .*, n = 4\)\./);
    await untilInked(tab, '#compare canvas');

    await tab.evaluate(() => {
      const select = document.querySelectorAll('#compare .pick select')[1];
      select.selectedIndex = [...select.options].findIndex((option) =>
        option.textContent.startsWith('BgMBF'),
      );
      select.dispatchEvent(new Event('change'));
    });
    const second = await tab.waitFor(() => {
      const said = document.querySelector('#compare .said').textContent;
      return (
        /(than|and) BgMBF \+ AdaBa at load/.test(said) &&
        !said.includes(' FCFS + AdaBa at load') &&
        said
      );
    });
    assert.match(second, /^Wait time: /);
    const now = await read(tab);
    assert.equal(now.digest, digest, 'nothing was run again');
    assert.doesNotMatch(now.badge, /Settings changed/);
    const ranked = await compared(tab);
    assert.equal(ranked.reference, 'BgMBF + AdaBa');
    // The loss system rejects jobs and has no waits: it is excluded and has no rank.
    assert.equal(ranked.apart, 1);
    assert.deepEqual(ranked.ranks.map((rank) => rank.trim()).sort(), ['1', '2', '–']);
    assert.match(ranked.warning, /reject more jobs are not comparable/);
    assert.match(ranked.verdicts.join(), /not ranked: accept rate −\d/);

    // Over the jobs that all of them ran it can be ranked; which jobs run where is the same.
    await tab.click('#compare .remedy');
    await tab.waitFor(() =>
      /all jobs that each policy ran/.test(document.querySelector('#compare .remedy').textContent),
    );
    const { digest: again } = await answer(tab);
    assert.equal(again, digest);
    const together = await compared(tab);
    assert.equal(together.apart, 0);
    assert.deepEqual(together.ranks.map((rank) => rank.trim()).sort(), ['1', '2', '3']);
    assert.match(
      await tab.evaluate(() => document.querySelector('#caption').textContent),
      /Statistics over: jobs that every policy ran\./,
    );

    // The point in one chart is described here, and by keys.
    await tab.evaluate(() => document.querySelector('#compare .plot').focus());
    await tab.press('Home');
    await tab.waitFor(() =>
      /at load 0\.3/.test(document.querySelector('#compare .said').textContent),
    );
    assert.match(
      await tab.evaluate(() =>
        document.querySelector('#compare .plot').getAttribute('aria-valuetext'),
      ),
      /0\.3/,
    );

    // The differences are zoomed as the charts are, over the same part of x.
    await tab.click('#compare .zooms button:nth-child(2)');
    await tab.waitFor(() => document.querySelector('#compare .chart').matches('.zoomed'));
    await tab.waitFor(() => document.querySelector('#charts .chart').matches('.zoomed'));
    await tab.click('#compare .zooms button:nth-child(3)');
    await tab.waitFor(() => document.querySelector('.chart.zoomed') === null);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

test('chromium: replications are added until the intervals are narrow, and the digest is that of so many from the start', async () => {
  const tab = await visit.chromium(SMALL);
  await answer(tab);
  await enter(tab, 'jobs', '60');
  await enter(tab, 'reps', '3');
  await compare(tab, 'fcfs+adaba', 'easy+adaba');
  await run(tab);
  await compared(tab);
  await tab.evaluate(() => {
    const metric = document.querySelector('#compare .pick select');
    metric.value = 'bsd_mean';
    metric.dispatchEvent(new Event('change'));
    const field = document.querySelector('#within');
    field.value = '20';
    field.dispatchEvent(new Event('input'));
  });
  await tab.click('.replicating button');
  const said = await tab.waitFor(
    () => document.querySelector('[data-kind="replicate"]')?.textContent,
  );
  const [, n] = said.match(/within 20 % of its mean: n = (\d+)\./);
  assert.ok(Number(n) > 3, said);
  const { digest } = await read(tab);
  const text = scenario([
    ['jobs', '60'],
    ['reps', n],
    ['policy', 'fcfs+adaba,easy+adaba'],
  ]);
  assert.equal(digest, simulate(text).digest);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('Node: outcomes of few replications are the first of many', () => {
  const pairs = (/** @type {string} */ reps) => [
    ['jobs', '40'],
    ['reps', reps],
    ['policy', 'fcfs,easy'],
    ['x', 'load:0.5,0.9'],
    ['y', 'k:4,6'],
  ];
  const outcomes = (/** @type {any} */ board, /** @type {string} */ text) =>
    [...board.left()].map((cell) => {
      const one = runToEnd(text, cell);
      const outcome = one.outcome();
      board.add(outcome);
      return outcome;
    });
  const few = scenario(pairs('2'));
  const many = scenario(pairs('5'));
  const begun = outcomes(new core.Board(few), few);
  const grown = new core.Board(many);
  for (const outcome of begun) grown.add(outcome);
  assert.equal(grown.left().length, 2 * 2 * 2 * 3);
  outcomes(grown, many);
  assert.equal(grown.left().length, 0);
  assert.equal(grown.digest(), simulate(many).digest);
});
