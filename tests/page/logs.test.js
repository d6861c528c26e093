// Logs as sites have them, brought by a visitor: what sacct of Slurm prints, under whatever name,
// lines with more fields than the format has, and jobs that were cancelled before they started.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { DAILY_ENGINES } from './browser.js';
import { commandLine } from './built.js';
import { bring, log, subject } from './log.js';
import { draws } from './random.js';
import {
  answer,
  catchFiles,
  choose,
  copiedReport,
  filesHandedOut,
  openExport,
  openShare,
  run,
  scrollToRun,
} from './visitor.js';
import { visits } from './visits.js';

/** Names in the accounting that must not leave the file. */
const SECRETS = ['amaliae', 'bertolt', 'xanthippe', 'phys-grant-77', 'unannounced', '60417'];

/** An instant as sacct prints it, this many seconds after the first. */
const instant = (/** @type {number} */ seconds) =>
  new Date(Date.UTC(2024, 2, 1) + 1000 * seconds).toISOString().slice(0, 19);

/** A duration as sacct prints it. */
function duration(/** @type {number} */ seconds) {
  const [hours, minutes, rest] = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  return [hours, minutes, rest].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}

/** What `sacct -P` prints of 60 jobs and of some odd ones. */
function accounting() {
  const draw = draws(7);
  const users = SECRETS.slice(0, 3);
  const lines = [
    'JobID|JobName|User|Account|Submit|Start|End|Elapsed|Timelimit|AllocCPUS|ReqCPUS|State',
  ];
  const line = (id, user, submit, start, end, elapsed, limit, cpus, state) =>
    lines.push(
      `${id}|unannounced|${user}|phys-grant-77|${submit}|${start}|${end}|${elapsed}|${limit}|${cpus}|${Math.max(1, cpus)}|${state}`,
    );
  let submit = 0;
  for (let job = 1; job <= 60; job += 1) {
    submit += 60 + draw(600);
    const [begin, ran] = [submit + draw(100), 60 + draw(7200)];
    const limit = job % 7 === 0 ? 'UNLIMITED' : duration(2 * ran);
    const cpus = job === 9 ? 128 : 1 + draw(24);
    const state = job % 11 === 0 ? 'CANCELLED by 60417' : 'COMPLETED';
    const id = job > 50 ? `100_${job - 50}` : `${job}`;
    const times = [instant(submit), instant(begin), instant(begin + ran), duration(ran)];
    line(id, users[job % 3], ...times, limit, cpus, state);
    for (const step of job % 2 === 0 ? ['batch', 'extern', '0'] : [])
      line(`${id}.${step}`, '', ...times, '', cpus, 'COMPLETED');
  }
  const [at, zero] = [instant(submit), '00:00:00'];
  line(
    '201',
    users[0],
    at,
    'None',
    instant(submit + 90),
    zero,
    '01:00:00',
    0,
    'CANCELLED by 60417',
  );
  line('202', users[1], at, at, 'Unknown', '00:10:00', '01:00:00', 4, 'RUNNING');
  line('203', users[2], at, 'Unknown', 'Unknown', zero, '01:00:00', 0, 'PENDING');
  line('204_[3-9]', users[0], at, 'Unknown', 'Unknown', zero, '01:00:00', 0, 'PENDING');
  line('205.0', '', at, at, at, zero, '', 1, 'COMPLETED');
  lines.push('206|a line that ends early');
  return `${lines.join('\n')}\n`;
}

/** The report on a log, as text. */
async function report(tab) {
  const text = await copiedReport(tab);
  await tab.press('Escape');
  return text;
}

/** Waits until a log with this many jobs has been read, and for the answer. */
async function arrived(tab, jobs) {
  await tab.waitFor(
    (wanted) => document.querySelector('.report dd')?.textContent === wanted,
    String(jobs),
  );
  return answer(tab);
}

/** The files of a kind that the page exports. */
async function exported(tab, name, count = 1) {
  await tab.evaluate(
    (file) => document.querySelector(`#export-dialog [data-file="${file}"]`).click(),
    name,
  );
  return filesHandedOut(tab, count);
}

/** What the command line computes for a link, beside the log at `path`: its table of numbers. */
function commandLines(link, path) {
  const at = { cwd: dirname(path), encoding: /** @type {const} */ ('utf8') };
  writeFileSync(
    join(dirname(path), 'scenario.toml'),
    execFileSync(commandLine, ['open', new URL(link).hash], at),
  );
  execFileSync(commandLine, ['run', 'scenario.toml', '--csv', 'numbers.csv'], at);
  return readFileSync(join(dirname(path), 'numbers.csv'), 'utf8');
}

