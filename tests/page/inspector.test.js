// Looking into a run: its jobs, what happened over time, where a job ran and why it waited,
// compared with what the command line writes of the same run.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { AXE, findings } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { commandLine } from './built.js';
import { core, scenario } from './core.js';
import { answer, scrollToRun } from './visitor.js';
import { visitsIn } from './visits.js';

/**
 * A run of the command line's, job by job; times in seconds since the first submit, as the page has
 * them.
 */
function jobsOf(...words) {
  const file = join(mkdtempSync(join(tmpdir(), 'backfill-')), 'jobs.csv');
  execFileSync(commandLine, ['run', ...words, '--jobs-out', file], { encoding: 'utf8' });
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const names = head.split(',');
  const jobs = lines.map((line) =>
    Object.fromEntries(line.split(',').map((value, place) => [names[place], value])),
  );
  const first = Number(jobs[0].submit_us);
  const since = (/** @type {string} */ micros) =>
    Number(micros) < 0 ? null : (Number(micros) - first) / 1e6;
  return jobs.map((job) => ({
    number: Number(job.job),
    outcome: job.outcome,
    submit: since(job.submit_us),
    start: since(job.start_us),
    end: since(job.end_us),
    size: Number(job.size),
  }));
}

/** Waits until the inspector shows the run. */
async function looked(tab) {
  await scrollToRun(tab);
  await tab.waitFor(
    () =>
      document.querySelector('.jobs tbody tr') !== null &&
      /: /.test(document.querySelector('.stack').getAttribute('aria-valuetext') ?? ''),
  );
}

/** The cells of the rows that are seen, once the first of them says what it should in a column. */
function rows(tab, column, wanted) {
  return tab.waitFor(
    ([column, wanted]) => {
      const rows = [...document.querySelectorAll('.jobs tbody tr')].map((row) =>
        [...row.children].map((cell) => cell.textContent),
      );
      return rows.length > 0 && rows[0][column] === wanted && rows;
    },
    [column, wanted],
  );
}

/** Filters the jobs and waits for the words about how many there are. */
async function filter(tab, text, words) {
  await tab.type('.jobs input', text);
  await tab.waitFor(
    (words) => document.querySelector('#jobs-found').textContent.startsWith(words),
    words,
  );
}

/** What the page says of a decision: its sentences, and the rows and the sums of its table. */
function decision(tab) {
  return tab.evaluate(() => {
    const cells = (/** @type {string} */ part) =>
      [...document.querySelectorAll(`.decision ${part} tr`)].map((row) =>
        [...row.children].map((each) => each.textContent),
      );
    return {
      words: document.querySelector('.decision > p').textContent,
      jobs: cells('tbody'),
      sums: cells('tfoot'),
    };
  });
}

const clock = (tab) =>
  tab.evaluate(() => Number(document.querySelector('.stack').getAttribute('aria-valuenow')));

const visit = visitsIn(DAILY_ENGINES, AXE);

