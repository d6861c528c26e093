// The tab of forecasts as visitors use it, in a log of which jobs wait.

import { bring } from './log.js';
import { draws } from './random.js';
import { answerOf } from './visitor.js';

const HOUR = 3600;
const WEEK = 7 * 24 * HOUR;
/** When the log begins: Mon 3 Mar 1997, 00:00 UTC. */
const BEGINS = 857_347_200;
const NODES = 16;

/** A log of ten weeks on nodes that are mostly in use. */
export const LOG = (() => {
  const draw = draws(7);
  const lines = [`; MaxProcs: ${NODES}`, `; MaxNodes: ${NODES}`, `; UnixStartTime: ${BEGINS}`];
  let submit = 0;
  for (let job = 1; submit < 10 * WEEK; job += 1) {
    const limit = HOUR * (1 + draw(12));
    const run = Math.ceil((limit * (1 + draw(10))) / 10);
    const size = 1 + draw(8);
    const of = [job, submit, 0, run, size, -1, -1, size, limit, -1, 1, 1 + draw(3), 1, 1, 1, 1];
    lines.push([...of, -1, -1].join(' '));
    submit += draw(2 * HOUR);
  }
  return `${lines.join('\n')}\n`;
})();
export const AT = '1997-05-01 12:00:00';

export const goThere = (tab) =>
  tab.evaluate(() => document.querySelector('#tabs a[href="#when"]').click());

/** Opens the log, and the tab. */
export async function openLog(tab) {
  await answerOf(tab, await bring('made.swf', LOG));
  await goThere(tab);
  await tab.waitFor(() => document.querySelector('.when .submit') !== null);
}

/** Fills fields by the beginnings of their labels. */
export const fill = (tab, values) =>
  tab.evaluate((all) => {
    for (const [label, value] of Object.entries(all)) {
      const labels = [...document.querySelectorAll('.when label')];
      const named = labels.find(({ textContent }) => textContent.startsWith(label));
      const field = named.control;
      if (field.type === 'checkbox') field.checked = value;
      else field.value = value;
      for (const type of ['input', 'change'])
        field.dispatchEvent(new Event(type, { bubbles: true }));
    }
  }, values);

/** Asks, and returns what is said once nothing is being simulated. */
export async function ask(tab) {
  await tab.evaluate(() => document.querySelector('.when [type="submit"]').click());
  return said(tab);
}

/** What is said once nothing is being simulated. */
export async function said(tab) {
  await tab.waitFor(
    () =>
      !document.querySelector('.when [type="submit"]').disabled &&
      (document.querySelector('.when .sentence') !== null ||
        document.querySelector('.when .wrong').textContent !== ''),
  );
  return tab.evaluate(() => ({
    sentence: document.querySelector('.when .sentence')?.textContent ?? '',
    wrong: document.querySelector('.when .wrong').textContent,
    chances: [...document.querySelectorAll('.when .table-scroll td')]
      .map((cell) => cell.textContent)
      .filter((text) => text.endsWith('%')),
    words: [...document.querySelectorAll('.forecast p')].map((each) => each.textContent),
    cells: [...document.querySelectorAll('.heat button')].map(({ dataset }) => dataset.hint),
    address: decodeURIComponent(location.hash),
  }));
}

/** A wait as the page says it. */
export function inWords(seconds) {
  const minutes = Math.floor(Math.round(seconds) / 60);
  const [d, h, min] = [minutes / 1440, (minutes / 60) % 24, minutes % 60].map(Math.floor);
  if (d > 0) return `${d} d ${h} h`;
  if (h > 0) return `${h} h ${String(min).padStart(2, '0')} min`;
  return min > 0 ? `${min} min` : `${Math.round(seconds)} s`;
}
