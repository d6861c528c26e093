// From a point of a curve to the very run behind it, by keyboard and by pointer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { core, scenario } from './core.js';
import { answer, followLink, newDigest } from './visitor.js';
import { visits } from './visits.js';

const visit = visits('chromium');

test('a point of a curve opens its run', async () => {
  const tab = await visit();
  await answer(tab);
  await tab.waitFor(
    () =>
      document.querySelectorAll('#charts canvas').length === 3 &&
      !document.querySelector('#inside').hidden,
  );
  /** The run that is looked into: policy, x, y, replication. */
  const chosen = () =>
    tab.evaluate(() =>
      [...document.querySelectorAll('#replay .pick select')].slice(0, 4).map((each) => each.value),
    );
  /** Where the second chart, that of the wait time, marks its point, once it is drawn. */
  const ring = () =>
    tab.waitFor(() => {
      const { hidden, style } = document.querySelectorAll('#charts .chosen')[1];
      return !hidden && { left: parseFloat(style.left), top: parseFloat(style.top) };
    });
  assert.deepEqual(await chosen(), ['0', '3', '0', '0']);
  const first = await ring();

  // The arrow keys choose the last value of x and the second curve, Enter opens it.
  const opens = async (/** @type {string[]} */ ...keys) => {
    await tab.evaluate(() => document.querySelectorAll('#charts .plot')[1].focus());
    for (const key of [...keys, 'Enter']) await tab.press(key);
    assert.equal(await tab.evaluate(() => document.activeElement?.id), 'inside');
    return ring();
  };
  const second = await opens('End', 'ArrowDown');
  assert.deepEqual(await chosen(), ['1', '3', '0', '0']);
  const third = await opens('End', 'ArrowDown');
  assert.deepEqual(await chosen(), ['2', '3', '0', '0']);
  assert.equal(third.left, second.left);
  assert.notEqual(third.top, second.top);

  // A click beside the first one opens that run again: it is the nearest of those that are marked.
  await tab.evaluate((at) => {
    const canvas = document.querySelectorAll('#charts canvas')[1];
    const box = canvas.getBoundingClientRect();
    canvas.dispatchEvent(
      new MouseEvent('click', {
        bubbles: true,
        clientX: box.left + at.left - 40,
        clientY: box.top + at.top - 4,
      }),
    );
  }, first);
  assert.deepEqual(await chosen(), ['0', '3', '0', '0']);
  assert.deepEqual(await ring(), first);

  // A click leaves the page where it is; the tab of the run says that there is news.
  const click = () =>
    tab.evaluate(() => {
      scrollTo(0, 0);
      const canvas = document.querySelectorAll('#charts canvas')[1];
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const at = { clientX: left + 0.3 * width, clientY: top + 0.5 * height };
      canvas.dispatchEvent(new MouseEvent('click', { bubbles: true, ...at }));
    });
  await click();
  await tab.waitFor(() => document.querySelector('#tabs .news')?.hash === '#inside');
  assert.notDeepEqual(await chosen(), ['0', '3', '0', '0']);
  await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
  assert.equal(await tab.evaluate(() => scrollY), 0);
  await tab.click('#tabs .news');
  await tab.waitFor(() => document.querySelector('#tabs .news') === null);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

/**
 * Runs in the page: notes what each worker is asked for and each piece of progress that it tells.
 * Requests for a picture are not passed on: the page goes on waiting for an answer of that worker.
 */
function note() {
  window.noted = [];
  const heard = new WeakSet();
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    const say = (what) => window.noted.push({ worker: this, what });
    if (!heard.has(this)) {
      heard.add(this);
      this.addEventListener('message', ({ data }) => {
        if (data.type === 'progress') say('progress');
      });
    }
    say(message.type);
    if (message.type !== 'frame') postMessage.call(this, message, ...rest);
  };
}

/** Runs in the page: what the worker that was asked for a run last has noted. */
function ofReplay() {
  const { worker } = window.noted.findLast(({ what }) => what === 'replay');
  return window.noted.filter((each) => each.worker === worker).map(({ what }) => what);
}

test('the only run of an answer is opened, and shown in detail, without being simulated again', async () => {
  const tab = await visit();
  const { digest } = await answer(tab);
  await tab.waitFor(() => !document.querySelector('#inside').hidden);
  await tab.evaluate(note);
  const text = scenario([
    ['k', '8'],
    ['policy', 'easy+adaba'],
    ['x', 'none'],
    ['reps', '1'],
    ['jobs', '500'],
  ]);
  await followLink(tab, core.write_link(text, ''));
  await tab.waitFor(newDigest, digest);
  await tab.waitFor(() => window.noted.some(({ what }) => what === 'frame'));
  const noted = await tab.evaluate(ofReplay);
  const after = noted.slice(noted.lastIndexOf('replay'));
  assert.ok(noted.includes('cell'), 'its worker is the one that simulated it');
  assert.ok(!after.includes('progress'), after.join(' '));

  await tab.evaluate(() => document.querySelector('#inside').scrollIntoView());
  await tab.waitFor(() => window.noted.some(({ what }) => what === 'look'));
  const all = await tab.evaluate(ofReplay);
  const since = all.slice(noted.length);
  assert.ok(!since.includes('cancel') && !since.includes('replay'), since.join(' '));
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
