// What ails a log, in the page: what is found is what the command line finds, and what mends it
// becomes part of the scenario and of its link.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { AXE, findings, overflow } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { commandLine } from './built.js';
import { bring, log } from './log.js';
import { answer, answerOf, copiedReport, run, share } from './visitor.js';
import { visits } from './visits.js';

/** A log with a flurry of 120 jobs of user 9, and jobs that were cancelled and that failed. */
function ailing() {
  const lines = log(80).trim().split('\n');
  const [last] = lines.slice(-1);
  const begin = Number(last.split(' ')[1]);
  for (let job = 0; job < 120; job += 1)
    lines.push(`${100 + job} ${begin + 30 * job} -1 50 2 -1 -1 2 40 -1 1 9 1 1 1 1 -1 -1`);
  for (const status of [0, 5, 5])
    lines.push(`${300 + status} ${begin + 4000} -1 60 2 -1 -1 2 90 -1 ${status} 3 1 1 1 1 -1 -1`);
  return `${lines.join('\n')}\n`;
}

/** A job of no processors, and one whose processors were only requested. */
const NO_SIZE = '900 900 -1 60 -1 -1 -1 -1 60 -1 1 1 1 1 1 1 -1 -1';
const ONLY_REQUESTED = '901 900 -1 60 -1 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1';

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine, AXE);

  test(`${engine}: a log is checked, cleaned by one click, and the link says so`, async () => {
    const path = await bring('ailing.swf', ailing());
    const tab = await visit();
    await answer(tab);
    await tab.choose('#file', path);
    await tab.waitFor(() => document.querySelector('.report dl') !== null);
    await tab.click('.field .doctor');
    const told = await tab.waitFor(
      () =>
        document.querySelector('.cures') !== null &&
        document.querySelector('.diagnosis').textContent,
    );
    const theirs = execFileSync(commandLine, ['trace', 'info', path], { encoding: 'utf8' });
    for (const words of [
      '120 jobs of user 9 on 2 processors each',
      'Leave out the flurries: 120 jobs, 59.1 % of all',
      'Leave out cancelled jobs: 2 jobs',
    ]) {
      assert.ok(theirs.includes(words), `${words} in ${theirs}`);
      assert.ok(told.includes(words), `${words} in ${told}`);
    }
    // Each line of the command line's about jobs is there: how many, which share, what.
    const facts = theirs
      .split('\njobs\n')[1]
      .split('\n')
      .filter((line) => /^ +\d+ \(/.test(line))
      .map((line) => line.trim());
    assert.ok(facts.length >= 4);
    for (const fact of facts) assert.ok(told.includes(fact), `${fact} in ${told}`);
    if (engine === 'chromium') {
      for (const width of [320, 1280]) {
        await tab.resize(width, 700);
        assert.deepEqual(await findings(tab), [], `${width} px`);
        assert.equal(await overflow(tab), 0);
      }
    }

    const press = (words) =>
      tab.evaluate((words) => {
        const item = [...document.querySelectorAll('.cures li')].find((each) =>
          each.textContent.startsWith(words),
        );
        item.querySelector('button').click();
        return [...document.querySelectorAll('.cures button')].map((each) => each.textContent);
      }, words);
    // Cancelled jobs, then failed ones too: one key, so that the first gives way to the second.
    const count = (labels) => labels.filter((label) => label === 'Undo').length;
    assert.equal(count(await press('Leave out cancelled')), 1);
    assert.equal(count(await press('Leave out failed')), 1);
    assert.equal(count(await press('Leave out failed')), 0);
    assert.equal(count(await press('Leave out the flurries')), 1);
    await tab.press('Escape');
    await tab.waitFor(() => document.querySelector('dialog[open]') === null);
    await tab.evaluate(() => document.querySelector('#scenario').scrollIntoView());
    const mine = await run(tab);
    assert.match(mine.badge, /^computed here/);
    assert.match(await share(tab), /flurries=remove/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: the report on a log is read at every width, and copied as text`, async () => {
    const long = `<b>7</b> ${'9 '.repeat(100)}`;
    const path = await bring(
      'faulty.swf',
      `; UnixStartTime: 99999999999999\n${log(40, ['1 2 3', NO_SIZE, ONLY_REQUESTED, long])}`,
    );
    const tab = await visit();
    await answerOf(tab, path);
    const text = await copiedReport(tab);
    for (const words of [
      'Report on faulty.swf\n\n3 of 44 lines rejected and not simulated.\n',
      '\nJobs: 41\n',
      '\nMachine: 128 processors\n',
      '\nLines read: 48\nAccepted unchanged: 40\nRepaired: 1\nRejected: 3\n',
      '\nwrong number of fields\n  Lines: 1 (line 44)\n  What was done: left out\n  What to do: mend these lines\n  Line 44: 1 2 3\n',
      `\n  Line 47: ${long.slice(0, 120)}…\n`,
      `\n  What was done: repaired: the other field is the size\n  Line 46: ${ONLY_REQUESTED}\n`,
      '\nNotable jobs\n------------\n- ',
    ])
      assert.ok(text.includes(words), `${words} in ${text}`);
    // What the command line says of the fields and remedies is in the table.
    const theirs = execFileSync(commandLine, ['trace', 'info', path], { encoding: 'utf8' });
    const told = theirs.match(/^ {2}(rejected|repaired|noted) .*/gm);
    assert.ok(told.length >= 4);
    for (const finding of told) {
      const [, found, field, remedy] = finding.match(
        /× ([^:]+): lines? \d+(?: \(([^)]+)\))?[^;]*(?:; (.*))?$/,
      );
      for (const words of [found, field, remedy].filter(Boolean))
        assert.ok(text.includes(words), `${words} in ${text}`);
    }
    for (const width of [320, 390, 768, 1100, 1280, 1920, 2560]) {
      await tab.resize(width, 900);
      if (engine === 'chromium') assert.deepEqual(await findings(tab), [], `${width} px`);
      assert.equal(await overflow(tab), 0, `${width} px`);
      const tall = await tab.evaluate(() => {
        const cells = document.querySelectorAll('.report dd, .account dd, .findings td');
        return [...cells]
          .filter((cell) => cell.textContent !== '' && cell.checkVisibility())
          .filter((cell) => cell.clientHeight > Math.max(60, cell.clientWidth))
          .map((cell) => `${cell.textContent}: ${cell.clientWidth} x ${cell.clientHeight}`);
      });
      assert.deepEqual(tall, [], `${width} px`);
    }
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
