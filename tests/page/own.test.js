// A policy of one's own: composed from the parts of another one, judged while it is typed, and put
// among those of the scenario.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { AXE, findings, overflow } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { commandLine } from './built.js';
import { core, scenario } from './core.js';
import { answer, scrollToRun } from './visitor.js';
import { visits, visitsIn } from './visits.js';

const PAIRS = [
  ['k', '4'],
  ['jobs', '120'],
  ['reps', '2'],
  ['x', 'load:0.7,1.3'],
];
const link = (policy, pairs = PAIRS) =>
  core.write_link(scenario([...pairs, ['policy', policy]]), '');
const FORMULA = '.composer [data-part="order"] textarea';

const visit = visitsIn(DAILY_ENGINES, AXE);
const inDark = visits('chromium', AXE, { dark: true });

/** Opens the composer on a policy, by its position, and waits until it is judged. */
async function compose(tab, place) {
  await tab.evaluate((at) => {
    document.getElementById('scenario').open = true;
    document.querySelectorAll('.policies .own')[at].click();
  }, place);
  await tab.waitFor(() => document.querySelector('.composer[open] .told')?.textContent);
}

/** Types a formula, and waits for the sentence about it. */
async function write(tab, text, said) {
  await tab.type(FORMULA, text);
  return tab.waitFor(
    ([formula, said]) => {
      const words = document.querySelector('#own-order-wrong').textContent;
      const told = document.querySelector('.composer .told').textContent;
      const field = document.querySelector(formula);
      const marked = field.parentElement.querySelector('mark')?.textContent ?? null;
      // Until the last letter is checked, the sentence is about the text before it, and nothing is
      // marked.
      const isJudged = (words === '') === (marked === null);
      return (
        isJudged &&
        new RegExp(said).test(words || told) && {
          words,
          told,
          invalid: field.getAttribute('aria-invalid'),
          marked,
          example: document.querySelector('.composer .example').textContent,
          canAdd: !document.querySelector('.composer .primary').disabled,
        }
      );
    },
    [FORMULA, said],
  );
}

/** The policies of the form, by their names. */
function listed(tab) {
  return tab.evaluate(() =>
    [...document.querySelectorAll('.policies .called')].map((each) => each.textContent),
  );
}

