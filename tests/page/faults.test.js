// Faults of the machinery, injected: a worker that breaks says how, a new one takes its place at
// once, the next run works without a reload, and what broke is not run again by itself.
//
// The page's own worker is served under another name and run by one that breaks on scenarios of
// some seeds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINES } from './browser.js';
import { inPlaceOfWorker } from './built.js';
import { scenario, simulate } from './core.js';
import { answer, enter, read } from './visitor.js';
import { visits } from './visits.js';

/** The milliseconds in which a new worker should be ready, which are printed. */
const AIM = 500;

/**
 * By the seed of a scenario: what breaks, what is done for that in the worker that will run it, and
 * the expected message.
 */
const FAULTS = {
  13: [
    'memory runs out',
    // All that a module can address is taken, so that the core's next request for more is refused.
    'for (let more = 65536; more >= 1; more = Math.floor(more / 2)) { try { for (;;) memory.grow(more); } catch {} }',
    /memory|unreachable|alloc/i,
  ],
  14: [
    'the stack runs out',
    'const dive = () => dive() + 1; exports.run_advance = dive;',
    /stack|recursion/i,
  ],
  15: [
    'an error that nobody catches',
    "setTimeout(() => { throw new Error('thrown on purpose'); });",
    /thrown on purpose/,
  ],
};

/**
 * A worker that runs the page's own, and has a hold of its core and of what it is asked, which it
 * passes on once the core is there.
 */
const BREAKING = `
  import './real-worker.js';

  let exports, memory, begun;
  const there = new Promise((resolve) => { begun = resolve; });
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...given) => {
    const instance = await instantiate(...given);
    exports = { ...instance.exports };
    memory = exports.memory;
    setTimeout(begun);
    return Object.create(instance, { exports: { value: exports } });
  };
  const faults = {
    ${Object.entries(FAULTS)
      .map(([seed, [, act]]) => `${seed}() { ${act} },`)
      .join('\n    ')}
  };
  const hear = onmessage;
  let heard = there;
  onmessage = (event) => {
    const { type, scenario = '' } = event.data;
    if (type === 'start') {
      hear(event);
      return;
    }
    heard = heard.then(() => {
      if (type === 'cell') faults[scenario.match(/seed=(\\d+)/)?.[1]]?.();
      hear(event);
    });
  };
`;

for (const engine of ENGINES) {
  const visit = visits(engine, inPlaceOfWorker(BREAKING));

  for (const [seed, [what, , words]] of Object.entries(FAULTS)) {
    test(`${engine}: ${what}: it is said, and the next run works`, async () => {
      const tab = await visit();
      assert.match((await answer(tab)).badge, /^verified in your browser/);
      // As many jobs as do not fit into what the core's memory is from the start.
      await enter(tab, 'jobs', '30000');
      await enter(tab, 'reps', '2');
      await enter(tab, 'seed', seed);
      await tab.click('#run');
      const said = await tab.waitFor(
        () => document.querySelector('[data-kind="run"] .words')?.innerText,
      );
      assert.match(said, words);
      await tab.waitFor(
        () =>
          document.querySelector('#cancel').disabled && !document.querySelector('#run').disabled,
      );
      assert.doesNotMatch((await read(tab)).badge, /verified|identical|computed/);
      const broken = await tab.evaluate(() => location.href);

      const pairs = [
        ['jobs', '50'],
        ['reps', '2'],
        ['seed', '42'],
      ];
      await enter(tab, 'jobs', '50');
      await enter(tab, 'seed', '42');
      const took = await tab.evaluate(
        () =>
          new Promise((resolve) => {
            const begun = performance.now();
            const status = document.querySelector('#status');
            new MutationObserver(() => {
              if (/^[1-9][\d,]* (of|runs)/.test(status.textContent))
                resolve(performance.now() - begun);
            }).observe(status, { childList: true, characterData: true, subtree: true });
            document.querySelector('#run').click();
          }),
      );
      console.log(
        `# ${engine}: ${what}: a new worker had done its first run after ${took.toFixed(0)} ms (aim: ${AIM} for being ready)`,
      );
      const next = await answer(tab);
      assert.equal(next.digest, simulate(scenario(pairs)).digest);
      assert.deepEqual(next.banners, []);

      // Opened again, what broke the page is not run by itself.
      await tab.goto(new URL('?again', broken).href + new URL(broken).hash);
      const careful = await tab.waitFor(
        () => document.querySelector('[data-kind="broke"] .words')?.innerText,
      );
      assert.ok(careful.length > 20);
      assert.ok(
        await tab.evaluate(
          () =>
            document.querySelector('#cancel').disabled && !document.querySelector('#run').disabled,
        ),
      );
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    });
  }
}
