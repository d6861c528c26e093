// How waits are spread: the distribution behind the means, as curves, words, tables and files.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings, overflow } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { SMALL } from './core.js';
import { answer, catchFiles, compare, enter, filesHandedOut, run, untilInked } from './visitor.js';
import { visits } from './visits.js';

/** Opens the view and waits until every run has been analysed. */
async function spread(tab) {
  await tab.click('.spread > summary');
  return told(tab);
}

/** What the view says once every run has been analysed. */
function told(tab) {
  return tab.waitFor(() => {
    const view = document.querySelector('.spread');
    if (!/^\d+ runs? analysed$/.test(view.querySelector('[role="status"]')?.textContent ?? ''))
      return null;
    const texts = (selector) =>
      [...view.querySelectorAll(selector)].map((each) => each.textContent);
    return {
      sentence: view.querySelector('.sentence').textContent,
      sentences: texts('.said li'),
      beside: texts('[role="region"] tbody th'),
      columns: texts('div > .table-scroll thead th'),
      status: view.querySelector('[role="status"]').textContent,
    };
  });
}

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine, AXE);

  test(`${engine}: the distribution behind the means is drawn, said, tabled and exported`, async () => {
    const tab = await visit(SMALL);
    await answer(tab);
    await enter(tab, 'jobs', '150');
    await enter(tab, 'reps', '2');
    await compare(tab, 'fcfs+adaba', 'easy+adaba', 'bgmbf+adaba');
    const { policies } = await run(tab);
    const said = await spread(tab);
    // Two replications show no significant difference.
    assert.match(
      said.sentence,
      /^At load = 0\.9, no significant difference in how evenly waits are spread, from .* \(Gini [\d.]+ ± [\d.]+ %\) to /,
    );
    assert.equal(said.sentences.length, policies.length);
    for (const [position, words] of said.sentences.entries())
      assert.ok(words.startsWith(`${policies[position]}: half of the jobs wait at most `), words);
    assert.equal(said.status, `${2 * policies.length} runs analysed`);
    assert.ok(said.columns.length >= 7, `${said.columns}`);
    await untilInked(tab, '.spread canvas');

    // The cursor says what every policy has at the level it is at.
    await tab.evaluate(() => document.querySelector('.spread .plot').focus());
    await tab.press('End');
    const longest = await tab.waitFor(() => {
      const words = document.querySelector('.spread .plot').getAttribute('aria-valuetext');
      return /^Jobs \(%\) 100: /.test(words) && words;
    });
    for (const policy of policies) assert.ok(longest.includes(policy), longest);

    // The other curve ends where all waiting is.
    await tab.evaluate(() => {
      const choice = document.querySelector('.spread .chart select');
      choice.selectedIndex = 1;
      choice.dispatchEvent(new Event('change'));
      document.querySelector('.spread details.numbers').open = true;
    });
    const last = await tab.waitFor(() => {
      const row = [...document.querySelectorAll('.spread details.numbers tbody tr')].at(-1);
      return (
        /%/.test(document.querySelector('.spread details.numbers caption')?.textContent ?? '') &&
        [...row.children].map((each) => each.textContent)
      );
    });
    assert.equal(last[0], '100');
    assert.ok(
      last.slice(1).every((share) => share.startsWith('100.0')),
      `${last}`,
    );

    await catchFiles(tab);
    for (const file of ['svg', 'csv', 'png']) await tab.click(`.spread [data-file="${file}"]`);
    const files = new Map((await filesHandedOut(tab, 3)).map(({ name, bytes }) => [name, bytes]));
    assert.deepEqual([...files.keys()].sort(), [
      'waits-lorenz.csv',
      'waits-lorenz.png',
      'waits-lorenz.svg',
    ]);
    assert.match(files.get('waits-lorenz.svg').toString(), /^<svg[\s\S]*equal waits/);
    assert.equal(files.get('waits-lorenz.csv').toString().trim().split('\n').length, 24);
    assert.equal(files.get('waits-lorenz.png').subarray(1, 4).toString(), 'PNG');

    assert.deepEqual(await findings(tab), []);
    assert.deepEqual(await tab.faults(), []);
  });

  test(`${engine}: another value, and a new answer, are analysed by themselves`, async () => {
    const tab = await visit(SMALL);
    await answer(tab);
    await enter(tab, 'jobs', '200');
    await enter(tab, 'reps', '1');
    await run(tab);
    const first = await spread(tab);
    await tab.evaluate(() => {
      const at = document.querySelector('.spread .pick select');
      at.selectedIndex -= 1;
      at.dispatchEvent(new Event('change'));
    });
    await tab.waitFor(
      (sentence) => document.querySelector('.spread .sentence').textContent !== sentence,
      first.sentence,
    );
    const other = await told(tab);
    await enter(tab, 'seed', '7');
    await run(tab);
    await tab.waitFor(
      (said) => document.querySelector('.spread .said').textContent !== said,
      other.sentences.join(''),
    );
    await told(tab);
    assert.equal(await overflow(tab), 0);
    assert.deepEqual(await tab.faults(), []);
  });
}
