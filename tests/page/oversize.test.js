// Jobs that can never run are reported before a run and in its answer, and rejected lines of a log
// are conspicuous.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAILY_ENGINES } from './browser.js';
import { bring, subject } from './log.js';
import { answer, enter, run } from './visitor.js';
import { visits } from './visits.js';

/** Seven jobs, three of which are larger than the opening system, and a line that is none. */
const LOG = [1, 10, 100, 1000, 79_920, 79_920, 2]
  .map((size, place) => `${place + 1} ${place + 1} 0 9 ${size} -1 -1 -1 9 -1 1 1 1 1 1 -1 -1 -1\n`)
  .concat('8 8 0 x 1 -1 -1 1 9 -1 1 1 1 1 1 -1 -1 -1\n')
  .join('');

/** Waits until the page says just this beforehand. */
const warned = (tab, words) =>
  tab.waitFor((wanted) => {
    const place = document.querySelector('#warning');
    return place.textContent === wanted && place.hidden === (wanted === '');
  }, words);

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine);

  test(`${engine}: oversize jobs are told before a run and in its answer`, async () => {
    const path = await bring('wide.swf', LOG);
    const tab = await visit();
    await answer(tab);
    await warned(tab, '');
    await enter(tab, 'size', 'uniform:1:500');
    await warned(
      tab,
      'Jobs may ask for up to 500 slots, and this system has 432: every policy rejects those that ask for more.',
    );
    await enter(tab, 'size', 'uniform:1:15');
    await enter(tab, 'link_mbps', '2000');
    await warned(tab, '');

    await tab.choose('#file', path);
    // The scenario names its system, on which not all fit.
    await subject(tab, /: all 7 jobs; fat-tree with 432 slots\.$/);
    await warned(
      tab,
      '3 of 7 jobs ask for more than the 432 slots of this system, the largest for 79,920: every policy rejects them.',
    );
    const loud = await tab.evaluate(() => document.querySelector('.report .bad').textContent);
    assert.equal(loud, '1 of 8 lines rejected and not simulated.');
    await enter(tab, 'reps', '1');
    const { sentence } = await run(tab);
    assert.match(
      sentence,
      /3 of 7 jobs ask for more slots than this system has: every policy rejects them\. Of the jobs that can run, /,
    );

    await enter(tab, 'k', '64');
    await warned(tab, '');
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
