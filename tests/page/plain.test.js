// A page that cannot compute still shows its contents: without scripts, without WebAssembly,
// without its module.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINES, launch, site } from './browser.js';
import { builtOf } from './built.js';
import { MEDIA_TYPES, serve } from './server.js';
import { answer } from './visitor.js';
import { visits } from './visits.js';

/** What can be read of the answer that the page was built with. */
function told(tab) {
  return tab.evaluate(() => {
    const text = (/** @type {string} */ selector) => {
      const element = document.querySelector(selector);
      return element?.checkVisibility({ visibilityProperty: true }) ? element.innerText.trim() : '';
    };
    const numbers = document.querySelector('#numbers');
    numbers.querySelector('summary').click();
    return {
      sentence: text('#sentence'),
      caption: text('#caption'),
      digest: text('#digest'),
      legend: [...document.querySelectorAll('#legend > *')].filter(
        (each) => each.getClientRects().length > 0,
      ).length,
      figures: [...document.querySelectorAll('#charts svg')].filter(
        (each) => each.getBoundingClientRect().height > 100,
      ).length,
      opened: numbers.open,
      cells: [...document.querySelectorAll('#table td')].filter((each) => /\d/.test(each.innerText))
        .length,
      hint: text('noscript p'),
      controls: [...document.querySelectorAll('button, input:not(.unseen), select')].filter(
        (each) => each.getClientRects().length > 0,
      ).length,
    };
  });
}

/** The answer is there: in words, in figures, in numbers. */
function readable(found) {
  assert.match(found.sentence, /\d/);
  assert.match(found.caption, /\w{3}/);
  assert.match(found.digest, /^[0-9a-f]{16}$/);
  assert.equal(found.figures, 3);
  assert.ok(found.opened && found.cells > 20, `${found.cells} numbers`);
  assert.ok(found.legend > 1);
}

/** Failed requests. A tab without scripts reports no faults: it would wait for a timer. */
const missing = (host) =>
  host.requests.filter(({ status }) => status !== 200).map(({ path }) => path);

test('chromium: without scripts the answer, its figures and its numbers are there, and what is missing is said', async () => {
  const host = await serve(site);
  const browser = await launch('chromium', { emulate: { javaScriptEnabled: false } });
  try {
    for (const width of [320, 1280]) {
      const tab = await browser.open(host.url, { width });
      const found = await told(tab);
      readable(found);
      assert.match(found.hint, /need JavaScript and WebAssembly/);
      assert.equal(found.controls, 0, 'nothing that would not work');
      await tab.close();
    }
    assert.deepEqual(missing(host), []);
    assert.deepEqual(host.violations, []);
  } finally {
    await browser.close();
    await host.close();
  }
});

for (const engine of ENGINES) {
  const withoutWasm = visits(engine, {}, { before: () => delete globalThis.WebAssembly });

  test(`${engine}: without WebAssembly the answer is there, and what is missing is said`, async () => {
    const tab = await withoutWasm();
    const said = await tab.waitFor(() => document.querySelector('.banner.loud .words')?.innerText);
    assert.match(said, /WebAssembly/);
    readable(await told(tab));
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  const module = builtOf('pkg/backfill_web_bg.wasm');
  const withoutModule = visits(engine, { [`/${module}`]: null });

  test(`${engine}: without the module the answer is there, and what is missing is said`, async () => {
    const tab = await withoutModule();
    const said = await tab.waitFor(() => document.querySelector('.banner.loud .words')?.innerText);
    assert.ok(said.includes(`${module}: 404`), said);
    readable(await told(tab));
    const faults = await tab.takeFaults();
    assert.ok(
      faults.every((fault) => /404|Not Found/i.test(fault)),
      faults.join(),
    );
    await tab.close();
  });

  test(`${engine}: a host that sends the module as plain bytes makes no difference`, async () => {
    const host = await serve(site, {}, { ...MEDIA_TYPES, '.wasm': 'application/octet-stream' });
    const browser = await launch(engine);
    try {
      const tab = await browser.open(host.url);
      assert.match((await answer(tab)).badge, /^verified in your browser/);
      assert.deepEqual(await tab.faults(), []);
    } finally {
      await browser.close();
      await host.close();
    }
  });
}
