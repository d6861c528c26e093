// The cost of a scenario is shown before it is run, and estimating it blocks nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAILY_ENGINES } from './browser.js';
import { scenario, simulate } from './core.js';
import { answer, compare, enter, enterUntil, run } from './visitor.js';
import { visits } from './visits.js';

/** What the page says a run would cost, once it says so. */
const foreseen = (tab) =>
  tab.waitFor(() => {
    const { textContent } = document.querySelector('#status');
    return /^[\d,]+ runs?, .* here/.test(textContent) && textContent;
  });

/**
 * Policies whose cost differs in kind: jobs that gather in a queue, and none; and how many jobs.
 */
const CASES = [
  ['a queue that grows', ['fcfs+adaba', 'sbf+adaba'], '20000'],
  ['no queue', ['none+adaba', 'none+oktopus'], '40000'],
];

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine);

  for (const [what, policies, jobs] of CASES) {
    test(`${engine}: the cost of a run is said beforehand: ${what}`, async () => {
      const tab = await visit();
      await answer(tab);
      await compare(tab, ...policies);
      await enter(tab, 'jobs', jobs);
      await enter(tab, 'reps', '2');
      const said = await foreseen(tab);
      console.log(`# ${engine}: ${what}: foreseen: ${said}`);
      if (what === 'no queue') assert.doesNotMatch(said, /queue grows/);
      const now = await run(tab);
      console.log(`# ${engine}: ${what}: was: ${now.status}`);
      assert.equal(
        now.digest,
        simulate(
          scenario([
            ['policy', policies.join(',')],
            ['jobs', jobs],
            ['reps', '2'],
          ]),
        ).digest,
      );
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    });
  }

  test(`${engine}: what takes no time to speak of is answered without Run`, async () => {
    const tab = await visit();
    await answer(tab);
    for (const jobs of ['40', '60']) {
      const pairs = [
        ['k', '4'],
        ['jobs', jobs],
        ['reps', '2'],
      ];
      const { digest } = simulate(scenario(pairs));
      await enterUntil(tab, pairs, () =>
        tab.waitFor(
          (wanted) => document.querySelector('#digest').textContent === wanted,
          digest,
          5000,
        ),
      );
      const now = await answer(tab);
      assert.match(now.badge, /^computed here/);
      assert.match(now.status, /^32 runs in/);
      assert.deepEqual(now.banners, []);
    }
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a run that is begun while its cost is found out takes its place`, async () => {
    const tab = await visit();
    await answer(tab);
    await enter(tab, 'reps', '8');
    for (const seed of ['5', '6', '7', '8']) {
      await enter(tab, 'seed', seed);
      await tab.evaluate(
        (rest) =>
          new Promise((resolve) =>
            setTimeout(() => resolve(document.querySelector('#run').click()), rest),
          ),
        // From before it begins until after it has ended.
        140 + 20 * (Number(seed) - 5),
      );
      const now = await answer(tab);
      const asked = scenario([
        ['reps', '8'],
        ['seed', seed],
      ]);
      assert.equal(now.digest, simulate(asked).digest);
      assert.deepEqual(now.banners, []);
    }
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
