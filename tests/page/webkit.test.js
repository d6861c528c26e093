// The page also works in WebKit, the engine of Safari: a visitor drops a log, runs it, opens a run
// and shares the answer, which its link leads to again. WebKitGTK is driven by plain WebDriver,
// which does not report the console, so the page itself collects errors. It runs with the long
// tests.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { probe, site } from './browser.js';
import { commandLine } from './built.js';
import { core, readTrace, scenario, simulate } from './core.js';
import { AT, LOG, ask as askForecast, fill, goThere, inWords } from './forecasts.js';
import { golden } from './golden.js';
import { bring, log } from './log.js';
import { serve } from './server.js';

const browser = process.env.BACKFILL_WEBKIT;
const skip = !browser && 'a long test';

/** Longer than anything takes on a shared machine, in milliseconds. */
const PATIENCE = 120_000;
/** How WebDriver names elements. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

let host;
let driver;
let session = '';

/** What the driver answers to a command. */
async function ask(method, path, body) {
  const port = 20_000 + (process.pid % 10_000);
  const answer = await fetch(`http://127.0.0.1:${port}/${path}`, {
    method,
    body: body && JSON.stringify(body),
  });
  const { value } = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${value.message}`);
  return value;
}

/** A command to the open window. */
const tell = (method, path, body) => ask(method, `session/${session}/${path}`, body);

/** What a function returns in the page. */
const evaluate = (call, argument) =>
  tell('POST', 'execute/sync', {
    script: `return (${call})(arguments[0]);`,
    args: [argument ?? null],
  });

/** Waits until a function returns something true in the page, and returns that. */
async function waitFor(call, argument) {
  for (const end = Date.now() + PATIENCE; ; ) {
    const found = await evaluate(call, argument).catch(() => null);
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${call}`);
    await sleep(100);
  }
}

/** Clicks the first element that matches, as a mouse does. */
async function click(selector) {
  const found = await tell('POST', 'element', { using: 'css selector', value: selector });
  await tell('POST', `element/${found[ELEMENT]}/click`, {});
}

/** Opens an address, as if it were the first; what the page throws from then on is collected. */
async function open(hash = '') {
  await tell('POST', 'url', { url: 'about:blank' });
  await tell('POST', 'url', { url: host.url + hash });
  await evaluate(() => {
    window.thrown = [];
    addEventListener('error', ({ message }) => window.thrown.push(message));
    addEventListener('unhandledrejection', ({ reason }) => window.thrown.push(String(reason)));
  });
}

/** The digest once the badge says this. */
const says = (words) =>
  waitFor(
    (words) =>
      new RegExp(words).test(document.querySelector('#badge').textContent) &&
      !document.querySelector('#run').disabled &&
      document.querySelector('#digest').textContent,
    words,
  );

/** Drops a log with this contents on the page. */
const drop = (content) =>
  evaluate((content) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], 'dropped.swf'));
    for (const type of ['dragenter', 'dragover', 'drop'])
      document.body.dispatchEvent(
        new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }),
      );
  }, content);

