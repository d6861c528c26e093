// While the page opens nothing moves: what its scripts will show has its room from the start.
//
// Alone: it measures what moves while the page opens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launch, site } from './browser.js';
import { serve } from './server.js';
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
    ]) {
      const tab = await browser.open(host.url, { width, height });
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
