// A scenario survives its link, and a damaged link is refused or read as typed: in wasm in Node for many, through
// the page for some.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DAILY_ENGINES } from './browser.js';
import { SMALL, core, scenario, simulate } from './core.js';
import { draws } from './random.js';
import { scenarios } from './scenarios.js';
import { answer, enter, read, run, share } from './visitor.js';
import { visitsIn } from './visits.js';

const visit = visitsIn(DAILY_ENGINES);

const DIGEST = '0123456789abcdef';
const PRINTABLE = Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place));

/** Links as they were shared once. */
const golden = readFileSync(new URL('../golden/links-v1.txt', import.meta.url), 'utf8').match(
  /^#.*$/gm,
);

/** A link to a scenario, or nothing where it would be too long. */
function linkTo(text, digest) {
  try {
    return core.write_link(text, digest);
  } catch (refusal) {
    assert.match(refusal, /^a link to this scenario would have \d{4,} characters/);
    return null;
  }
}

/** Whether a link is refused, or said to have no checksum. */
function isNotWhole(link) {
  try {
    return core.read_link(link).typed;
  } catch (refusal) {
    assert.equal(typeof refusal, 'string', `${link}: ${refusal}`);
    assert.match(refusal, /link/);
    return true;
  }
}

/** Another 10,000 are tried natively. */
const MANY = process.env.BACKFILL_LONG ? 10_000 : 2_000;

test(`Node: ${MANY} random scenarios survive their text and their link`, () => {
  const next = scenarios(draws(2018));
  const changed = new Set();
  let tooLong = 0;
  for (let count = 0; count < MANY; count += 1) {
    const pairs = next();
    const text = scenario(pairs);
    const lines = text.split('\n').slice(0, -1);
    const again = lines.map((line) => line.split(/=(.*)/, 2));
    assert.equal(scenario(again), text, JSON.stringify(pairs));
    for (const [key] of again) changed.add(key);

    const digest = count % 2 ? DIGEST : '';
    const link = linkTo(text, digest);
    if (link === null) {
      tooLong += 1;
      continue;
    }
    const opened = core.read_link(link);
    assert.equal(scenario(opened.pairs), text, link);
    assert.equal(opened.digest, digest);
    assert.equal(opened.core, digest && core.version());
    assert.equal(core.write_link(scenario(opened.pairs), opened.digest), link);
  }
  const keys = core.tables().keys.map(({ name }) => name);
  assert.deepEqual(
    keys.filter((key) => !changed.has(key)),
    [],
    'keys that no scenario changed',
  );
  assert.ok(tooLong < 10, `${tooLong} links would be too long`);
});

test('Node: a link with an end cut off or a character changed is refused or read as typed', () => {
  const next = scenarios(draws(1998));
  const drawn = Array.from({ length: 4 }, () => linkTo(scenario(next()), DIGEST)).filter(
    (link) => link !== null,
  );
  assert.ok(drawn.length > 0 && golden.length >= 8);
  for (const link of [...golden, ...drawn]) {
    assert.equal(isNotWhole(link), false, link);
    for (let end = 2; end < link.length; end += 1)
      assert.ok(isNotWhole(link.slice(0, end)), `${link} up to ${end}`);
    for (let at = 0; at < link.length; at += 1) {
      for (const other of [...PRINTABLE, '\n', 'é', '🌲']) {
        const damaged = link.slice(0, at) + other + link.slice(at + 1);
        if (damaged !== link) assert.ok(isNotWhole(damaged), damaged);
      }
    }
  }
});

/** Follows a link in the tab, as if it were pasted into the address. */
function follow(tab, link) {
  return tab.evaluate(
    (hash) =>
      new Promise((resolve) => {
        addEventListener('hashchange', () => resolve(), { once: true });
        location.hash = hash;
      }),
    link,
  );
}

