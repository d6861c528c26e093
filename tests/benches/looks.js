// How the page looks: photographs its states at three widths, light and dark, into a folder, and
// says how many pixels differ from the pictures of another folder.
//
//     node tests/benches/looks.js FOLDER [BEFORE]

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from '../page/browser.js';
import { site, traces } from '../page/built.js';
import { core, scenario } from '../page/core.js';
import { serve } from '../page/server.js';
import { answer, newDigest } from '../page/visitor.js';

const WIDTHS = [390, 1280, 1920];
const HEIGHT = 900;

const LOG = 'KTH-SP2-1996-2.1-cln.swf.gz';
const TREE = [
  ['system', 'tree'],
  ['tree', '((18,18,12),(18,18))'],
  ['policy', 'easy+slurm-tree,easy+slurm-linear'],
  ['x', 'none'],
  ['load', '0.8'],
];
const SURFACE = [
  ['x', 'load:0.5,0.9'],
  ['y', 'k:4,6'],
  ['jobs', '100'],
];

/** Brings a section to the top of the window. */
const section = (id) => (tab) =>
  tab.evaluate((name) => document.getElementById(name).scrollIntoView(), id);

/** The jobs of a run come when they are looked at. */
async function jobs(tab) {
  await section('inside')(tab);
  await tab.waitFor(() => document.querySelector('.jobs tbody tr') !== null);
  await section('jobs')(tab);
}

/** Drops a log, and waits for the answer to it. */
async function log(tab) {
  const before = await tab.evaluate(() => document.querySelector('#digest').textContent);
  await tab.choose('#file', join(traces, LOG));
  await tab.waitFor(newDigest, before);
}

/** Opens a dialog by its button. */
const dialog = (id) => async (tab) => {
  await tab.evaluate((name) => document.getElementById(name).click(), id);
  await tab.waitFor(() => document.querySelector('dialog[open]') !== null);
};

/** The states by name: the scenario that is opened, and what is done then. */
const STATES = {
  answer: [[]],
  compare: [[], section('compare')],
  fairness: [[], section('fairness')],
  inside: [[], section('inside')],
  jobs: [[], jobs],
  share: [[], dialog('share')],
  export: [[], dialog('export')],
  tree: [TREE],
  'tree inside': [TREE, section('inside')],
  surface: [SURFACE, section('surface')],
  log: [[], log],
};

/** Runs in the page: how many pixels differ between two pictures, given as base64. */
async function differing(pair) {
  const [one, other] = await Promise.all(
    pair.map(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    }),
  );
  if (one.data.length !== other.data.length) return null;
  const [mine, theirs] = [one, other].map(({ data }) => new Uint32Array(data.buffer));
  return mine.reduce((count, pixel, at) => count + (pixel === theirs[at] ? 0 : 1), 0);
}

/** The address of a scenario. */
const addressOf = (host, pairs) =>
  pairs.length === 0 ? host : host + core.write_link(scenario(pairs), '');

async function photograph(tab, name, before, folder) {
  const path = join(folder, name);
  const picture = await tab.screenshot(path);
  const earlier = before === undefined ? null : join(before, name);
  if (earlier === null || !existsSync(earlier)) return console.log(name);
  const pair = [readFileSync(earlier), picture].map((bytes) => bytes.toString('base64'));
  const pixels = await tab.evaluate(differing, pair);
  console.log(`${String(pixels ?? 'another size').padStart(12)}  ${name}`);
}

const [folder, before] = process.argv.slice(2);
assert.ok(folder, 'the folder of the pictures comes first');
assert.ok(traces, 'BACKFILL_TRACES names the folder of real logs');
mkdirSync(folder, { recursive: true });
const host = await serve(site);
try {
  for (const dark of [false, true]) {
    const browser = await launch('chromium', { dark, emulate: { reducedMotion: 'reduce' } });
    for (const width of WIDTHS) {
      for (const [state, [pairs, reach]] of Object.entries(STATES)) {
        const tab = await browser.open(addressOf(host.url, pairs), { width, height: HEIGHT });
        await answer(tab);
        await reach?.(tab);
        if (reach !== undefined) await answer(tab);
        await photograph(tab, `${state} ${width}${dark ? ' dark' : ''}.png`, before, folder);
        assert.deepEqual(await tab.faults(), []);
        await tab.close();
      }
    }
    await browser.close();
  }
} finally {
  await host.close();
}
