// What a log had in use and waiting by day, as recorded and under every policy.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings, overflow } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { SMALL, core, linkOfLog } from './core.js';
import { bring } from './log.js';
import { draws } from './random.js';
import { answer, dragOver, enter, run, untilDrawnAnew } from './visitor.js';
import { TOUCH, visits } from './visits.js';

const DAY = 86_400;
/** When the log begins: Wed 5 Mar 1997, 00:00 UTC. */
const BEGINS = Date.UTC(1997, 2, 5) / 1000;

/** Jobs of about three weeks, of which 128 processors can run all at once. */
const JOBS = (() => {
  const draw = draws(4);
  let submit = 0;
  return Array.from({ length: 500 }, () => {
    submit += draw(7200);
    return { submit, wait: draw(7200), run: 60 + draw(21_600), size: 1 + draw(16) };
  });
})();

/** The log of these jobs, with its date or without. */
function logOf(dated) {
  const lines = JOBS.map(
    ({ submit, wait, run, size }, place) =>
      `${place + 1} ${submit} ${wait} ${run} ${size} -1 -1 ${size} ${2 * run} -1 1 1 1 1 1 1 -1 -1`,
  );
  const date = dated ? [`; UnixStartTime: ${BEGINS}`] : [];
  return ['; Version: 2.2', '; MaxProcs: 128', ...date, ...lines, ''].join('\n');
}

/** The mean over a day, counted from the first submit on, of what each job adds over its period. */
function meanOfDay(day, period) {
  const shares = JOBS.map((job) => {
    const { from, until, amount } = period(job);
    return Math.max(0, Math.min(until, (day + 1) * DAY) - Math.max(from, day * DAY)) * amount;
  });
  return (shares.reduce((sum, share) => sum + share, 0) / DAY).toFixed(1);
}

/** Opens a scenario over the log, and waits for both charts. */
async function opened(visit, link, dated = true) {
  const tab = await visit(link);
  await tab.waitFor(() => document.querySelector('#undo[data-hint]') !== null);
  await tab.choose('#file', await bring('made.swf', logOf(dated)));
  await answer(tab);
  await tab.waitFor(
    () =>
      !document.querySelector('#by-day').hidden &&
      !!document.querySelector('#by-day .readout caption')?.textContent &&
      [...document.querySelectorAll('#by-day figcaption')].every(
        // What a drawing shows is said once it is there.
        ({ textContent }) => textContent !== '',
      ),
  );
  return tab;
}

/** What the charts say and show. */
const shown = (tab) =>
  tab.evaluate(() => {
    const cells = (row) => [...row.children].map((each) => each.textContent);
    const plots = [...document.querySelectorAll('#by-day .plot')];
    return {
      headings: [...document.querySelectorAll('#by-day .better')].map((each) => each.textContent),
      at: document.querySelector('#by-day .readout caption').textContent,
      said: plots.map((plot) => plot.getAttribute('aria-valuetext')),
      words: document.querySelector('#by-day figcaption').textContent,
      rows: [...document.querySelectorAll('#by-day .readout tbody')].map((body) =>
        [...body.querySelectorAll('tr:has(td)')].map(cells),
      ),
      zoomed: plots.map((plot) => plot.closest('.chart').matches('.zoomed')),
      drawn: plots.map((plot) => plot.querySelector('canvas').toDataURL()),
    };
  });

/** The same once the read-out is of that day. */
async function onceAt(tab, at) {
  await tab.waitFor(
    (at) => document.querySelector('#by-day .readout caption').textContent === at,
    at,
  );
  return shown(tab);
}

/** The same once both charts are zoomed, or not. */
async function onceZoomed(tab, zoomed) {
  await tab.waitFor(
    (wanted) =>
      [...document.querySelectorAll('#by-day .chart')].every(
        (chart) => chart.matches('.zoomed') === wanted,
      ),
    zoomed,
  );
  return shown(tab);
}

const chart = (place) => `#by-day .chart:nth-child(${place + 1}) canvas`;

const focus = (tab) => tab.evaluate(() => document.querySelector('#by-day .plot').focus());

async function press(tab, key, times) {
  for (let time = 0; time < times; time += 1) await tab.press(key);
}

