// Faults: they are reported in words, finished work is kept, and the page goes on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAILY_ENGINES } from './browser.js';
import { SMALL, core, scenario, simulate } from './core.js';
import { bring, log } from './log.js';
import { answer, enter, followLink, read, run, share } from './visitor.js';
import { visitsIn } from './visits.js';

const visit = visitsIn(DAILY_ENGINES);

/** Files without one usable job, and the expected message for each. */
const USELESS = [
  ['empty.swf', '', /empty\.swf.*the file is empty/],
  [
    'noise.swf',
    Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256)),
    /noise\.swf.*binary/,
  ],
  [
    'log.zip',
    Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(64)]),
    /log\.zip.*zip archive.*unpack/,
  ],
  ['page.swf', '<!doctype html><title>Not found</title>', /page\.swf.*web page/],
  ['letters.swf', 'the quick brown fox\njumps over\n', /letters\.swf.*no usable job.*line 1/],
  [
    'short.swf.gz',
    Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]),
    /short\.swf\.gz.*gzip/,
  ],
  ['list.csv', 'job,size\n1,2\n', /list\.csv/],
  ['minus.swf', `${Array(18).fill('-1').join(' ')}\n`, /minus\.swf.*no usable job/],
];

/** Values that are no scenario, and the expected message for each. */
const WRONG = [
  ['k', '7', /7: must be an even whole number from 2 to 64/],
  ['slots', '0', /0: must be a whole number from 1/],
  ['jobs', '1e12', /1e12: must be a whole number/],
  ['size', 'uniform:9:1', /./],
  ['x', '0.3:0.9:0', /./],
  ['reps', '<b>ten</b>', /<b>ten<\/b>: must be a whole number/],
];