/** Waits for the answer to this many policies, and returns it. */
async function answerOf(tab, policies) {
  await tab.waitFor(
    (count) => document.querySelectorAll('#legend button').length === count,
    policies,
  );
  return answer(tab);
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: a policy is composed from the parts of another one, and joins the comparison`, async () => {
    const tab = await visit[engine](link('fcfs+adaba,easy+adaba'));
    await answer(tab);
    await compose(tab, 1);
    const start = await tab.evaluate(() => ({
      formula: document.querySelector('.composer textarea').value,
      behind: document.querySelector('#own-behind').value,
      shown: [...document.querySelectorAll('.part')]
        .filter((part) => part.getClientRects().length > 0)
        .map((part) => part.dataset.part),
      told: document.querySelector('.composer .told').textContent,
    }));
    assert.deepEqual([start.formula, start.behind], ['submit', 'reserve']);
    assert.deepEqual(start.shown, [
      'order',
      'behind',
      'depth',
      'backfill_order',
      'may_preempt',
      'name',
    ]);
    assert.match(start.told, /^Waiting jobs are tried in order of arrival\. The first job that/);

    const wrong = await write(tab, 'wait / runtime', 'runtime');
    assert.deepEqual(
      [wrong.words, wrong.invalid, wrong.marked, wrong.canAdd],
      [
        'Column 8: "runtime" is not known to a scheduler; its estimate is "estimate"',
        'true',
        'runtime',
        false,
      ],
    );
    const unended = await write(tab, '-wait/', 'expected ');
    assert.deepEqual([unended.invalid, unended.marked], ['true', '\u00a0']);

    // A name is inserted at the caret, a function with the caret between its parentheses.
    await write(tab, '-wait/1+', 'expected ');
    await tab.evaluate(
      (formula) => document.querySelector(formula).setSelectionRange(6, 7),
      FORMULA,
    );
    await tab.evaluate(() => {
      const buttons = [...document.querySelectorAll('.language button')];
      buttons.find((each) => each.textContent.startsWith('sqrt')).click();
      buttons.find((each) => each.textContent === 'estimate').click();
    });
    assert.equal(
      await tab.evaluate((formula) => document.querySelector(formula).value, FORMULA),
      '-wait/sqrt(estimate)+',
    );
    const right = await write(tab, '-wait/max(estimate, 1)', 'max\\(estimate, 1\\) is tried');
    assert.deepEqual([right.words, right.invalid, right.marked], ['', null, null]);
    assert.ok(right.canAdd);
    assert.match(right.example, /^In (an example of three|the run that is open)/);
    assert.match(right.example, /job \d+: -[\d.]+.* → \d+ first$/);

    await tab.click('.composer .primary');
    const { digest, policies } = await answerOf(tab, 3);
    const own = 'list+adaba(order=-wait/max(estimate,1),behind=reserve)';
    assert.equal(policies[2], 'List + AdaBa (order = -wait/max(estimate,1), behind = reserve)');
    assert.deepEqual(await listed(tab), policies);
    const given = [...PAIRS, ['policy', `fcfs+adaba,easy+adaba,${own}`]];
    const words = given.map((pair) => pair.join('='));
    const printed = execFileSync(commandLine, ['run', ...words], { encoding: 'utf8' });
    assert.ok(printed.includes(digest), `${digest} stands in ${printed}`);

    // The same policy is not added twice, and an other one takes its place.
    await compose(tab, 2);
    const again = await tab.evaluate(() => ({
      formula: document.querySelector('.composer textarea').value,
      told: document.querySelector('.composer .told').textContent,
      canAdd: !document.querySelector('.composer .primary').disabled,
    }));
    assert.equal(again.formula, '-wait/max(estimate,1)');
    assert.match(again.told, /compares this policy already\.$/);
    assert.equal(again.canAdd, false);
    await tab.evaluate(() => {
      const depth = document.querySelector('#own-depth');
      depth.value = 'all';
      depth.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await tab.waitFor(() => !document.querySelector('.composer .primary').disabled);
    await tab.evaluate(() =>
      document.querySelector('.composer .buttons button:nth-child(3)').click(),
    );
    await tab.waitFor(() => /depth = all/.test(document.querySelector('#legend').textContent));
    assert.equal(
      (await answerOf(tab, 3)).policies[2],
      'List + AdaBa (order = -wait/max(estimate,1), behind = reserve, depth = all)',
    );
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

test('a policy has a name of its own in legend, headline, table, form and link', async () => {
  const tab = await visit.chromium(link('fcfs+adaba,easy+adaba'));
  await answer(tab);
  await compose(tab, 1);
  await write(tab, 'size', 'smallest size is tried');
  const told = () => tab.evaluate(() => document.querySelector('.composer .told').textContent);
  const wrong = () => tab.evaluate(() => document.querySelector('#own-name-wrong').textContent);
  await tab.type('#own-name', '<b>Small');
  await tab.waitFor(() => document.querySelector('#own-name-wrong').textContent);
  assert.match(await wrong(), /^A name must begin with a letter or digit and have at most 32/);
  await tab.type('#own-name', 'FCFS + AdaBa');
  await tab.waitFor(() =>
    /another policy/.test(document.querySelector('.composer .told').textContent),
  );
  assert.equal(await told(), 'another policy is called FCFS + AdaBa as well: choose another name');
  await tab.type('#own-name', 'Small first');
  await tab.waitFor(() => !document.querySelector('.composer .primary').disabled);
  assert.equal(await wrong(), '');
  await tab.click('.composer .primary');
  const { digest, policies, sentence } = await answerOf(tab, 3);
  assert.equal(policies[2], 'Small first');
  assert.deepEqual(await listed(tab), policies);
  assert.match(sentence, /Small first/);
  await tab.evaluate(() => {
    document.querySelector('#numbers').open = true;
  });
  await tab.waitFor(() => /Small first/.test(document.querySelector('#table').textContent));
  // The same runs without the name have the same digest.
  const unnamed = ['fcfs+adaba,easy+adaba,list+adaba(order=size,behind=reserve)'];
  const words = [...PAIRS, ['policy', ...unnamed]].map((pair) => pair.join('='));
  const printed = execFileSync(commandLine, ['run', ...words], { encoding: 'utf8' });
  assert.ok(printed.includes(digest), `${digest} stands in ${printed}`);
  const address = await tab.evaluate(() => location.hash);
  assert.match(address, /name=Small%20first,order=size/);

  // Another name takes the place of the first; as a further policy it would be the same one.
  await compose(tab, 2);
  await tab.type('#own-name', 'By size');
  await tab.waitFor(() =>
    /can only replace/.test(document.querySelector('.composer .told').textContent),
  );
  assert.equal(
    await tab.evaluate(() => document.querySelector('.composer .primary').disabled),
    true,
  );
  await tab.click('.composer .buttons button:nth-child(3)');
  await tab.waitFor(() => /By size/.test(document.querySelector('#legend').textContent));
  const renamed = await answerOf(tab, 3);
  assert.deepEqual([renamed.policies[2], renamed.digest], ['By size', digest]);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('what was typed stays when the composer is closed, until it starts over', async () => {
  const tab = await visit.chromium(link('easy+adaba'));
  await answer(tab);
  await compose(tab, 0);
  await write(tab, 'size^', 'expected ');
  await tab.press('Escape');
  await tab.waitFor(() => document.querySelector('dialog[open]') === null);
  await tab.evaluate(() => document.querySelector('.policies .own').click());
  // The closed dialog keeps what it showed until it opens.
  await tab.waitFor(() => document.querySelector('dialog[open] #own-order-wrong')?.textContent);
  const formula = () => tab.evaluate((each) => document.querySelector(each).value, FORMULA);
  assert.equal(await formula(), 'size^');
  await tab.click('.composer .buttons button');
  await tab.waitFor(() => document.querySelector('#own-order-wrong').textContent === '');
  assert.equal(await formula(), 'submit');
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('a policy is composed by keyboard alone', async () => {
  const tab = await visit.chromium(link('easy+adaba'));
  await answer(tab);
  await tab.evaluate(() => document.querySelector('.policies .own').focus());
  await tab.press('Enter');
  await tab.waitFor(() => document.activeElement?.matches('.composer textarea'));
  // To the order by its name, with the keys of a list of choices, and on to what is behind.
  await tab.press('Shift+Tab');
  await tab.press('End');
  await tab.press('Tab');
  await tab.waitFor(() => document.activeElement?.matches('.composer textarea'));
  await tab.press('Control+A');
  for (const key of 'area') await tab.press(key);
  await tab.waitFor(() =>
    /smallest area is tried first/.test(document.querySelector('.composer .told').textContent),
  );
  await tab.press('Tab');
  assert.equal(await tab.evaluate(() => document.activeElement?.id), 'own-behind');
  await tab.press('ArrowUp');
  await tab.waitFor(() => /is skipped/.test(document.querySelector('.composer .told').textContent));
  await tab.press('Shift+Tab');
  await tab.press('Enter');
  const { policies } = await answerOf(tab, 2);
  assert.equal(policies[1], 'List + AdaBa (order = area, behind = skip)');
  assert.equal(
    await tab.evaluate(() =>
      document.activeElement?.closest('.policy')?.textContent.includes('area'),
    ),
    true,
  );
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('a policy that is more than its parts says so', async () => {
  const pairs = [
    ['system', 'nodes'],
    ['bandwidth', 'none'],
    ['jobs', '60'],
    ['reps', '2'],
    ['x', 'load:0.7,0.9'],
  ];
  const tab = await visit.chromium(link('conservative', pairs));
  await answer(tab);
  await compose(tab, 0);
  const words = await tab.evaluate(() => document.querySelector('.composer .soft').textContent);
  assert.match(
    words,
    /keeps each reservation until the job starts; .* closest parts are filled in/,
  );
  assert.equal(await tab.evaluate(() => document.querySelector('#own-depth').value), 'all');
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('a lesson asks for an order, and its example is of the run that is open', async () => {
  const tab = await visit.chromium('');
  await answer(tab);
  await tab.evaluate(() => {
    const select = document.querySelector('#example');
    const place = [...select.options].findIndex(({ text }) => text.startsWith('Beat'));
    select.selectedIndex = place;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await answerOf(tab, 4);
  await scrollToRun(tab);
  await tab.waitFor(() => document.querySelector('.jobs tbody tr') !== null);
  await tab.click('.banner[data-kind="task"] button');
  await tab.waitFor(() => document.querySelector('dialog[open] #own-order-wrong')?.textContent);
  const empty = await tab.evaluate((formula) => {
    const field = document.querySelector(formula);
    return [field.value, field.getAttribute('aria-invalid'), document.activeElement === field];
  }, FORMULA);
  assert.deepEqual(empty, ['', null, true]);
  const { example, canAdd } = await write(tab, 'size*estimate-wait', 'is tried first');
  assert.ok(canAdd);
  assert.match(example, /^In the run that is open \(EASY \+ AdaBa\): At .*, of \d+ waiting jobs: /);
  await tab.click('.composer .primary');
  assert.equal((await answerOf(tab, 5)).policies.length, 5);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('why a job waits under an own order is said by its value and that of the job before it', async () => {
  const own = 'list+adaba(order=estimate*size,behind=stop)';
  const tab = await visit.chromium(link(own, [...PAIRS.slice(0, 3), ['load', '1.3']]));
  await answer(tab);
  await scrollToRun(tab);
  await tab.waitFor(() => document.querySelector('.jobs tbody tr') !== null);
  // The job that waits longest: last by this order.
  await tab.evaluate(() => document.querySelector('.jobs th[data-column="wait"] button').click());
  await tab.evaluate(() => document.querySelector('.jobs th[data-column="wait"] button').click());
  await tab.waitFor(() => {
    const column = [...document.querySelectorAll('.jobs thead th')].findIndex(
      ({ dataset, ariaSort }) => dataset.column === 'wait' && ariaSort === 'descending',
    );
    const waits = [...document.querySelectorAll('.jobs tbody tr')].map(({ children }) =>
      (children[column]?.textContent ?? '').split(':').reduce((sum, part) => 60 * sum + +part, 0),
    );
    return waits.every((wait, row) => row === 0 || wait <= waits[row - 1]) && waits[0] > 0;
  });
  await tab.evaluate(() => document.querySelector('.jobs tbody tr').click());
  const why = await tab.waitFor(() => {
    const words = document.querySelector('.why').textContent;
    return /queue order/.test(words) && words;
  });
  assert.match(
    why,
    /Its value in the queue order is [\d.]+; (that of the job before it, job \d+, is|job \d+ before it has)|it is first in the queue/,
  );
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

for (const [theme, open] of [
  ['light', visit.chromium],
  ['dark', inDark],
]) {
  test(`the composer is accessible and fits in narrow windows: ${theme}`, async () => {
    const tab = await open(link('easy+adaba'));
    await answer(tab);
    await compose(tab, 0);
    assert.deepEqual(await findings(tab), []);
    await write(tab, '-(wait/max(estimate,1))^3*size*(1+load)*waiting+runtime', 'runtime');
    await tab.resize(320, 568);
    assert.deepEqual(await findings(tab), []);
    assert.equal(await overflow(tab), 0);
    const wide = await tab.evaluate(() => {
      const dialog = document.querySelector('.composer');
      return [...dialog.querySelectorAll('*')]
        .filter((each) => each.getClientRects().length > 0)
        .filter(
          (each) => each.getBoundingClientRect().right > dialog.getBoundingClientRect().right + 0.5,
        )
        .map((each) => each.className || each.tagName);
    });
    assert.deepEqual(wide, []);
    const small = await tab.evaluate(() =>
      [...document.querySelectorAll('.composer :is(button, select, input)')]
        .filter(
          (each) => each.getClientRects().length > 0 && each.getBoundingClientRect().height < 24,
        )
        .map((each) => each.textContent),
    );
    assert.deepEqual(small, []);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
