// The palette: everything on the page is found by its name.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings, overflow } from './axe.js';
import { ENGINES } from './browser.js';
import { answer } from './visitor.js';
import { visits } from './visits.js';

const visit = Object.fromEntries(ENGINES.map((engine) => [engine, visits(engine, AXE)]));

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

for (const engine of ENGINES) {
  test(`${engine}: a setting, a button, an example and a section are found by name and reached by keyboard`, async () => {
    const tab = await visit[engine]();
    await answer(tab);

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
    await find(tab, 'go inside one run', 'Go to: Inside one run');
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

    // A button; and what is not there is said.
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
