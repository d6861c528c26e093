// The npm package as others install it: in Node and in a page it gives what the module itself and the
// command line give, and says what is wrong in the core's words.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { ENGINES, launch } from './browser.js';
import { commandLine } from './built.js';
import { readTrace, scenario, simulate } from './core.js';
import { keysOf } from './golden.js';
import { NAME, importing, npmInstalled } from './installed.js';
import { log } from './log.js';
import { serve } from './server.js';

const { folder, installed, api: exported } = npmInstalled();
const api = await exported;
const tooEarly = await api.run({}).catch((error) => error);
await api.load();

const swf = log(300);
const LOG = { name: 'made.swf', bytes: new TextEncoder().encode(swf) };
const OF_LOG = {
  system: 'nodes',
  policy: ['recorded', 'fcfs', 'easy'],
  machine: 'log',
  load: 'as-logged',
  bandwidth: 'none',
  x: 'none',
};

/** The digest that the command line prints. */
function digestOf(words) {
  const printed = execFileSync(commandLine, ['run', ...words], { encoding: 'utf8' });
  return printed.match(/^digest ([0-9a-f]{16})$/m)?.[1];
}

/** Runs a script in the folder of the installed package, and returns what it prints. */
function inNode(script) {
  const file = join(folder, 'script.mjs');
  writeFileSync(file, script);
  return execFileSync(process.execPath, [file], { encoding: 'utf8' });
}

test('before the core is loaded, what is missing is said', () => {
  assert.equal(String(tooEarly), 'Error: the core is not loaded: await load() first');
});

test('the script of the README has at most ten lines and runs', () => {
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  const [, script] = readme.match(/```js\n([\s\S]*?)```/);
  const lines = script.trim().split('\n');
  assert.ok(lines.length <= 10, `${lines.length} lines`);
  const printed = inNode(script).trim().split('\n');
  assert.equal(printed.length, 10);
  for (const line of printed.slice(0, -1))
    assert.match(line, /^\S.* 0\.\d: [\d.,]+ ± [\d.,]+ \S+$/);
  const keys = ['policy=fcfs,easy,bgmbf', 'x=load:0.5,0.7,0.9', 'jobs=200', 'reps=5'];
  assert.equal(printed.at(-1), `digest ${digestOf(keys)}`);
});

test('a tree, whose digest is on no file, has the same everywhere', async () => {
  const words = ['system=tree', 'jobs=100', 'reps=2', 'policy=easy+slurm-tree', 'x=load:0.5,0.8'];
  const { digest } = await api.run(words.join('\n'));
  assert.equal(simulate(scenario(Object.entries(keysOf(words)))).digest, digest);
  assert.equal(digestOf(words), digest);
});

test('a scenario is keys, lines, a file, a link or an address', async () => {
  const keys = {
    k: 4,
    jobs: 40,
    reps: 2,
    policy: ['fcfs', 'easy'],
    x: 'load:0.8,1.6',
    promote: true,
  };
  const link = api.link(keys);
  const texts = [
    'k = 4\n# a remark\njobs=40 # few\n\nreps = 2\npolicy = fcfs,easy\nx = load:0.8,1.6\n',
    'k = 4\njobs = 40 # few\nreps = 2\npolicy = "fcfs,easy"\nx = "load:0.8,1.6"\n',
    link,
    `https://example.org/play/${link}`,
  ];
  for (const text of texts) assert.equal(api.link(text), link, text);
  const { scenario: opened, digest } = api.readLink(`https://example.org/${link}`);
  assert.equal(api.link(opened), link);
  assert.equal(digest, '');
  const short = `#z1?${deflateRawSync(link).toString('base64url')}`;
  for (const each of [short, `https://example.org/${short}`, link])
    assert.equal(await api.plainLink(each), link);
  assert.equal((await api.run(short)).digest, (await api.run(keys)).digest);
  await assert.rejects(api.run(short.slice(0, -1)), /^Error: this short link was altered or cut/);
});

