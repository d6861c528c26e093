// A run on its way: progress that only grows and then is gone, rests that change nothing, and the
// cells of a cancelled run; and files that come faster than they can be read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAILY_ENGINES } from './browser.js';
import { SMALL, core, memoryBytes, runToEnd, scenario, simulate } from './core.js';
import { bring, log, subject } from './log.js';
import { answer, enter, read, run } from './visitor.js';
import { visits } from './visits.js';

/** From now on notes what the progress bar is set to, and whether it is seen then. */
function watchBar(tab) {
  return tab.evaluate(() => {
    const bar = document.querySelector('#progress');
    const { set, get } = Object.getOwnPropertyDescriptor(HTMLProgressElement.prototype, 'value');
    window.bar = [];
    Object.defineProperty(bar, 'value', {
      get,
      set(share) {
        window.bar.push(share);
        set.call(bar, share);
      },
    });
  });
}

/** What the bar was set to since the last call. */
const bars = (tab) => tab.evaluate(() => window.bar.splice(0));

/** Runs in the page: presses `first`, and then `button` once this many runs are finished. */
function pressWhen({ finished, button, first }) {
  const status = document.querySelector('#status');
  const watcher = new MutationObserver(() => {
    if (!(Number.parseInt(status.textContent, 10) >= finished)) return;
    watcher.disconnect();
    document.querySelector(button).click();
  });
  // An answer to what was typed on the way may have come since.
  if (first === '#run') window.bar?.splice(0);
  document.querySelector(first).click();
  watcher.observe(status, { childList: true, characterData: true, subtree: true });
}

/** Waits until the run is paused, and returns its message. */
function rested(tab) {
  return tab.waitFor(
    () =>
      /aused/.test(document.querySelector('#status').textContent) &&
      document.querySelector('#status').textContent,
  );
}

/** Asserts that the bar went from nothing to the end and never back, and is gone. */
async function wentUp(tab) {
  const shares = await bars(tab);
  assert.equal(shares[0], 0);
  assert.equal(shares.at(-1), 1);
  for (const [place, share] of shares.entries())
    assert.ok(
      place === 0 || share >= shares[place - 1],
      `${shares[place - 1]} is followed by ${share}`,
    );
  assert.ok(
    await tab.evaluate(() => document.querySelector('#progress').classList.contains('unseen')),
  );
  return shares.length;
}

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine);

  test(`${engine}: progress only grows, also over rests, which change nothing in the result`, async () => {
    const tab = await visit(SMALL);
    await answer(tab);
    const pairs = [
      ['jobs', '300'],
      ['reps', '40'],
      ['seed', '5'],
    ];
    for (const [key, text] of pairs) await enter(tab, key, text);
    await watchBar(tab);
    await tab.evaluate(pressWhen, { finished: 5, button: '#pause', first: '#run' });
    for (const finished of [100, 200]) {
      assert.match(await rested(tab), /\d+ of 640/);
      await tab.evaluate(pressWhen, { finished, button: '#pause', first: '#pause' });
    }
    await rested(tab);
    await tab.click('#pause');
    const { digest } = await answer(tab);
    assert.equal(digest, simulate(scenario(pairs)).digest);
    // At the begin, at the end, and at both ends of each rest, however quick the runs are.
    assert.ok((await wentUp(tab)) >= 8);

    // Once more, without rests.
    assert.equal((await run(tab)).digest, digest);
    await wentUp(tab);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a run that is cancelled while it rests keeps exactly what was finished`, async () => {
    const tab = await visit(SMALL);
    await answer(tab);
    const pairs = [
      ['jobs', '300'],
      ['reps', '40'],
    ];
    for (const [key, text] of pairs) await enter(tab, key, text);
    // The message counts running cells in part: of 11 at least 9 have ended.
    await tab.evaluate(pressWhen, { finished: 11, button: '#pause', first: '#run' });
    await rested(tab);
    await tab.click('#cancel');
    const { status } = await tab.waitFor(() => {
      const status = document.querySelector('#status').textContent;
      return /^Cancelled/.test(status) && !document.querySelector('#run').disabled && { status };
    });
    const [, kept] = status.match(/^Cancelled: (\d+) of 640 runs are kept/);
    assert.ok(Number(kept) >= 9, status);
    // As many as can be written down, each as it is when it is run by itself.
    await tab.evaluate(() => {
      window.rows = [];
      const address = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (blob) => {
        void blob.text().then((text) => window.rows.push(...text.trim().split('\n').slice(1)));
        return address(blob);
      };
      HTMLAnchorElement.prototype.click = () => {};
    });
    await tab.click('#export');
    await tab.waitFor(() => document.querySelector('#export-dialog [data-file="csv"]') !== null);
    await tab.evaluate(() => document.querySelector('#export-dialog [data-file="csv"]').click());
    const rows = await tab.waitFor(() => window.rows.length > 0 && window.rows);
    const written = new Set(rows.map((row) => row.split(',').slice(1, 5).join()));
    assert.equal(written.size, Number(kept));
    const text = scenario(pairs);
    const board = new core.Board(text);
    for (const cell of core.running_order(text)) {
      const one = runToEnd(text, cell);
      board.add(one.outcome());
    }
    const all = new Set(board.csv().trim().split('\n'));
    for (const row of rows) assert.ok(all.has(row), row);
    await tab.press('Escape');
    assert.match((await read(tab)).badge, /^partial/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: of five files that come at once the last is taken`, async () => {
    const files = await Promise.all(
      [900, 30, 700, 20, 50].map((jobs) => bring(`${jobs}.swf`, log(jobs))),
    );
    const tab = await visit();
    await answer(tab);
    for (const file of files) await tab.choose('#file', file);
    await tab.waitFor(
      () =>
        /Jobs50\D/.test(document.querySelector('.report dl')?.textContent) &&
        !/Reading/.test(document.body.innerText),
    );
    await run(tab);
    assert.match(await tab.evaluate(() => location.hash), /file=50\.swf/);
    await subject(tab, /^50\.swf: all 50 jobs; its own machine of 128 processors/);
    assert.deepEqual((await read(tab)).banners, []);

    // The page is at rest, and takes one more.
    await tab.choose('#file', files[1]);
    await tab.waitFor(() => /Jobs30\D/.test(document.querySelector('.report dl').textContent));
    assert.match((await run(tab)).badge, /^computed here/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

test('Node: the memory of a run that keeps much grows in few steps', () => {
  const text = scenario([
    ['jobs', '300000'],
    ['k', '32'],
    ['policy', 'none+adaba'],
    ['x', 'none'],
    ['reps', '1'],
  ]);
  const sizes = new Set();
  const run = new core.Run(text, 0, core.Trace.none(), core.Keep.Allocations);
  while (!run.advance(64)) sizes.add(memoryBytes());
  run.free();
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  // The allocator asks for 64 kB at a time.
  assert.ok(most - least > 200 * 2 ** 16, `${least} to ${most} bytes`);
  assert.ok(sizes.size < 40, `${sizes.size} steps`);
});
