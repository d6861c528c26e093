// The scenario as text beside the form: both follow each other, mistakes are underlined, names offered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { core, scenario } from './core.js';
import { answer, choose, enter, share } from './visitor.js';
import { visits } from './visits.js';

const FIELD = '#as-text textarea';

/** Opens the page and its scenario as text. */
async function opened(visit) {
  const tab = await visit('#v1?k=4&jobs=40&reps=2');
  await answer(tab);
  await tab.click('.as-text > summary');
  await tab.waitFor((field) => document.querySelector(field) !== null, FIELD);
  return tab;
}

const lines = (tab) => tab.evaluate((field) => document.querySelector(field).value, FIELD);

/** Replaces the text but for its last letters, which are typed by keys. */
async function write(tab, text, typed = '') {
  await tab.evaluate(
    ([where, text]) => {
      const field = document.querySelector(where);
      field.focus();
      field.value = text;
      field.setSelectionRange(text.length, text.length);
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    },
    [FIELD, text],
  );
  for (const letter of typed) await tab.press(letter);
}

/** The underlined lines, and what is said below them. */
const wrong = (tab) =>
  tab.evaluate(() => [
    [...document.querySelectorAll('#as-text mark')].map((mark) => mark.textContent),
    [...document.querySelectorAll('#as-text-wrong p')].map((each) => each.textContent),
  ]);

const offers = (tab) =>
  tab.evaluate(() =>
    [...document.querySelectorAll('#as-text-offers code')].map((each) => each.textContent),
  );

/** The scenario on the page, by the link that it shares. */
async function shared(tab) {
  const { hash } = new URL(await share(tab));
  return scenario(core.read_link(hash).pairs);
}

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine, AXE);

  test(`${engine}: form and text follow each other`, async () => {
    const tab = await opened(visit);
    assert.equal(await lines(tab), 'k = 4\njobs = 40\nreps = 2\n');
    await enter(tab, 'slots', '4');
    assert.equal(await lines(tab), 'k = 4\nslots = 4\njobs = 40\nreps = 2\n');
    const text = '# a remark stays\nreps=3\n\n  load = 0.7\npolicy = "easy+adaba"\n';
    await write(tab, text);
    assert.equal(await lines(tab), text);
    assert.deepEqual(await wrong(tab), [[], []]);
    const expected = scenario([
      ['reps', '3'],
      ['load', '0.7'],
      ['policy', 'easy+adaba'],
    ]);
    assert.equal(await shared(tab), expected);
    assert.equal(
      await tab.evaluate(() => document.querySelector('[data-key="reps"] input').value),
      '3',
    );
    await tab.click('#undo');
    assert.equal(await lines(tab), 'k = 4\nslots = 4\njobs = 40\nreps = 2\n');
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: what is wrong in the text is underlined, said and not entered`, async () => {
    const tab = await opened(visit);
    const before = await shared(tab);
    await write(tab, 'jobs = 40\nk = 7\nnonsense\nkk = 1\nk = 8\njobs = x');
    assert.deepEqual(await wrong(tab), [
      ['nonsense', 'kk = 1', 'k = 8', 'jobs = x'],
      [
        'Line 3: write key = value, or begin a remark with #.',
        'Line 4: kk = 1: there is no such key; `backfill keys` lists them all',
        'Line 5: k stands in a line above, too: leave one of them.',
        'Line 6: jobs stands in a line above, too: leave one of them.',
        'Line 6: jobs = x: must be a whole number from 1 to 10000000',
      ],
    ]);
    assert.equal(await shared(tab), before);
    if (engine === 'chromium') assert.deepEqual(await findings(tab), []);
    await write(tab, '<img src=x onerror=alert(1)> = 1');
    assert.match((await wrong(tab))[1].join(), /write key = value/);
    await choose(tab, 'system', 'nodes');
    assert.deepEqual(await wrong(tab), [[], []], 'the form has the last word');
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: names of keys, values and policies are offered`, async () => {
    const tab = await opened(visit);
    await write(tab, 'jobs = 40\n', 'bandw');
    assert.match((await offers(tab))[0], /^bandw/);
    await tab.press('Enter');
    assert.match(await lines(tab), /^jobs = 40\nbandwidth\w* = $/);
    await write(tab, 'jobs = 40\nsystem = ', 'n');
    assert.ok((await offers(tab)).includes('nodes'));
    if (engine === 'chromium') assert.deepEqual(await findings(tab), []);
    await tab.press('Escape');
    assert.deepEqual(await offers(tab), []);
    await write(tab, 'policy = ', 'eas');
    await tab.press('Enter');
    assert.equal(await lines(tab), 'policy = easy');
    await write(tab, 'policy = easy+', 'ada');
    const [first, second] = await offers(tab);
    await tab.press('ArrowDown');
    await tab.press('Enter');
    assert.equal(await lines(tab), `policy = easy+${second ?? first}`);
    await write(tab, 'x = ', 'slo');
    await tab.press('Enter');
    assert.equal(await lines(tab), 'x = slots');
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
