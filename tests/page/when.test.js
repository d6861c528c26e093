// When a job would start: at an instant of a log, and behind the queue of a cluster.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { AXE, findings, overflow } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { commandLine } from './built.js';
import { bring } from './log.js';
import { AT, LOG, ask, fill, goThere, inWords, openLog, said } from './forecasts.js';
import { answer, choose, enter } from './visitor.js';
import { visits } from './visits.js';

const QUEUE = [
  'JOBID|USER|PARTITION|NODES|CPUS|TIME_LIMIT|TIME|ST|SUBMIT_TIME|START_TIME',
  '7|ann|cpu|2|8|2:00:00|1:00:00|R|2024-01-02T10:30:00|2024-01-02T11:00:00',
  '8|bob|cpu|4|16|3:00:00|0:00|PD|2024-01-02T11:30:00|N/A',
].join('\n');

/** Waits until the job at an instant of the log has a value in a field, by its label. */
const proposed = (tab, label, value) =>
  tab.waitFor(
    ([label, value]) =>
      [...document.querySelectorAll('.when:has(.submit) label')].some(
        ({ textContent, control }) => textContent.startsWith(label) && control.value === value,
      ),
    [label, value],
  );

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine, AXE);

  test(`${engine}: a forecast is that of the command line, and a link has it`, async () => {
    const tab = await visit();
    await openLog(tab);
    await fill(tab, { Nodes: '12', 'Time limit': '3:00:00', Submitted: AT });
    const first = await ask(tab);
    assert.equal(first.wrong, '');
    const path = await bring('made.swf', LOG);
    const question = ['--at', AT, '--size', '12', '--limit', '3', '--map', '--json'];
    const native = JSON.parse(
      execFileSync(commandLine, ['forecast', path, ...question], { encoding: 'utf8' }),
    );
    assert.ok(native.p50.wait_s > 0 && native.p90.wait_s > native.p10.wait_s);
    assert.match(first.sentence, new RegExp(`it waits ${inWords(native.p50.wait_s)}, in eight of`));
    assert.match(first.sentence, /^Half of the futures start it by \w{3} \d+ May 1997, \d\d:\d\d/);
    assert.deepEqual(
      first.chances,
      native.chances.map(({ share }) => `${Math.round(100 * share)} %`),
    );
    assert.ok(first.words.some((words) => / in which it still waits just before P50/.test(words)));
    assert.equal(await tab.evaluate(() => document.querySelectorAll('.strip .mark').length), 3);

    await tab.evaluate(() => document.querySelector('.forecast p > button').click());
    await tab.waitFor(() => document.querySelector('.heat') !== null);
    const { cells } = await said(tab);
    const waits = native.map.p50_wait_s.flat();
    assert.equal(cells.length, waits.length);
    cells.forEach((words, place) => {
      assert.equal(words.split(': ')[1], inWords(waits[place]));
    });
    assert.deepEqual(await findings(tab), []);

    // A cell asks about its job, and the map stays.
    await tab.evaluate(() => document.querySelector('.heat button').click());
    const smaller = await said(tab);
    assert.deepEqual(smaller.cells, cells);
    assert.match(smaller.address, /view=when:\d+\+1\+900\+\d/);

    const { address } = first;
    assert.match(address, /view=when:\d+\+12\+10800\+1/);
    const other = await visit(address);
    await other.waitFor(() => document.querySelector('[data-kind="wanted"]') !== null);
    await other.choose('#file', path);
    await other.waitFor(() => document.querySelector('.when .sentence') !== null);
    assert.equal((await said(other)).sentence, first.sentence);
    assert.deepEqual(await tab.faults(), []);
  });

  test(`${engine}: on a fat-tree a job asks for bandwidth, too`, async () => {
    const tab = await visit();
    await openLog(tab);
    await fill(tab, { 'Time limit': '3', Submitted: AT });
    await choose(tab, 'system', 'fat-tree');
    await tab.waitFor(() => !document.querySelector('[data-key="k"]').hidden);
    await enter(tab, 'k', '4');
    await enter(tab, 'futures', '33');
    // A quarter of this machine is proposed; the instant that was entered stays.
    await proposed(tab, 'Slots', '32');
    await proposed(tab, 'Submitted', AT);
    await fill(tab, { Slots: '120', Bandwidth: '200' });
    assert.match((await ask(tab)).wrong, /^Size: 120: there is no placement .* ask for less/);
    await fill(tab, { Bandwidth: '100' });
    const asked = await ask(tab);
    assert.equal(asked.wrong, '');
    const path = await bring('made.swf', LOG);
    const keys = [
      'system=fat-tree',
      'k=4',
      'futures=33',
      'bandwidth=none',
      'estimate=extend',
      'load=as-logged',
      'x=none',
    ];
    const question = ['--at', AT, '--size', '120', '--limit', '3', '--bandwidth', '100', '--json'];
    const native = JSON.parse(
      execFileSync(commandLine, ['forecast', path, ...keys, ...question], { encoding: 'utf8' }),
    );
    assert.ok(native.p90.wait_s > 0);
    assert.deepEqual(
      asked.chances,
      native.chances.map(({ share }) => `${Math.round(100 * share)} %`),
    );
    const premise = /^A job of 120 slots with 100 Mbit\/s each .* 33 futures/s;
    assert.ok(
      asked.words.some((words) => premise.test(words)),
      asked.words,
    );
    assert.match(asked.address, /view=when:\d+\+120\+10800\+1\+100/);

    // What was entered stays on another machine, too.
    await enter(tab, 'k', '6');
    await proposed(tab, 'Slots', '120');
    const larger = await ask(tab);
    assert.equal(larger.wrong, '');
    assert.match(larger.address, /view=when:\d+\+120\+10800\+1\+100/);
    assert.notDeepEqual(larger.chances, asked.chances);
    assert.deepEqual(await tab.faults(), []);
  });

  test(`${engine}: the queue of a cluster has a forecast, which no link has`, async () => {
    const tab = await visit();
    await answer(tab);
    await goThere(tab);
    await tab.waitFor(() => document.querySelector('.when .pasted') !== null);
    const row = QUEUE.replace('|R|', '|S|');
    await fill(tab, { Nodes: '3', 'Time limit': '4', 'What this command': row });
    assert.match((await ask(tab)).wrong, /^Say how many nodes the cluster has/);
    await fill(tab, { 'Nodes of the cluster': 'PARTITION NODES STATE\ncpu 4 mix\n' });
    assert.match((await ask(tab)).wrong, /^line 2: S is no state/);
    await fill(tab, { Nodes: '5', 'What this command': QUEUE });
    assert.match((await ask(tab)).wrong, /^Size: 5: .* ask for at least 1 and at most as many/);
    await fill(tab, { Nodes: '3' });
    const fetched = () => tab.evaluate(() => performance.getEntriesByType('resource').length);
    const before = await fetched();
    const { sentence, wrong, address, words } = await ask(tab);
    assert.equal(wrong, '');
    assert.equal(await fetched(), before, 'nothing of it leaves the tab');
    // The running job may run until 13:00, the waiting one has all nodes until 16:00.
    assert.equal(
      sentence,
      'If every job runs for its limit and none arrives, it starts Tue 2 Jan 2024, 16:00: it waits 4 h 00 min.',
    );
    assert.ok(
      words.some((each) => each.includes('beside 1 running and 1 waiting jobs')),
      words,
    );
    assert.doesNotMatch(address, /ann|2024|cpu/);
    assert.deepEqual(await findings(tab), []);
    assert.deepEqual(await tab.faults(), []);
  });

  test(`${engine}: the open log is the history of a pasted queue`, async () => {
    const tab = await visit();
    await openLog(tab);
    const queue = QUEUE.replaceAll('2024-01-02', '1997-05-12');
    await fill(tab, { 'Ask about': 'queue' });
    await tab.waitFor(() => document.querySelector('.when .pasted') !== null);
    await fill(tab, { Nodes: '3', 'Time limit': '4', 'What this command': queue });
    await fill(tab, { 'Nodes of the cluster': '4' });
    const { wrong, words } = await ask(tab);
    assert.equal(wrong, '');
    assert.ok(
      words.some((each) => / on 4 nodes,\s.* arrivals from 9 weeks/s.test(each)),
      words,
    );
    await fill(tab, { 'made.swf is its history': false });
    const without = await ask(tab);
    assert.ok(without.words.some((each) => each.includes('no history: every job runs')));
    assert.deepEqual(await tab.faults(), []);
  });

  test(`${engine}: what cannot be asked is refused in a sentence`, async () => {
    const tab = await visit();
    await openLog(tab);
    for (const [values, words] of [
      [{ Nodes: '17' }, /the system has 16 nodes; ask for at least 1/],
      [{ Nodes: '4', 'Time limit': 'long' }, /^Time limit: long: it must be hours above 0/],
      [{ 'Time limit': '1', Submitted: '1997-03-04' }, /the log begins 0 full weeks before it/],
      [{ Submitted: '1999-01-01' }, /nothing is known after it/],
      [{ Submitted: 'noon' }, /it must be seconds, or a date/],
    ]) {
      await fill(tab, values);
      assert.match((await ask(tab)).wrong, words);
    }
    await fill(tab, { Submitted: AT });
    assert.equal((await ask(tab)).wrong, '');
    await tab.evaluate(() => {
      for (const words of ['Forecast', 'Stop'])
        [...document.querySelectorAll('.when button')]
          .find(({ textContent }) => textContent === words)
          .click();
    });
    const stopped = await said(tab);
    assert.ok(stopped.wrong === 'Stopped: ask again.' || stopped.sentence !== '', stopped.wrong);
    assert.equal((await ask(tab)).wrong, '');
    for (const width of [320, 390, 768, 1280]) {
      await tab.resize(width, 800);
      assert.equal(await overflow(tab), 0, `${width} px`);
    }
    assert.deepEqual(await tab.faults(), []);
  });
}
