// The page also works in WebKit, the engine of Safari: it comes to the answer it was built with,
// and to that of a link. WebKitGTK is driven by plain WebDriver, which tells nothing of the
// console, so the longer journeys are left to the other engines. It runs with the long tests.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROBE, site } from './browser.js';
import { core, scenario, simulate } from './core.js';
import { serve } from './server.js';

const browser = process.env.BACKFILL_WEBKIT;

test('webkit: the module runs in a worker, the page comes to its answer and to that of a link', {
  skip: !browser && 'a long test',
}, async () => {
  const host = await serve(site, { '/probe.js': PROBE });
  const port = 20_000 + (process.pid % 10_000);
  const driver = spawn('xvfb-run', ['-a', 'WebKitWebDriver', `--port=${port}`], {
    stdio: 'ignore',
    detached: true,
  });
  const ask = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`, {
      method,
      body: body && JSON.stringify(body),
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value.message}`);
    return value;
  };
  try {
    while (
      !(await ask('GET', 'status').then(
        () => true,
        () => false,
      ))
    )
      await sleep(200);
    const options = { binary: browser, args: ['--automation'] };
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
    const { sessionId } = await ask('POST', 'session', { capabilities });
    await ask('POST', `session/${sessionId}/url`, { url: host.url });
    assert.equal(await ask('GET', `session/${sessionId}/title`), 'Backfill');
    const script = `
      const done = arguments[0];
      const worker = new Worker('/probe.js', { type: 'module' });
      worker.onmessage = (event) => done(event.data);
      worker.onerror = (event) => done(event.message);
    `;
    const version = await ask('POST', `session/${sessionId}/execute/async`, { script, args: [] });
    assert.match(version, /^\d+\.\d+\.\d+$/);

    const says = async (wanted) => {
      const script = `
        const done = arguments[0];
        const look = () => {
          const words = document.querySelector('#badge').textContent;
          if (/verified|identical|different/i.test(words)) done([words, document.querySelector('#digest').textContent]);
          else setTimeout(look, 100);
        };
        look();
      `;
      const [words, digest] = await ask('POST', `session/${sessionId}/execute/async`, {
        script,
        args: [],
      });
      assert.match(words, wanted);
      return digest;
    };
    await ask('POST', `session/${sessionId}/timeouts`, { script: 120_000 });
    assert.equal(await says(/^verified in your browser/), simulate(scenario([])).digest);

    const text = scenario([
      ['k', '4'],
      ['jobs', '60'],
      ['reps', '2'],
      ['policy', 'fcfs+adaba,bgmbf+adaba'],
    ]);
    const { digest } = simulate(text);
    await ask('POST', `session/${sessionId}/url`, { url: 'about:blank' });
    await ask('POST', `session/${sessionId}/url`, {
      url: host.url + core.write_link(text, digest),
    });
    assert.equal(await says(/^identical to the link's result/), digest);
    assert.deepEqual(host.violations, []);
    await ask('DELETE', `session/${sessionId}`);
  } finally {
    process.kill(-driver.pid);
    await host.close();
  }
});