/** The link that the page shares, and its table of numbers. */
async function shared(tab) {
  const link = await openShare(tab);
  await tab.press('Escape');
  await catchFiles(tab);
  await openExport(tab);
  const [numbers] = await exported(tab, 'csv');
  await tab.press('Escape');
  return { link, numbers: numbers.bytes.toString() };
}

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine);

  test(`${engine}: what sacct prints is run with every line accounted for and nobody named`, async () => {
    const tab = await visit();
    await answer(tab);
    const text = accounting();
    const path = await bring('accounting.csv', text);
    await tab.drop('#drop-log', path);
    await arrived(tab, 60);
    const told = await report(tab);
    const steps = text.match(/^\d[\d_]*\.(batch|extern|0)\|(?!.*205)/gm).length - 1;
    const read = text.trim().split('\n').length;
    assert.equal(60 + 6 + 1 + steps, read);
    for (const words of [
      'Largest job: 128',
      `Lines read: ${read}`,
      'Accepted unchanged: 60',
      'Repaired: 0',
      'Rejected: 6',
      `Merged into another job: ${steps}`,
      'Comments and headings: 1',
      '- columns ignored: JobName',
      'no run time\n  Lines: 1 (',
      'not ended when the log was written\n  Lines: 2 (',
      'tasks of an array that never started\n  Lines: 1 (',
      'step of a job that is not in the log\n  Lines: 1 (',
      'wrong number of fields\n  Lines: 1 (',
      'cancelled before it started\n  Lines: 1 (',
      `  Line ${read}: 206|a line that ends early`,
    ])
      assert.ok(told.includes(`\n${words}`), `${words} in ${told}`);
    await subject(tab, /^accounting\.csv: all 60 jobs, .*; its own machine of 260 processors/);
    const { link, numbers } = await shared(tab);
    assert.match(link, /system=nodes/);
    assert.equal(numbers, commandLines(link, path));

    // Of the names of users, accounts and jobs nothing is left, here or in what is saved.
    await openExport(tab);
    const files = [];
    for (const [name, count] of [
      ['svg', 1],
      ['tex', 2],
      ['csv', 1],
      ['swf', 1],
      ['json', 1],
      ['toml', 1],
    ])
      files.push(...(await exported(tab, name, count)));
    const now = await tab.evaluate(() => {
      const fields = [...document.querySelectorAll('input, textarea, select')];
      const values = fields.map((field) => /** @type {HTMLInputElement} */ (field).value);
      const kept = Object.entries(localStorage).flat();
      return [document.documentElement.outerHTML, location.href, ...values, ...kept].join('\n');
    });
    assert.ok(now.includes('accounting.csv'));
    const saved = files.map(({ name, bytes }) => [name, bytes.toString()]);
    for (const [where, words] of [['the page', now], ['the link', link], ...saved])
      for (const secret of SECRETS) assert.ok(!words.includes(secret), `${secret} in ${where}`);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a table that no reader knows is asked which column is what, and run`, async () => {
    const rows = Array.from({ length: 30 }, (_, job) => {
      const start = 1_700_000_000 + 60 * job;
      return `t${job},${start},${start + 30},${start + 330},${1 + (job % 4)},ann`;
    });
    const path = await bring('table.csv', `task,came,begin,end,width,owner\n${rows.join('\n')}\n`);
    const tab = await visit();
    await answer(tab);
    await tab.drop('#drop-log', path);
    await tab.waitFor(() => document.querySelector('dialog[open] .unknown-columns') !== null);
    const state = () =>
      tab.evaluate(() => {
        const dialog = document.querySelector('dialog[open]');
        return {
          guesses: [...dialog.querySelectorAll('select')].map((select) => select.value),
          mapping: dialog.querySelector('.mapping input').value,
          jobs: dialog.querySelector('.first-jobs').textContent,
          isUsable: !dialog.querySelector('button.primary').disabled,
        };
      });
    const asked = await state();
    assert.deepEqual(asked.guesses, ['', '', 'start', 'end', '', 'user']);
    assert.equal(asked.mapping, 'start:begin,end:end,user:owner');
    assert.match(asked.jobs, /^The columns: must say which column is size\.$/);
    assert.ok(!asked.isUsable);
    await tab.evaluate(() => {
      const selects = [...document.querySelectorAll('dialog[open] select')];
      for (const [place, value] of [
        [1, 'submit'],
        [4, 'size'],
      ]) {
        selects[place].value = value;
        selects[place].dispatchEvent(new Event('change', { bubbles: true }));
      }
    });
    const told = await state();
    assert.equal(told.mapping, 'submit:came,start:begin,end:end,size:width,user:owner');
    assert.match(told.jobs, /^JobSubmit \(s\)Wait \(s\)Run \(s\)Size20303001360303002/);
    await tab.click('dialog[open] button.primary');
    await arrived(tab, 30);
    await subject(tab, /^table\.csv: all 30 jobs, /);
    const { link } = await shared(tab);
    assert.match(decodeURIComponent(link), /columns=submit:came,start:begin/);

    // Another log after it is read for itself.
    await tab.drop('body', await bring('plain.swf', log(20)));
    await arrived(tab, 20);
    await subject(tab, /^plain\.swf: all 20 jobs/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: of lines with 21 fields the further ones are named, and the nodes of the last are sizes if wanted`, async () => {
    const lines = log(40).trim().split('\n');
    const wide = lines.map((line, place) =>
      line.startsWith(';') ? line : `${line} 7 8 frontier:excl:${1 + (place % 20)}x56`,
    );
    const path = await bring('wide.swf', `${wide.join('\n')}\n`);
    const tab = await visit();
    await answer(tab);
    await tab.drop('body', path);
    await arrived(tab, 40);
    const first = await report(tab);
    assert.doesNotMatch(first, /\nLargest job: 20\n/);
    assert.match(first, /\n- fields 19 to 21 are not of the format and ignored/);
    assert.match(first, /\nnodes named in field 21\n {2}Lines: 40 \(/);
    await subject(tab, /^wide\.swf: all 40 jobs; its own machine of 128 processors/);

    await tab.click('.field .doctor');
    await tab.waitFor(() => {
      const cure = [...document.querySelectorAll('.cures li')].find((each) =>
        each.textContent.startsWith('Take the nodes of field 21 as sizes: 40 lines name them'),
      );
      cure?.querySelector('button').click();
      return cure !== undefined;
    });
    await tab.waitFor(() => document.querySelector('.cures button').textContent === 'Undo');
    await tab.press('Escape');
    await tab.waitFor(() =>
      [...document.querySelectorAll('.report dd')].some((each) => each.textContent === '20'),
    );
    assert.match(await report(tab), /\nMachine: 20 nodes\nLargest job: 20\n/);
    await run(tab);
    await subject(tab, /^wide\.swf: all 40 jobs; its own machine of 20 nodes/);
    const { link, numbers } = await shared(tab);
    assert.match(link, /processors=nodes/);
    assert.equal(numbers, commandLines(link, path));
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: jobs that leave the queue are counted apart, as on the command line`, async () => {
    let cancelled = 0;
    const lines = log(120).trim().split('\n');
    const mixed = lines.flatMap((line) => {
      const [job, submit] = line.split(' ');
      if (line.startsWith(';') || Number(job) % 3 > 0) return [line];
      cancelled += 1;
      return [line, `${1000 + Number(job)} ${submit} 600 -1 -1 -1 -1 90 1800 -1 5 2 1 1 1 1 -1 -1`];
    });
    const path = await bring('leaving.swf', `${mixed.join('\n')}\n`);
    const tab = await visit();
    await answer(tab);
    await tab.drop('body', path);
    await arrived(tab, 120);
    const told = await report(tab);
    assert.match(told, new RegExp(`\\nRejected: ${cancelled}\\n`));
    assert.match(told, /\ncancelled before it started\n {2}Lines: 40 \(/);
    const without = await answer(tab);
    assert.doesNotMatch(without.sentence, /left the queue/);

    await choose(tab, 'cancelled', 'leave');
    await arrived(tab, 120 + cancelled);
    const { sentence } = await run(tab);
    assert.match(
      sentence,
      /(\d+ to )?\d+ jobs left the queue without having started: rates and times are over the others\.$/,
    );
    const { link, numbers } = await shared(tab);
    assert.match(link, /cancelled=leave/);
    assert.equal(numbers, commandLines(link, path));
    const left = numbers
      .split('\n')
      .filter((line) => /,left,\d/.test(line))
      .map((line) => Number(line.split(',left,')[1].split(',')[0]));
    assert.ok(Math.max(...left) > 0 && Math.max(...left) <= cancelled, left.join());
    assert.match(sentence, new RegExp(`\\b${Math.max(...left)} jobs left`));

    // One by one, in a run.
    await scrollToRun(tab);
    await tab.waitFor(() => document.querySelector('.jobs tbody tr') !== null);
    await tab.evaluate(() => {
      const outcome = document.querySelector('.jobs select');
      outcome.value = [...outcome.options].find(({ text }) => text === 'left').value;
      outcome.dispatchEvent(new Event('change'));
    });
    const found = await tab.waitFor(() => {
      const [, count] = document
        .querySelector('#jobs-found')
        .textContent.match(/^(\d+) of 160 jobs$/);
      const outcomes = [...document.querySelectorAll('.jobs tbody tr')].map(
        (row) => row.children[1].textContent,
      );
      return outcomes.length > 0 && outcomes.every((word) => word === 'left') && count;
    });
    assert.ok(left.includes(Number(found)), `${found} of ${left.join()}`);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
