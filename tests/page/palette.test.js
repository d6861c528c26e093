// The palette: everything on the page is found by its name.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings, overflow } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { SMALL } from './core.js';
import { answer, enter, runIsKept } from './visitor.js';
import { visitsIn } from './visits.js';

const visit = visitsIn(DAILY_ENGINES, AXE);

/** Opens the palette and types; returns what is found. */
async function find(tab, text, first) {
  await tab.evaluate(() => {
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }),
    );
  });
  await tab.waitFor(() => document.querySelector('.palette[open]') !== null);
  await tab.type('.palette input', text);
  return tab.waitFor((first) => {
    const names = [...document.querySelectorAll('.palette li')].map((each) => each.textContent);
    return names[0] === first && names;
  }, first);
}

/** Whether another scenario has taken the place of one whose seed is 77. */
const isReplaced = () => document.querySelector('[data-key="seed"] input').value !== '77';

/**
 * What people type, and what the page is like once they have taken the first thing that is found.
 */
const WORDS = {
  dark: () => document.documentElement.dataset.theme === 'dark',
  light: () => document.documentElement.dataset.theme === 'light',
  'night mode': () => document.documentElement.dataset.theme === 'dark',
  theme: () => document.documentElement.dataset.theme !== undefined,
  gantt: () => document.activeElement.closest('#inside') !== null,
  plan: () => document.activeElement.closest('#inside') !== null,
  explain: () => document.activeElement.closest('#inside') !== null,
  why: () => document.activeElement.closest('#inside') !== null,
  svg: () => document.querySelector('#export-dialog[open]') !== null,
  png: () => document.querySelector('#export-dialog[open]') !== null,
  'export svg': () => document.querySelector('#export-dialog[open]') !== null,
  share: () => document.querySelector('dialog[open] textarea')?.value.includes('#v'),
  link: () => document.querySelector('dialog[open] textarea')?.value.includes('#v'),
  'add policy': () => document.activeElement.closest('[data-key="policy"]') !== null,
  history: () =>
    document.querySelector('#past').open && document.activeElement.closest('#past') !== null,
  log: () => globalThis.asked === 1,
  open: () => globalThis.asked === 1,
  undo: isReplaced,
  example: isReplaced,
  conservative: () => document.activeElement.closest('[data-key="policy"]') !== null,
  bigger: () => document.activeElement.closest('[data-key="k"]') !== null,
  tour: isReplaced,
  papers: () => /papers\.html$/.test(location.pathname),
};

test('chromium: the palette says what a name means', async () => {
  const tab = await visit.chromium(SMALL);
  await answer(tab);
  const meaning = "Backfilling that never delays the estimated start of the queue's first job.";
  await find(tab, 'what is easy', `What is EASY?${meaning}`);
  assert.deepEqual(await findings(tab), []);
  await tab.type('.palette input', 'glossary');
  const terms = await tab.evaluate(() =>
    [...document.querySelectorAll('.palette li')].map((each) => each.textContent),
  );
  assert.ok(terms.length > 20 && terms.every((each) => each.startsWith('What is ')));
  assert.deepEqual(await findings(tab), []);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

/** A new page with something in each of its parts. */
async function filled() {
  const tab = await visit.chromium(SMALL);
  await answer(tab);
  await tab.waitFor(() => !document.querySelector('#past').hidden);
  await runIsKept(tab);
  await tab.evaluate(() => {
    document.querySelector('#file').onclick = (event) => {
      event.preventDefault();
      globalThis.asked += 1;
    };
  });
  return tab;
}

test('chromium: what people call things finds what does them', async () => {
  let tab = await filled();
  for (const [words, isDone] of Object.entries(WORDS)) {
    if (isDone === isReplaced) await enter(tab, 'seed', '77');
    await tab.evaluate(() => {
      globalThis.asked = 0;
      document.activeElement.blur();
    });
    // What one of the words before has done already shows only in another page.
    if (await tab.evaluate(isDone)) {
      await tab.close();
      tab = await filled();
      assert.ok(!(await tab.evaluate(isDone)), words);
    }
    await tab.evaluate(() =>
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }),
      ),
    );
    await tab.waitFor(() => document.querySelector('.palette[open]') !== null);
    await tab.type('.palette input', words);
    const found = await tab.evaluate(() =>
      [...document.querySelectorAll('.palette li')].map((each) => each.textContent),
    );
    console.log(`# ${words}: ${found.slice(0, 4).join('; ')}`);
    assert.notEqual(found.length, 0, words);
    await tab.press('Enter');
    await tab.waitFor(isDone);
    assert.deepEqual(await tab.faults(), []);
    if (await tab.evaluate(() => document.querySelector('dialog[open]') !== null))
      await tab.press('Escape');
  }
  await tab.close();
});

for (const engine of DAILY_ENGINES) {
  test(`${engine}: a setting, a button, an example and a section are found by name and reached by keyboard`, async () => {
    const tab = await visit[engine](SMALL);
    await answer(tab);
    await runIsKept(tab);

    // A setting that is folded away.
    const folded = await tab.evaluate(() => {
      const field = [...document.querySelectorAll('#form details:not([open]) [data-key]')].find(
        (each) => each.closest('[hidden]') === null && each.querySelector('input[type="text"]'),
      );
      return {
        key: field.dataset.key,
        label: field.querySelector('label, .label').textContent.trim().replace(/\s+/g, ' '),
      };
    });
    await find(tab, folded.label, `Set: ${folded.label}`);
    if (engine === 'chromium') {
      assert.deepEqual(await findings(tab), []);
      assert.equal(await overflow(tab), 0);
    }
    await tab.press('Enter');
    await tab.waitFor(
      (key) =>
        document.activeElement?.closest('[data-key]')?.dataset.key === key &&
        document.activeElement.getClientRects().length > 0,
      folded.key,
    );

    // A section.
    await find(tab, 'go inside a run', 'Go to: Inside a run');
    await tab.press('Enter');
    await tab.waitFor(() => document.activeElement?.id === 'inside');

    // An example, by the second arrow down and one up.
    const examples = await tab.evaluate(() =>
      [...document.querySelectorAll('#example option')].map((each) => each.textContent).slice(1),
    );
    const found = await find(tab, 'example:', `Example: ${examples[0]}`);
    assert.deepEqual(
      found,
      examples.map((name) => `Example: ${name}`),
    );
    await tab.press('ArrowDown');
    await tab.press('ArrowUp');
    assert.equal(
      await tab.evaluate(
        () => document.querySelector('.palette [aria-selected="true"]').textContent,
      ),
      found[0],
    );
    await tab.press('Escape');
    await tab.waitFor(() => document.querySelector('.palette[open]') === null);

    // A button; and a missing one is reported.
    await find(tab, 'export', 'Export');
    await tab.press('Enter');
    await tab.waitFor(() => document.querySelector('dialog[open] h2')?.textContent === 'Export');
    await tab.press('Escape');
    await tab.waitFor(() => document.querySelector('dialog[open]') === null);
    await find(tab, 'no such thing');
    await tab.waitFor(
      () => document.querySelector('.palette p').textContent === 'Nothing of that name.',
    );
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
