// Every chart is copied in exactly the forms that it has: as the files that Export writes, and as a
// link or an iframe that shows it again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings, overflow } from './axe.js';
import { core, linkOfLog, scenario, simulate } from './core.js';
import { AT, ask, fill, openLog } from './forecasts.js';
import { bring, log } from './log.js';
import {
  answer,
  catchFiles,
  filesHandedOut,
  lookAtFirstJob,
  openExport,
  untilInked,
} from './visitor.js';
import { TOUCH, visits } from './visits.js';

const CLIPBOARD = { emulate: { permissions: ['clipboard-read', 'clipboard-write'] } };
const METRIC = ['png', 'svg', 'csv', 'tex', 'link', 'embed'];

const SWEPT = scenario([
  ['jobs', '60'],
  ['reps', '2'],
  ['k', '4'],
  ['policy', 'fcfs+adaba,easy+adaba'],
  ['x', 'load:0.5,0.9'],
  ['y', 'slots:4,8'],
]);

/** Opens the menu of a chart by a key, and returns what it offers. */
async function menu(tab, chart) {
  await tab.waitFor((chart) => document.querySelector(`${chart} .copy-as`) !== null, chart);
  await tab.evaluate((chart) => document.querySelector(`${chart} .copy-as`).focus(), chart);
  await tab.press('Enter');
  return tab.waitFor((chart) => {
    const menu = document.querySelector(`${chart} .copy-menu:popover-open`);
    return (
      menu?.contains(document.activeElement) && {
        name: menu.getAttribute('aria-label'),
        forms: [...menu.querySelectorAll('button')].map(({ dataset }) => dataset.form),
      }
    );
  }, chart);
}

/** Copies an open chart in a form, and returns what is said of it. */
async function press(tab, form) {
  await tab.click(`.copy-menu:popover-open [data-form="${form}"]`);
  return tab.waitFor(() => {
    const said = document.querySelector('.copy-menu:popover-open [role="status"]').textContent;
    return said !== 'Writing…' && said;
  });
}

/** The same, and the type and the contents of what is then in the clipboard. */
async function copied(tab, form) {
  assert.match(await press(tab, form), / copied\.$/);
  const { type, base64 } = await tab.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const [type] = item.types;
    const bytes = new Uint8Array(await (await item.getType(type)).arrayBuffer());
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return { type, base64: btoa(text) };
  });
  const bytes = Buffer.from(base64, 'base64');
  return { type, bytes, text: bytes.toString() };
}

/** Asserts that the clipboard has a picture as wide as one that is exported; returns its height. */
function heightOf({ type, bytes }) {
  assert.equal(type, 'image/png');
  assert.equal(bytes.readUInt32BE(16), 1440);
  return bytes.readUInt32BE(20);
}

/** Asserts that it has the height of one, too. */
function isPicture(copy) {
  assert.equal(heightOf(copy), 880);
}

const visit = visits('chromium', AXE, CLIPBOARD);

