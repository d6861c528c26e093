// The default charts of the page: those by which its system is judged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAILY_ENGINES } from './browser.js';
import { core, scenario } from './core.js';
import { answer, enter, followLink, run } from './visitor.js';
import { visits } from './visits.js';

/** Each system's, from the papers on them. */
const HEADLINE = {
  'fat-tree': ['accept_rate', 'wait_mean', 'bsd_mean'],
  nodes: ['response_mean', 'bsd_mean', 'wait_mean'],
  'multi-cluster': ['response_mean', 'penalty', 'wait_mean'],
  pool: ['response_mean', 'response_weighted', 'wait_mean', 'wait_weighted'],
};
/** Which metric the policies are compared by. */
const COMPARED = {
  'fat-tree': 'wait_mean',
  nodes: 'response_mean',
  'multi-cluster': 'response_mean',
  pool: 'response_mean',
};

const accepting = visits('chromium');

/** What makes an example quick to run. */
const FEW = { jobs: '60', reps: '1' };

/** The first example on a system, with few jobs. */
function example(system) {
  const named = core.tables().examples.map(({ pairs }) => Object.fromEntries(pairs));
  const found = named.find((pairs) => (pairs.system ?? 'fat-tree') === system);
  assert.ok(found, `an example on ${system}`);
  return scenario(Object.entries({ ...found, ...FEW }));
}

/** Waits until these are the charts in some order, all of them drawn. @returns them in order */
function charts(tab, expected) {
  return tab.waitFor((wanted) => {
    const shown = [...document.querySelectorAll('#charts select')].map((select) => select.value);
    const drawn = [...document.querySelectorAll('#charts canvas')].every(
      (canvas) => canvas.clientWidth > 200,
    );
    return drawn && [...shown].sort().join() === wanted && shown;
  }, expected.toSorted().join());
}

test('chromium: the accept rate steps back where all policies run all jobs', async () => {
  const tab = await accepting(
    core.write_link(scenario([...Object.entries(FEW), ['policy', 'fcfs+adaba,easy+adaba']]), ''),
  );
  const shown = await charts(tab, ['accept_rate', 'wait_mean', 'bsd_mean']);
  assert.deepEqual(shown, ['wait_mean', 'bsd_mean', 'accept_rate']);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('chromium: where policies differ most comes first, and stays there while runs are missing', async () => {
  const tab = await accepting('');
  await answer(tab);
  const wanted = ['bsd_mean', 'wait_mean', 'accept_rate'];
  assert.deepEqual(await charts(tab, wanted), wanted);
  await enter(tab, 'jobs', '500');
  await tab.evaluate(() => {
    const orders = new Set();
    Reflect.set(window, 'orders', orders);
    const look = () => {
      const selects = [...document.querySelectorAll('#charts select')];
      orders.add(selects.map((select) => select.value).join());
      requestAnimationFrame(look);
    };
    look();
  });
  await run(tab);
  const seen = await tab.evaluate(() => [...Reflect.get(window, 'orders')]);
  assert.deepEqual(seen, [wanted.join()]);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine);

  test(`${engine}: an example on each system opens with its charts, and compares by its times`, async () => {
    const tab = await visit(core.write_link(example('nodes'), ''));
    for (const [system, expected] of Object.entries(HEADLINE)) {
      await followLink(tab, core.write_link(example(system), ''));
      await charts(tab, expected);
      await tab.waitFor(
        (metric) => document.querySelector('#compare .pick select')?.value === metric,
        COMPARED[system],
      );
      // All alike: each says what x is.
      const heights = await tab.evaluate(() =>
        [...document.querySelectorAll('#charts canvas')].map((canvas) => canvas.clientHeight),
      );
      assert.ok(
        heights.every((height) => height === heights[0]),
        `${heights}`,
      );
    }
    // A chosen metric stays when the same system runs again.
    await answer(tab);
    await tab.evaluate(() => {
      const select = document.querySelector('#charts select');
      select.value = 'queue_mean';
      select.dispatchEvent(new Event('change'));
    });
    await enter(tab, 'jobs', '70');
    await run(tab);
    assert.equal(
      await tab.evaluate(() => document.querySelector('#charts select').value),
      'queue_mean',
    );
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a sweep of the guarantee is answered with the best one`, async () => {
    const swept = { x: 'guarantee:0:100:50', load: '0.9', policy: 'easy', ...FEW, reps: '3' };
    const tab = await visit(core.write_link(scenario(Object.entries(swept)), ''));
    await answer(tab);
    await run(tab);
    const { sentence } = await answer(tab);
    assert.match(
      sentence,
      /^With \S+( %)? guaranteed, EASY \+ AdaBa has its shortest mean response time: /,
    );
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
