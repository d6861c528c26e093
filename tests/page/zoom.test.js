// A chart of the answer is zoomed by dragging, wheel, keys and buttons; what is pointed at, read
// out and opened follows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overflow } from './axe.js';
import { DAILY_ENGINES, ENGINES } from './browser.js';
import { SMALL, core, scenario } from './core.js';
import {
  answer,
  atRest,
  dragOver,
  enter,
  followLink,
  run,
  share,
  untilDrawnAnew,
} from './visitor.js';
import { TOUCH, visits } from './visits.js';

/** What the first two charts say and show. */
function charts(tab) {
  return tab.evaluate(() =>
    [...document.querySelectorAll('#charts .chart')].slice(0, 2).map((chart) => {
      const plot = chart.querySelector('.plot');
      return {
        zoomed: chart.matches('.zoomed'),
        // Without the remark on what is behind, which is the answer shown before.
        words: chart.querySelector('figcaption').textContent.replace(' faint: the last answer', ''),
        now: plot.getAttribute('aria-valuenow'),
        said: plot.getAttribute('aria-valuetext'),
        cross: !plot.querySelector('.cross').hidden,
        drawn: plot.querySelector('canvas').toDataURL(),
      };
    }),
  );
}

/** What the charts say and show once both are zoomed, or are not. */
async function once(tab, zoomed) {
  await tab.waitFor(
    (wanted) =>
      [...document.querySelectorAll('#charts .chart')]
        .slice(0, 2)
        .every((chart) => chart.matches('.zoomed') === wanted),
    zoomed,
  );
  return charts(tab);
}

/** Drags over the first chart. */
const drag = (tab, from, to, given = {}) => dragOver(tab, '#charts .plot', from, to, given);

const canvas = (place) => `#charts .chart:nth-child(${place + 1}) canvas`;
const button = (place) => `#charts .chart:first-child .zooms button:nth-child(${place})`;
const focus = (tab) => tab.evaluate(() => document.querySelector('#charts .plot').focus());