before(async () => {
  if (skip) return;
  host = await serve(site, { '/probe.js': probe() });
  driver = spawn(
    'xvfb-run',
    ['-a', 'WebKitWebDriver', `--port=${20_000 + (process.pid % 10_000)}`],
    { stdio: 'ignore', detached: true },
  );
  const isUp = () =>
    ask('GET', 'status').then(
      () => true,
      () => false,
    );
  while (!(await isUp())) await sleep(200);
  const options = { binary: browser, args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  session = (await ask('POST', 'session', { capabilities })).sessionId;
  await tell('POST', 'timeouts', { script: PATIENCE });
  await tell('POST', 'window/rect', { width: 1280, height: 900 });
});

after(async () => {
  if (skip) return;
  await tell('DELETE', '').catch(() => {});
  process.kill(-driver.pid);
  await host.close();
  assert.deepEqual(host.violations, []);
});

test('webkit: the module runs in a worker, the page comes to its answer and to that of a link', {
  skip,
}, async () => {
  await open();
  assert.equal(await tell('GET', 'title'), 'Backfill');
  const script = `
    const done = arguments[0];
    const worker = new Worker('/probe.js', { type: 'module' });
    worker.onmessage = (event) => done(event.data);
    worker.onerror = (event) => done(event.message);
  `;
  const version = await tell('POST', 'execute/async', { script, args: [] });
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.equal(await says('^verified in your browser'), simulate(scenario([])).digest);

  const text = scenario([
    ['k', '4'],
    ['jobs', '60'],
    ['reps', '2'],
    ['policy', 'fcfs+adaba,bgmbf+adaba'],
  ]);
  const { digest } = simulate(text);
  await open(core.write_link(text, digest));
  assert.equal(await says("^identical to the link's result"), digest);
  assert.deepEqual(await evaluate(() => window.thrown), []);
});

test('webkit: jobs that share links have the digests on file', { skip }, async () => {
  const shared = golden.filter(({ text }) => /guarantee/.test(text));
  assert.ok(shared.length >= 8);
  for (const { digest, text } of shared) {
    await open(core.write_link(text, digest));
    assert.equal(await says("^identical to the link's result"), digest, text);
  }
});

test('webkit: a log is dropped, run, looked into and shared', { skip }, async () => {
  const content = log(300);
  await open();
  await says('^verified in your browser');
  await waitFor(() => document.querySelector('#undo[data-hint]') !== null);

  await drop(content);
  await waitFor(() => /Jobs300/.test(document.querySelector('.report dl')?.textContent));
  await waitFor(() => /[?&]file=dropped\.swf.*&digest=/.test(location.hash));
  const first = await says('^computed here');

  // Another scenario, and Run.
  await evaluate(() => {
    const field = document.querySelector('[data-key="seed"] input');
    field.value = '9';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    const policy = document.querySelector('[data-key="policy"] .policy button:not(.own)');
    policy.click();
  });
  await waitFor(() => !document.querySelector('#run').disabled);
  await click('#run');
  await waitFor((was) => document.querySelector('#digest').textContent !== was, first);
  const mine = await says('^computed here');

  // Inside a run: the picture of its links, and a job.
  await click('#tabs a[href="#inside"]');
  await waitFor(() => document.querySelector('.instant output').textContent !== '');
  await waitFor(() => document.querySelector('.tree canvas, .map canvas').width > 100);
  await click('#tabs a[href="#jobs"]');
  await waitFor(() => document.querySelector('.jobs tbody tr') !== null);
  await click('.jobs tbody td');
  await waitFor(
    () =>
      /^Job \d/.test(document.querySelector('.one-job h3').textContent) &&
      document.querySelector('.one-job .why').textContent !== '',
  );

  await click('#share');
  const link = await waitFor(() => document.querySelector('dialog[open] textarea')?.value);
  const { pairs, digest } = core.read_link(new URL(link).hash);
  assert.equal(digest, mine);
  const trace = readTrace('dropped.swf', [new TextEncoder().encode(content)]);
  assert.equal(simulate(scenario(pairs), trace).digest, mine);
  trace.free();
  assert.deepEqual(await evaluate(() => window.thrown), []);
});

test('webkit: a forecast is that of the command line', { skip }, async () => {
  const tab = { evaluate, waitFor };
  await open();
  await says('^verified in your browser');
  await waitFor(() => document.querySelector('#undo[data-hint]') !== null);
  await drop(LOG);
  await says('^computed here');
  await goThere(tab);
  await waitFor(() => document.querySelector('.when .submit') !== null);
  await fill(tab, { Nodes: '12', 'Time limit': '3:00:00', Submitted: AT });
  const { wrong, sentence, chances } = await askForecast(tab);
  assert.equal(wrong, '');
  const question = ['--at', AT, '--size', '12', '--limit', '3', '--json'];
  const path = await bring('dropped.swf', LOG);
  const native = JSON.parse(
    execFileSync(commandLine, ['forecast', path, ...question], { encoding: 'utf8' }),
  );
  assert.match(sentence, new RegExp(`it waits ${inWords(native.p50.wait_s)}, in eight of`));
  assert.deepEqual(
    chances,
    native.chances.map(({ share }) => `${Math.round(100 * share)} %`),
  );
  assert.deepEqual(await evaluate(() => window.thrown), []);
});
