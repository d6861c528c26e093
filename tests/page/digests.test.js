// One scenario has one digest: from the command line, from wasm in Node, and from the page in every
// engine, with any number of workers.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { ENGINES, launch, site } from './browser.js';
import { builtOf, commandLine } from './built.js';
import { core, scenario, simulate } from './core.js';
import { golden } from './golden.js';
import { serve } from './server.js';
import { answer, followLink, newDigest, read } from './visitor.js';

const WORKERS = [1, 4];

test('the digests on file are many, and the first is that of the default scenario', () => {
  assert.ok(golden.length >= 7);
  assert.equal(golden[0].text, scenario([]));
});

for (const workers of WORKERS) {
  test(`command line: the digests on file with workers: ${workers}`, () => {
    for (const { digest, words } of golden) {
      const printed = execFileSync(commandLine, ['run', ...words, '--workers', String(workers)], {
        encoding: 'utf8',
      });
      assert.equal(printed.match(/^digest ([0-9a-f]{16})$/m)?.[1], digest, words.join(' '));
    }
  });
}

test('Node: the digests on file', () => {
  for (const { digest, words, text } of golden)
    assert.equal(simulate(text).digest, digest, words.join(' '));
});

for (const engine of ENGINES) {
  for (const workers of WORKERS) {
    // One worker runs what four do, so a few show that it does; with --long it runs all.
    const most = workers > 1 || process.env.BACKFILL_LONG ? golden.length : 5;
    test(`${engine}: ${most} digests on file through the page with workers: ${workers}`, async () => {
      const host = await serve(site);
      const browser = await launch(engine, { cores: workers });
      try {
        const tab = await browser.open(host.url);
        const { badge, digest } = await answer(tab);
        assert.equal(digest, golden[0].digest);
        assert.match(badge, /^verified in your browser/);
        // One more than the pool has: the one that reads traces and looks into runs.
        const started = host.requests.filter(({ path }) =>
          path.endsWith(builtOf('src/worker/worker.ts')),
        ).length;
        assert.equal(started, workers + 1, 'scripts fetched by workers');

        // The rest are followed in one tab, as links are, so that no more than they is computed.
        for (const { digest, words, text } of golden.slice(1, most)) {
          const { digest: before } = await read(tab);
          await followLink(tab, core.write_link(text, digest));
          await tab.waitFor(newDigest, before);
          const theirs = await answer(tab);
          assert.equal(theirs.digest, digest, `${words.join(' ')}: ${JSON.stringify(theirs)}`);
          assert.match(theirs.badge, /^identical to the link's result/);
        }
        assert.deepEqual(await tab.faults(), []);
        assert.deepEqual(host.violations, []);
      } finally {
        await browser.close();
        await host.close();
      }
    });
  }
}