test('chromium: the chart of a metric is copied as it is exported', async () => {
  const { digest } = simulate(SWEPT);
  const tab = await visit(core.write_link(SWEPT, digest, 'y:1'));
  await answer(tab);
  await catchFiles(tab);
  const { name, forms } = await menu(tab, '#charts .chart:nth-child(2)');
  assert.deepEqual(forms, METRIC);
  const metric = await tab.evaluate(() => {
    const select = document.querySelector('#charts .chart:nth-child(2) select');
    return { name: select.value, label: select.selectedOptions[0].textContent };
  });
  assert.equal(name, `Copy as: ${metric.label}`);
  assert.deepEqual(await findings(tab), []);

  isPicture(await copied(tab, 'png'));
  const svg = await copied(tab, 'svg');
  const csv = await copied(tab, 'csv');
  const tex = await copied(tab, 'tex');
  const link = await copied(tab, 'link');
  const embed = await copied(tab, 'embed');
  for (const { type } of [svg, csv, tex, link, embed]) assert.equal(type, 'text/plain');
  const isDrawing = await tab.evaluate((text) => {
    const read = new DOMParser().parseFromString(text, 'image/svg+xml');
    return read.querySelector('parsererror') === null && read.documentElement.nodeName === 'svg';
  }, svg.text);
  assert.ok(isDrawing);
  await tab.press('Escape');
  const isFocused = () => document.activeElement.matches('.copy-as');
  assert.ok(await tab.evaluate(isFocused), 'the focus is back');

  await openExport(tab);
  await tab.evaluate((name) => {
    const select = document.querySelector('#export-dialog select');
    select.value = name;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, metric.name);
  const exported = async (/** @type {string} */ name, count = 1) => {
    await tab.click(`#export-dialog [data-file="${name}"]`);
    return (await filesHandedOut(tab, count)).map(({ bytes }) => bytes.toString());
  };
  assert.deepEqual(await exported('svg'), [svg.text]);
  const [source, numbers] = await exported('tex', 2);
  assert.equal(csv.text, numbers);
  assert.match(tex.text, /^\\begin\{filecontents\*\}\[overwrite\]\{[\w.-]+\.csv\}\n/);
  assert.ok(tex.text.endsWith(`${numbers}\\end{filecontents*}\n${source}`));
  assert.deepEqual(await tab.faults(), []);
  await tab.close();

  // What is copied shows the same again.
  const { hash } = new URL(link.text);
  assert.match(core.read_link(hash).view, /y:1/);
  const [, address] = embed.text.match(/^<iframe src="([^"]*)" title="[^"]+" width="100%"/);
  const framed = address.replaceAll('&amp;', '&');
  assert.match(framed, /\?embed=charts#v1\?/);
  for (const each of [hash, new URL(framed).search + new URL(framed).hash]) {
    const other = await visit(each);
    await other.waitFor(
      (digest) => document.querySelector('#digest').textContent === digest,
      digest,
    );
    await other.close();
  }
});

test('chromium: the other charts of an answer offer exactly what they have', async () => {
  const { digest } = simulate(SWEPT);
  const tab = await visit(core.write_link(SWEPT, digest));
  await answer(tab);
  assert.equal(
    await tab.evaluate(() => document.querySelectorAll('[hidden] .copy-as').length),
    0,
    'nothing is offered where nothing is drawn',
  );
  assert.deepEqual((await menu(tab, '#comparison .chart')).forms, ['png', 'link']);
  isPicture(await copied(tab, 'png'));
  const { text } = await copied(tab, 'link');
  const { view, digest: linked } = core.read_link(new URL(text).hash);
  assert.equal(view, 'compare');
  assert.equal(linked, digest);
  await tab.press('Escape');
  assert.deepEqual((await menu(tab, '#surface')).forms, ['png', 'link', 'embed']);
  // As high as its rows need.
  assert.ok(heightOf(await copied(tab, 'png')) > 200);
  await tab.press('Escape');

  await tab.click('.spread > summary');
  await tab.waitFor(() =>
    /analysed$/.test(document.querySelector('.spread p + div + p')?.textContent),
  );
  await untilInked(tab, '.spread canvas');
  const waits = await menu(tab, '.spread');
  assert.deepEqual(waits.forms, ['png', 'svg', 'csv', 'link']);
  isPicture(await copied(tab, 'png'));
  const [svg, csv] = [await copied(tab, 'svg'), await copied(tab, 'csv')];
  await tab.press('Escape');
  await catchFiles(tab);
  for (const file of ['svg', 'csv']) await tab.click(`.spread [data-file="${file}"]`);
  const files = (await filesHandedOut(tab, 2)).map(({ bytes }) => bytes.toString());
  assert.deepEqual(files, [svg.text, csv.text]);

  await lookAtFirstJob(tab);
  for (const chart of ['#shares-scale', '.over-time']) {
    assert.deepEqual((await menu(tab, chart)).forms, ['link', 'embed'], chart);
    assert.match((await copied(tab, 'embed')).text, /\?embed=inside#v1\?/);
    await tab.press('Escape');
  }
  assert.deepEqual(await findings(tab), []);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('chromium: the charts by day are copied as pictures and by their link', async () => {
  const tab = await visit(linkOfLog('fcfs,easy'));
  await tab.waitFor(() => document.querySelector('#undo[data-hint]') !== null);
  await tab.choose('#file', await bring('made.swf', log(200)));
  await answer(tab);
  await tab.waitFor(() => !document.querySelector('#by-day').hidden);
  const { name, forms } = await menu(tab, '#by-day');
  assert.deepEqual(forms, ['png', 'link', 'embed']);
  assert.match(name, /^Copy as: .+/);
  isPicture(await copied(tab, 'png'));
  await tab.press('Escape');
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('chromium: the link is that of the answer, whatever the form says by now', async () => {
  const tab = await visit(core.write_link(SWEPT, ''));
  const { digest } = await answer(tab);
  await tab.evaluate(() => {
    const field = document.querySelector('[data-key="jobs"] input[type="text"]');
    field.value = '100000';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await menu(tab, '#charts');
  const { hash } = new URL((await copied(tab, 'link')).text);
  const linked = core.read_link(hash);
  assert.equal(scenario(linked.pairs), SWEPT);
  assert.equal(linked.digest, digest);
  await tab.close();
});

test('chromium: a forecast is copied as its numbers and by its link', async () => {
  const tab = await visit();
  await openLog(tab);
  await fill(tab, { Nodes: '12', 'Time limit': '3:00:00', Submitted: AT });
  const { address } = await ask(tab);
  assert.deepEqual((await menu(tab, '.strip')).forms, ['csv', 'link']);
  const rows = async () => (await copied(tab, 'csv')).text.trimEnd().split('\n');
  const [heading, ...starts] = await rows();
  assert.equal(heading, 'start_s');
  assert.equal(String(starts.length), Object.fromEntries(core.read_scenario([]).values).futures);
  assert.deepEqual(
    starts,
    starts.toSorted((one, other) => one - other),
  );
  const { text } = await copied(tab, 'link');
  const view = (hash) => core.read_link(hash).view;
  assert.equal(view(new URL(text).hash), view(address));
  await tab.press('Escape');

  await tab.evaluate(() => document.querySelector('.forecast p > button').click());
  await tab.waitFor(() => document.querySelector('.heat') !== null);
  await menu(tab, '.forecast section');
  const [columns, ...waits] = await rows();
  assert.equal(columns, 'size,limit_s,p50_wait_s,p90_wait_s');
  const cells = await tab.evaluate(() => document.querySelectorAll('.heat button').length);
  assert.equal(waits.length, cells);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('chromium: the bars of the report on a log are copied as their numbers', async () => {
  const tab = await visit();
  await openLog(tab);
  await tab.click('.doctor');
  await tab.waitFor(() => document.querySelector('.on-log .bars') !== null);
  const tables = await tab.evaluate(() =>
    [...document.querySelectorAll('.on-log .bars')].map((table) => ({
      name: table.getAttribute('aria-label'),
      rows: [...table.rows]
        .map(({ cells: [label, jobs] }) => [label, jobs])
        .map((pair) => pair.map(({ textContent }) => textContent.replaceAll(',', ''))),
    })),
  );
  assert.ok(tables.length > 0);
  for (const { name, rows } of tables) {
    const heading = `.on-log .head:has([aria-label="Copy as: ${name}"])`;
    assert.deepEqual((await menu(tab, heading)).forms, ['csv']);
    const { text } = await copied(tab, 'csv');
    assert.equal(text, rows.map(([label, jobs]) => `"${label}",${jobs}\n`).join(''));
    await tab.press('Escape');
  }
  const load = '.on-log .head:has([aria-label="Copy as: Load over time"])';
  await menu(tab, load);
  assert.match((await copied(tab, 'csv')).text, /^"Time",Load\n("[^"]+",[\d.]+\n)+$/);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('chromium: a step of a pass is copied by its link, and as an iframe', async () => {
  const { digest } = simulate(SWEPT);
  const tab = await visit(core.write_link(SWEPT, digest, 'step:1+1'));
  await answer(tab);
  assert.deepEqual((await menu(tab, '.steps')).forms, ['link', 'embed']);
  const { text } = await copied(tab, 'link');
  const { view, digest: linked } = core.read_link(new URL(text).hash);
  assert.equal(view, 'step:1+1,inside');
  assert.equal(linked, digest);
  assert.match((await copied(tab, 'embed')).text, /\?embed=step#v1\?/);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('chromium: where copying is not allowed, the file is saved', async () => {
  const tab = await visit(core.write_link(SWEPT, ''));
  await answer(tab);
  await catchFiles(tab);
  await menu(tab, '#charts');
  await tab.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  });
  for (const [form, ending] of [
    ['png', 'png'],
    ['svg', 'svg'],
    ['link', 'txt'],
    ['embed', 'html'],
  ]) {
    const said = await press(tab, form);
    const [{ name, bytes }] = await filesHandedOut(tab, 1);
    assert.equal(said, `The browser did not allow copying: saved as ${name}.`);
    assert.ok(name.endsWith(`.${ending}`) && bytes.length > 100, name);
  }
  // A second press of the button closes the menu.
  await tab.click('#charts .copy-as');
  const isOpen = () => document.querySelector('.copy-menu:popover-open') !== null;
  assert.equal(await tab.evaluate(isOpen), false);
  await tab.emulate({ media: 'print' });
  const isPrinted = () =>
    [...document.querySelectorAll('.copy-as, .copy-menu')].some((each) => each.checkVisibility());
  assert.equal(await tab.evaluate(isPrinted), false);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

const touch = visits('chromium', AXE, TOUCH);

test('chromium: a finger opens the menu, which is within a small window', async () => {
  const tab = await touch(core.write_link(SWEPT, ''));
  await answer(tab);
  // Browsers zoom out of what is wider than the window.
  assert.equal(await tab.evaluate(() => innerWidth), 320);
  const { width, height, isFree } = await tab.evaluate(() => {
    const button = document.querySelector('#charts .copy-as');
    button.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = button.getBoundingClientRect();
    const isFree = document.elementFromPoint(left + width / 2, top + height / 2) === button;
    button.click();
    return { width, height, isFree };
  });
  assert.ok(isFree && width >= 40 && height >= 40, `${width} × ${height}`);
  await tab.waitFor(() => document.querySelector('.copy-menu:popover-open') !== null);
  const isInside = () => {
    const menu = document.querySelector('.copy-menu:popover-open');
    if (menu === null || !menu.contains(document.activeElement)) return false;
    const { left, right, top, bottom } = menu.getBoundingClientRect();
    return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
  };
  await tab.waitFor(isInside);
  // Above its button, where there is room for the first of its forms alone below.
  await tab.press('Escape');
  await tab.waitFor(() => document.querySelector('.copy-menu:popover-open') === null);
  await tab.evaluate(() => {
    const button = [...document.querySelectorAll('#charts .copy-as')].at(-1);
    const top = button.getBoundingClientRect().bottom - innerHeight + 200;
    scrollBy({ top, behavior: 'instant' });
    button.click();
  });
  await tab.waitFor(isInside, undefined, 5000);
  assert.equal(await overflow(tab), 0);
  assert.deepEqual(await findings(tab), []);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
