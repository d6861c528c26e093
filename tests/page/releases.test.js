// A link that another version of the core made leads to that release, where the host keeps it.
//
// There is no core of an older version here, so this one replaces it under another number, which is
// changed in its modules.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { DAILY_ENGINES, dist, launch } from './browser.js';
import { core, scenario, simulate } from './core.js';
import { serve } from './server.js';
import { answer, read } from './visitor.js';

const TEXT = scenario([
  ['k', '4'],
  ['jobs', '40'],
  ['reps', '2'],
]);

/** The check sum of a link: CRC-32 of its bytes. */
function checkSum(text) {
  let sum = ~0;
  for (const byte of Buffer.from(text)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (~sum >>> 0).toString(16).padStart(8, '0');
}

/** A link to the scenario that a core of this version made. */
function linkOf(version) {
  const [body] = core.write_link(TEXT, simulate(TEXT).digest).slice(1).split('&sum=');
  assert.ok(body.includes(`core=${core.version()}`));
  const other = body.replace(`core=${core.version()}`, `core=${version}`);
  return `#${other}&sum=${checkSum(other)}`;
}

test('Node: a published release has a page of its version, and says which that is', () => {
  const { version, folder, sources } = JSON.parse(
    readFileSync(join(dist, 'manifest.json'), 'utf8'),
  );
  assert.equal(version, core.version());
  const page = readFileSync(join(dist, `v${version}.html`), 'utf8');
  assert.equal(page, readFileSync(join(dist, 'index.html'), 'utf8'));
  assert.ok(page.includes(`./${folder}/${sources['src/main.ts']}`));
});

for (const engine of DAILY_ENGINES) {
  test(`${engine}: a link of another version opens with the release that made it`, async () => {
    // The release of before is identified by its title.
    const before = readFileSync(join(dist, 'index.html'), 'utf8').replace(
      '<title>Backfill<',
      '<title>Backfill of before<',
    );
    const host = await serve(dist, { '/v0.0.9.html': before });
    const browser = await launch(engine);
    try {
      const link = linkOf('0.0.9');
      const tab = await browser.open(`${host.url}${link}`);
      const words = `The link was made with Backfill 0.0.9; this is ${core.version()}. Its digest is compared all the same.`;
      const offered = '.banner[data-kind="core-differs"] button:not(.plain)';
      await tab.waitFor(
        (offered) => document.querySelector(offered)?.textContent === 'Open it with Backfill 0.0.9',
        offered,
      );
      // The digest is compared here already.
      assert.match((await answer(tab)).badge, /^identical to the link's result/);
      assert.deepEqual((await read(tab)).banners, [words]);
      await tab.click(offered);
      await tab.waitFor(
        () => document.title === 'Backfill of before' && document.querySelector('#run') !== null,
      );
      const there = await tab.evaluate(() => location.pathname + location.hash);
      assert.equal(there.split('#')[0], '/v0.0.9.html');
      await answer(tab);
      assert.deepEqual(await tab.faults(), []);
      await tab.close();

      // If the host has no such release, a message says so, and no link is broken.
      for (const version of ['0.0.8', 'unreleased']) {
        const other = await browser.open(`${host.url}${linkOf(version)}`);
        await other.waitFor(
          (words) =>
            document
              .querySelector('.banner[data-kind="core-differs"]')
              ?.textContent.includes(words),
          `There is no page of Backfill ${version} here`,
        );
        await answer(other);
        assert.equal(
          await other.evaluate((offered) => document.querySelector(offered), offered),
          null,
        );
        // The one that is not there is asked for once.
        const faults = await other.takeFaults();
        assert.ok(
          faults.every((fault) => /v0\.0\.8\.html|404/.test(fault)),
          faults.join(),
        );
        await other.close();
      }
    } finally {
      await browser.close();
      await host.close();
    }
  });
}

/** A number as long as that of this version, so that it can take its place in a module. */
const OLD = core.version().replace(/[0-9]/g, '0');

/** Makes the published page in `folder` one of the version `OLD`, core and all. */
async function age(folder) {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  const { folder: now, version, files, sources } = manifest;
  // Its data is in the first part of the module.
  const rest = sources['pkg/backfill_web_rest.wasm'];
  const before = '0'.repeat(16);
  await rename(join(folder, now), join(folder, before));
  for (const file of files.filter((file) => file.endsWith('.wasm') && file !== rest)) {
    const path = join(folder, before, file);
    const bytes = await readFile(path, 'latin1');
    assert.ok(bytes.includes(version), `${file} does not say which version it is`);
    await writeFile(path, bytes.replaceAll(version, OLD), 'latin1');
  }
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  await writeFile(join(folder, 'index.html'), page.replaceAll(now, before));
  await writeFile(join(folder, `v${OLD}.html`), page.replaceAll(now, before));
  await rm(join(folder, `v${version}.html`));
  const old = { ...manifest, version: OLD, folder: before };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(old));
}

/** Publishes this release over what `host` has, as the workflow does, in `folder`. */
async function publishOver(host, folder) {
  await cp(dist, folder, { recursive: true });
  const script = join(import.meta.dirname, '../../.github/keep-releases.mjs');
  await promisify(execFile)(process.execPath, [script, host.url, folder]);
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: an old link opens in the core that made it, which the host keeps`, async () => {
    const work = await mkdtemp(join(tmpdir(), 'backfill-'));
    const [old, both, third] = ['old', 'both', 'third'].map((name) => join(work, name));
    await cp(dist, old, { recursive: true });
    await age(old);
    const before = await serve(old);
    await publishOver(before, both);
    await before.close();
    const host = await serve(both);
    const browser = await launch(engine);
    try {
      const tab = await browser.open(`${host.url}${linkOf(OLD)}`);
      const offered = '.banner[data-kind="core-differs"] button:not(.plain)';
      await tab.waitFor(
        ([offered, words]) => document.querySelector(offered)?.textContent === words,
        [offered, `Open it with Backfill ${OLD}`],
      );
      await answer(tab);
      const version = () => tab.evaluate(() => document.querySelector('#version').textContent);
      assert.ok((await version()).includes(core.version()));
      await tab.click(offered);
      await tab.waitFor(
        (page) => location.pathname === page && document.querySelector('#run') !== null,
        `/v${OLD}.html`,
      );
      const { badge } = await answer(tab);
      assert.ok((await version()).includes(OLD));
      assert.match(badge, /^identical to the link's result/);
      assert.deepEqual((await read(tab)).banners, []);
      assert.deepEqual(await tab.faults(), []);

      // A release more: what was kept is kept again, and this version is there once.
      await publishOver(host, third);
      const { kept } = JSON.parse(await readFile(join(third, 'manifest.json'), 'utf8'));
      assert.deepEqual(
        kept.map(({ version }) => version),
        [OLD],
      );
      const page = await readFile(join(third, `v${OLD}.html`), 'utf8');
      assert.equal(page, await readFile(join(both, `v${OLD}.html`), 'utf8'));
    } finally {
      await browser.close();
      await host.close();
      await rm(work, { recursive: true });
    }
  });
}

test('chromium: what changed stands next to the version, is found by its name, and needs no script', async () => {
  const host = await serve(dist);
  const browser = await launch('chromium');
  try {
    const tab = await browser.open(host.url);
    await answer(tab);
    await tab.evaluate(() =>
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true })),
    );
    await tab.waitFor(() => document.querySelector('.palette input') !== null);
    await tab.type('.palette input', 'what changed');
    await tab.press('Enter');
    await tab.waitFor(() => document.title.startsWith('What changed'));
    assert.equal(await tab.evaluate(() => location.pathname), '/changes.html');
    assert.equal(
      await tab.waitFor(() => document.querySelector('#changes h2')?.textContent),
      core.version(),
    );
    assert.ok(await tab.evaluate(() => document.querySelectorAll('#changes li').length > 5));
    // Every heading can be linked to, and the links at the head of a version lead to its parts.
    const links = await tab.evaluate(() =>
      [...document.querySelectorAll('#changes a')].map((each) => each.getAttribute('href')),
    );
    const headings = await tab.evaluate(() =>
      [...document.querySelectorAll('#changes :is(h2, h3)')].map(({ id }) => `#${id}`),
    );
    assert.ok(headings.length > 3);
    assert.deepEqual(new Set(links), new Set(headings));
    assert.ok(links.includes(`#v${core.version()}-page`));
    assert.deepEqual(await tab.faults(), []);
    assert.deepEqual(host.violations, []);
  } finally {
    await browser.close();
    await host.close();
  }
});
