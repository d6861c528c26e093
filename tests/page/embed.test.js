// The page in a page of another origin: what of it is shown, and the messages between them. The code of
// README.md is what asks.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENGINES, launch, site } from './browser.js';
import { core, scenario, simulate } from './core.js';
import { framing, hostPage } from './host-page.js';
import { draws } from './random.js';
import { serve } from './server.js';
import { newDigest } from './visitor.js';

const SMALL = [
  ['k', '4'],
  ['jobs', '40'],
  ['reps', '2'],
];
const LOG =
  '; MaxProcs: 4\n1 0 0 60 2 -1 -1 2 60 -1 1 1 1 1 1 1 -1 -1\n2 9 0 30 4 -1 -1 4 90 -1 1 1 1 1 1 1 -1 -1\n';

/** A page that a window opens, and what it is asked. */
const OPENING = (address) => `<!doctype html><title>Host</title><button>Open</button><script>
  const answers = [];
  document.querySelector('button').onclick = () => {
    const opened = open(${JSON.stringify(address)});
    addEventListener('message', ({ data }) => answers.push(data));
    setInterval(() => opened.postMessage({ backfill: 1, id: 1, type: 'ping' }, '*'), 200);
  };
</script>`;

for (const engine of ENGINES) {
  let browser;
  let page;
  let host;
  before(async () => {
    page = await serve(site);
    browser = await launch(engine);
    host = await hostPage();
  });
  after(async () => {
    await browser.close();
    await page.close();
    host.close();
    assert.deepEqual(page.violations, []);
  });
  const open = (html) => {
    host.show(html);
    return browser.open(host.url);
  };
  /** A host whose code has its answer. */
  const framed = async (embed = 'charts') => {
    const tab = await open(framing(`${page.url}?embed=${embed}#v1?k=4&jobs=40&reps=2`));
    await tab.waitFor(() => window.digest);
    return tab;
  };
  /**
   * What a tab did wrong. The frame is of another host than the tab, and before it is there it has no
   * origin to send to.
   */
  const faultsOf = async (tab) =>
    (await tab.faults()).filter(
      (fault) =>
        !fault.startsWith(`request to another host: ${page.url}`) &&
        !/does not match the recipient window/.test(fault),
    );
  // As text: Firefox is handed no object with a key like `constructor`.
  const ask = (tab, type, parts = {}) =>
    tab.evaluate(
      (text) => {
        const [type, parts] = JSON.parse(text);
        return window.ask(type, parts);
      },
      JSON.stringify([type, parts]),
    );

  test(`${engine}: the code of the README gets a result from another origin`, async () => {
    const tab = await framed();
    const { digest } = simulate(scenario(SMALL));
    assert.equal(await tab.evaluate(() => window.digest), digest);
    assert.equal(
      await tab.evaluate(() => window.summary.policies.length),
      core.read_scenario(SMALL).policies.length,
    );
    await tab.waitFor(() => document.querySelector('iframe').height > 300);
    const { link } = await ask(tab, 'result');
    assert.equal(core.read_link(new URL(link).hash).digest, digest);
    assert.deepEqual(
      await ask(tab, 'scenario', { scenario: { k: '8', slots: '4' } }).then((all) => all.scenario),
      'k=8\nslots=4\n',
    );
    const log = await tab.evaluate(
      (text) => window.ask('log', { name: 'two.swf', bytes: new TextEncoder().encode(text) }),
      LOG,
    );
    assert.match(log.sha256, /^[0-9a-f]{64}$/);
    assert.match(log.scenario, /file=two\.swf/);
    const run = await ask(tab, 'run');
    assert.match(run.digest, /^[0-9a-f]{16}$/);
    // A log that a visitor opens stays in the page.
    const earlier = await tab.evaluateInFrame(() => document.querySelector('#digest').textContent);
    await tab.evaluateInFrame(
      (text) => {
        const files = new DataTransfer();
        files.items.add(new File([text], 'own.swf'));
        document.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true }));
      },
      LOG.replace('30', '31'),
    );
    while (!(await tab.evaluateInFrame(newDigest, earlier))) await sleep(100);
    // Whether that is a log, and which columns it has, the page asks its visitor.
    const table = await tab.evaluate(() =>
      window.ask('log', { name: 'table.csv', bytes: new TextEncoder().encode('a,b\n1,2\n') }),
    );
    assert.deepEqual([table.type, table.sha256], ['error', undefined]);
    for (const type of ['result', 'run'])
      assert.match((await ask(tab, type)).message, /opened by a visitor/);
    assert.deepEqual(await faultsOf(tab), []);
    await tab.close();
  });

  test(`${engine}: what cannot be done is answered with an error and changes nothing`, async () => {
    const tab = await framed();
    const begun = await ask(tab, 'result');
    const byHand = [
      ['', {}, /type of a message is one of ping, scenario, log, run, result/],
      ['constructor', {}, /type of a message/],
      ['__proto__', {}, /type of a message/],
      ['toString', {}, /type of a message/],
      [null, {}, /type of a message/],
      [{ toString: 'run' }, {}, /type of a message/],
      ['scenario', {}, /text of key = value lines/],
      ['scenario', { scenario: 7 }, /text of key = value lines/],
      ['scenario', { scenario: ['k = 4'] }, /there is no such key/],
      ['scenario', { scenario: 'k = 7' }, /k = 7: must be an even/],
      ['scenario', { scenario: 'k' }, /Line 1: write key = value/],
      ['scenario', { scenario: `k = ${'4'.repeat(200_000)}` }, /at most 100000 characters/],
      ['scenario', { scenario: { k: 4 } }, /a text for each key/],
      ['scenario', { scenario: { constructor: 'x', k: '4' } }, /there is no such key/],
      ['scenario', { scenario: '__proto__ = 1' }, /there is no such key/],
      ['scenario', { scenario: '<img src=x onerror=alert(1)> = 1' }, /write key = value/],
      ['log', { name: 'a.swf' }, /a name, which is a text, and its bytes/],
      ['log', { name: 7, bytes: 'x' }, /a name, which is a text, and its bytes/],
      ['run', { scenario: 'workload = swf' }, /./],
    ];
    for (const [type, parts, expected] of byHand) {
      const answer = await ask(tab, type, parts);
      assert.equal(
        answer.type,
        'error',
        `${JSON.stringify(type)} ${JSON.stringify(parts).slice(0, 80)}`,
      );
      assert.match(answer.message, expected);
    }
    const { type, digest, link } = await ask(tab, 'result');
    assert.deepEqual([type, digest, link], ['result', begun.digest, begun.link]);

    const nested = await tab.evaluate(() => {
      let scenario = {};
      for (let depth = 0; depth < 1000; depth += 1) scenario = { next: scenario };
      return window.ask('scenario', { scenario });
    });
    assert.match(nested.message, /a text for each key/);

    // 2,000 at random, of which some wait while a run is under way.
    const draw = draws(35);
    const any = () =>
      [null, 7, '', 'k', [], {}, { k: {} }, 'run', '__proto__', 'x'.repeat(draw(5000)), -0.5, true][
        draw(12)
      ];
    const messages = Array.from({ length: 2000 }, () => {
      const parts = { [['scenario', 'name', 'bytes', 'id', '__proto__'][draw(5)]]: any() };
      return { type: ['scenario', 'log', 'nothing', any()][draw(4)], parts };
    }).filter(({ type }) => type !== 'run');
    const kinds = await tab.evaluate(async (text) => {
      const all = JSON.parse(text);
      const frame = document.querySelector('iframe').contentWindow;
      const ends = new Map();
      let answered = 0;
      addEventListener('message', ({ data }) => {
        if (!String(data.id).startsWith('random')) return;
        answered += 1;
        ends.set(data.type, (ends.get(data.type) ?? 0) + 1);
      });
      const running = window.ask('run', { scenario: { k: '4', jobs: '41', reps: '2' } });
      for (const [place, { type, parts }] of all.entries())
        frame.postMessage({ ...parts, backfill: 1, id: `random${place}`, type }, '*');
      for (const other of [null, 7, 'text', [], { backfill: 2, type: 'ping' }, { type: 'ping' }])
        frame.postMessage(other, '*');
      const run = await running;
      while (answered < all.length) await new Promise((resolve) => setTimeout(resolve, 50));
      return { run: run.type, ends: [...ends] };
    }, JSON.stringify(messages));
    assert.equal(kinds.run, 'run');
    assert.deepEqual(
      kinds.ends.map(([name]) => name),
      ['error'],
    );
    const after = await ask(tab, 'result');
    assert.equal(
      after.digest,
      simulate(scenario([...SMALL.filter(([key]) => key !== 'jobs'), ['jobs', '41']])).digest,
    );
    assert.deepEqual(await faultsOf(tab), []);
    await tab.close();
  });

  test(`${engine}: only the window that framed or opened the page is answered`, async () => {
    const address = `${page.url}?embed=answer#v1?k=4&jobs=40&reps=2`;
    const tab = await framed('answer');
    const heard = await tab.evaluate(async (address) => {
      // Another frame of this page, which is of this origin, asks in its stead.
      const other = document.createElement('iframe');
      document.body.append(other);
      const answers = [];
      other.contentWindow.addEventListener('message', ({ data }) => answers.push(data));
      const script = other.contentDocument.createElement('script');
      script.textContent =
        "parent.frames[0].postMessage({ backfill: 1, id: 'other', type: 'ping' }, '*')";
      other.contentDocument.body.append(script);
      let mine = 0;
      addEventListener('message', ({ data }) => {
        if (data.id === 'other') mine += 1;
      });
      await window.ask('ping');
      await new Promise((resolve) => setTimeout(resolve, 300));
      return [answers.length, mine, address.length > 0];
    }, address);
    assert.deepEqual(heard, [0, 0, true]);
    await tab.close();
    const opener = await open(OPENING(address));
    await opener.click('button');
    const [first] = await opener.waitFor(
      () =>
        answers.filter(({ type }) => type === 'ping').length > 0 &&
        answers.filter(({ type }) => type === 'ping'),
    );
    assert.deepEqual(first, { backfill: 1, id: 1, type: 'ping', version: core.version() });
    await opener.close();
  });
}

test('each part is embedded without what is around it', async () => {
  const page = await serve(site);
  const browser = await launch('chromium');
  const PARTS = [
    '.column',
    '.tabs',
    '#sentence',
    '#charts',
    '#compare',
    '#inside',
    '#jobs',
    'footer',
  ];
  try {
    for (const [embed, expected] of [
      ['answer', ['#sentence', '#charts']],
      ['charts', ['#charts']],
      ['inside', ['#inside', '#jobs']],
    ]) {
      const tab = await browser.open(`${page.url}?embed=${embed}#v1?k=4&jobs=40&reps=2`, {
        width: 640,
        height: 480,
      });
      await tab.waitFor(() => /^[0-9a-f]{16}$/.test(document.querySelector('#digest').textContent));
      await tab.waitFor(
        () =>
          document.querySelector('.jobs tbody tr') !== null ||
          document.documentElement.dataset.embed !== 'inside',
      );
      assert.deepEqual(
        await tab.evaluate(
          (parts) => parts.filter((part) => document.querySelector(part).checkVisibility()),
          PARTS,
        ),
        expected,
        embed,
      );
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await tab.close();
    }
  } finally {
    await browser.close();
    await page.close();
  }
});
