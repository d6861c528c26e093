// Files that come otherwise than by choosing or dropping them: pasted, or named by the page's
// address.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINES } from './browser.js';
import { core, readTrace, scenario, simulate } from './core.js';
import { log } from './log.js';
import { answer, run, share } from './visitor.js';
import { visits } from './visits.js';

const LOG = log(60);

/**
 * Pastes a text into an element. Not every browser takes what an event made by a script shall
 * carry.
 */
const paste = (tab, text, into = 'body') =>
  tab.evaluate(
    ([pasted, selector]) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'clipboardData', { value: clipboardData });
      document.querySelector(selector).dispatchEvent(event);
    },
    [text, into],
  );

/** Waits for a banner with this text, and returns its words. */
const banner = (tab, pattern) =>
  tab.waitFor(
    (source) =>
      [...document.querySelectorAll('.banner .words')]
        .map((each) => each.textContent)
        .find((words) => new RegExp(source).test(words)),
    pattern.source,
  );

/** Waits until the page has read this many jobs of a log. */
const account = (tab, jobs) =>
  tab.waitFor(
    (wanted) =>
      document.querySelector('.report dd')?.textContent === wanted &&
      !document.querySelector('#run').disabled,
    String(jobs),
  );

for (const engine of ENGINES) {
  const visit = visits(engine, { '/logs/small.swf': LOG, '/logs/other.swf': log(61) });

  test(`${engine}: the address names a log that lies beside the page, and a link with it is checked and run`, async () => {
    const tab = await visit('?trace=logs/small.swf');
    await account(tab, 60);
    const first = await run(tab);
    const trace = readTrace('small.swf', [Buffer.from(LOG)]);
    const text = await tab
      .evaluate(() => location.hash)
      .then((hash) => scenario(core.read_link(hash).pairs));
    assert.equal(first.digest, simulate(text, trace).digest);
    const link = await share(tab);
    assert.match(link, /\?trace=logs\/small\.swf#v1/);
    await tab.close();

    const other = await visit(link);
    await other.waitFor(() =>
      /^identical to the link's result/.test(document.querySelector('#badge').textContent),
    );
    assert.deepEqual(await other.faults(), []);
    await other.close();

    const wrong = await visit(link.replace('small', 'other'));
    assert.match(await banner(wrong, /not the file/), /nothing was run/);
    await wrong.close();
  });

  test(`${engine}: a log that is named but not there, or lies elsewhere, is said to be so`, async () => {
    const tab = await visit('?trace=logs/none.swf');
    assert.match(await banner(tab, /none\.swf/), /404/);
    assert.match((await answer(tab)).badge, /^verified in your browser/);
    await tab.close();

    const elsewhere = await visit('?trace=https://logs.example/log.swf');
    assert.match(await banner(elsewhere, /logs\.example/), /asks nothing of other hosts/);
    assert.deepEqual(await elsewhere.faults(), []);
    await elsewhere.close();
  });

  test(`${engine}: what is pasted is opened as what it is`, async () => {
    const tab = await visit();
    await answer(tab);
    await paste(tab, LOG);
    await account(tab, 60);
    await answer(tab);
    assert.match(await tab.evaluate(() => location.hash), /file=pasted\.swf/);

    await paste(tab, 'job,submit_us,size,bandwidth_kbps,runtime_us\n1,0,2,1000,60000000\n');
    await account(tab, 1);
    await answer(tab);

    await paste(tab, '# a scenario\nk = 4\njobs = 30\nreps = 2\n');
    await tab.waitFor(() => location.hash.includes('jobs=30'));
    assert.equal(
      (await run(tab)).digest,
      simulate(
        scenario([
          ['k', '4'],
          ['jobs', '30'],
          ['reps', '2'],
        ]),
      ).digest,
    );

    const pairs = [
      ['k', '4'],
      ['jobs', '20'],
      ['reps', '2'],
    ];
    const { digest } = simulate(scenario(pairs));
    await paste(tab, `https://example.org/backfill/${core.write_link(scenario(pairs), digest)}`);
    await tab.waitFor(() =>
      /^identical to the link's result/.test(document.querySelector('#badge').textContent),
    );

    // What is typed into a field is the field's.
    await paste(tab, 'nothing of use', '[data-key="jobs"] input');
    const now = await answer(tab);
    assert.equal(now.digest, digest);
    assert.deepEqual(now.banners, []);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a scenario is run with the log that it names, also when another came since`, async () => {
    const tab = await visit();
    await answer(tab);
    await paste(tab, LOG);
    await account(tab, 60);
    const first = await run(tab);
    await paste(tab, log(61));
    await account(tab, 61);
    const second = await run(tab);
    assert.notEqual(first.digest, second.digest);
    await tab.click('#undo');
    await account(tab, 60);
    const again = await run(tab);
    assert.equal(again.digest, first.digest);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
