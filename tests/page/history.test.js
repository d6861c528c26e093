// Runs are kept and come back after a reload, changes are undone, and all that is kept can be
// removed in one place.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAILY_ENGINES, ENGINES, launch, site } from './browser.js';
import { builtOf } from './built.js';
import { SMALL, core } from './core.js';
import { bring, log } from './log.js';
import { serve } from './server.js';
import { answer, compare, enter, read, run, share } from './visitor.js';
import { visitsIn } from './visits.js';

const visit = visitsIn(ENGINES);

/** The kept runs as the page lists them: names and digests, the newest first. */
function listed(tab, count) {
  return tab.waitFor((wanted) => {
    document.querySelector('#scenario').open = true;
    document.querySelector('#past').open = true;
    const rows = [...document.querySelectorAll('#past > ol li')];
    return (
      rows.length === wanted &&
      rows.map((row) => ({
        name: row.querySelector('.called')?.textContent ?? '',
        digest: row.dataset.digest,
      }))
    );
  }, count);
}

const shows = (tab, digest) =>
  tab.waitFor((wanted) => document.querySelector('#digest').textContent === wanted, digest);

for (const engine of ENGINES) {
  test(`${engine}: runs are kept, named, pinned, restored after a reload, and removed`, async () => {
    const tab = await visit[engine](SMALL);
    const first = await answer(tab);
    await listed(tab, 1);
    await enter(tab, 'jobs', '50');
    await enter(tab, 'reps', '2');
    const second = await run(tab);
    const rows = await listed(tab, 2);
    assert.deepEqual(
      rows.map((row) => row.digest),
      [second.digest, first.digest],
    );

    await tab.click('#past li:first-child [aria-label^="Rename"]');
    await tab.type('#past li:first-child input', 'Fifty jobs');
    await tab.press('Enter');
    await tab.waitFor(
      () => document.querySelector('#past li:first-child .called').textContent === 'Fifty jobs',
    );
    await tab.click('#past li:first-child [aria-label^="Pin"]');
    await tab.waitFor(
      () => document.querySelector('#past li:first-child [aria-pressed="true"]') !== null,
    );

    await tab.reload();
    await answer(tab);
    const again = await listed(tab, 2);
    assert.ok(again.some(({ name, digest }) => name === 'Fifty jobs' && digest === second.digest));
    await tab.evaluate(
      (digest) => document.querySelector(`#past li[data-digest="${digest}"] .called`).click(),
      first.digest,
    );
    await shows(tab, first.digest);
    await tab.evaluate(
      (digest) => document.querySelector(`#past li[data-digest="${digest}"] .called`).click(),
      second.digest,
    );
    await shows(tab, second.digest);
    assert.match((await read(tab)).badge, /kept from before/);

    await tab.click('#forget');
    await listed(tab, 0);
    await tab.reload();
    await answer(tab);
    await listed(tab, 1);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  // What follows stores and draws nothing of its own.
  if (!DAILY_ENGINES.includes(engine)) continue;

  test(`${engine}: changes of the scenario are undone and redone`, async () => {
    const tab = await visit[engine](SMALL);
    const { badge, digest } = await answer(tab);
    await tab.waitFor(() => document.querySelector('#undo[data-hint]') !== null);
    await enter(tab, 'jobs', '50');
    await tab.waitFor((was) => document.querySelector('#badge').textContent !== was, badge);
    const other = await run(tab);
    await tab.click('#undo');
    // The answer to the earlier form is there at once.
    await tab.waitFor((was) => document.querySelector('#badge').textContent === was, badge);
    assert.equal((await read(tab)).digest, digest);
    const jobs = () => tab.evaluate(() => document.querySelector('[data-key="jobs"] input').value);
    const before = await jobs();
    await tab.click('#redo');
    assert.equal(await jobs(), '50');
    assert.equal((await read(tab)).digest, other.digest);
    await tab.evaluate(() => {
      document.activeElement.blur();
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }),
      );
    });
    assert.equal(await jobs(), before);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

test('chromium: kept runs are called by what differs from the one before, and come back as they were seen', async () => {
  const tab = await visit.chromium(SMALL);
  await answer(tab);
  await enter(tab, 'jobs', '40');
  await enter(tab, 'reps', '2');
  await compare(tab, 'fcfs+adaba', 'easy+adaba');
  const first = await run(tab);
  await enter(tab, 'seed', '9');
  await run(tab);
  await enter(tab, 'k', '8');
  await run(tab);
  await compare(tab, 'easy+adaba', 'bgmbf+adaba');
  await enter(tab, 'reps', '3');
  const last = await run(tab);
  // Automatic answers on the way may be in between; these four are in this order.
  const rows = await tab.waitFor((wanted) => {
    const all = [...document.querySelectorAll('#past > ol li')];
    return (
      all[0]?.dataset.digest === wanted &&
      all.map((row) => ({
        digest: row.dataset.digest,
        name: row.querySelector('.called').textContent,
        about: row.querySelector('p').textContent,
      }))
    );
  }, last.digest);
  const names = rows.map(({ name }) => name);
  assert.match(names[0], /Replications 2 → 3/);
  assert.match(names.join('; '), /\+\sBgMBF(?! \+)/);
  assert.match(names.join('; '), /−\sFCFS(?! \+)/);
  const [k, seed] = [names.indexOf('Pods (k) 6 → 8'), names.indexOf('Seed 9')];
  assert.ok(k > 0 && seed > k, names.join('; '));
  for (const { about } of rows) assert.match(about, /^\d\d:\d\d · .{20}/);

  // A view of the first run: one curve hidden, another policy looked into.
  const item = `#past li[data-digest="${first.digest}"] .called`;
  const show = (/** @type {string} */ selector) =>
    tab.evaluate((where) => document.querySelector(where).click(), selector);
  await show(item);
  await shows(tab, first.digest);
  await tab.evaluate(() => document.querySelector('#legend button').click());
  await tab.evaluate(() => {
    const select = document.querySelector('#replay select');
    select.value = '1';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  const seen = () =>
    tab.evaluate(() => ({
      hidden: document.querySelector('#legend button').getAttribute('aria-pressed'),
      policy: document.querySelector('#replay select').value,
    }));
  const mine = await seen();
  assert.equal(mine.policy, '1');
  // A view is kept once it has stayed for a moment.
  await tab.waitFor(
    (digest) =>
      new Promise((resolve) => {
        indexedDB.open('backfill').onsuccess = ({ target: { result } }) => {
          result.transaction('runs').objectStore('runs').getAll().onsuccess = ({ target }) => {
            result.close();
            resolve(target.result.some((run) => run.digest === digest && /run:1/.test(run.view)));
          };
        };
      }),
    first.digest,
  );
  await show(`#past li[data-digest="${last.digest}"] .called`);
  await shows(tab, last.digest);
  assert.notDeepEqual(await seen(), mine);
  await show(item);
  await shows(tab, first.digest);
  assert.deepEqual(await seen(), mine);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('chromium: undo and redo go through every run and every edit', async () => {
  const tab = await visit.chromium(SMALL);
  await answer(tab);
  await enter(tab, 'jobs', '40');
  await enter(tab, 'reps', '1');
  const digests = [];
  // Three runs, and an edit that is not run, as quickly as a hand can.
  for (const seed of ['7', '8', '9']) {
    await enter(tab, 'seed', seed);
    digests.push((await run(tab)).digest);
  }
  const state = () =>
    tab.evaluate(() => ({
      seed: document.querySelector('[data-key="seed"] input').value,
      digest: document.querySelector('#digest').textContent,
      stale: document.querySelector('#answer').classList.contains('stale'),
    }));
  for (const [place, seed] of [
    [1, '8'],
    [0, '7'],
  ]) {
    await tab.click('#undo');
    assert.deepEqual(await state(), { seed, digest: digests[place], stale: false });
  }
  await tab.click('#redo');
  await tab.click('#redo');
  assert.deepEqual(await state(), { seed: '9', digest: digests[2], stale: false });

  // What is typed without a rest is one edit; a button pressed twice is two.
  await tab.evaluate(() => {
    const input = document.querySelector('[data-key="seed"] input');
    input.focus();
    for (const text of ['1', '12', '123']) {
      input.value = text;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });
  await tab.click('#undo');
  assert.equal((await state()).seed, '9');
  await tab.evaluate(() => {
    const renew = document.querySelector('[data-key="seed"] button');
    renew.focus();
    renew.click();
    renew.click();
  });
  await tab.click('#undo');
  assert.notEqual((await state()).seed, '9');
  await tab.click('#undo');
  assert.equal((await state()).seed, '9');
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('chromium: a trace that is kept is there for its link', async () => {
  const tab = await visit.chromium(SMALL);
  await answer(tab);
  await tab.waitFor(() => document.querySelector('#past input[type="checkbox"]') !== null);
  await tab.evaluate(() => document.querySelector('#past input[type="checkbox"]').click());
  await tab.choose('#file', await bring('kept.swf', log(60)));
  await tab.waitFor(() => /kept\.swf/.test(document.querySelector('#past ul').textContent));
  await enter(tab, 'k', '4');
  await enter(tab, 'reps', '2');
  const { digest } = await run(tab);
  const link = await share(tab);
  await tab.goto('about:blank');
  await tab.goto(link);
  await shows(tab, digest);
  assert.match((await answer(tab)).badge, /^identical to the link/);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('chromium: a browser that keeps nothing runs, undoes and lists all the same', async () => {
  const host = await serve(site, {
    [`/${builtOf('src/theme.ts')}`]: `Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError'); } });
      Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });`,
  });
  const browser = await launch('chromium');
  try {
    const tab = await browser.open(host.url);
    await answer(tab);
    await listed(tab, 1);
    assert.match(
      await tab.evaluate(() => document.querySelector('#past').textContent),
      /keeps nothing/,
    );
    await enter(tab, 'jobs', '50');
    await run(tab);
    await listed(tab, 2);
    await tab.click('#forget');
    await listed(tab, 0);
    assert.deepEqual(await tab.faults(), []);
  } finally {
    await browser.close();
    await host.close();
  }
});

/**
 * Changes the kept run that has this digest by the body of a function, and shows the list again.
 */
async function alter(tab, digest, change) {
  await tab.evaluate(
    async ([wanted, body]) => {
      const answer = (/** @type {IDBRequest} */ request) =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const database = await answer(indexedDB.open('backfill'));
      const store = database.transaction('runs', 'readwrite').objectStore('runs');
      const run = (await answer(store.getAll())).find((each) => each.digest === wanted);
      const changes = {
        another: () => {
          run.core = '0.1.9';
          for (const { metrics } of run.outcomes) {
            delete metrics.wait_sd;
            delete metrics.bsd_mean;
            metrics.unheard_of = 3;
          }
        },
        short: () => (run.outcomes[1].metrics = [0.5, 1]),
        foreign: () => (run.outcomes[1].cell.x = 99),
        wrong: () => (run.outcomes[1].metrics.wait_mean = 'long'),
        none: () => (run.outcomes = 'gone'),
        later: () => (run.schema = 99),
        unnamed: () => {
          run.pairs = [
            ['jobs', '50'],
            ['reps', '2'],
          ];
          run.core = '0.1.0';
          for (const outcome of run.outcomes)
            outcome.metrics = Object.values(outcome.metrics).slice(0, 31);
        },
      };
      changes[body]();
      await answer(store.put(run));
      database.close();
    },
    [digest, change],
  );
  // The address names the scenario, which would be run and kept again.
  const opening = `${await tab.evaluate(() => location.origin + location.pathname)}${SMALL}`;
  await tab.goto('about:blank');
  await tab.goto(opening);
  await answer(tab);
}

/** Restores the kept run that has this digest, once the list of an opened page has it. */
async function restore(tab, digest) {
  const item = `#past li[data-digest="${digest}"] .called`;
  await tab.waitFor((selector) => document.querySelector(selector) !== null, item);
  await tab.evaluate((selector) => document.querySelector(selector).click(), item);
}

/** What the banner about files and kept runs says. */
const told = (tab) =>
  tab.waitFor(() => document.querySelector('.banner[data-kind="file"] .words')?.textContent);

for (const engine of DAILY_ENGINES) {
  test(`${engine}: a kept run of another version is shown as far as its metrics have names that are known`, async () => {
    const tab = await visit[engine](SMALL);
    await answer(tab);
    await listed(tab, 1);
    await enter(tab, 'jobs', '50');
    await enter(tab, 'reps', '2');
    const { digest } = await run(tab);
    await listed(tab, 2);
    /** Every number on the page by metric, as in the tables. */
    const numbers = async () => {
      await tab.evaluate(() => {
        document.querySelector('#numbers').open = true;
      });
      // A fold says a moment later that it was opened.
      await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
      return tab.evaluate(() =>
        Object.fromEntries(
          [...document.querySelectorAll('#table table')].map((table) => [
            table.caption?.textContent,
            table.tBodies[0].textContent,
          ]),
        ),
      );
    };
    const before = await numbers();
    await alter(tab, digest, 'another');
    await restore(tab, digest);
    await shows(tab, digest);
    assert.match((await read(tab)).badge, /kept from before/);
    const words = await told(tab);
    assert.match(
      words,
      new RegExp(
        `Backfill 0\\.1\\.9 made this result; this is ${core.version().replaceAll('.', '\\.')}\\.`,
      ),
    );
    assert.match(
      words,
      /It lacks 2 metrics that this version shows: Bounded slowdown; Wait time, standard deviation\./,
    );
    const after = await numbers();
    assert.equal(after['Accept rate (%)'], before['Accept rate (%)']);
    assert.notEqual(after['Accept rate (%)'], undefined);
    assert.doesNotMatch(after['Bounded slowdown'], /± /);
    // Its link names the version that made it, and running it makes it this one's.
    assert.match(await tab.evaluate(() => location.hash), /&core=0\.1\.9&/);
    assert.equal((await run(tab)).digest, digest);
    assert.deepEqual(await numbers(), before);
    assert.ok((await tab.evaluate(() => location.hash)).includes(`&core=${core.version()}&`));
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

test('chromium: a kept run that is broken is refused in words, and the page goes on', async () => {
  const tab = await visit.chromium(SMALL);
  await answer(tab);
  await listed(tab, 1);
  const asked = async () => {
    await enter(tab, 'jobs', '50');
    await enter(tab, 'reps', '2');
    return run(tab);
  };
  const { digest } = await asked();
  for (const [change, said] of [
    ['short', /^This kept run cannot be shown.*no metric of run \d+ is known here by its name/],
    ['foreign', /^This kept run cannot be shown.*is not one of this scenario/],
    ['wrong', /^This kept run cannot be shown.*not a result that Backfill wrote/],
    ['none', /^This kept run cannot be shown.*not a result that Backfill wrote/],
    ['later', /^This kept run cannot be shown.*has the form 99.*open it with Backfill/],
    ['unnamed', /^Backfill 0\.1\.0 kept this run without the names of its metrics.*press Run/],
  ]) {
    await listed(tab, 2);
    await alter(tab, digest, change);
    await listed(tab, 2);
    await restore(tab, digest);
    assert.match(await told(tab), said, change);
    // Run again, it is kept whole.
    assert.equal((await asked()).digest, digest, change);
    assert.deepEqual(await tab.faults(), [], change);
  }
  await tab.close();
});

test('Node: an outcome that is none of the scenario of a board is refused in words, and the board goes on', () => {
  const { text } = core.read_scenario([
    ['k', '4'],
    ['jobs', '20'],
    ['reps', '2'],
    ['x', 'none'],
    ['policy', 'none+adaba'],
  ]);
  const board = new core.Board(text);
  const outcome = new core.Run(text, 1, core.Trace.none(), core.Keep.Metrics).outcome();
  const { cell, metrics } = outcome;
  for (const [wrong, said] of [
    [
      { ...outcome, metrics: Object.values(metrics) },
      /^no metric of run 1 is known here by its name$/,
    ],
    [{ ...outcome, metrics: {} }, /^no metric of run 1 is known here by its name$/],
    [
      { ...outcome, cell: { ...cell, x: 7 } },
      /^run 1 is not one of this scenario: the result was changed$/,
    ],
    [{ ...outcome, digest: 7 }, /^this is not the result of a run: .*invalid type/],
    ['nothing', /^this is not the result of a run: /],
    [null, /^this is not the result of a run: /],
  ]) {
    assert.throws(
      () => board.add(wrong),
      (words) => typeof words === 'string' && said.test(words),
      JSON.stringify(wrong).slice(0, 60),
    );
  }
  board.add(outcome);
  assert.deepEqual([...board.left()], [0]);
});
