// Three visitors with their goals, each from beginning to end: a researcher with a whole log, a
// teacher who makes a lesson, and a student who opens it on a phone. By pointer and by keys alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overflow } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { core, scenario, simulate } from './core.js';
import { bring, log } from './log.js';
import { answer } from './visitor.js';
import { TOUCH, visits } from './visits.js';

/** The log that the researcher brings. */
const LOG = log(3000);
const NOTE = 'Which order helps most when the system is nearly full?';

/** Longer than a whole log takes on a shared machine, in milliseconds. */
const LONG = 300_000;
/** The most key presses to reach something. */
const MOST_STEPS = 300;

/**
 * Goes to the first element that matches by keys alone, from the top of the page or of the open
 * dialog: after the end Firefox goes on to its own buttons.
 */
async function tabTo(tab, selector) {
  await tab.evaluate(() => document.querySelector('.skip').focus());
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if (await tab.evaluate((where) => document.activeElement.matches(where), selector)) return;
    await tab.press('Tab');
  }
  throw new Error(`${MOST_STEPS} times Tab do not lead to ${selector}`);
}

/** The two ways in which a visitor presses something. */
const WAYS = {
  pointer: (tab, selector) => tab.click(selector),
  keys: async (tab, selector) => {
    await tabTo(tab, selector);
    await tab.press('Enter');
  },
};

/** Which part of the answer the tabs say is being read. */
const isRead = (tab, part) =>
  tab.waitFor(
    (wanted) => document.querySelector(`#tabs a[aria-current="true"]`)?.hash === wanted,
    `#${part}`,
  );

/** The digest in the address, which is there once the answer to the scenario is whole. */
const addressed = (tab, pattern) =>
  tab.waitFor(
    (wanted) => {
      const hash = decodeURIComponent(location.hash);
      return new RegExp(wanted).test(hash) && hash.match(/&digest=([0-9a-f]{16})/)?.[1];
    },
    pattern,
    LONG,
  );

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine);

  for (const [way, press] of Object.entries(WAYS)) {
    test(`${engine}: a researcher runs a whole log, by ${way}`, async () => {
      const tab = await visit(core.write_link(scenario([['reps', '4']]), ''));
      await answer(tab);
      // The system's own dialog for files is not part of the page.
      const path = await bring('whole.swf', LOG);
      if (way === 'pointer') await tab.drop('body', path);
      else await tab.choose('#file', path);
      const whole = await addressed(tab, 'file=whole\\.swf');
      const mine = await answer(tab);
      assert.equal(mine.digest, whole);
      assert.match(mine.badge, /^computed here/);

      // The comparison, the place of the worst wait, and why a job waited.
      await press(tab, '#tabs a[href="#compare"]');
      await isRead(tab, 'compare');
      const ranking = await tab.evaluate(() => document.querySelector('#comparison').textContent);
      for (const policy of mine.policies) assert.ok(ranking.includes(policy), policy);
      await press(tab, '#tabs a[href="#jobs"]');
      await isRead(tab, 'jobs');
      await tab.waitFor(() => document.querySelector('.jobs tbody tr') !== null);
      if (way === 'pointer') {
        await tab.click('.jobs tbody tr');
      } else {
        await tabTo(tab, '.jobs [role="grid"]');
        await tab.press('ArrowDown');
        await tab.press('Enter');
      }
      const why = await tab.waitFor(() => document.querySelector('.one-job .why')?.textContent);
      assert.match(why, /\w/);

      // The link names the log and the answer to all of it.
      await press(tab, '#share');
      const link = await tab.waitFor(() => document.querySelector('dialog[open] textarea')?.value);
      const { pairs, digest } = core.read_link(new URL(link).hash);
      assert.equal(digest, whole);
      const { file, first: part } = Object.fromEntries(pairs);
      assert.deepEqual([file, part], ['whole.swf', undefined]);
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    });
  }

  for (const [way, press] of Object.entries(WAYS)) {
    test(`${engine}: a teacher makes a lesson, and it asks before it tells, by ${way}`, async () => {
      const tab = await visit(core.write_link(scenario([['reps', '3']]), ''));
      await answer(tab);
      await press(tab, '#share');
      await tab.waitFor(() => document.querySelector('dialog[open] textarea')?.value);
      await press(tab, 'dialog[open] details summary');
      if (way === 'pointer') await tab.click('dialog[open] input[value="prediction"]');
      else {
        await tabTo(tab, 'dialog[open] input[value="prediction"]');
        await tab.press(' ');
        await tabTo(tab, 'dialog[open] .lesson-note input');
      }
      await tab.type('dialog[open] .lesson-note input', NOTE);
      const link = await tab.waitFor(() => {
        const { value } = document.querySelector('dialog[open] textarea');
        return /hide=prediction/.test(value) && /note/.test(value) && value;
      });
      const { view, hide } = core.read_link(new URL(link).hash);
      assert.deepEqual([view, hide], [`note:${NOTE}`, 'prediction']);
      await tab.close();

      const other = await visit(new URL(link).hash);
      await other.waitFor(() => document.querySelectorAll('.prediction input').length === 4);
      assert.equal(
        await other.evaluate(() => document.querySelector('#answer').checkVisibility()),
        false,
      );
      if (way === 'pointer') await other.click('.prediction label:last-of-type');
      else {
        await tabTo(other, '.prediction input');
        await other.press(' ');
      }
      await other.waitFor(() => !document.querySelector('.prediction button').disabled);
      await press(other, '.prediction button');
      const said = await other.waitFor(
        () => document.querySelector('.prediction .said-then')?.textContent,
      );
      assert.match(said, /^(As you expected|You expected)/);
      assert.match((await answer(other)).badge, /^identical to the link's result/);
      assert.deepEqual(await other.faults(), []);
      await other.close();
    });
  }
}

