// The page on a small touch screen: nothing to scroll sideways, nothing too small for a finger, and
// two fingers enlarge.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overflow } from './axe.js';
import { SMALL } from './core.js';
import { bring, log } from './log.js';
import { answer, dialogs, enter, lookAtFirstJob, run } from './visitor.js';
import { TOUCH, visits } from './visits.js';

/** The least width and height of what is to be hit, in CSS pixels (WCAG 2.2, criterion 2.5.8). */
const LEAST = 24;

const visit = visits('chromium', {}, TOUCH);

/**
 * Targets that are too small: links within a sentence are as high as its lines, which the guideline
 * allows.
 */
function small(tab) {
  return tab.evaluate((least) => {
    const targets = [
      ...document.querySelectorAll(
        'a, button, input, select, textarea, summary, [role="button"], [role="slider"], [role="option"], tbody tr[aria-rowindex]',
      ),
    ];
    return targets
      .filter(
        (target) =>
          target.checkVisibility({ visibilityProperty: true }) &&
          !target.matches('.skip, .unseen, p a'),
      )
      .map((target) => {
        // A field is hit by its label too.
        const boxes = [target, target.closest('label')]
          .filter(Boolean)
          .map((each) => each.getBoundingClientRect());
        const [width, height] = [
          Math.max(...boxes.map((box) => box.width)),
          Math.max(...boxes.map((box) => box.height)),
        ];
        return {
          width,
          height,
          what: `${target.tagName} ${target.id || target.className || target.textContent.slice(0, 30)}`,
        };
      })
      .filter(({ width, height }) => Math.min(width, height) > 0 && Math.min(width, height) < least)
      .map(({ what, width, height }) => `${what}: ${width.toFixed(1)} × ${height.toFixed(1)}`);
  }, LEAST);
}

/** What keeps two fingers from enlarging the page. */
function pinched(tab) {
  return tab.evaluate(() => {
    const viewport = document.querySelector('meta[name="viewport"]').content;
    const fixed = /user-scalable\s*=\s*(no|0)|maximum-scale/.test(viewport) ? [viewport] : [];
    const held = [...document.querySelectorAll('*')].filter(
      (each) => !/auto|manipulation|pinch-zoom/.test(getComputedStyle(each).touchAction),
    );
    return [
      ...fixed,
      ...held.map(
        (each) =>
          `${each.tagName}.${each.className} of ${each.parentElement.className}: ${getComputedStyle(each).touchAction}`,
      ),
    ];
  });
}

test('what a tap on a chart reads stays, and nothing scrolls away', async () => {
  const tab = await visit(SMALL);
  await answer(tab);
  await tab.evaluate(() => document.querySelector('#charts').scrollIntoView());
  const before = await tab.evaluate(() => scrollY);
  const read = () =>
    tab.evaluate(() => ({
      head: document.querySelector('#charts .readout').textContent.slice(0, 8),
      crosses: [...document.querySelectorAll('#charts .cross')].map(({ hidden }) => hidden),
      scrolled: scrollY,
    }));
  await tab.tap('#charts .chart .plot');
  await tab.waitFor(() => !document.querySelector('#charts .cross').hidden);
  // What follows a tap, such as the pointer leaving, has come by then.
  await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  const { head, crosses, scrolled } = await read();
  assert.match(head, /^Load 0\.[57]/);
  assert.deepEqual(crosses, [false, false, false]);
  assert.equal(scrolled, before);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('a small touch screen has room for everything', async () => {
  const tab = await visit(SMALL);
  await answer(tab);
  assert.deepEqual(
    await tab.evaluate(() => [
      innerWidth,
      matchMedia('(pointer: coarse)').matches,
      matchMedia('(hover: none)').matches,
    ]),
    [320, true, true],
  );
  const states = {
    start: async () => {},
    scenario: async () => {
      await tab.evaluate(() => {
        for (const each of document.querySelectorAll('details')) each.open = true;
      });
    },
    'a log, and what ails it': async () => {
      await tab.choose('#file', await bring('small.swf', log(60, ['1 2 3'])));
      await tab.waitFor(() => document.querySelector('.report dl') !== null);
      await tab.click('.field .doctor');
      await tab.waitFor(() => document.querySelector('dialog[open] .diagnosis') !== null);
    },
    finished: async () => {
      await tab.press('Escape');
      await enter(tab, 'reps', '2');
      await run(tab);
    },
    'inside a run': async () => {
      await lookAtFirstJob(tab);
    },
    ...dialogs(tab),
  };
  for (const [name, reach] of Object.entries(states)) {
    await reach();
    assert.equal(await overflow(tab), 0, name);
    assert.deepEqual(await small(tab), [], name);
    assert.deepEqual(await pinched(tab), [], name);
  }
  assert.deepEqual(await tab.faults(), []);

  await tab.goto(await tab.evaluate(() => new URL('papers.html', location.href).href));
  for (const open of ['.in-short details', '#fig4, #fig4 details', '#p3-fig16']) {
    await tab.evaluate((open) => {
      for (const each of document.querySelectorAll(open)) each.open = true;
    }, open);
    assert.equal(await overflow(tab), 0, open);
    assert.deepEqual(await small(tab), [], open);
    assert.deepEqual(await pinched(tab), [], open);
  }
  await tab.close();
});
