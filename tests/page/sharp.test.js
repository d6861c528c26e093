// Charts on screens of every resolution and width, by geometry: as many pixels as the screen has,
// and labels that neither overlap nor leave their canvas.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launch, site } from './browser.js';
import { SMALL } from './core.js';
import { serve } from './server.js';
import { answer, choose, enter, run } from './visitor.js';
import { visits } from './visits.js';

/** Every metric is looked at only with --long. */
const LONG = process.env.BACKFILL_LONG !== undefined;

/** Device pixels per CSS pixel. */
const SCALES = [1, 1.25, 1.5, 2, 3];

/**
 * Runs in the page before its own scripts: remembers where on which canvas which text was written
 * since it was emptied.
 */
function noteLabels() {
  const labels = new WeakMap();
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
    const {
      actualBoundingBoxLeft: left,
      actualBoundingBoxRight: right,
      actualBoundingBoxAscent: up,
      actualBoundingBoxDescent: down,
    } = this.measureText(text);
    const matrix = this.getTransform();
    const corners = [x - left, x + right].flatMap((across) =>
      [y - up, y + down].map((along) => matrix.transformPoint({ x: across, y: along })),
    );
    const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
    const box = {
      text,
      left: Math.min(...xs),
      right: Math.max(...xs),
      top: Math.min(...ys),
      bottom: Math.max(...ys),
    };
    if (text.trim() !== '') labels.get(this.canvas)?.push(box) ?? labels.set(this.canvas, [box]);
    return fillText.call(this, text, x, y, ...rest);
  };
  CanvasRenderingContext2D.prototype.clearRect = function (...area) {
    labels.set(this.canvas, []);
    return clearRect.apply(this, area);
  };
  const width = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'width');
  Object.defineProperty(HTMLCanvasElement.prototype, 'width', {
    ...width,
    set(pixels) {
      labels.set(this, []);
      width.set.call(this, pixels);
    },
  });
  window.labelsOf = (canvas) => labels.get(canvas) ?? [];
}

/** What is wrong with the charts now, one line each, and how many labels they have. */
function examine(tab) {
  return tab.evaluate(() => {
    const wrong = [];
    let count = 0;
    for (const canvas of document.querySelectorAll('#charts canvas, #compare canvas')) {
      const { width, height } = canvas.getBoundingClientRect();
      const name = canvas.closest('figure, section').querySelector('select')?.value;
      for (const [have, css] of [
        [canvas.width, width],
        [canvas.height, height],
      ]) {
        if (Math.abs(have - css * devicePixelRatio) > 1)
          wrong.push(`${name}: ${have} pixels for ${css} of CSS`);
      }
      const labels = window.labelsOf(canvas);
      count += labels.length;
      for (const [place, one] of labels.entries()) {
        // Half a device pixel is the edge's softness.
        if (
          one.left < -0.5 ||
          one.top < -0.5 ||
          one.right > canvas.width + 0.5 ||
          one.bottom > canvas.height + 0.5
        ) {
          wrong.push(
            `${name}: ${one.text} leaves the canvas: ${JSON.stringify(one)} of ${canvas.width} × ${canvas.height}`,
          );
        }
        for (const other of labels.slice(0, place)) {
          const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
          const along = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
          if (across > 0.5 && along > 0.5) wrong.push(`${name}: ${one.text} over ${other.text}`);
        }
      }
    }
    return { wrong, count };
  });
}

/** The charts have been drawn for the screen and window as they are now. */
const drawn = (tab) =>
  tab.waitFor(() => {
    const charts = [...document.querySelectorAll('#charts canvas, #compare canvas')];
    return (
      charts.length === 4 &&
      charts.every(
        (canvas) =>
          Math.abs(canvas.width - canvas.getBoundingClientRect().width * devicePixelRatio) < 2,
      )
    );
  });

/** What is wrong with the charts as they are, and as they are with every other metric. */
async function everyMetric(tab) {
  const metrics = await tab.evaluate(() =>
    [...document.querySelector('#charts select').options].map(({ value }) => value),
  );
  const all = [];
  for (const metric of LONG ? metrics : metrics.slice(-1)) {
    await tab.evaluate(async (name) => {
      for (const select of [
        document.querySelector('#charts select'),
        document.querySelector('#compare .pick select'),
      ]) {
        select.value = name;
        select.dispatchEvent(new Event('change'));
      }
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, metric);
    const { wrong, count } = await examine(tab);
    assert.ok(count > 20, `${count} labels`);
    all.push(...wrong);
  }
  return all;
}

test('chromium: charts are as sharp as the screen, and their labels keep apart', async () => {
  const host = await serve(site);
  const browser = await launch('chromium', { before: noteLabels });
  try {
    for (const scale of SCALES) {
      const tab = await browser.open(host.url + SMALL, { scale });
      await answer(tab);
      for (const width of [320, 1280]) {
        await tab.resize(width, 800);
        await drawn(tab);
        assert.deepEqual(await everyMetric(tab), [], `at ${width} px, ${scale}`);
      }
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    }

    // Where the values of the x axis are long names.
    const tab = await browser.open(host.url + SMALL);
    await answer(tab);
    await choose(tab, 'x', 'size');
    await enter(tab, 'x', 'uniform:1:15,exponential:8,constant:4,pow2:16');
    await run(tab);
    for (const width of [320, 1280]) {
      await tab.resize(width, 800);
      await drawn(tab);
      assert.deepEqual(await everyMetric(tab), [], `names at ${width} px`);
    }
  } finally {
    await browser.close();
    await host.close();
  }
});

const visit = visits('firefox', {}, { before: noteLabels });

test('firefox: a page that is zoomed draws its charts anew', async () => {
  const tab = await visit(SMALL);
  await answer(tab);
  for (const ratio of [1.5, 0.8, 2]) {
    await tab.resize(Math.round(1280 / ratio), Math.round(800 / ratio), ratio);
    await tab.waitFor((wanted) => Math.abs(devicePixelRatio - wanted) < 0.01, ratio);
    await drawn(tab);
    assert.deepEqual((await examine(tab)).wrong, []);
  }
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
