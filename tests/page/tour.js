// Makes the pictures of the README, from the page as it is built: node tour.js FOLDER, as `cargo
// xtask tour` calls it.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launch, site } from './browser.js';
import { core, scenario } from './core.js';
import { serve } from './server.js';
import { answer } from './visitor.js';

/** Where the pictures are put. */
const [folder] = process.argv.slice(2);

/** No picture is larger than this, in bytes. */
const MOST = 80_000;

/** Brings a part of the page to the top of the window. */
const show = (tab, selector) =>
  tab.evaluate((part) => document.querySelector(part).scrollIntoView(), selector);

/** Puts the second policy's run beside the first's, at the last load. */
async function beside(tab) {
  await show(tab, '#replay .map');
  await tab.waitFor(() => document.querySelector('.jobs tbody tr') !== null);
  await tab.evaluate(() => {
    const select = document.querySelectorAll('#replay .pick select')[4];
    select.value = '1';
    select.dispatchEvent(new Event('change'));
  });
  await tab.waitFor(
    () =>
      document.querySelector('.plan-of') !== null &&
      [...document.querySelectorAll('canvas.plan')].every(({ width }) => width > 300),
  );
}

/** Where the results begin in a wide window, right of the scenario and under the tabs, in CSS pixels. */
const RESULTS = { left: 330, top: 91 };

/** Racks of 18, 18 and 12 nodes below one switch, and of 18 and 18 below another. */
const ISLANDS = [
  ['system', 'tree'],
  ['tree', '((18,18,12),(18,18))'],
  ['oversubscription', '2'],
  ['policy', 'easy+slurm-tree,easy+slurm-linear'],
  ['x', 'none'],
  ['load', '0.8'],
  ['jobs', '2000'],
];

/**
 * The pictures by name: how the page is visited, which scenario is opened, what is done there, and
 * where the picture begins.
 */
const PICTURES = {
  answer: { window: { width: 1280, height: 900 }, reach: async () => {} },
  compare: {
    window: { width: 1280, height: 800 },
    from: RESULTS,
    reach: (tab) => show(tab, '#compare'),
  },
  inspector: {
    window: { width: 1280, height: 880 },
    from: RESULTS,
    reach: async (tab) => {
      await beside(tab);
      await show(tab, '.over-time');
    },
  },
  dark: {
    circumstances: { dark: true },
    window: { width: 1280, height: 800 },
    from: RESULTS,
    reach: async (tab) => {
      await beside(tab);
      await show(tab, '#inside');
    },
  },
  tree: {
    window: { width: 1280, height: 480 },
    from: RESULTS,
    scenario: ISLANDS,
    reach: (tab) => show(tab, '#inside'),
  },
  narrow: {
    circumstances: {
      emulate: {
        viewport: { width: 320, height: 640 },
        deviceScaleFactor: 2,
        isMobile: true,
        hasTouch: true,
      },
    },
    reach: (tab) => show(tab, '#legend'),
  },
};

/** A picture as WebP, which takes a third of what PNG takes, as good as it may be. */
async function smaller(tab, png, from) {
  const base64 = await tab.evaluate(
    async ([text, { left, top }, most]) => {
      const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(bitmap.width - left, bitmap.height - top);
      canvas.getContext('2d').drawImage(bitmap, -left, -top);
      for (let quality = 0.9; ; quality -= 0.05) {
        const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
        if (blob.size > most && quality > 0.5) continue;
        return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
      }
    },
    [png.toString('base64'), from, MOST],
  );
  return Buffer.from(base64, 'base64');
}

const host = await serve(site);
for (const [name, visit] of Object.entries(PICTURES)) {
  const { circumstances, window, from = { left: 0, top: 0 }, scenario: pairs, reach } = visit;
  const browser = await launch('chromium', circumstances);
  const link = pairs === undefined ? '' : core.write_link(scenario(pairs), '');
  const tab = await browser.open(host.url + link, window);
  await answer(tab);
  await tab.waitFor(
    () =>
      document.querySelectorAll('#charts canvas').length >= 3 &&
      document.querySelector('.tree canvas').width > 0,
  );
  await reach(tab);
  // The requests to the workers until now have been drawn two frames after their answers.
  await tab.evaluate(
    () =>
      new Promise((drawn) =>
        setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(drawn)), 1000),
      ),
  );
  const picture = await smaller(tab, await tab.screenshot(), from);
  await writeFile(join(folder, `${name}.webp`), picture);
  console.log(`${name}.webp: ${Math.ceil(picture.length / 1000)} kB`);
  await browser.close();
}
await host.close();
