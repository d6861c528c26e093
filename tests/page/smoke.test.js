// The page opens and its module runs, in every engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ENGINES, launch, probe, site } from './browser.js';
import { serve } from './server.js';

for (const engine of ENGINES) {
  test(`${engine}: the page opens without a fault and the module runs in a worker`, async () => {
    const host = await serve(site, { '/probe.js': probe() });
    const browser = await launch(engine);
    try {
      const tab = await browser.open(host.url);
      assert.equal(await tab.evaluate(() => document.title), 'Backfill');
      const version = await tab.evaluate(
        () =>
          new Promise((resolve, reject) => {
            const worker = new Worker('/probe.js', { type: 'module' });
            worker.onmessage = (event) => resolve(event.data);
            worker.onerror = (event) => reject(new Error(event.message));
          }),
      );
      assert.match(version, /^\d+\.\d+\.\d+$/);
      assert.deepEqual(await tab.faults(), []);
      assert.deepEqual(host.violations, []);
    } finally {
      await browser.close();
      await host.close();
    }
  });

  test(`${engine}: every kind of fault is noticed`, async () => {
    const host = await serve(site, {
      '/probe.js': "fetch('http://192.0.2.1/from-a-worker').catch(() => {});",
    });
    const browser = await launch(engine);
    try {
      const tab = await browser.open(host.url);
      await tab.takeFaults();
      const faultsAfter = async (call) => {
        await tab.evaluate(call);
        for (;;) {
          const faults = await tab.takeFaults();
          if (faults.length > 0) return faults.join('\n');
          await sleep(50);
        }
      };
      assert.match(await faultsAfter(() => console.error('on purpose')), /on purpose/);
      const fail = () => {
        setTimeout(() => {
          throw new Error('thrown on purpose');
        });
      };
      assert.match(await faultsAfter(fail), /thrown on purpose/);
      const leave = () => {
        fetch('http://192.0.2.1/').catch(() => {});
      };
      assert.match(await faultsAfter(leave), /content security policy: connect-src/);
      await tab.evaluate(() => {
        new Worker('/probe.js', { type: 'module' });
      });
      while (!host.violations.some((text) => text.includes('from-a-worker'))) await sleep(50);
    } finally {
      await browser.close();
      await host.close();
    }
  });

  test(`${engine}: windows, colours, keys and files reach the page`, async () => {
    const host = await serve(site);
    const browser = await launch(engine, { dark: true });
    try {
      const tab = await browser.open(host.url, { width: 320, height: 568, scale: 2 });
      const look = () => [
        innerWidth,
        devicePixelRatio,
        matchMedia('(prefers-color-scheme: dark)').matches,
      ];
      assert.deepEqual(await tab.evaluate(look), [320, 2, true]);
      await tab.resize(900, 600);
      assert.equal(await tab.evaluate(() => innerWidth), 900);

      await tab.evaluate(() => {
        const field = document.body.appendChild(document.createElement('input'));
        field.id = 'field';
        field.value = 'before';
        document.body.addEventListener('drop', (event) => {
          field.name = [...event.dataTransfer.files].map((file) => file.name).join();
        });
      });
      await tab.type('#field', 'after');
      assert.equal(await tab.evaluate(() => document.querySelector('#field').value), 'after');
      await tab.drop(
        'body',
        fileURLToPath(import.meta.url),
        fileURLToPath(new URL('server.js', import.meta.url)),
      );
      await tab.waitFor(() => document.querySelector('#field').name === 'smoke.test.js,server.js');
      assert.equal((await tab.screenshot()).subarray(1, 4).toString(), 'PNG');
    } finally {
      await browser.close();
      await host.close();
    }
  });
}
