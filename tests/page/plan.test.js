// The plan of a run: its time axis has dates where the log says when it began, and where a slot is
// lower than a pixel it shows how many slots are in use.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { core, scenario } from './core.js';
import { bring, log } from './log.js';
import { answer, choose, enter, untilInked, run, scrollToRun } from './visitor.js';
import { visits } from './visits.js';

/** The same log, which began on 1 October 1993 at 00:00:03 UTC, or does not say when. */
const UNDATED = log(300);
const DATED = `; UnixStartTime: 749433603\n${UNDATED}`;

/** Waits until the plan is drawn with these words, and returns the marks of its time axis. */
const marks = (tab, words) =>
  tab.waitFor((words) => {
    const view = document.querySelector('.over-time');
    if (!view?.textContent.includes(words) || view.querySelector('canvas.plan').width <= 300)
      return null;
    const found = [...view.querySelectorAll('.axis span')].map((mark) => mark.textContent);
    return found.length > 1 && found;
  }, words);

/** Shows the plan of the run that is looked into. */
async function open(tab) {
  await answer(tab);
  await scrollToRun(tab);
}

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine, AXE);

  test(`${engine}: the axis of a log that says when it began has dates`, async () => {
    const text = scenario([
      ['reps', '1'],
      ['policy', 'fcfs+adaba'],
      ['x', 'load:0.9'],
    ]);
    for (const [content, words, pattern] of [
      [DATED, 'Date and time (UTC)', /^(\d+ Oct|\d\d:\d\d)$/],
      [UNDATED, 'Time since the first submit', /^(day \d+|\d\d:\d\d)$/],
    ]) {
      const tab = await visit(core.write_link(text, ''));
      await answer(tab);
      await tab.choose('#file', await bring('dated.swf', content));
      await tab.waitFor(() => /file=dated\.swf.*&digest=/.test(location.hash));
      // As soon as submit times are scaled to a load they are no dates.
      await choose(tab, 'x', 'none');
      await enter(tab, 'load', 'as-logged');
      await run(tab);
      await open(tab);
      const found = await marks(tab, words);
      for (const mark of found) assert.match(mark, pattern);
      await untilInked(tab, 'canvas.plan');
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    }
  });

  test(`${engine}: jobs of some size have colours of their own, and equal nodes are counted`, async () => {
    const text = scenario([
      ['system', 'nodes'],
      ['nodes', '768'],
      ['size', 'uniform:32:128'],
      ['jobs', '100'],
      ['reps', '1'],
      ['policy', 'fcfs'],
      ['x', 'load:0.9'],
    ]);
    const tab = await visit(core.write_link(text, ''));
    await open(tab);
    await marks(tab, 'A slot is lower than a pixel');
    const seen = await tab.evaluate(() => {
      const canvas = document.querySelector('canvas.plan');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const pixels = new Map();
      for (let at = 0; at < data.length; at += 4) {
        const colour = data.slice(at, at + 3).join();
        pixels.set(colour, (pixels.get(colour) ?? 0) + 1);
      }
      const map = document.querySelector('#replay .map canvas');
      return {
        colours: [...pixels.values()].filter((count) => count > 200).length,
        told: document.querySelector('#replay .told').textContent,
        high: map.clientHeight,
      };
    });
    // Twelve colours, and idle slots.
    assert.ok(seen.colours >= 8, `${seen.colours} colours`);
    const [, running] = /^(\d+) jobs? running, \d+ waiting$/.exec(seen.told);
    assert.ok(seen.high < 100, `${seen.high}`);

    // A bar of the nodes in use, by size of job, is in place of their cells, which come on request.
    const bar = await tab.waitFor(() => {
      const box = document.querySelector('[aria-label="In use, by size of job"]');
      if (box === null || box.hidden) return null;
      return {
        held: box.querySelector('p').textContent,
        sizes: [...box.querySelectorAll('li')].map(({ textContent }) => textContent),
        parts: [...box.querySelectorAll('.bar span')].map((part) => part.clientWidth),
        isMapSeen: getComputedStyle(document.querySelector('#replay .map')).visibility,
      };
    });
    const [, held] = /^(\d+) of 768 nodes held, by size of job$/.exec(bar.held);
    const counts = bar.sizes.map((words) => Number(/: (\d+)$/.exec(words)[1]));
    const idle = counts.pop();
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      Number(held),
    );
    assert.equal(idle, 768 - Number(held));
    assert.ok(counts.length <= Number(running));
    for (const words of bar.sizes.slice(0, -1))
      assert.match(words, /^jobs of (32–63|64–127|128–255): /);
    assert.ok(
      bar.parts.slice(0, counts.length).every((width) => width > 10),
      `${bar.parts}`,
    );
    assert.equal(bar.isMapSeen, 'hidden');
    await tab.evaluate(() =>
      [...document.querySelectorAll('#replay label')]
        .find(({ textContent }) => textContent === 'Node by node')
        .querySelector('input')
        .click(),
    );
    await tab.waitFor(
      () => getComputedStyle(document.querySelector('#replay .map')).visibility === 'visible',
    );
    assert.deepEqual(await findings(tab), []);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: the plan of a large system shows how many slots are in use`, async () => {
    for (const [k, words, other] of [
      ['16', 'A slot is lower than a pixel', 'Neighbouring jobs'],
      ['4', 'Neighbouring jobs', 'A slot is lower than a pixel'],
    ]) {
      const text = scenario([
        ['k', k],
        ['jobs', '200'],
        ['reps', '1'],
        ['policy', 'fcfs+adaba'],
        ['x', 'load:0.9'],
      ]);
      const tab = await visit(core.write_link(text, ''));
      await open(tab);
      await marks(tab, words);
      const said = await tab.evaluate(() => document.querySelector('.over-time').textContent);
      assert.ok(!said.includes(other), `k = ${k}`);
      await untilInked(tab, 'canvas.plan');
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    }
  });
}
