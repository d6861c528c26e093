// A visitor's journey: a finished answer at once, a log of one's own, curves, a look inside a run,
// and a link that a second visitor opens to the same scenario and the same digest.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DAILY_ENGINES, ENGINES, site } from './browser.js';
import { SMALL } from './core.js';
import { bring, gzipTwice, log } from './log.js';
import {
  answer,
  ask,
  choose,
  compare,
  copiedReport,
  enter,
  read,
  run,
  share,
  untilDrawnAnew,
  untilInked,
} from './visitor.js';
import { visits } from './visits.js';

/** A line that is repaired, one with a field too few, one with letters: the report must say so. */
const DIRT = [
  '900 100 -1 60 -1 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1',
  '901 100 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1',
  '902 x -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1',
];

test('the page as it is sent holds the finished answer', async () => {
  const page = await readFile(join(site, 'index.html'), 'utf8');
  assert.doesNotMatch(page, /baked:/);
  assert.match(page, /<code id="digest">[0-9a-f]{16}<\/code>/);
  assert.equal(page.match(/<figure class="chart">/g)?.length, 3);
  assert.equal(page.match(/<table>/g)?.length, 3);
  assert.doesNotMatch(page, / style=| on[a-z]+=|<script>/);
  const endings = page.match(/accept="([^"]*)"/)[1].split(',');
  for (const ending of '.swf .gz .csv .txt .log .out .psv .tsv .json .toml'.split(' '))
    assert.ok(endings.includes(ending), ending);
});