test('a result has every metric by policy and x, and each run', async () => {
  const heard = [];
  const onProgress = (done, total) => heard.push([done, total]);
  const keys = { k: 4, jobs: 40, reps: 2, policy: 'fcfs,easy', x: 'load:0.8,1.6', y: 'slots:4,8' };
  const result = await api.run(keys, { onProgress });
  assert.deepEqual(heard.at(0), [1, 16]);
  assert.deepEqual(heard.at(-1), [16, 16]);
  assert.equal(result.summaries.length, 2);
  assert.deepEqual(
    result.outcomes.map(({ cell }) => cell.index),
    heard.map((_, place) => place),
  );
  for (const { x, policies, metrics, sentence } of result.summaries) {
    assert.deepEqual(x.values, ['0.8', '1.6']);
    assert.notEqual(sentence, '');
    const wait = metrics.find(({ name }) => name === 'wait_mean');
    assert.equal(wait.curves.length, policies.length);
    for (const { mean, half, n } of wait.curves.flat())
      assert.ok(mean !== '' && half !== null && n === 2);
  }
  assert.equal(typeof result.outcomes[0].metrics.wait_mean, 'number');
  assert.equal(result.log, null);
});

test('a log is read, named by its contents, and accounted for', async () => {
  const result = await api.run(OF_LOG, { log: LOG });
  assert.equal(result.log.jobs, 300);
  const keys = { ...OF_LOG, workload: 'swf', file: LOG.name, policy: OF_LOG.policy.join() };
  const text = scenario(Object.entries(keys));
  assert.equal(simulate(text, readTrace(LOG.name, [LOG.bytes])).digest, result.digest);
  const path = join(folder, LOG.name);
  writeFileSync(path, swf);
  const words = Object.entries({ ...keys, file: path }).map(([key, value]) => `${key}=${value}`);
  assert.equal(digestOf(words), result.digest);
  assert.equal((await api.run(result.link, { log: LOG })).digest, result.digest);

  const other = { name: 'other.swf', bytes: new TextEncoder().encode(log(200)) };
  await assert.rejects(
    api.run(result.link, { log: other }),
    /^Error: sha256 = \w+: other\.swf has/,
  );
});

test('why a job waits is explained, and when one would start is forecast', async () => {
  const keys = { k: 4, jobs: 40, reps: 1, policy: 'easy', x: 'none', load: 1.6 };
  const pieces = await api.explain(keys, 12);
  assert.match(pieces[0], /^Job 13 /);
  await assert.rejects(api.explain(keys, 40), { message: 'the run has no job 40' });

  const long = { name: 'long.swf', bytes: new TextEncoder().encode(log(9000)) };
  const { policy, ...machine } = OF_LOG;
  const asked = { size: 64, limit: 4, at: 2_500_000 };
  const heard = [];
  const options = { log: long, onProgress: (done, total) => heard.push([done, total]) };
  const told = await api.forecast({ ...machine, policy: policy[2], futures: 30 }, asked, options);
  assert.equal(told.forecast.futures, 30);
  assert.deepEqual(heard.at(-1), [30, 30]);
  assert.match(told.premise, /^A job of 64 nodes with a limit of 4 h 00 min/);
  const path = join(folder, long.name);
  writeFileSync(path, long.bytes);
  const given = {
    ...machine,
    workload: 'swf',
    file: path,
    policy: policy[2],
    futures: 30,
    reps: 1,
  };
  const words = Object.entries(given).map(([key, value]) => `${key}=${value}`);
  const job = ['--at', '2500000', '--size', '64', '--limit', '4', '--json'];
  const printed = execFileSync(commandLine, ['forecast', ...words, ...job], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(printed), told.forecast);
});

test('what is wrong is an error with the words of the core', async () => {
  const wrong = { name: 'Error', message: /^kk = 4: there is no such key; / };
  await assert.rejects(api.run({ kk: 4 }), wrong);
  assert.throws(() => api.link('kk = 4'), wrong);
  assert.equal(api.readLink('#v1?k=4').typed, true);
  assert.throws(() => api.readLink('#v1?k=4&sum='), /^Error: the end of this link is missing/);
  assert.throws(() => api.link('k'), /^Error: Line 1: write key = value/);
  const empty = { name: 'empty.swf', bytes: new TextEncoder().encode('; MaxProcs: 4\n') };
  await assert.rejects(
    api.run({}, { log: empty }),
    /^Error: empty\.swf: no usable job in 1 line; /,
  );
});