/** The scenario on the page, by the link that it shares. */
async function shared(tab) {
  const { hash } = new URL(await share(tab));
  return scenario(core.read_link(hash).pairs);
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: 20 random scenarios survive being opened and shared`, async () => {
    const tab = await visit[engine](SMALL);
    await answer(tab);
    const next = scenarios(draws(20), { most: 8n });
    const texts = Array.from({ length: 20 }, () => scenario(next()));
    for (const text of texts) {
      await follow(tab, core.write_link(text, ''));
      assert.equal(await shared(tab), text);
    }
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a damaged link leaves the scenario and the answer on the page alone`, async () => {
    const text = scenario([
      ['k', '4'],
      ['jobs', '40'],
      ['reps', '2'],
      ['policy', 'none+adaba,easy+oktopus'],
    ]);
    const link = core.write_link(text, simulate(text).digest);
    const tab = await visit[engine](link);
    const { digest } = await answer(tab);
    assert.match(digest, /^[0-9a-f]{16}$/);

    const draw = draws(77);
    // Before its result, a link may end as if somebody had typed it.
    const whole = link.indexOf('&digest=') + '&digest='.length;
    const cut = () => link.slice(0, whole + draw(link.length - whole));
    const changed = () => {
      const at = 1 + draw(link.length - 1);
      return (
        link.slice(0, at) +
        PRINTABLE.filter((other) => other !== link[at])[draw(94)] +
        link.slice(at + 1)
      );
    };
    for (const damaged of [
      ...Array.from({ length: 8 }, cut),
      ...Array.from({ length: 8 }, changed),
    ]) {
      await follow(tab, damaged);
      const now = await read(tab);
      assert.match(now.banners.join(), /^This link cannot be opened.*link/, damaged);
      assert.equal(now.digest, digest);
      assert.equal(now.hidden, false);
      assert.equal(await shared(tab), text, damaged);
      await tab.click('.banner[data-kind="link"] .plain');
      assert.deepEqual((await read(tab)).banners, []);
    }
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: a typed link is read, and the address completed`, async () => {
    const tab = await visit[engine]('#v1?k=4&jobs=40&reps=2&policy=fcfs+adaba');
    const text = scenario(Object.entries({ k: '4', jobs: '40', reps: '2', policy: 'fcfs+adaba' }));
    const { digest } = await answer(tab);
    assert.equal(digest, simulate(text).digest);
    const said = '.banner[data-kind="link"] .words';
    await tab.waitFor(
      (where) => /^This link has no checksum/.test(document.querySelector(where)?.textContent),
      said,
    );
    assert.equal(await tab.evaluate(() => location.hash), core.write_link(text, digest));
    await tab.evaluate(() => {
      location.hash = '#v1?k=4&jobs=50&reps=2&policy=fcfs+adaba';
    });
    await tab.waitFor((before) => document.querySelector('#digest').textContent !== before, digest);
    await answer(tab);
    assert.equal(
      await shared(tab),
      scenario([...Object.entries({ k: '4', jobs: '50', reps: '2', policy: 'fcfs+adaba' })]),
    );
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: back and forward lead from answer to answer, whatever was edited between`, async () => {
    const small = Object.entries({ k: '4', jobs: '40', reps: '2', policy: 'fcfs+adaba' });
    const tab = await visit[engine](core.write_link(scenario(small), ''));
    const digests = [(await answer(tab)).digest];
    for (const seed of ['5', '6']) {
      await enter(tab, 'seed', seed);
      digests.push((await run(tab)).digest);
    }
    assert.equal(new Set(digests).size, 3);
    await enter(tab, 'jobs', '50');
    const step = async (/** @type {number} */ by, /** @type {string} */ expected) => {
      await tab.evaluate((by) => history.go(by), by);
      await tab.waitFor(
        (digest) => document.querySelector('#digest').textContent === digest,
        expected,
      );
      await answer(tab);
      const jobs = () => document.querySelector('[data-key="jobs"] input').value;
      assert.equal(await tab.evaluate(jobs), '40');
    };
    await step(-1, digests[1]);
    await step(-1, digests[0]);
    await step(1, digests[1]);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