for (const engine of ENGINES) {
  const visit = visits(engine);

  test(`${engine}: the finished answer is computed again and verified`, async () => {
    const tab = await visit();
    const first = await tab.evaluate(() => document.querySelectorAll('#charts figure').length);
    assert.equal(first, 3);
    const { badge, digest } = await answer(tab);
    assert.match(badge, /^verified in your browser \(/);
    const page = await readFile(join(site, 'index.html'), 'utf8');
    assert.match(page, new RegExp(`<code id="digest">${digest}</code>`));
    await tab.waitFor(() => document.querySelectorAll('#charts canvas').length === 3);
    for (const place of [1, 2, 3])
      await untilInked(tab, `#charts .chart:nth-child(${place}) canvas`);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a dropped log is accounted for, compared, looked into and shared`, async () => {
    const path = await bring('made-up.swf.gz', gzipTwice(log(300, DIRT)));
    const tab = await visit();
    await answer(tab);

    await tab.drop('body', path);
    const words = await tab.waitFor(() => document.querySelector('.report')?.textContent);
    assert.match(words, /^2 of 303 lines rejected and not simulated\.Jobs301/);
    const report = await copiedReport(tab);
    await tab.press('Escape');
    assert.match(report, /\nRepaired: 1\nRejected: 2\n/);
    assert.match(report, /\nwrong number of fields\n {2}Lines: 1 \(line 304\)\n/);
    assert.match(report, /\nnot a number\n {2}Lines: 1 \(line 305\)\n {2}Field: submit time\n/);
    assert.match((await answer(tab)).badge, /^computed here/);

    await ask(tab, 'bandwidth guarantees');
    await answer(tab);
    assert.equal(await enter(tab, 'k', '4'), '');
    assert.equal(await enter(tab, 'reps', '2'), '');
    await compare(tab, 'none+adaba', 'none+oktopus', 'fcfs+adaba', 'bgmbf+adaba');
    const mine = await run(tab);
    assert.match(mine.badge, /^computed here/);
    assert.match(mine.digest, /^[0-9a-f]{16}$/);
    assert.deepEqual(mine.policies, [
      'FCFS + AdaBa',
      'BgMBF + AdaBa',
      'No queue + AdaBa',
      'No queue + Oktopus',
    ]);
    await tab.evaluate(() => {
      document.querySelector('#numbers').open = true;
    });
    const cells = await tab.waitFor(() => {
      const found = [...document.querySelectorAll('#table table:first-child tbody td')].map(
        (each) => each.textContent,
      );
      return found.length === 4 && found;
    });
    for (const cell of cells) assert.match(cell, /^\d+\.\d± \d+\.\d$/);

    await tab.waitFor(
      () =>
        !document.querySelector('#inside').hidden &&
        document.querySelector('.instant output').textContent !== '',
    );
    await untilInked(tab, '.tree canvas');
    const before = await tab.evaluate(() => document.querySelector('.tree canvas').toDataURL());
    await tab.evaluate(() => {
      const time = document.querySelector('.instant input');
      time.value = '0';
      time.dispatchEvent(new Event('input'));
    });
    await untilDrawnAnew(tab, '.tree canvas', before);
    await tab.evaluate(() => document.querySelector('.pick input[type="checkbox"]').click());
    await tab.waitFor(() => document.querySelector('.instant output').textContent === 'whole run');

    const link = await share(tab);
    assert.match(link, /#v1\?.*file=made-up\.swf\.gz.*digest=/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();

    const other = await visit(link);
    const asked = await other.waitFor(() => document.querySelector('.banner')?.textContent);
    assert.match(asked, /This link uses the trace made-up\.swf\.gz/);
    assert.ok((await read(other)).hidden, 'no other answer stands in for the one that was linked');
    const wrong = await bring('made-up.swf.gz', gzipTwice(log(299)));
    await other.choose('#file', wrong);
    await other.waitFor(() =>
      /is not the file/.test(document.querySelector('#banners').textContent),
    );
    await other.choose('#file', path);
    const theirs = await answer(other);
    assert.match(theirs.badge, /^identical to the link's result/);
    assert.equal(theirs.digest, mine.digest);
    assert.deepEqual(theirs.policies, mine.policies);
    assert.deepEqual(await other.faults(), []);
    await other.close();
  });

  if (!DAILY_ENGINES.includes(engine)) continue;

  test(`${engine}: a link to generated jobs opens by itself and says whether the result is the same`, async () => {
    const tab = await visit(SMALL);
    await answer(tab);
    await enter(tab, 'jobs', '60');
    await enter(tab, 'reps', '3');
    await choose(tab, 'fabric', 'single-root');
    await tab.evaluate(() => {
      for (const each of document.querySelectorAll('[data-key="seed"] button')) each.click();
    });
    const mine = await run(tab);
    const link = await share(tab);
    await tab.close();

    const other = await visit(link);
    const theirs = await answer(other);
    assert.match(theirs.badge, /^identical to the link's result/);
    assert.equal(theirs.digest, mine.digest);
    assert.deepEqual(await other.faults(), []);

    // The address follows the scenario, and what is opened in the same tab counts.
    await enter(other, 'jobs', '61');
    await other.waitFor(() => location.hash.includes('jobs=61'));
    await other.evaluate((to) => {
      location.hash = new URL(to).hash;
    }, link);
    await other.waitFor(
      (digest) => document.querySelector('#digest').textContent === digest,
      mine.digest,
    );
    await other.close();
  });

  test(`${engine}: two swept keys, other metrics, curves switched off`, async () => {
    const tab = await visit(SMALL);
    await answer(tab);
    await enter(tab, 'jobs', '40');
    await enter(tab, 'reps', '2');
    await choose(tab, 'y', 'k');
    await enter(tab, 'y', '4,6');
    await run(tab);
    const canvas = '#charts .chart:first-child canvas';
    const picture = () =>
      tab.evaluate((where) => document.querySelector(where).toDataURL(), canvas);
    const first = await picture();
    await tab.evaluate(() => {
      const select = document.querySelector('#facet select');
      select.value = '1';
      select.dispatchEvent(new Event('change'));
    });
    await untilDrawnAnew(tab, canvas, first);
    const second = await picture();
    await tab.click('#legend button');
    await untilDrawnAnew(tab, canvas, second);
    assert.equal(
      await tab.evaluate(() =>
        document.querySelector('#legend button').getAttribute('aria-pressed'),
      ),
      'false',
    );
    await tab.evaluate(() => {
      const select = document.querySelector('#charts .chart:first-child select');
      select.selectedIndex = select.options.length - 1;
      select.dispatchEvent(new Event('change'));
    });
    await untilInked(tab, canvas);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