test('Node: a point that a scenario does not have is shown by no day', () => {
  const { text } = core.read_scenario(core.read_link(linkOfLog()).pairs);
  const board = new core.Board(text);
  assert.equal(board.by_day(5, 0), null);
  assert.equal(board.by_day(0, 5), null);
});

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine, AXE);

  test(`${engine}: a log is drawn by day on its calendar, recorded beside simulated`, async () => {
    const tab = await opened(visit, linkOfLog());
    assert.deepEqual((await shown(tab)).headings, ['Slots in use', 'Jobs waiting']);

    // From Monday of its first week on.
    await focus(tab);
    await tab.press('Home');
    await onceAt(tab, 'Mon 3 Mar 1997');
    await press(tab, 'ArrowRight', 9);
    const found = await onceAt(tab, 'Wed 12 Mar 1997');
    const recorded = [
      ({ submit, wait, run, size }) => ({
        from: submit + wait,
        until: submit + wait + run,
        amount: size,
      }),
      ({ submit, wait }) => ({ from: submit, until: submit + wait, amount: 1 }),
    ].map((period) => meanOfDay(7, period));
    const simulated = meanOfDay(7, ({ submit, run, size }) => ({
      from: submit,
      until: submit + run,
      amount: size,
    }));
    assert.deepEqual(
      found.rows.map((rows) => rows.map(([, value]) => value)),
      [
        [simulated, simulated, recorded[0]],
        ['0.0', '0.0', recorded[1]],
      ],
    );
    const [names] = found.rows.map((rows) => rows.map(([name]) => name));
    assert.equal(
      found.said[0].split('. ')[0],
      `Wed 12 Mar 1997: ${names[0]} ${simulated}; ${names[1]} ${simulated}; ${names[2]} ${recorded[0]}`,
    );
    assert.match(found.words, /^From Mon 3 Mar 1997 to \w+ \d+ Mar 1997: /);
    assert.deepEqual(await findings(tab), []);
    assert.equal(await overflow(tab), 0);

    // The legend hides a curve here, too.
    await tab.click('#legend button:last-child');
    await tab.waitFor(() => document.querySelectorAll('#by-day .readout td').length === 4);
    await untilDrawnAnew(tab, chart(0), found.drawn[0]);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: days of a log are zoomed into, and its jobs of that period used`, async () => {
    const tab = await opened(visit, linkOfLog());
    const all = await onceZoomed(tab, false);
    await focus(tab);
    await tab.press('Home');
    await tab.press('+');
    await onceZoomed(tab, true);
    for (const place of [0, 1]) await untilDrawnAnew(tab, chart(place), all.drawn[place]);
    // What the keys reach is shown.
    await tab.press('End');
    await tab.waitFor(() => !document.querySelector('#by-day .cross').hidden);
    await tab.press('0');
    await onceZoomed(tab, false);
    await tab.waitFor(() => document.querySelector('.period').hidden);

    assert.ok(await dragOver(tab, '#by-day .plot', [0.4, 0.5], [0.6, 0.52]));
    await onceZoomed(tab, true);
    const [, from, until] = await tab.waitFor(() => {
      const { hint } = document.querySelector('.period button').dataset;
      return hint?.match(/submitted from \w+ (\d+) Mar 1997 to \w+ (\d+) Mar 1997\.$/);
    });
    const second = (/** @type {string} */ day) => (Number(day) - 5) * DAY;
    const used = JOBS.flatMap(({ submit }, place) =>
      submit >= second(from) && submit < second(until) + DAY ? place + 1 : [],
    );
    assert.ok(used.length > 10 && used.length < 200, `${used.length}`);
    await tab.click('.period button');
    await tab.waitFor(
      (slice) => document.querySelector('[data-key="slice"] input')?.value === slice,
      `${used[0]}-${used[used.length - 1]}`,
    );
    await answer(tab);
    const { words } = await onceZoomed(tab, false);
    assert.ok(words.length > 0);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: without a date days are counted, at the value of x that is pointed at`, async () => {
    const tab = await opened(visit, linkOfLog('fcfs,easy', 'machine_scale:0.2,1'), false);
    const place = () =>
      tab.evaluate(() => document.querySelector('#by-day .over .soft').textContent);
    assert.match(await place(), / 1$/);
    await focus(tab);
    await tab.press('Home');
    await onceAt(tab, 'Day 1');
    await press(tab, 'ArrowRight', 11);
    const large = await onceAt(tab, 'Day 12');
    await tab.evaluate(() => document.querySelector('#charts .plot').focus());
    await tab.press('Home');
    await tab.waitFor(() =>
      / 0\.2$/.test(document.querySelector('#by-day .over .soft').textContent),
    );
    await focus(tab);
    await tab.waitFor(() => / 1$/.test(document.querySelector('#by-day .over .soft').textContent));
    assert.equal(large.rows[1][0][1], '0.0');

    // The run behind a curve.
    await tab.press('Enter');
    await tab.press('Enter');
    await tab.waitFor(() => document.activeElement.id === 'inside');
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: generated jobs have no days`, async () => {
    const tab = await visit(SMALL);
    await answer(tab);
    await enter(tab, 'jobs', '60');
    await enter(tab, 'reps', '1');
    await run(tab);
    assert.equal(await tab.evaluate(() => document.querySelector('#by-day').hidden), true);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

const small = visits('chromium', {}, TOUCH);

test('a finger reads the days of a log on a small screen', async () => {
  const tab = await opened(small, linkOfLog());
  const finger = { pointerType: 'touch' };
  const before = (await shown(tab)).at;
  assert.equal(await dragOver(tab, '#by-day .plot', [0.3, 0.5], [0.5, 0.5], finger), false);
  await tab.waitFor(
    (before) => document.querySelector('#by-day .readout caption').textContent !== before,
    before,
  );
  assert.equal(await overflow(tab), 0);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
