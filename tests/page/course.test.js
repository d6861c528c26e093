// What the page says in the course of a run, and of what fails beside it: nothing that is not so,
// and nothing is ignored.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DAILY_ENGINES, launch, site } from './browser.js';
import { builtOf, inPlaceOfWorker } from './built.js';
import { SMALL, core, runToEnd, scenario, simulate } from './core.js';
import { bring, log, subject } from './log.js';
import { serve } from './server.js';
import { answer, compare, enter, pressTool, read, run } from './visitor.js';
import { visits } from './visits.js';

const MAIN = builtOf('src/main.ts');
const PATIENT = await readFile(join(site, MAIN), 'utf8');
/** The page, which waits 5 seconds for a silent worker and not 60. */
const SHORT = PATIENT.replace(/(?<=constructor\(\w+,\w+,\w+=)6e4\b/, '5e3');
assert.notEqual(SHORT, PATIENT);

/**
 * The page's own worker, which dies without a word over one cell: once for one seed, always for
 * another.
 */
const MUTE = `
  import './real-worker.js';

  let dead = false;
  const hear = onmessage;
  const speak = postMessage.bind(globalThis);
  globalThis.postMessage = (...given) => dead || speak(...given);
  onmessage = async (event) => {
    const { type, scenario = '', cell } = event.data;
    const seed = scenario.match(/seed=(\\d+)/)?.[1];
    if (type === 'cell' && cell === 3 && (seed === '17' || (seed === '16' && !(await caches.has('died'))))) {
      await caches.open('died');
      dead = true;
    }
    if (!dead) hear(event);
  };
`;

/** A result of these settings, as the command line writes it. */
function resultOf(pairs) {
  const text = scenario(pairs);
  const board = new core.Board(text);
  for (const cell of core.running_order(text)) {
    const one = runToEnd(text, cell);
    board.add(one.outcome());
  }
  return { json: board.json(undefined, '', 0), digest: board.digest() };
}

/** Begins a run that takes long, and waits until it is on its way. */
async function begin(tab) {
  await enter(tab, 'jobs', '1000');
  await enter(tab, 'reps', '400');
  await tab.click('#run');
  await tab.waitFor(() => Number.parseInt(document.querySelector('#status').textContent, 10) >= 4);
}

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine);
  const visitMute = visits(engine, { ...inPlaceOfWorker(MUTE), [`/${MAIN}`]: SHORT });

  test(`${engine}: a run that rests is not said to run, and no time is told in milliseconds`, async () => {
    const tab = await visit(SMALL);
    await answer(tab);
    await tab.evaluate(() => {
      window.said = [];
      const status = document.querySelector('#status');
      const watcher = new MutationObserver(() => window.said.push(status.textContent));
      watcher.observe(status, { childList: true, characterData: true, subtree: true });
    });
    await begin(tab);
    await tab.waitFor(() => window.said.some((words) => / left$/.test(words)));
    await tab.click('#pause');
    await tab.waitFor(() => /^Paused/.test(document.querySelector('#status').textContent));
    assert.equal((await read(tab)).badge, 'paused');
    await tab.click('#pause');
    await tab.waitFor(() => document.querySelector('#badge').textContent === 'running…');
    await tab.click('#cancel');
    await tab.waitFor(() => /^partial/.test(document.querySelector('#badge').textContent));
    for (const words of await tab.evaluate(() => window.said))
      assert.doesNotMatch(words, /\d ms (left|here)/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: the comparison follows curves that grow while it is seen, and else when they rest`, async () => {
    const tab = await visit(SMALL);
    await answer(tab);
    await begin(tab);
    await tab.evaluate(() => document.querySelector('#compare').scrollIntoView());
    const grows = async (selector) => {
      const before = await tab.evaluate((at) => document.querySelector(at).textContent, selector);
      await tab.waitFor(
        ([at, was]) => document.querySelector(at).textContent !== was,
        [selector, before],
      );
    };
    await grows('#compare .ranking tbody');
    await grows('#compare .ranking tbody');
    await tab.evaluate(() => scrollTo(0, 0));
    await tab.waitFor(
      () => document.querySelector('#compare').getBoundingClientRect().top > innerHeight,
    );
    await grows('#charts .readout');
    await tab.click('#pause');
    // Policy by policy, the values at the last x.
    await tab.waitFor(() => {
      const valuesOf = (selector, policy, value) =>
        [...document.querySelectorAll(selector)].map(
          (row) =>
            `${row.querySelector(policy).textContent}: ${row.querySelector(value).textContent}`,
        );
      const ranked = valuesOf('#compare .ranking tbody tr', 'th', 'th + td');
      const charted = valuesOf('#charts .readout tr:has(td)', 'th', 'td');
      return ranked.length > 1 && ranked.every((value) => charted.includes(value));
    });
    await tab.click('#cancel');
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: of one replication no interval is spoken of, and nothing is said of runs that are not there`, async () => {
    const tab = await visit(SMALL);
    await answer(tab);
    await compare(tab, 'fcfs+adaba', 'easy+adaba');
    await enter(tab, 'jobs', '70');
    await enter(tab, 'reps', '1');
    const { sentence } = await run(tab);
    assert.match(sentence, /best .*from one replication\. Both policies accept all jobs\.$/);
    const said = await tab.waitFor(() => {
      const { innerText } = document.querySelector('#compare');
      return innerText.includes('(one replication, no CI)') && innerText;
    });
    assert.doesNotMatch(said, /95 % (CI|interval)|no significant difference/);

    // The last value has not been reached when the run is given up.
    await enter(tab, 'jobs', '4000');
    await enter(tab, 'reps', '30');
    await tab.evaluate(() => {
      document.querySelector('#run').click();
      document.querySelector('#cancel').click();
    });
    await tab.waitFor(() => /^Cancelled: 0 of/.test(document.querySelector('#status').textContent));
    const empty = await tab.waitFor(
      () =>
        /No run has finished/.test(document.querySelector('#compare').innerText) &&
        document.querySelector('#compare').innerText,
    );
    assert.doesNotMatch(empty, /no significant difference|better|worse/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: that a log is shortened is said as long as it is`, async () => {
    const tab = await visit();
    await answer(tab);
    await tab.choose('#file', await bring('long.swf', log(2500)));
    await subject(tab, /^long\.swf: all 2,500 jobs;/);
    await enter(tab, 'slice', '101-200');
    await run(tab);
    await subject(tab, /^long\.swf: jobs 101 to 200 of 2,500;/);
    await enter(tab, 'slice', 'all');
    await run(tab);
    await subject(tab, /^long\.swf: all 2,500 jobs;/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a result that is opened during a run takes its place, and a scenario is entered`, async () => {
    const pairs = [
      ['k', '4'],
      ['jobs', '40'],
      ['reps', '2'],
    ];
    const { json, digest } = resultOf(pairs);
    const tab = await visit();
    await answer(tab);
    await begin(tab);
    await tab.choose('#file', await bring('scenario.toml', 'k = 4\njobs = 90\n'));
    await tab.waitFor(() => document.querySelector('[data-key="jobs"] input').value === '90');
    assert.match((await read(tab)).status, /of 6,400 runs/);
    assert.match((await read(tab)).badge, /Settings changed/);

    await tab.choose('#file', await bring('result.json', json));
    await tab.waitFor((wanted) => document.querySelector('#digest').textContent === wanted, digest);
    const now = await answer(tab);
    assert.equal(now.badge, 'from result.json');
    assert.doesNotMatch(now.status, /Cancelled/);
    assert.equal(
      await tab.evaluate(() => document.querySelector('[data-key="jobs"] input').value),
      '40',
    );
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a worker that dies without a word is replaced, and its run is made once more`, async () => {
    const tab = await visitMute();
    await answer(tab);
    const pairs = [
      ['jobs', '400'],
      ['reps', '4'],
      ['seed', '16'],
    ];
    for (const [key, value] of pairs) await enter(tab, key, value);
    const now = await run(tab);
    assert.equal(now.digest, simulate(scenario(pairs)).digest);
    assert.deepEqual(now.banners, []);

    await enter(tab, 'seed', '17');
    await tab.click('#run');
    const said = await tab.waitFor(
      () => document.querySelector('[data-kind="run"] .words')?.textContent,
    );
    assert.match(said, /A worker said nothing for 5 s, twice/);
    assert.match((await answer(tab)).status, /^Cancelled/);
    await enter(tab, 'seed', '18');
    assert.match((await run(tab)).badge, /^computed here/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a dialog that cannot be fetched says so`, async () => {
    const dialogs = builtOf('src/view/on-demand.ts');
    const host = await serve(site, { [`/${dialogs}`]: null });
    const browser = await launch(engine);
    try {
      const tab = await browser.open(host.url + SMALL);
      await answer(tab);
      for (const button of ['#share', '#keys']) {
        await tab.evaluate(() => document.querySelector('[data-kind="part"] button')?.click());
        await pressTool(tab, button);
        await tab.waitFor(() =>
          /could not be loaded.*Check the connection/.test(
            document.querySelector('[data-kind="part"] .words')?.textContent,
          ),
        );
      }
      // That the files are missing is on the console, and nothing else.
      for (const fault of await tab.takeFaults())
        assert.ok(/404/.test(fault) || fault.includes(dialogs), fault);
    } finally {
      await browser.close();
      await host.close();
    }
  });

  test(`${engine}: storage that fails is said once, and the list goes on without it`, async () => {
    const host = await serve(site);
    const browser = await launch(engine, {
      before: () => {
        IDBDatabase.prototype.transaction = () => {
          throw new DOMException('the disk is gone', 'UnknownError');
        };
      },
    });
    try {
      const tab = await browser.open(host.url + SMALL);
      const { digest } = await answer(tab);
      const said = await tab.waitFor(
        () => document.querySelector('[data-kind="storage"] .words')?.textContent,
      );
      assert.match(said, /the disk is gone/);
      await tab.evaluate(() => document.querySelector('[data-kind="storage"] button').click());
      await enter(tab, 'jobs', '50');
      await enter(tab, 'reps', '2');
      const second = await run(tab);
      const kept = await tab.waitFor(() => {
        const rows = [...document.querySelectorAll('#past > ol li')].map(
          (row) => row.dataset.digest,
        );
        return rows.length >= 1 && rows;
      });
      assert.ok(kept.includes(second.digest) || kept.includes(digest));
      assert.deepEqual((await read(tab)).banners, []);
      assert.deepEqual(await tab.faults(), []);
    } finally {
      await browser.close();
      await host.close();
    }
  });

  test(`${engine}: of a link's note no more is shown than can be written`, async () => {
    const tab = await visit(
      core.write_link(scenario([['jobs', '60']]), '', `note:${'long '.repeat(120)}`),
    );
    const note = await tab.waitFor(
      () => document.querySelector('[data-kind="note"] p:last-child')?.textContent,
    );
    assert.equal(note, 'long '.repeat(48));
    await tab.close();
  });
}
