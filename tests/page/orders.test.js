// Waiting jobs in an order that is written as a formula: the table of a run's jobs is sorted by it,
// mistakes are reported while it is typed, and its values are those of native code to the bit.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AXE, findings } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { core, runToEnd, scenario } from './core.js';
import { answer, scrollToRun } from './visitor.js';
import { visitsIn } from './visits.js';

const FIELD = '[aria-describedby="jobs-order"]';
const TEXT = scenario([
  ['k', '4'],
  ['jobs', '200'],
  ['reps', '1'],
  ['policy', 'fcfs+adaba'],
  ['load', '1.4'],
]);

const visit = visitsIn(DAILY_ENGINES, AXE);

/** Types a formula, and waits for what the page says of it. */
async function order(tab, text, said) {
  await tab.type(FIELD, text);
  return tab.waitFor(
    ([field, said]) => {
      const words = document.getElementById('jobs-order').textContent;
      const invalid = document.querySelector(field).getAttribute('aria-invalid');
      return new RegExp(said).test(words) && { words, invalid };
    },
    [FIELD, said],
  );
}

/** The cells of a column in the rows that are seen. */
function column(tab, name) {
  return tab.evaluate((name) => {
    const heads = [...document.querySelectorAll('.jobs th')];
    const place = heads.findIndex((head) => head.dataset.column === name);
    const shown = heads[place].getClientRects().length > 0;
    const cells = [...document.querySelectorAll('.jobs tbody tr')].map(
      (row) => row.children[place].textContent,
    );
    return { shown, cells };
  }, name);
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: the jobs that wait in a run are sorted by a formula`, async () => {
    const tab = await visit[engine](core.write_link(TEXT, ''));
    await answer(tab);
    await scrollToRun(tab);
    await tab.waitFor(() => document.querySelector('.jobs tbody tr') !== null);
    assert.equal((await column(tab, 'order')).shown, false);

    assert.deepEqual(await order(tab, 'wait / runtime', 'runtime'), {
      words: 'Formula, column 8: "runtime" is not known to a scheduler; its estimate is "estimate"',
      invalid: 'true',
    });
    if (engine === 'chromium') assert.deepEqual(await findings(tab), []);

    const { words, invalid } = await order(tab, '-size', 'first$');
    assert.equal(invalid, null);
    const told = words.match(/^At .*, of (\d+) waiting jobs: (.*) → (\d+) first$/);
    assert.ok(told, words);
    const given = [...told[2].matchAll(/job (\d+): ([-\d]+)/g)].map(([, job, value]) => ({
      job,
      value: Number(value),
    }));
    assert.equal(given.length, 3);
    const least = Math.min(...given.map(({ value }) => value));
    assert.equal(given.find(({ job }) => job === told[3]).value, least);

    await tab.waitFor(
      () => document.querySelector('.jobs th[aria-sort]').dataset.column === 'order',
    );
    await tab.waitFor(
      (count) =>
        [...document.querySelectorAll('.jobs tbody td.order')].filter(
          ({ textContent }) => textContent !== '–',
        ).length === count,
      Math.min(12, Number(told[1])),
    );
    const orders = await column(tab, 'order');
    const sizes = await column(tab, 'size');
    assert.ok(orders.shown);
    const waiting = orders.cells.filter((value) => value !== '–').map(Number);
    assert.equal(waiting.length, Math.min(12, Number(told[1])));
    assert.deepEqual(
      waiting,
      sizes.cells.slice(0, waiting.length).map((size) => -Number(size)),
    );
    assert.deepEqual(
      waiting,
      waiting.toSorted((one, other) => one - other),
    );

    await tab.resize(320, 640);
    // The charts are drawn again before they are narrow enough.
    await tab.waitFor(() => document.documentElement.scrollWidth <= innerWidth);
    await order(tab, '', '^$');
    assert.equal((await column(tab, 'order')).shown, false);
    assert.deepEqual(await tab.faults(), []);
  });
}

test('Node: random orders have the values on file for thousands of waiting jobs, to the bit', () => {
  const file = readFileSync(new URL('../golden/orders.txt', import.meta.url), 'utf8');
  const [words, ...lines] = file.trim().split('\n');
  const text = scenario(words.split(' ').map((word) => word.split(/=(.*)/, 2)));
  const run = runToEnd(text, 0, core.Keep.Allocations);
  const inspector = run.replay().inspector();
  let compared = 0;
  for (const line of lines) {
    const [sum, order] = line.split(' | ');
    // At the beginning no job waits: then these are the jobs of the instant at which most do.
    const { jobs } = inspector.examples(order, 0, 1_000_000);
    const given = jobs.map(({ value }) => value);
    const bits = new Uint32Array(Float64Array.from(given.map((value) => value ?? 0)).buffer);
    let found = 0x811c9dc5;
    for (const [place, word] of bits.entries())
      found = Math.imul(found ^ (given[place >> 1] === null ? 0xffffffff : word), 0x01000193);
    assert.equal((found >>> 0).toString(16).padStart(8, '0'), sum, order);
    compared += jobs.length;
  }
  assert.ok(compared >= 1e6, `${compared} values`);
});