test('after a fault of the core, every call says so', () => {
  const printed = inNode(`import { load, run } from '${NAME}';
import { panic_on_purpose } from './node_modules/${NAME}/backfill_web.js';
await load();
try { panic_on_purpose(); } catch {}
await run({}).catch((error) => console.log(String(error)));`);
  assert.match(printed, /^Error: a fault of the core, .*: panicked at /);
});

test('an aborted signal ends a run with its reason', async () => {
  const reason = new Error('enough');
  await assert.rejects(
    api.run({}, { signal: AbortSignal.abort(reason) }),
    (error) => error === reason,
  );
  await assert.rejects(
    api.run({}, { signal: AbortSignal.abort('text') }),
    (error) => error === 'text',
  );
  const abort = new AbortController();
  let heard = 0;
  const onProgress = (done) => {
    heard = done;
    if (done === 3) abort.abort(reason);
  };
  const options = { signal: abort.signal, onProgress };
  await assert.rejects(api.run({ jobs: 50, reps: 10 }, options), (error) => error === reason);
  assert.equal(heard, 3);
});

test('its types are those of a strict program', () => {
  writeFileSync(
    join(folder, 'use.ts'),
    `import { explain, forecast, link, load, readLink, run } from '${NAME}';
import type { Result, Scenario } from '${NAME}';

const scenario: Scenario = { policy: ['easy'], x: 'none', promote: true, k: 4 };
await load(new Uint8Array());
const options = { signal: new AbortController().signal, onProgress: (done: number) => done };
const result: Result = await run(scenario, options);
const half: string | null | undefined = result.summaries[0].metrics[0].curves[0][0]?.half;
const log = { name: 'a.swf', bytes: new Uint8Array() };
const told = await forecast(link(scenario), { size: 1, limit: '4:00:00', at: 0 }, { log });
const p50: number | null = told.forecast.p50.wait_s;
const pieces = await explain(readLink('#').scenario, 3, { at: 5, run: 1 });
// @ts-expect-error: a job without an instant
await forecast(scenario, { size: 1, limit: 4 });
// @ts-expect-error: no scenario
await run(4);
export { half, p50, pieces };
`,
  );
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  const flags = '--noEmit --strict --target es2022 --module nodenext --types'.split(' ');
  execFileSync(process.execPath, [tsc, ...flags, '', 'use.ts'], { cwd: folder, stdio: 'inherit' });
});

for (const engine of ENGINES) {
  test(`${engine}: a page that imports it gets what Node gets`, async () => {
    const site = importing(installed, join(folder, engine));
    const host = await serve(site);
    const browser = await launch(engine);
    try {
      const tab = await browser.open(host.url);
      await tab.waitFor(() => document.title === 'loaded');
      const ofLog = await tab.evaluate(
        async ({ keys, name, swf }) => {
          const log = { name, bytes: new TextEncoder().encode(swf) };
          return (await globalThis.api.run(keys, { log })).digest;
        },
        { keys: OF_LOG, name: LOG.name, swf },
      );
      assert.equal(ofLog, (await api.run(OF_LOG, { log: LOG })).digest);
      const errors = await tab.evaluate(async () => {
        const { run } = globalThis.api;
        const empty = { name: 'empty.swf', bytes: new TextEncoder().encode('; MaxProcs: 4\n') };
        const all = [
          run({ kk: 4 }),
          run({}, { log: empty }),
          run({}, { signal: AbortSignal.abort(new Error('enough')) }),
        ];
        return (await Promise.allSettled(all)).map(({ reason }) => String(reason));
      });
      assert.match(errors[0], /^Error: kk = 4: there is no such key/);
      assert.match(errors[1], /^Error: empty\.swf: no usable job/);
      assert.equal(errors[2], 'Error: enough');
      assert.deepEqual(await tab.faults(), []);
      assert.deepEqual(host.violations, []);
    } finally {
      await browser.close();
      await host.close();
    }
  });
}
