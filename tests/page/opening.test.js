// While the page opens nothing moves: what its scripts will show has its room from the start.
//
// Alone: it measures what moves while the page opens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launch, site } from './browser.js';
import { builtOf } from './built.js';
import { MEDIA_TYPES, serve } from './server.js';
import { answer } from './visitor.js';

/** The most that may move (cumulative layout shift). */
const MOST = 0.02;

/** Runs in the page before its own scripts: notes what moves. */
function noteShifts() {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      window.shifts.push({
        value,
        what: sources.map(({ node }) => node?.id || node?.className || node?.nodeName).join(),
      });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

test('nothing moves while the page opens, whatever the size of the window', async () => {
  const host = await serve(site);
  const browser = await launch('chromium', { before: noteShifts });
  try {
    for (const [width, height] of [
      [320, 568],
      [412, 823],
      [768, 1024],
      [1280, 800],
      [1700, 1000],
      [1920, 1200],
    ]) {
      // On a slow machine a page is drawn while its parts still come.
      const tab = await browser.open(new URL('manifest.json', host.url).href, { width, height });
      await tab.slowDown(4);
      await tab.goto(host.url);
      await answer(tab);
      await tab.waitFor(
        () =>
          !document.querySelector('#inside').hidden &&
          document.querySelectorAll('#charts canvas').length === 3,
      );
      const shifts = await tab.evaluate(() => window.shifts);
      const moved = shifts.reduce((sum, { value }) => sum + value, 0);
      assert.ok(moved <= MOST, `at ${width} px: ${moved.toFixed(3)}: ${JSON.stringify(shifts)}`);
      await tab.close();
    }
  } finally {
    await browser.close();
    await host.close();
  }
});

test('while the simulator loads, the page says how much has come and remembers that Run was pressed', async () => {
  let arrive = () => {};
  const pause = new Promise((resolve) => {
    arrive = resolve;
  });
  const host = await serve(site, {}, MEDIA_TYPES, { pause });
  const browser = await launch('chromium');
  try {
    const tab = await browser.open(host.url);
    const said = await tab.waitFor(
      () => document.querySelector('#status').textContent.match(/^Loading the simulator: .*/)?.[0],
    );
    assert.match(said, /^Loading the simulator: [0-9.]+ MB so far\.$/);
    assert.ok(await tab.evaluate(() => document.querySelectorAll('#charts svg').length > 0));
    await tab.click('#run');
    assert.ok(await tab.evaluate(() => document.querySelector('#run').disabled));
    arrive();
    assert.match((await answer(tab)).badge, /^verified in your browser/);
    assert.deepEqual(await tab.faults(), []);
  } finally {
    arrive();
    await browser.close();
    await host.close();
  }
});

test('where the simulator cannot be loaded, the page says so and offers no Run', async () => {
  const host = await serve(site, { [`/${builtOf('pkg/backfill_web_bg.wasm')}`]: null });
  const browser = await launch('chromium');
  try {
    const tab = await browser.open(host.url);
    const said = await tab.waitFor(
      () => document.querySelector('[data-kind="core"] .words')?.textContent,
    );
    assert.match(said, /^The simulator could not be loaded/);
    assert.ok(await tab.evaluate(() => document.querySelector('#act').hidden));
    assert.ok(await tab.evaluate(() => document.querySelectorAll('#charts svg').length > 0));
    // The request for the module is on the console.
    await tab.takeFaults();
  } finally {
    await browser.close();
    await host.close();
  }
});