for (const engine of DAILY_ENGINES) {
  test(`${engine}: jobs, time and explanations of a run are those of the command line`, async () => {
    const pairs = [
      ['policy', 'none+adaba'],
      ['load', '1.1'],
      ['jobs', '400'],
      ['reps', '1'],
    ];
    const words = pairs.map((pair) => pair.join('='));
    const jobs = jobsOf(...words);
    const tab = await visit[engine](core.write_link(scenario(pairs), ''));
    await answer(tab);
    await looked(tab);

    // The table: in the order of submits, then by size from the largest on, as the command line has
    // them.
    const listed = await rows(tab, 0, '1');
    assert.equal(listed.length, 12);
    assert.deepEqual(
      listed.map((row) => [row[0], row[1], row[7]]),
      jobs.slice(0, 12).map(({ number, outcome, size }) => [String(number), outcome, String(size)]),
    );
    const size = '.jobs th[data-column="size"] button';
    await tab.click(size);
    await tab.waitFor(
      () =>
        document.querySelector('.jobs th[data-column="size"]').getAttribute('aria-sort') ===
        'ascending',
    );
    await tab.click(size);
    const largest = [...jobs].sort(
      (one, other) => other.size - one.size || one.number - other.number,
    );
    const bySize = await rows(tab, 0, String(largest[0].number));
    assert.deepEqual(
      bySize.map((row) => Number(row[0])),
      largest.slice(0, 12).map(({ number }) => number),
    );

    // Filters, and what cannot be read.
    const refused = jobs.filter(({ outcome }) => outcome === 'rejected');
    assert.ok(refused.length > 12);
    await filter(tab, 'outcome=rejected', `${refused.length} of 400 jobs`);
    await filter(tab, 'runtim>5', 'runtim>5: there is no column runtim;');
    assert.equal(
      await tab.evaluate(() => document.querySelector('.jobs input').getAttribute('aria-invalid')),
      'true',
    );
    const big = refused.filter(({ size }) => size >= 9);
    await filter(tab, 'outcome=rejected size>=9', `${big.length} of 400 jobs`);

    // By keyboard to the last of them: what became of it, and why, in the words of the command
    // line.
    await tab.evaluate(() => document.querySelector('.jobs table').focus());
    await tab.press('End');
    await tab.waitFor(
      (last) =>
        document.querySelector('.jobs tr.on')?.getAttribute('aria-rowindex') === String(last),
      big.length + 1,
    );
    await tab.press('Enter');
    const number = await tab.evaluate(() =>
      Number(document.querySelector('.jobs tr.on').children[0].textContent),
    );
    assert.ok(big.some((job) => job.number === number));
    const { submit } = jobs[number - 1];
    await tab.waitFor(
      (submit) =>
        Math.abs(Number(document.querySelector('.stack').getAttribute('aria-valuenow')) - submit) <
        1e-6,
      submit,
    );
    assert.equal(
      await tab.evaluate(() => document.querySelector('.one-job h3').textContent),
      `Job ${number}`,
    );
    const why = await tab.waitFor(() => {
      const words = document.querySelector('.one-job .why').textContent;
      return words.startsWith('Job ') && words;
    });
    const theirs = execFileSync(commandLine, ['explain', ...words, '--job', String(number)], {
      encoding: 'utf8',
    }).trim();
    assert.equal(why.replace(/\d\d:\d\d:\d\d/g, '@'), theirs.replace(/\d+(\.\d+)? s\b/g, '@'));

    // A job that runs: its servers are marked on the picture.
    await filter(tab, '3', '1 of 400 jobs');
    await tab.waitFor(() => {
      const rows = document.querySelectorAll('.jobs tbody tr');
      return rows.length === 1 && rows[0].children[0].textContent === '3';
    });
    await tab.click('.jobs tbody tr');
    await tab.waitFor(
      () =>
        document.querySelector('.one-job h3').textContent === 'Job 3' &&
        !document.querySelector('canvas.marks').hidden,
    );
    const marked = await tab.waitFor(() => {
      const canvas = document.querySelector('canvas.marks');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let seen = 0;
      for (let i = 3; i < data.length; i += 4) seen += data[i] > 0 ? 1 : 0;
      return (
        seen > 0 && {
          seen,
          of: data.length / 4,
          same: canvas.width === document.querySelector('.map canvas').width,
        }
      );
    });
    assert.ok(marked.same && marked.seen < marked.of / 2, JSON.stringify(marked));

    // The clock goes to the job's stay.
    const stay = jobs[2];
    await tab.waitFor(
      ([from, until]) => {
        const at = Number(document.querySelector('.stack').getAttribute('aria-valuenow'));
        return from <= at && at < until;
      },
      [stay.start, stay.end],
    );

    // Over time: the next event, and what is in use then.
    await tab.evaluate(() => document.querySelector('.stack').focus());
    const instants = [...new Set(jobs.flatMap(({ submit, start, end }) => [submit, start, end]))]
      .filter((time) => time !== null)
      .sort((one, other) => one - other);
    for (const [key, by] of [
      ['ArrowRight', 1],
      ['ArrowRight', 1],
      ['ArrowLeft', -1],
    ]) {
      const before = await clock(tab);
      const place =
        by > 0
          ? instants.findIndex((time) => time > before)
          : instants.findLastIndex((time) => time < before);
      await tab.press(key);
      await tab.waitFor(
        (next) => Number(document.querySelector('.stack').getAttribute('aria-valuenow')) === next,
        instants[place],
      );
    }
    const now = await clock(tab);
    const running = jobs.filter(({ start, end }) => start !== null && start <= now && now < end);
    const slots = running.reduce((sum, job) => sum + job.size, 0);
    assert.match(
      await tab.evaluate(() => document.querySelector('.stack').getAttribute('aria-valuetext')),
      new RegExp(`: Slots in use ${slots}, Jobs waiting 0, Server links \\d`),
    );
    await tab.waitFor(
      (count) => document.querySelector('#replay .figures').textContent.startsWith(`${count} job`),
      running.length,
    );

    // Zoomed in, the end of what is seen comes nearer; playing moves on until it is paused.
    const end = () => tab.evaluate(() => document.querySelector('.axis').textContent);
    const all = await end();
    await tab.press('+');
    await tab.waitFor((all) => document.querySelector('.axis').textContent !== all, all);
    await tab.press('0');
    await tab.waitFor((all) => document.querySelector('.axis').textContent === all, all);
    await tab.press('Home');
    await tab.press(' ');
    await tab.waitFor(
      () => Number(document.querySelector('.stack').getAttribute('aria-valuenow')) > 100,
    );
    await tab.press(' ');
    assert.equal(
      await tab.evaluate(
        () => document.querySelectorAll('.over-time .group-of button')[1].textContent,
      ),
      'Play',
    );
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: decisions of a run are those of the command line`, async () => {
    const pairs = [
      ['system', 'pool'],
      ['policy', 'zomt'],
      ['load', '2'],
      ['long_wait', 'off'],
      ['jobs', '400'],
      ['reps', '1'],
    ];
    const words = pairs.map((pair) => pair.join('='));
    const file = join(mkdtempSync(join(tmpdir(), 'backfill-')), 'jobs.csv');
    execFileSync(commandLine, ['run', ...words, '--jobs-out', file], { encoding: 'utf8' });
    const first = Number(readFileSync(file, 'utf8').split('\n')[1].split(',')[2]) / 1e6;
    const tab = await visit[engine](core.write_link(scenario(pairs), ''));
    await answer(tab);
    await looked(tab);
    await tab.evaluate(() => document.querySelector('.stack').focus());
    await tab.press('Home');
    await tab.waitFor(
      () => Number(document.querySelector('.stack').getAttribute('aria-valuenow')) === 0,
    );
    let apart = 0;
    for (let step = 0; step < 20; step += 1) {
      const from = await clock(tab);
      await tab.click('.decision button:nth-child(2)');
      await tab.waitFor((from) => {
        const now = document.querySelector('.stack').getAttribute('aria-valuenow');
        return Number(now) > from && document.querySelector('.decision').dataset.at === now;
      }, from);
      const shown = await decision(tab);
      // Half a microsecond does not matter: the time is rounded to whole ones.
      const at = ((await clock(tab)) + first).toFixed(6);
      const theirs = JSON.parse(
        execFileSync(commandLine, ['explain', ...words, '--at', at, '--json'], {
          encoding: 'utf8',
        }),
      );
      const { free, slots, waiting, started, firstFit } = theirs;
      assert.ok(started.jobs > 0 && waiting.length > 1, at);
      const many = (/** @type {number} */ count, /** @type {string} */ what) =>
        `${count} ${what}${count === 1 ? '' : 's'}`;
      const set = (of) =>
        of.jobs === 0
          ? 'none'
          : `${many(of.jobs, 'job')} for ${many(of.slots, 'slot')}, value ${of.worth.toFixed(3)}`;
      const same = waiting.every((job) => (job.got !== null) === job.byFirstFit);
      apart += Number(!same);
      assert.equal(
        shown.words.replace(/^At [^.]*, /, ''),
        `${free} of ${slots} slots ${free === 1 ? 'was' : 'were'} free and ${waiting.length} jobs waited. Started: ${set(started)}. ` +
          `First fit in order of arrival would have started ${same ? 'the same' : set(firstFit)}.`,
      );
      const isIn = (job) => job.got !== null || job.byFirstFit;
      const others = waiting
        .filter((job) => !isIn(job))
        .slice(0, Math.max(0, 24 - waiting.filter(isIn).length));
      const listed = waiting.filter((job) => isIn(job) || others.includes(job));
      assert.deepEqual(
        shown.jobs.map(([number, size, , worth, got, byFirstFit]) => [
          number,
          size,
          worth,
          got,
          byFirstFit,
        ]),
        listed.map((job) => [
          String(job.number),
          String(job.size),
          job.worth.toFixed(3),
          String(job.got ?? '–'),
          job.byFirstFit ? String(job.size) : '–',
        ]),
      );
      assert.deepEqual(
        shown.sums.map((row) => row.slice(1)),
        [
          [started.jobs, firstFit.jobs].map(String),
          [started.slots, firstFit.slots].map(String),
          [started.worth, firstFit.worth].map((worth) => worth.toFixed(3)),
        ],
      );
    }
    assert.ok(apart > 0, 'some decision is another than first fit’s');

    // A job of the table is looked into; the way back leads to the decision before.
    const number = await tab.evaluate(
      () => document.querySelector('.decision tbody button').textContent,
    );
    await tab.click('.decision tbody button');
    await tab.waitFor(
      (title) => document.querySelector('.one-job h3').textContent === title,
      `Job ${number}`,
    );
    const last = await clock(tab);
    await tab.click('.decision button:nth-child(1)');
    await tab.waitFor(
      (last) => Number(document.querySelector('.stack').getAttribute('aria-valuenow')) < last,
      last,
    );
    assert.deepEqual(await findings(tab), []);
    await tab.resize(320, 800);
    // What is drawn follows the window a moment later.
    await tab.waitFor(() => document.documentElement.scrollWidth <= innerWidth);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

test('where decisions cannot be told, none is shown', async () => {
  const tab = await visit.chromium(
    core.write_link(
      scenario([
        ['x', 'none'],
        ['jobs', '50'],
        ['reps', '1'],
      ]),
      '',
    ),
  );
  await answer(tab);
  await looked(tab);
  assert.ok(await tab.evaluate(() => document.querySelector('.decision').hidden));
  await tab.close();
});

test('a click on the plan chooses the job that is drawn there', async () => {
  const pairs = [
    ['system', 'nodes'],
    ['nodes', '4'],
    ['bandwidth', 'none'],
    ['policy', 'fcfs'],
    ['size', 'constant:4'],
    ['jobs', '20'],
    ['load', '0.9'],
    ['reps', '1'],
  ];
  const jobs = jobsOf(...pairs.map((pair) => pair.join('=')));
  const tab = await visit.chromium(core.write_link(scenario(pairs), ''));
  await answer(tab);
  await looked(tab);
  // Each job takes all nodes, so that one runs at a time: its middle is where its times say.
  const end = Math.max(...jobs.map((job) => job.end));
  for (const job of [jobs[5], jobs[19]]) {
    await tab.evaluate(
      (share) => {
        const plan = document.querySelector('.stack canvas.plan');
        plan.scrollIntoView({ block: 'center' });
        const box = plan.getBoundingClientRect();
        plan.dispatchEvent(
          new MouseEvent('click', {
            bubbles: true,
            clientX: box.left + share * box.width,
            clientY: box.top + box.height / 2,
          }),
        );
      },
      (job.start + job.end) / 2 / end,
    );
    await tab.waitFor(
      (title) => document.querySelector('.one-job h3').textContent === title,
      `Job ${job.number}`,
    );
  }
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('a run of 100,000 jobs is looked into, and no more of its rows are there than are seen', async () => {
  const pairs = [
    ['policy', 'none+adaba'],
    ['x', 'none'],
    ['jobs', '100000'],
    ['reps', '1'],
  ];
  const tab = await visit.chromium(core.write_link(scenario(pairs), ''));
  await answer(tab);
  await looked(tab);
  await tab.waitFor(() =>
    document.querySelector('#jobs-found').textContent.startsWith('100,000 jobs'),
  );
  // Scrolled to the end, and to the middle: the rows are there, and no more of them than are seen.
  for (const [share, wanted] of [
    [1, '100000'],
    [0, '1'],
  ]) {
    await tab.evaluate((share) => {
      const box = document.querySelector('.jobs-scroll');
      box.scrollTop = share * box.scrollHeight;
    }, share);
    await tab.waitFor(
      (wanted) =>
        [...document.querySelectorAll('.jobs tbody tr')].some(
          (row) => row.children[0].textContent === wanted,
        ),
      wanted,
    );
    assert.equal(await tab.evaluate(() => document.querySelectorAll('.jobs tbody tr').length), 12);
  }
  await tab.click('.jobs th[data-column="slowdown"] button');
  await tab.waitFor(() =>
    document.querySelector('.jobs th[data-column="slowdown"]').hasAttribute('aria-sort'),
  );
  await filter(tab, 'size>=15', '6,');
  await tab.evaluate(() => document.querySelector('.stack').focus());
  for (const key of ['+', '+', 'ArrowRight', 'End', '0']) await tab.press(key);
  await tab.waitFor(() => /^(00:00|day 1)/.test(document.querySelector('.axis').textContent));
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
