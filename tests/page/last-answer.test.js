// The last answer: its curves stay dimmed behind those of the next one, which come from there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAILY_ENGINES } from './browser.js';
import { core, scenario, simulate } from './core.js';
import {
  answer,
  atRest,
  catchFiles,
  enter,
  filesHandedOut,
  followLink,
  openExport,
  run,
} from './visitor.js';
import { MOVING, visits } from './visits.js';

/** What is said of the curves behind. */
const WORDS = 'faint: the last answer';

/** Keeps in the page the pictures of the first chart, one for each frame that draws it. */
function watchDrawings() {
  window.drawings = [];
  let isDrawing = false;
  const { setTransform } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.setTransform = function (...matrix) {
    const { canvas } = this;
    if (!isDrawing && canvas === document.querySelector('#charts canvas')) {
      isDrawing = true;
      queueMicrotask(() => {
        isDrawing = false;
        window.drawings.push(canvas.toDataURL());
      });
    }
    return setTransform.apply(this, matrix);
  };
}

/** A scenario that takes no time to speak of. */
const small = (...pairs) => scenario([['jobs', '60'], ['reps', '2'], ...pairs]);
const linkTo = (...pairs) => core.write_link(small(...pairs), '', '');

/** Answers the scenario of a link in an open page. */
async function follow(tab, ...pairs) {
  await followLink(tab, linkTo(...pairs));
  await tab.waitFor(
    (digest) => document.querySelector('#digest').textContent === digest,
    simulate(small(...pairs)).digest,
  );
  return answer(tab);
}

/** The metric, the picture and the words of each chart, by metric, once they are at rest. */
async function charts(tab) {
  const all = await atRest(() =>
    tab.evaluate(() =>
      [...document.querySelectorAll('#charts .chart')].map((chart) => ({
        metric: chart.querySelector('select').value,
        picture: chart.querySelector('canvas').toDataURL(),
        words: chart.querySelector('figcaption').textContent,
      })),
    ),
  );
  return all.sort((one, other) => (one.metric < other.metric ? -1 : 1));
}

/** Whether each chart says that the last answer is behind. */
const isBehind = (all) => all.map(({ words }) => words.endsWith(WORDS));

/** The exported picture of the first metric. */
async function exported(tab) {
  await openExport(tab);
  await tab.evaluate(() => document.querySelector('#export-dialog [data-file="png"]').click());
  const [{ bytes }] = await filesHandedOut(tab, 1);
  await tab.press('Escape');
  return bytes;
}

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine, {}, { ...MOVING, before: watchDrawings });

  test(`${engine}: the last answer is behind the next one, and that behind the one after it`, async () => {
    const tab = await visit(linkTo());
    await answer(tab);
    const alone = await charts(tab);
    assert.ok(!isBehind(alone).includes(true));

    await follow(tab, ['k', '4']);
    const second = await charts(tab);
    assert.ok(!isBehind(second).includes(false), JSON.stringify(second.map(({ words }) => words)));
    await catchFiles(tab);
    const file = await exported(tab);
    await follow(tab, ['k', '8']);
    await follow(tab, ['k', '4']);
    const after = await charts(tab);
    assert.notDeepEqual(
      after.map(({ picture }) => picture),
      second.map(({ picture }) => picture),
      'another answer is behind',
    );
    assert.deepEqual(await exported(tab), file, 'what is for a file has nothing behind');
    await follow(tab);
    await follow(tab, ['k', '4']);
    assert.deepEqual(await charts(tab), second);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: nothing is behind the same answer, another axis and other policies`, async () => {
    const tab = await visit(linkTo());
    await answer(tab);
    await run(tab);
    assert.ok(!isBehind(await charts(tab)).includes(true));
    for (const pairs of [
      [['x', 'k:4,6,8']],
      [['x', 'none']],
      [
        ['x', 'none'],
        ['policy', 'ljfs'],
      ],
    ]) {
      await follow(tab, ...pairs);
      assert.ok(!isBehind(await charts(tab)).includes(true), JSON.stringify(pairs));
    }
    // Values of x that both have are enough, also where each is a category.
    await follow(tab, ['x', 'load:0.5,0.7']);
    await follow(tab, ['k', '4'], ['x', 'load:0.7,0.9,0.95']);
    assert.ok(isBehind(await charts(tab)).includes(true));
    await follow(tab, ['x', 'none']);
    await follow(tab, ['k', '4'], ['x', 'none']);
    assert.ok(isBehind(await charts(tab)).includes(true));
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: what a slider passes through does not become the last answer`, async () => {
    const tab = await visit(linkTo());
    await answer(tab);
    await follow(tab, ['k', '8']);
    const direct = await charts(tab);
    await follow(tab);
    const moved = await tab.evaluate(async () => {
      const element = document.querySelector('[data-key="k"] input[type="range"]');
      const digest = () => document.querySelector('#digest').textContent;
      const digests = new Set([digest()]);
      for (const value of ['4', '8']) {
        const before = digest();
        element.value = value;
        element.dispatchEvent(new Event('input', { bubbles: true }));
        while (digest() === before) await new Promise((resolve) => setTimeout(resolve, 20));
        digests.add(digest());
      }
      element.dispatchEvent(new Event('change', { bubbles: true }));
      return digests.size;
    });
    assert.equal(moved, 3);
    await answer(tab);
    assert.deepEqual(await charts(tab), direct);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

const visit = visits('chromium', {}, { ...MOVING, before: watchDrawings });

test('curves come from those of the last answer, but not where motion is unwanted', async () => {
  const tab = await visit(linkTo());
  await answer(tab);
  await follow(tab, ['k', '4']);
  /** The pictures of the first chart from the press of a button on. */
  const drawings = async (press) => {
    await charts(tab);
    await tab.evaluate((button) => {
      window.drawings = [];
      document.querySelector(button).click();
    }, press);
    await charts(tab);
    return tab.evaluate(() => window.drawings);
  };
  // Undo and Redo bring answers that are kept. The first frame has the curves of the one before.
  const moving = await drawings('#undo');
  assert.notEqual(moving.at(0), moving.at(-1));
  await tab.emulate({ reducedMotion: 'reduce' });
  const still = await drawings('#redo');
  assert.ok(still.length > 0);
  assert.equal(new Set(still).size, 1);
  const last = await charts(tab);
  assert.ok(!isBehind(last).includes(false));
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('paper has no last answer', async () => {
  const tab = await visit(linkTo(['k', '4']));
  await answer(tab);
  const alone = await charts(tab);
  await follow(tab);
  await enter(tab, 'k', '4');
  await run(tab);
  assert.ok(!isBehind(await charts(tab)).includes(false));
  await tab.emulate({ media: 'print' });
  await tab.waitFor(
    (words) =>
      ![...document.querySelectorAll('#charts figcaption')].some((each) =>
        each.textContent.includes(words),
      ),
    WORDS,
  );
  const onPaper = await charts(tab);
  await tab.emulate({ media: 'screen' });
  assert.deepEqual(
    onPaper.map(({ words }) => words),
    alone.map(({ words }) => words),
  );
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
