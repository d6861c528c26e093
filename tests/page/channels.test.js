// Ten scenarios have one digest each, through whatever somebody runs them: the command line, the page,
// the page in one of another origin, the npm package in Node and in a page, and the wheel.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { ENGINES, launch, site } from './browser.js';
import { commandLine } from './built.js';
import { core } from './core.js';
import { golden, keysOf } from './golden.js';
import { framing, hostPage } from './host-page.js';
import { importing, inWheel, npmInstalled } from './installed.js';
import { serve } from './server.js';
import { followLink, newDigest } from './visitor.js';

/** Scenarios of all systems that have one on file. */
const scenarios = golden.filter((_, place) => [1, 4, 6, 8, 10, 12, 13, 18, 20, 22].includes(place));
const keys = scenarios.map(({ words }) => keysOf(words));
const expected = scenarios.map(({ digest }) => digest);

const { folder, installed, api } = npmInstalled();

test('they are ten, of all systems that are on file', () => {
  assert.equal(scenarios.length, 10);
  const systems = new Set(keys.map(({ system }) => system ?? 'fat-tree'));
  assert.deepEqual([...systems].sort(), ['fat-tree', 'multi-cluster', 'nodes', 'pool']);
});

test('the command line', () => {
  const printed = scenarios.map(({ words }) =>
    execFileSync(commandLine, ['run', ...words], { encoding: 'utf8' }),
  );
  const digests = printed.map((text) => text.match(/^digest ([0-9a-f]{16})$/m)?.[1]);
  assert.deepEqual(digests, expected);
});

test('the npm package in Node', async () => {
  const { load, run, readLink } = await api;
  await load();
  for (const [place, each] of keys.entries()) {
    const { digest, link } = await run(each);
    assert.equal(digest, expected[place], scenarios[place].text);
    assert.equal(readLink(link).digest, digest);
  }
});

test('the wheel', (t) => {
  const script = `import json, sys, backfill
for keys in json.load(sys.stdin):
    print(backfill.run(**keys).attrs["digest"])`;
  const printed = inWheel(script, JSON.stringify(keys));
  if (printed === null) t.skip('BACKFILL_WHEEL is not set');
  else assert.deepEqual(printed.trim().split('\n'), expected);
});

for (const engine of ENGINES) {
  test(`${engine}: the page, an iframe of another origin, and the npm package`, async () => {
    const page = await serve(site);
    const importer = await serve(importing(installed, join(folder, engine)));
    const host = await hostPage();
    const browser = await launch(engine);
    try {
      const tab = await browser.open(`${page.url}${core.write_link(scenarios[0].text, '')}`);
      // Until then it has the digest that it was built with.
      let shown = await tab.waitFor(newDigest, golden[0].digest);
      const onPage = [shown];
      for (const { text } of scenarios.slice(1)) {
        await followLink(tab, core.write_link(text, ''));
        shown = await tab.waitFor(newDigest, shown);
        onPage.push(shown);
      }
      assert.deepEqual(onPage, expected);
      assert.deepEqual(await tab.faults(), []);
      await tab.close();

      host.show(framing(`${page.url}?embed=answer#v1?k=4&jobs=40&reps=2`));
      const framed = await browser.open(host.url);
      await framed.waitFor(() => window.digest);
      const inFrame = await framed.evaluate(async (all) => {
        const digests = [];
        for (const scenario of all) digests.push((await window.ask('run', { scenario })).digest);
        return digests;
      }, keys);
      assert.deepEqual(inFrame, expected);
      await framed.close();

      const imported = await browser.open(importer.url);
      await imported.waitFor(() => document.title === 'loaded');
      const inPage = await imported.evaluate(async (all) => {
        const digests = [];
        for (const keys of all) digests.push((await window.api.run(keys)).digest);
        return digests;
      }, keys);
      assert.deepEqual(inPage, expected);
      assert.deepEqual(await imported.faults(), []);
    } finally {
      await browser.close();
      await Promise.all([page.close(), importer.close(), host.close()]);
    }
    assert.deepEqual([...page.violations, ...importer.violations], []);
  });
}
