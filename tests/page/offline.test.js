// The published page without a network, and when a newer release of it appears.

import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dist, ENGINES, launch, site } from './browser.js';
import { builtOf } from './built.js';
import { bring, log } from './log.js';
import { serve } from './server.js';
import { answer, enter, read, run, share } from './visitor.js';

/** A copy of the published page that a test may change. */
async function published() {
  const folder = join(await mkdtemp(join(tmpdir(), 'backfill-')), 'dist');
  await cp(dist, folder, { recursive: true });
  return folder;
}

/** Makes another release of the contents of `folder`: the same files, in a folder of another name. */
async function release(folder, name) {
  const { folder: old } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  await rename(join(folder, old), join(folder, name));
  for (const file of [
    'index.html',
    'papers.html',
    'changes.html',
    'sw.js',
    'backfill.webmanifest',
    'manifest.json',
  ]) {
    const text = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, file), text.replaceAll(old, name));
  }
}

/** The release whose scripts the page runs. */
function running(tab) {
  return tab.evaluate(() =>
    new URL('.', document.querySelector('script[type="module"]').src).pathname.split('/').at(-2),
  );
}

/** Uses the page, so that it is kept, and waits for that. */
async function keep(tab) {
  await tab.press('Shift');
  await tab.waitFor(() => document.querySelector('#offline').textContent !== '');
}

for (const engine of ENGINES) {
  test(`${engine}: without a network the page opens, runs, reads a log, shares and shows the papers' figures`, async () => {
    const host = await serve(dist);
    const browser = await launch(engine);
    try {
      const tab = await browser.open(host.url);
      const { digest } = await answer(tab);
      await keep(tab);
      assert.deepEqual(host.violations, []);
      await host.close();

      await tab.reload();
      const again = await answer(tab);
      assert.match(again.badge, /^verified in your browser/);
      assert.equal(again.digest, digest);
      await enter(tab, 'reps', '2');
      assert.match((await run(tab)).badge, /^computed here/);
      await tab.choose('#file', await bring('small.swf', log(30)));
      await tab.waitFor(() => document.querySelector('.report dl') !== null);
      assert.match((await run(tab)).badge, /^computed here/);
      assert.match(await share(tab), /#v1\?.*file=small\.swf.*&digest=/);
      await tab.goto(`${host.url}papers.html`);
      assert.ok(await tab.evaluate(() => document.querySelectorAll('.figure').length > 3));
      await tab.goto(`${host.url}index.html?from=home#v1`);
      assert.equal(await tab.evaluate(() => document.title), 'Backfill');
      assert.deepEqual(await tab.faults(), []);
    } finally {
      await browser.close();
      await host.close().catch(() => {});
    }
  });
}

test('a newer release is announced, taken when asked for, and never mixed with the older one', async () => {
  const folder = await published();
  const host = await serve(folder);
  const browser = await launch('chromium');
  try {
    const tab = await browser.open(host.url);
    await answer(tab);
    await keep(tab);
    const first = await running(tab);

    // While a release is being put up, its pages and its worker may be there and its files not yet.
    await release(folder, '0123456789abcdef');
    await rename(join(folder, '0123456789abcdef'), join(folder, 'coming'));
    await tab.reload();
    await answer(tab);
    assert.equal(await running(tab), first, 'the release that is kept is whole');
    await tab.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration.update().catch(() => {});
      const { installing } = registration;
      if (installing)
        await new Promise((resolve) => installing.addEventListener('statechange', resolve));
    });
    assert.equal(await tab.evaluate(() => document.querySelector('[data-kind="update"]')), null);

    await rename(join(folder, 'coming'), join(folder, '0123456789abcdef'));
    await tab.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
    const said = await tab.waitFor(
      () => document.querySelector('[data-kind="update"] .words')?.textContent,
    );
    assert.match(said, /^A newer release/);
    // Until then the tab goes on with what it has, also with what it has not fetched yet.
    assert.equal(await running(tab), first);
    const later = (file) => fetch(`./${file}`).then((answer) => answer.text());
    assert.match(
      await tab.evaluate(later, `${first}/${builtOf('src/view/glossary.tsx')}`),
      /explainNames/,
      'what is fetched later is of the same release',
    );
    // The failed attempt to fetch half a release is on the console.
    await tab.takeFaults();

    await tab.click('[data-kind="update"] button');
    await tab.waitFor(() =>
      document.querySelector('script[type="module"]')?.src.includes('0123456789abcdef'),
    );
    assert.match((await answer(tab)).badge, /^verified in your browser/);
    assert.deepEqual((await read(tab)).banners, []);
    const asked = host.requests.filter(({ status }) => status === 200).map(({ path }) => path);
    assert.ok(asked.includes(`/0123456789abcdef/${builtOf('src/main.ts')}`));
    assert.deepEqual(await tab.faults(), []);
  } finally {
    await browser.close();
    await host.close();
  }
});

test('the page that is being worked on keeps nothing, and clears away what a published one left', async () => {
  const folder = await published();
  const host = await serve(folder);
  const browser = await launch('chromium');
  try {
    const tab = await browser.open(host.url);
    await answer(tab);
    await keep(tab);
    for (const file of ['sw.js', 'index.html']) await cp(join(site, file), join(folder, file));
    await tab.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
    await tab.waitFor(
      async () =>
        (await navigator.serviceWorker.getRegistrations()).length === 0 &&
        (await caches.keys()).length === 0,
    );
  } finally {
    await browser.close();
    await host.close();
  }

  const plain = await serve(site);
  const another = await launch('chromium');
  try {
    const tab = await another.open(plain.url);
    await answer(tab);
    await tab.press('Shift');
    await tab.waitFor(
      (offline) =>
        performance.getEntriesByType('resource').some(({ name }) => name.endsWith(offline)),
      builtOf('src/offline.ts'),
    );
    assert.equal(
      await tab.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
      0,
    );
  } finally {
    await another.close();
    await plain.close();
  }
});
