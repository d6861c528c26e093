// Sliders: the answer follows them while they are moved, and is stored once they rest.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAILY_ENGINES, ENGINES } from './browser.js';
import { scenario, simulate } from './core.js';
import { answer, choose, enter, run } from './visitor.js';
import { visits } from './visits.js';

/** A scenario that takes no time to speak of: 32 runs. */
const SMALL = [
  ['jobs', '60'],
  ['reps', '2'],
];
const RUNS = 32;

/**
 * Counts in the page the runs that its workers are asked for, and those that they have done. Its
 * clock goes slowly: only near an answer that took little time others are computed ahead, and here
 * that is so on any machine.
 */
function countRuns() {
  const { now } = Performance.prototype;
  Performance.prototype.now = function () {
    return now.call(this) / 20;
  };
  window.runs = { asked: 0, done: 0 };
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.type === 'cell') {
      window.runs.asked += 1;
      this.addEventListener('message', ({ data }) => {
        if (data.id === message.id && data.type === 'done') window.runs.done += 1;
      });
    }
    return postMessage.call(this, message, ...rest);
  };
}

const slider = (key) => `[data-key="${key}"] input[type="range"]`;
const focus = (tab, key) =>
  tab.evaluate((selector) => document.querySelector(selector).focus(), slider(key));
const digestOf = (...pairs) => simulate(scenario([...SMALL, ...pairs])).digest;
const shows = (tab, digest) =>
  tab.waitFor((wanted) => document.querySelector('#digest').textContent === wanted, digest);
const counted = (tab) => tab.evaluate(() => ({ ...window.runs }));
/** Waits until the workers have done this many runs in all. */
const done = (tab, count) => tab.waitFor((wanted) => window.runs.done === wanted, count);

/** Moves a slider to each of these values in turn, and what the page shows in the frame after each. */
function drag(tab, key, values, isLetGo = true) {
  return tab.evaluate(
    async ([selector, values, isLetGo]) => {
      const element = document.querySelector(selector);
      const seen = [];
      for (const value of values) {
        element.value = value;
        element.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((resolve) => requestAnimationFrame(() => resolve()));
        seen.push(document.querySelector('#digest').textContent);
      }
      if (isLetGo) element.dispatchEvent(new Event('change', { bubbles: true }));
      return seen;
    },
    [slider(key), values, isLetGo],
  );
}

/** The stored runs, once there are this many. */
const history = (tab, count) =>
  tab.waitFor((wanted) => {
    const rows = [...document.querySelectorAll('#past > ol li')];
    return rows.length === wanted && rows.map((row) => row.dataset.digest);
  }, count);

/** Opens the page and brings it to the small scenario. */
async function small(visit) {
  const tab = await visit();
  await answer(tab);
  await enter(tab, 'jobs', '60');
  await enter(tab, 'reps', '2');
  await run(tab);
  await shows(tab, digestOf());
  await history(tab, 2);
  return tab;
}

for (const engine of ENGINES) {
  const visit = visits(engine, {}, { before: countRuns });

  test(`${engine}: what is not computed ahead is answered, by keys and by pointer`, async () => {
    const tab = await small(visit);
    // With data saving nothing is computed ahead.
    await tab.evaluate(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    );
    const { asked } = await counted(tab);
    await focus(tab, 'slots');
    await tab.press('ArrowRight');
    await shows(tab, digestOf(['slots', '9']));
    assert.equal((await counted(tab)).asked, asked + RUNS);
    assert.equal(
      await tab.evaluate(() => document.querySelector('[data-key="slots"] input').value),
      '9',
    );
    const now = await answer(tab);
    assert.match(now.badge, /^computed here/);
    assert.match(now.status, /^32 runs in/);
    await history(tab, 3);

    // Of values passed quickly the last one counts, and what was typed moves the slider.
    await drag(tab, 'bandwidth_mbps', ['300', '350', '400', '450', '500']);
    const last = digestOf(['slots', '9'], ['bandwidth_mbps', '500']);
    await shows(tab, last);
    assert.equal((await history(tab, 4))[0], last);
    await enter(tab, 'bandwidth_mbps', '150');
    assert.equal(
      await tab.evaluate(
        (selector) => document.querySelector(selector).value,
        slider('bandwidth_mbps'),
      ),
      '150',
    );
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  if (!DAILY_ENGINES.includes(engine)) continue;

  test(`${engine}: answers computed ahead are shown in the next frame`, async () => {
    const tab = await small(visit);
    const { done: before } = await counted(tab);
    await focus(tab, 'k');
    // Two steps up, and one down to where the slider ends.
    await done(tab, before + 3 * RUNS);
    const [four, eight, ten] = ['4', '8', '10'].map((k) => digestOf(['k', k]));
    assert.deepEqual(await drag(tab, 'k', ['8', '4', '8', '10'], false), [eight, four, eight, ten]);
    assert.equal(
      await tab.evaluate(() => document.querySelector('[data-key="k"] input').value),
      '10',
    );
    // While it is held, it stores nothing; released, it makes one run and one edit.
    await history(tab, 2);
    await drag(tab, 'k', ['8']);
    assert.equal((await history(tab, 3))[0], eight);
    await tab.click('#undo');
    await shows(tab, digestOf());
    await tab.click('#redo');
    await shows(tab, eight);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a key that is swept has no slider`, async () => {
    const tab = await small(visit);
    const isSeen = (key) =>
      tab.evaluate((selector) => document.querySelector(selector).checkVisibility(), slider(key));
    assert.equal(await isSeen('load'), false);
    await choose(tab, 'x', 'slots');
    assert.equal(await isSeen('load'), true);
    assert.equal(await isSeen('slots'), false);
    await run(tab);
    await drag(tab, 'load', ['0.55']);
    await shows(tab, digestOf(['x', 'slots:8'], ['load', '0.55']));
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: what is computed ahead gives way to a run`, async () => {
    const tab = await small(visit);
    for (const seed of ['5', '6', '7']) {
      await enter(tab, 'seed', seed);
      const { asked } = await run(tab).then(() => counted(tab));
      await focus(tab, 'k');
      await tab.waitFor((before) => window.runs.asked > before, asked);
      await tab.evaluate(() => document.querySelector('#run').click());
      const now = await answer(tab);
      assert.equal(now.digest, digestOf(['seed', seed]));
      assert.deepEqual(now.banners, []);
    }
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
