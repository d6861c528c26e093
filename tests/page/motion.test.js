// The first visit in motion: the runs that are built in are those of the scenario that its link
// opens, and it can be paused, skipped and seen again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings } from './axe.js';
import { DAILY_ENGINES, launch } from './browser.js';
import { site } from './built.js';
import { core, runToEnd } from './core.js';
import { serve } from './server.js';
import { source } from './source.js';
import { answer } from './visitor.js';
import { MOVING, visits } from './visits.js';

const { busiest, linksAt, movingJobs, waitedUntil, waitingAt } =
  await source('view/motion-state.ts');

test('a job has slots of its own, waits from its submit to its start, and reserves links', () => {
  const jobs = movingJobs(
    [
      [
        3,
        5,
        5,
        20,
        [
          [0, 2],
          [1, 1],
        ],
        [
          [0, 40],
          [1, 40],
        ],
      ],
      [
        2,
        0,
        10,
        30,
        [
          [1, 1],
          [2, 1],
        ],
        [[1, 10]],
      ],
    ],
    2,
  );
  assert.deepEqual(
    jobs.map(({ submit, places }) => [submit, places]),
    [
      [
        0,
        [
          { server: 1, slot: 1 },
          { server: 2, slot: 0 },
        ],
      ],
      [
        5,
        [
          { server: 0, slot: 0 },
          { server: 0, slot: 1 },
          { server: 1, slot: 0 },
        ],
      ],
    ],
  );
  assert.deepEqual(
    waitingAt(jobs, 5).map(({ size }) => size),
    [2],
  );
  assert.deepEqual([waitedUntil(jobs, 4), waitedUntil(jobs, 100)], [4, 10]);
  assert.deepEqual(
    [...linksAt(jobs, 12)],
    [
      [1, 50],
      [0, 40],
    ],
  );
  assert.deepEqual(busiest(jobs), { at: 0, waiting: 1 });
});

/** Presses a button of the motion. */
const press = (tab, words) =>
  tab.evaluate((words) => {
    const buttons = [...document.querySelectorAll('#motion button')];
    /** @type {HTMLElement} */ (buttons.find(({ textContent }) => textContent === words)).click();
  }, words);

const buttons = (tab) =>
  tab.evaluate(() =>
    [...document.querySelectorAll('#motion button')].map(({ textContent }) => textContent),
  );

const said = (tab) =>
  tab.waitFor(() => document.querySelector('#motion figcaption span')?.textContent);

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine, AXE, MOVING);

  test(`${engine}: twenty jobs move, and the end says what their scenario says`, async () => {
    const tab = await visit();
    assert.match(await said(tab), /saved/);
    await press(tab, 'Pause');
    assert.deepEqual(await buttons(tab), ['Play', 'To the end']);
    await press(tab, 'To the end');
    assert.deepEqual(await buttons(tab), ['Again']);
    const words = await said(tab);
    if (engine === 'chromium') assert.deepEqual(await findings(tab), []);

    const link = await tab.evaluate(() => document.querySelector('#motion a').getAttribute('href'));
    const { pairs } = core.read_link(link);
    const { text } = core.read_scenario(pairs);
    const waits = [0, 1].map((cell) => {
      const run = runToEnd(text, cell);
      return run.outcome().metrics.wait_mean;
    });
    const [, ...times] =
      /wait (\d+):(\d+):(\d+) on average under FCFS, (\d+):(\d+):(\d+) under EASY/
        .exec(words)
        .map(Number);
    const seconds = ([hours, minutes, rest]) => 3600 * hours + 60 * minutes + rest;
    for (const [place, wait] of waits.entries())
      assert.ok(Math.abs(seconds(times.slice(3 * place)) - wait) <= 1, `${words}: ${waits}`);

    await press(tab, 'Again');
    assert.deepEqual(await buttons(tab), ['Pause', 'To the end']);
    await answer(tab);
    await tab.click('#motion a');
    const told = await tab.waitFor(() => document.querySelector('.steps .pass')?.textContent);
    assert.match(told, /^Pass \d+ of 40/);
    assert.equal(await tab.evaluate(() => document.querySelector('#motion')), null);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

test('who prefers less motion sees an instant that stands still, and may play it', async () => {
  const host = await serve(site);
  const browser = await launch('chromium', { emulate: { reducedMotion: 'reduce' } });
  try {
    const tab = await browser.open(host.url);
    const words = await said(tab);
    assert.deepEqual(await buttons(tab), ['Play', 'To the end']);
    await answer(tab);
    assert.equal(await said(tab), words);
    await press(tab, 'Play');
    assert.deepEqual(await buttons(tab), ['Pause', 'To the end']);
    assert.deepEqual(await tab.faults(), []);
  } finally {
    await browser.close();
    await host.close();
  }
});
