// Runs are kept and come back after a reload, changes are undone, and all that is kept can be removed in one place.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINES, launch, site } from './browser.js';
import { bring, log } from './log.js';
import { serve } from './server.js';
import { answer, enter, read, run, share } from './visitor.js';

/** The kept runs as the page lists them: names and digests, the newest first. */
function listed(tab, count) {
  return tab.waitFor((wanted) => {
    document.querySelector('#scenario').open = true;
    document.querySelector('#past').open = true;
    const rows = [...document.querySelectorAll('#past > ol li')];
    return rows.length === wanted && rows.map((row) => ({ name: row.querySelector('.called')?.textContent ?? '', digest: row.dataset.digest }));
  }, count);
}

const shows = (tab, digest) => tab.waitFor((wanted) => document.querySelector('#digest').textContent === wanted, digest);

for (const engine of ENGINES) {
  test(`${engine}: runs are kept, named, pinned, restored after a reload, and removed`, async () => {
    const host = await serve(site);
    const browser = await launch(engine);
    try {
      const tab = await browser.open(host.url);
      const first = await answer(tab);
      await listed(tab, 1);
      await enter(tab, 'jobs', '50');
      await enter(tab, 'reps', '2');
      const second = await run(tab);
      const rows = await listed(tab, 2);
      assert.deepEqual(rows.map((row) => row.digest), [second.digest, first.digest]);

      await tab.click('#past li:first-child [title^="Rename"]');
      await tab.type('#past li:first-child input', 'Fifty jobs');
      await tab.press('Enter');
      await tab.waitFor(() => document.querySelector('#past li:first-child .called').textContent === 'Fifty jobs');
      await tab.click('#past li:first-child [title^="Pin"]');
      await tab.waitFor(() => document.querySelector('#past li:first-child [aria-pressed="true"]') !== null);

      await tab.reload();
      await answer(tab);
      const again = await listed(tab, 2);
      assert.ok(again.some(({ name, digest }) => name === 'Fifty jobs' && digest === second.digest));
      await tab.evaluate((digest) => document.querySelector(`#past li[data-digest="${digest}"] .called`).click(), first.digest);
      await shows(tab, first.digest);
      await tab.evaluate((digest) => document.querySelector(`#past li[data-digest="${digest}"] .called`).click(), second.digest);
      await shows(tab, second.digest);
      assert.match((await read(tab)).badge, /kept from before/);

      await tab.click('#forget');
      await listed(tab, 0);
      await tab.reload();
      await answer(tab);
      await listed(tab, 1);
      assert.deepEqual(await tab.faults(), []);
    } finally {
      await browser.close();
      await host.close();
    }
  });

  test(`${engine}: changes of the scenario are undone and redone`, async () => {
    const host = await serve(site);
    const browser = await launch(engine);
    try {
      const tab = await browser.open(host.url);
      const { badge, digest } = await answer(tab);
      await tab.waitFor(() => document.querySelector('#undo') !== null);
      await enter(tab, 'jobs', '50');
      await tab.waitFor((was) => document.querySelector('#badge').textContent !== was, badge);
      const other = await run(tab);
      await tab.click('#undo');
      // The answer to what the form said before is there at once.
      await tab.waitFor((was) => document.querySelector('#badge').textContent === was, badge);
      assert.equal((await read(tab)).digest, digest);
      const jobs = () => tab.evaluate(() => document.querySelector('[data-key="jobs"] input').value);
      const before = await jobs();
      await tab.click('#redo');
      assert.equal(await jobs(), '50');
      assert.equal((await read(tab)).digest, other.digest);
      await tab.evaluate(() => {
        document.activeElement.blur();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }));
      });
      assert.equal(await jobs(), before);
      assert.deepEqual(await tab.faults(), []);
    } finally {
      await browser.close();
      await host.close();
    }
  });
}

test('chromium: a trace that is kept is there for its link', async () => {
  const host = await serve(site);
  const browser = await launch('chromium');
  try {
    const tab = await browser.open(host.url);
    await answer(tab);
    await tab.waitFor(() => document.querySelector('#past input[type="checkbox"]') !== null);
    await tab.evaluate(() => document.querySelector('#past input[type="checkbox"]').click());
    await tab.choose('#file', await bring('kept.swf', log(60)));
    await tab.waitFor(() => /kept\.swf/.test(document.querySelector('#past ul').textContent));
    await enter(tab, 'k', '4');
    await enter(tab, 'reps', '2');
    const { digest } = await run(tab);
    const link = await share(tab);
    await tab.goto('about:blank');
    await tab.goto(link);
    await shows(tab, digest);
    assert.match((await answer(tab)).badge, /^identical to the link/);
    assert.deepEqual(await tab.faults(), []);
  } finally {
    await browser.close();
    await host.close();
  }
});

test('chromium: a browser that keeps nothing runs, undoes and lists all the same', async () => {
  const host = await serve(site, {
    '/theme.js': `Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError'); } });
      Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });`,
  });
  const browser = await launch('chromium');
  try {
    const tab = await browser.open(host.url);
    await answer(tab);
    await listed(tab, 1);
    assert.match(await tab.evaluate(() => document.querySelector('#past').textContent), /keeps nothing/);
    await enter(tab, 'jobs', '50');
    await run(tab);
    await listed(tab, 2);
    await tab.click('#forget');
    await listed(tab, 0);
    assert.deepEqual(await tab.faults(), []);
  } finally {
    await browser.close();
    await host.close();
  }
});
