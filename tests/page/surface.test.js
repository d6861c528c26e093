// Two swept keys: a heatmap for each policy on one scale, its framed row the cut that the charts
// show.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings, overflow } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { SMALL } from './core.js';
import { answer, choose, compare, enter, run, untilInked } from './visitor.js';
import { visits } from './visits.js';

/** The tables beside the heatmaps, once there are this many. */
function tables(tab, count) {
  return tab.waitFor((wanted) => {
    const all = [...document.querySelectorAll('#surface table')];
    const texts = (table, selector) =>
      [...table.querySelectorAll(selector)].map((each) => each.textContent);
    return (
      all.length === wanted &&
      all.map((table) => ({
        name: texts(table, 'caption')[0],
        rows: texts(table, 'tbody th'),
        cells: texts(table, 'td'),
      }))
    );
  }, count);
}

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine, AXE);

  test(`${engine}: a metric over two keys is a heatmap whose rows lead to the curves`, async () => {
    const tab = await visit(SMALL);
    await answer(tab);
    assert.equal(await tab.evaluate(() => document.querySelector('#surface').hidden), true);
    await enter(tab, 'jobs', '60');
    await enter(tab, 'reps', '2');
    await compare(tab, 'fcfs+adaba', 'easy+adaba');
    await choose(tab, 'y', 'k');
    await enter(tab, 'y', '4,6,8');
    const { policies } = await run(tab);
    await tab.waitFor(
      () =>
        !document.querySelector('#surface').hidden &&
        document.querySelector('#surface canvas').getAttribute('aria-label'),
    );
    await tab.click('#surface details > summary');
    const shown = await tables(tab, policies.length);
    for (const [position, { name, rows, cells }] of shown.entries()) {
      assert.ok(name.startsWith(policies[position]), name);
      assert.deepEqual(rows, ['8', '6', '4']);
      assert.ok(
        cells.length === 12 && cells.every((each) => /^[\d.,]+± [\d.,]+$/.test(each)),
        `${cells}`,
      );
    }
    await untilInked(tab, '#surface canvas');

    // Its sentence has the least and the greatest of all numbers.
    const words = await tab.evaluate(() =>
      document.querySelector('#surface canvas').getAttribute('aria-label'),
    );
    const means = shown.flatMap(({ cells }) =>
      cells.map((each) => Number(each.split('±')[0].replaceAll(',', ''))),
    );
    const said = [...words.matchAll(/: ([\d.,]+)(?: \S+)?\.(?: |$)/g)].map(([, mean]) =>
      Number(mean.replaceAll(',', '')),
    );
    assert.deepEqual(said, [Math.min(...means), Math.max(...means)], words);

    // A click takes the cut there: somewhere in the upper row of the first map.
    await tab.evaluate(() => {
      const canvas = document.querySelector('#surface canvas');
      const { left, top } = canvas.getBoundingClientRect();
      for (
        let down = 0;
        down < 200 && document.querySelector('#facet select').value !== '2';
        down += 4
      ) {
        canvas.dispatchEvent(
          new MouseEvent('click', { clientX: left + 60, clientY: top + down, bubbles: true }),
        );
      }
    });
    await tab.waitFor(() => document.querySelector('#facet select').value === '2');

    // A policy that is switched off is left out; without a second key there is nothing.
    await tab.click('#legend button:first-child');
    const rest = await tables(tab, policies.length - 1);
    assert.ok(rest[0].name.startsWith(policies[1]), rest[0].name);
    assert.deepEqual(await findings(tab), []);
    assert.equal(await overflow(tab), 0);
    await choose(tab, 'y', 'none');
    await run(tab);
    await tab.waitFor(() => document.querySelector('#surface').hidden);
    assert.deepEqual(await tab.faults(), []);
  });
}