for (const engine of ENGINES) {
  const visit = visits(engine);

  test(`${engine}: a part of a chart is zoomed into, in every way, and left again`, async () => {
    const tab = await visit(SMALL);
    await answer(tab);
    await tab.waitFor(() => document.querySelectorAll('#charts canvas').length >= 3);
    await enter(tab, 'jobs', '60');
    await enter(tab, 'reps', '2');
    await run(tab);
    await atRest(() => charts(tab));
    const whole = await once(tab, false);
    assert.doesNotMatch(whole[0].words, /Zoomed in/);

    // Dragged to the side: the right half of x in all charts, all values.
    assert.ok(await drag(tab, [0.5, 0.5], [1, 0.52]));
    const right = await once(tab, true);
    assert.match(
      right[0].words,
      /^From Load 0\.3 to 0\.9: .* Zoomed in: 8 of 16 points are seen\.$/s,
    );
    assert.match(right[1].words, /Zoomed in/, 'the charts share the axis of x');
    for (const place of [0, 1]) await untilDrawnAnew(tab, canvas(place), whole[place].drawn);

    // The keys go to what is not seen, and that is shown then; the numbers are the same.
    await focus(tab);
    await tab.press('Home');
    await tab.waitFor(() => !document.querySelector('#charts .cross').hidden);
    const [first] = await charts(tab);
    assert.equal(first.now, '0');
    assert.match(first.said, /^Load 0\.3: FCFS \+ AdaBa [\d.]+ ± /);
    assert.match(first.words, /Zoomed in/);

    // 0 shows all again, + and − zoom around what is pointed at.
    await tab.press('0');
    assert.equal((await once(tab, false))[0].cross, true);
    await tab.waitFor(
      ([where, whole]) => document.querySelector(where).toDataURL() === whole,
      [canvas(1), whole[1].drawn],
    );
    await tab.press('+');
    assert.equal((await once(tab, true))[0].cross, true);
    await tab.press('-');
    await once(tab, false);

    // Buttons.
    await tab.click(button(2));
    await once(tab, true);
    await tab.click(button(3));
    await once(tab, false);

    // Dragged over: a part of the values too, of this chart alone. Then moved.
    assert.ok(await drag(tab, [0.3, 0.3], [0.6, 0.7]));
    const [part] = await once(tab, true);
    await drag(tab, [0.6, 0.5], [0.4, 0.5], { shiftKey: true });
    await untilDrawnAnew(tab, canvas(0), part.drawn);
    await tab.evaluate(() =>
      document
        .querySelector('#charts .plot')
        .dispatchEvent(new MouseEvent('dblclick', { bubbles: true })),
    );
    await once(tab, false);

    // The wheel scrolls the page, and zooms with Ctrl.
    const turn = (ctrlKey) =>
      tab.evaluate((ctrlKey) => {
        const canvas = document.querySelector('#charts canvas');
        const { left, top } = canvas.getBoundingClientRect();
        return canvas.dispatchEvent(
          new WheelEvent('wheel', {
            bubbles: true,
            cancelable: true,
            deltaY: -200,
            ctrlKey,
            clientX: left + 150,
            clientY: top + 80,
          }),
        );
      }, ctrlKey);
    assert.equal(await turn(false), true);
    assert.equal(await turn(true), false);
    await once(tab, true);

    // Another scenario's axes are seen whole.
    await enter(tab, 'x', '0.4,0.6');
    await run(tab);
    assert.doesNotMatch((await once(tab, false))[0].words, /Zoomed in/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a link shows the part of the axes that was seen`, async () => {
    const tab = await visit(SMALL);
    await answer(tab);
    await enter(tab, 'jobs', '60');
    await enter(tab, 'reps', '2');
    await run(tab);
    await atRest(() => charts(tab));
    await once(tab, false);
    assert.doesNotMatch(await share(tab), /zoom/);
    assert.ok(await drag(tab, [0.3, 0.2], [0.7, 0.8]));
    const [part, other] = await once(tab, true);
    const link = await share(tab);
    // What is seen of x, and of the values of one metric.
    const { view } = core.read_link(new URL(link).hash);
    assert.match(view, /^zoom:0\.\d+\+0\.\d+,zoom-[a-z_]+:[\d.]+\+[\d.]+$/);

    // In a page that shows another answer already; and a link without it shows all.
    const follow = (/** @type {string} */ address) => followLink(tab, new URL(address).hash);
    await enter(tab, 'x', '0.4,0.6');
    await run(tab);
    const whole = await share(tab);
    await once(tab, false);
    await follow(link);
    await tab.waitFor(
      (words) => document.querySelector('#charts figcaption').textContent.startsWith(words),
      part.words,
    );
    await follow(whole);
    await once(tab, false);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();

    const theirs = await visit(new URL(link).hash);
    await answer(theirs);
    await once(theirs, true);
    // The charts take their final order in a frame after the answer.
    const [opened, beside] = await atRest(() => charts(theirs));
    assert.equal(opened.words, part.words);
    assert.equal(beside.words, other.words);
    assert.equal(await share(theirs), link);
    assert.deepEqual(await theirs.faults(), []);
    await theirs.close();
  });

  // What a link may ask for is read by the core, which is the same everywhere.
  if (!DAILY_ENGINES.includes(engine)) continue;

  test(`${engine}: a link that asks for no part of an axis shows all of it and says so`, async () => {
    const text = scenario([
      ['jobs', '60'],
      ['reps', '2'],
    ]);
    for (const said of ['zoom:high', 'zoom:0.9+0.3', 'zoom-accept:1+2+3', 'zoom:1e999+0', 'zoom']) {
      const tab = await visit(core.write_link(text, '', `${said},off:0`));
      const { banners } = await answer(tab);
      assert.equal(banners.length, 1, banners.join(' | '));
      assert.match(
        banners[0],
        /^An axis is shown whole\s*zoom\S* in the link is no part of an axis/,
      );
      await once(tab, false);
      assert.equal(
        await tab.evaluate(() =>
          document.querySelector('#legend button').getAttribute('aria-pressed'),
        ),
        'false',
      );
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    }
  });
}

const small = visits('chromium', {}, TOUCH);

test('a finger points until it is zoomed in, moves what is seen then, and scrolls the page always', async () => {
  const tab = await small();
  await answer(tab);
  await tab.waitFor(() => document.querySelectorAll('#charts canvas').length >= 3);
  const finger = { pointerType: 'touch' };
  assert.equal(await drag(tab, [0.3, 0.5], [0.8, 0.5], finger), false);
  const [pointed] = await once(tab, false);
  assert.equal(pointed.cross, true);
  assert.match(
    await tab.evaluate(
      () => getComputedStyle(document.querySelector('#charts canvas')).touchAction,
    ),
    /pan-y.*pinch-zoom/,
  );
  // The buttons are there once the chart is tapped.
  await tab.tap('#charts .plot');
  await tab.click(button(2));
  const [near] = await once(tab, true);
  assert.equal(await drag(tab, [0.8, 0.5], [0.3, 0.5], finger), false);
  await untilDrawnAnew(tab, canvas(0), near.drawn);
  assert.equal(await overflow(tab), 0);
  await tab.click(button(3));
  await once(tab, false);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