const phone = visits('chromium', {}, TOUCH);

test('a student opens a lesson on a phone, predicts, and looks inside a run', async () => {
  const text = scenario([
    ['jobs', '120'],
    ['reps', '2'],
  ]);
  const tab = await phone(core.write_link(text, '', `note:${NOTE}`, 'tools,prediction'));
  await tab.waitFor(() => document.querySelectorAll('.prediction input').length === 4);
  assert.equal(await overflow(tab), 0);
  const note = await tab.evaluate(
    () => document.querySelector('.banner[data-kind="note"]').innerText,
  );
  assert.ok(note.includes(NOTE), note);
  // The question is on the first screen, and Run stays below it.
  const places = await tab.evaluate(() =>
    ['.prediction legend', '#run'].map((each) =>
      Math.round(document.querySelector(each).getBoundingClientRect().bottom),
    ),
  );
  for (const bottom of places) assert.ok(bottom <= 568, `${bottom} px`);

  await tab.tap('.prediction label:nth-of-type(2)');
  await tab.waitFor(() => !document.querySelector('.prediction button').disabled);
  await tab.tap('.prediction button');
  await tab.waitFor(() => document.querySelector('.prediction .said-then')?.textContent);
  const now = await answer(tab);
  assert.equal(now.digest, simulate(text).digest);

  // A name is explained in its place.
  await tab.tap('#sentence .term');
  const meaning = await tab.waitFor(() => document.querySelector(':popover-open')?.textContent);
  assert.match(meaning, /\w+ \w+/);
  assert.equal(await overflow(tab), 0);
  await tab.tap('h1');
  await tab.waitFor(() => document.querySelector(':popover-open') === null);

  await tab.tap('#tabs a[href="#inside"]');
  await isRead(tab, 'inside');
  await tab.waitFor(() => document.querySelector('.instant output').textContent !== '');
  assert.equal(await overflow(tab), 0);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