for (const engine of DAILY_ENGINES) {
  test(`${engine}: a link that is followed during a run ends it and is run`, async () => {
    const tab = await visit[engine](SMALL);
    await answer(tab);
    const pairs = [
      ['k', '4'],
      ['jobs', '40'],
      ['reps', '2'],
    ];
    const { digest } = simulate(scenario(pairs));
    await enter(tab, 'jobs', '1000');
    await enter(tab, 'reps', '400');
    await tab.click('#run');
    await tab.waitFor(
      () => Number.parseInt(document.querySelector('#status').textContent, 10) >= 4,
    );
    // It promises its own digest, which is not that of the run it ends.
    const link = core.write_link(scenario(pairs), digest);
    await followLink(tab, link);
    await tab.waitFor(() =>
      /^identical to the link's result/.test(document.querySelector('#badge').textContent),
    );
    const now = await answer(tab);
    assert.equal(now.digest, digest);
    assert.deepEqual(now.banners, []);
    assert.equal(await tab.evaluate(() => location.hash), link);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a cancelled run keeps its finished cells and the next one works`, async () => {
    const tab = await visit[engine](SMALL);
    await answer(tab);
    await enter(tab, 'jobs', '1000');
    await enter(tab, 'reps', '400');
    await tab.click('#run');
    // The message counts running cells in part: of 22 at least 20 have ended.
    await tab.waitFor(
      () => Number.parseInt(document.querySelector('#status').textContent, 10) >= 22,
    );
    const took = await tab.evaluate(
      () =>
        new Promise((resolve) => {
          const begun = performance.now();
          const wait = () => {
            if (
              document.querySelector('#cancel').disabled &&
              !document.querySelector('#run').disabled
            )
              resolve(performance.now() - begun);
            else setTimeout(wait, 5);
          };
          document.querySelector('#cancel').click();
          wait();
        }),
    );
    console.log(`# ${engine}: cancelled after ${Math.round(took)} ms (aim: 100)`);
    const kept = await read(tab);
    const [, done, all] = kept.status.match(/^Cancelled: ([\d,]+) of ([\d,]+) runs are kept/) ?? [];
    assert.ok(Number(done.replace(',', '')) >= 20, kept.status);
    assert.equal(all, '6,400');
    assert.match(kept.badge, /^partial: /);
    await tab.evaluate(() => {
      document.querySelector('#numbers').open = true;
    });
    await tab.waitFor(() =>
      /\d/.test(document.querySelector('#table tbody td')?.textContent ?? ''),
    );

    await enter(tab, 'jobs', '50');
    await enter(tab, 'reps', '2');
    const next = await run(tab);
    assert.match(next.badge, /^computed here/);
    assert.match(next.digest, /^[0-9a-f]{16}$/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: Run pressed twice is one run, and what is edited meanwhile does not mix in`, async () => {
    const tab = await visit[engine](SMALL);
    const { digest } = await answer(tab);
    await tab.evaluate(() => {
      document.querySelector('#run').click();
      document.querySelector('#run').click();
    });
    const again = await answer(tab);
    assert.equal(again.digest, digest);
    await tab.evaluate(() => document.querySelector('#run').click());
    // As many as are not answered without Run.
    await enter(tab, 'reps', '900');
    const stale = await answer(tab);
    assert.match(stale.badge, /Settings changed/);
    assert.equal(stale.digest, digest);
    await tab.close();
  });

  test(`${engine}: a panic in a worker shows its text and the next run works without reload`, async () => {
    const tab = await visit[engine]('?fault=panic');
    const text = await tab.waitFor(() => document.querySelector('.banner pre')?.textContent);
    assert.match(text, /panicked at .*\n?.*asked to panic/);
    await tab.waitFor(
      () => document.querySelector('#cancel').disabled && !document.querySelector('#run').disabled,
    );
    assert.doesNotMatch((await read(tab)).badge, /verified|identical/);
    const next = await run(tab);
    assert.match(next.digest, /^[0-9a-f]{16}$/);
    assert.deepEqual(next.banners, []);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a file without a usable job gets one sentence, and the page goes on`, async () => {
    const tab = await visit[engine](SMALL);
    await answer(tab);
    for (const [name, content, expected] of USELESS) {
      await tab.choose('#file', await bring(name, content));
      const said = await tab.waitFor((file) => {
        const words = document.querySelector('.banner .words')?.textContent;
        return words?.startsWith(file) && words;
      }, name);
      assert.match(said, expected);
    }
    // Even while the form holds a value that is wrong.
    await enter(tab, 'k', '7');
    const path = await bring('good.swf', log(40));
    await tab.choose('#file', path);
    await tab.waitFor(() => document.querySelector('.report dl')?.textContent.includes('Jobs40'));
    assert.equal(await enter(tab, 'k', '6'), '');
    assert.match((await run(tab)).badge, /^computed here/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a value that is wrong is said to be so at its field, and is not run`, async () => {
    const tab = await visit[engine](SMALL);
    await answer(tab);
    for (const [key, text, expected] of WRONG) {
      const before = await tab.evaluate((name) => {
        const field = document.querySelector(`[data-key="${name}"] input[type="text"]`);
        return field.value;
      }, key);
      assert.match(await enter(tab, key, text), expected, `${key} = ${text}`);
      const state = await tab.evaluate(
        (name) => ({
          invalid: document.querySelector(`[data-key="${name}"] [aria-invalid="true"]`) !== null,
          run: document.querySelector('#run').disabled,
          bold: document.querySelectorAll('#form b').length,
        }),
        key,
      );
      assert.deepEqual(state, { invalid: true, run: true, bold: 0 });
      assert.equal(await enter(tab, key, before), '', `${key} = ${before}`);
    }
    assert.match((await run(tab)).badge, /^(verified in your browser|computed here)/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a damaged link is refused in words, and nothing takes its place`, async () => {
    const source = await visit[engine]('#v1?jobs=40&reps=2&policy=fcfs,easy');
    const { digest } = await answer(source);
    const link = await share(source);
    const hash = new URL(link).hash;
    await source.close();
    for (const [damaged, expected] of [
      [hash.slice(0, -3), /the end of this link is missing|altered/],
      [hash.replace('jobs=40', 'jobs=41'), /altered/],
      [hash.replace('#v1', '#v9'), /version 9|v1 is known/],
      ['#nonsense', /no link to a scenario/],
    ]) {
      const tab = await visit[engine](damaged);
      const said = await tab.waitFor(() => document.querySelector('.banner .words')?.textContent);
      assert.match(said, /^This link cannot be opened/);
      assert.match(said, expected);
      assert.ok((await read(tab)).hidden, 'no other answer is shown');
      assert.equal(await tab.evaluate(() => location.hash), damaged);
      await tab.click('.banner button');
      assert.match((await answer(tab)).badge, /^verified in your browser/);
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    }

    // A link whose result differs from ours is reported as such, loudly.
    const { text } = core.read_scenario(core.read_link(hash).pairs);
    const tab = await visit[engine](core.write_link(text, '0123456789abcdef'));
    const { badge, banners, digest: theirs } = await answer(tab);
    assert.equal(theirs, digest);
    assert.match(badge, /not the result that the link was made with/);
    assert.match(banners.join(), /0123456789abcdef/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

test('chromium: where storage is denied the page still works', async () => {
  const tab = await visit.chromium();
  await tab.evaluate(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    document.querySelector('#theme').click();
  });
  assert.equal(await tab.evaluate(() => document.documentElement.dataset.theme), 'light');
  assert.match((await answer(tab)).badge, /^verified/);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
