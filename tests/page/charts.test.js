// The words of a chart around its curves, and those beside it about the position pointed at.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ENGINES, site } from './browser.js';
import { SMALL } from './core.js';
import { answer } from './visitor.js';
import { visits } from './visits.js';

test('each chart of the built-in answer names x and, where there is room, its curves', async () => {
  const page = await readFile(join(site, 'index.html'), 'utf8');
  const drawings = (kind) => page.split(`<div class="${kind}"><svg`).slice(1);
  const [, legend] = page.match(/id="legend" class="legend">(.*?)<\/div>/s);
  const policies = [...legend.matchAll(/<\/svg>([^<]+)<\/span>/g)].map(([, name]) => name);
  assert.ok(policies.length > 1);
  const texts = (drawing) => {
    const [svg] = drawing.split('</svg>');
    return [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, words]) => words);
  };
  for (const drawing of drawings('wide')) {
    const words = texts(drawing);
    assert.ok(words.includes('Load'), words.join());
    for (const policy of policies) assert.ok(words.includes(policy), policy);
  }
  for (const drawing of drawings('narrow')) {
    const words = texts(drawing);
    assert.ok(words.includes('Load'), words.join());
    for (const policy of policies) assert.ok(!words.includes(policy), policy);
  }
});

for (const engine of ENGINES) {
  const visit = visits(engine);

  test(`${engine}: the values at the place pointed at stand beside the charts`, async () => {
    const tab = await visit(SMALL);
    const { policies } = await answer(tab);
    const readOut = () =>
      tab.evaluate(() => {
        const box = document.querySelector('#charts .readout');
        const { top, bottom, left } = box.getBoundingClientRect();
        const cells = (row) => [...row.children].map((each) => each.textContent);
        return {
          at: box.querySelector('caption').textContent,
          rows: [...box.querySelectorAll('tbody:first-of-type tr:has(td)')].map(cells),
          over: [...document.querySelectorAll('#charts canvas')].some((canvas) => {
            const of = canvas.getBoundingClientRect();
            return top < of.bottom && bottom > of.top && left < of.right;
          }),
        };
      });
    await tab.waitFor(() => document.querySelector('#charts .readout caption') !== null);
    const last = await readOut();
    assert.match(last.at, /0\.9$/);
    assert.deepEqual(
      last.rows.map(([policy]) => policy),
      policies,
    );
    assert.equal(last.over, false, 'it covers no curve');

    await tab.evaluate(() => document.querySelector('#charts .plot').focus());
    await tab.press('Home');
    await tab.waitFor(() =>
      /0\.3$/.test(document.querySelector('#charts .readout caption').textContent),
    );
    const crosses = () =>
      tab.evaluate(() =>
        [...document.querySelectorAll('#charts .cross')].map((cross) => {
          const of = cross.parentElement.querySelector('canvas').getBoundingClientRect();
          const at = cross.getBoundingClientRect();
          return { part: (at.left - of.left) / of.width, high: at.height / of.height };
        }),
      );
    const first = await readOut();
    assert.notDeepEqual(first.rows, last.rows);
    const atFirst = await crosses();
    await tab.press('End');
    const atLast = await crosses();
    for (const [place, { part, high }] of atFirst.entries()) {
      assert.ok(part > 0 && part < atLast[place].part && atLast[place].part < 1, String(part));
      assert.ok(high > 0.5 && high < 1, 'it is as high as the drawing');
    }
    // The values are those of the table, which never shows those that the page was built with.
    const built = await tab.evaluate(() => {
      document.querySelector('#numbers').open = true;
      return document.querySelectorAll('#table td').length;
    });
    assert.equal(built, 0);
    const table = await tab.waitFor(() => {
      const row = document.querySelector('#table tbody tr');
      return row && [...row.querySelectorAll('td')].map((each) => each.textContent);
    });
    assert.deepEqual(
      first.rows.map(([, value]) => value),
      table,
    );
    assert.deepEqual(await tab.faults(), []);
  });

  test(`${engine}: where three charts stand side by side, the values of each stand below it`, async () => {
    const tab = await visit(SMALL);
    await tab.resize(1920, 1080);
    await answer(tab);
    await tab.waitFor(() => document.querySelectorAll('#charts .readout tbody').length === 3);
    const { charts, values, caption } = await tab.evaluate(() => {
      const boxes = (/** @type {string} */ selector) =>
        [...document.querySelectorAll(`#charts ${selector}`)].map((each) =>
          each.getBoundingClientRect().toJSON(),
        );
      return {
        charts: boxes('.chart'),
        values: boxes('.readout tbody'),
        caption: boxes('.readout caption')[0],
      };
    });
    assert.equal(charts.length, 3);
    assert.equal(values.length, 3);
    for (const [place, { left, bottom }] of charts.entries()) {
      assert.ok(Math.abs(values[place].left - left) < 2, `${values[place].left}: ${left}`);
      assert.ok(caption.top >= bottom && values[place].top >= caption.bottom);
    }
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
