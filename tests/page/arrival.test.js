// A log that arrives: the system is made to fit it, its first jobs are run at once, and each of
// these is reported and can be undone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAILY_ENGINES } from './browser.js';
import { core, scenario } from './core.js';
import { bring, log } from './log.js';
import { answer, read } from './visitor.js';
import { visits } from './visits.js';

/** What the banner about the log says, and what it offers. */
const banner = (tab) =>
  tab.waitFor(() => {
    const box = document.querySelector('.banner[data-kind="log"]');
    return (
      box && {
        words: box.querySelector('.words').innerText,
        offers: [...box.querySelectorAll('button')].slice(0, -1).map((each) => each.textContent),
      }
    );
  });

/** Takes what the banner offers under these words, and waits for the answer. */
async function take(tab, words) {
  await tab.evaluate((words) => {
    const all = [...document.querySelectorAll('.banner[data-kind="log"] button')];
    all.find((each) => each.textContent === words).click();
  }, words);
  return answer(tab);
}

/** The scenario in the address, once it has the digest of its answer. */
const address = (tab) =>
  tab.waitFor(() => /&digest=/.test(location.hash) && decodeURIComponent(location.hash));

const TREE = 'a fat-tree with k = 4 and 8 slots per server (128 slots)';
const CLUSTER = 'Use a cluster of 128 nodes';
const LEAVE = 'Leave the system as it was';
const WHOLE = 'Run the whole log';

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine);

  test(`${engine}: a log gets a system of its size and an answer to its first jobs`, async () => {
    const tab = await visit();
    const opening = await answer(tab);
    await tab.choose('#file', await bring('arrives.swf', log(9000)));
    const said = await banner(tab);
    assert.match(said.words, /^arrives\.swf needs 128 processors\. The system is now /);
    assert.ok(said.words.includes(TREE), said.words);
    assert.match(said.words, /The first [\d,]+ of 9,000 jobs are run/);
    assert.deepEqual(said.offers, [CLUSTER, LEAVE, WHOLE]);
    const first = await answer(tab);
    assert.notEqual(first.digest, opening.digest);
    assert.match(await address(tab), /[?&]k=4&.*file=arrives\.swf.*&first=\d+/);

    await take(tab, CLUSTER);
    assert.match(await address(tab), /[?&]system=nodes&/);
    assert.deepEqual((await banner(tab)).offers, [`Use ${TREE}`, LEAVE, WHOLE]);
    await take(tab, LEAVE);
    assert.doesNotMatch(await address(tab), /system=|[?&]k=/);
    assert.deepEqual((await banner(tab)).offers, [`Use ${TREE}`, CLUSTER, WHOLE]);
    assert.equal((await take(tab, `Use ${TREE}`)).digest, first.digest);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

const visit = visits('chromium');

test('chromium: a scenario that names its system keeps it, and the whole log is run where that is asked for', async () => {
  const text = scenario([
    ['k', '8'],
    ['reps', '1'],
    ['policy', 'fcfs+adaba'],
  ]);
  const tab = await visit(core.write_link(text, ''));
  await answer(tab);
  await tab.choose('#file', await bring('kept.swf', log(3000)));
  const said = await banner(tab);
  assert.match(said.words, /The scenario keeps its own system\./);
  await answer(tab);
  assert.match(await address(tab), /[?&]k=8&/);
  if (said.offers.includes(WHOLE)) await take(tab, WHOLE);
  assert.doesNotMatch(await address(tab), /first=/);
  assert.ok(!(await banner(tab)).offers.includes(WHOLE));
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('chromium: of files that are dropped together it is said which are used', async () => {
  const tab = await visit();
  await answer(tab);
  const files = [
    ['one.swf', log(40)],
    ['two.swf', log(50)],
    ['settings.toml', 'k = 8\nreps = 2\n'],
  ];
  await tab.evaluate((files) => {
    const carried = new DataTransfer();
    for (const [name, content] of files) carried.items.add(new File([content], name));
    const event = new DragEvent('drop', { dataTransfer: carried, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
  }, files);
  const said = await tab.waitFor(
    () => document.querySelector('.banner[data-kind="unused"] .words')?.textContent,
  );
  assert.equal(
    said,
    'settings.toml and one.swf are used; two.swf is not: one log at a time, and one scenario or result.',
  );
  await answer(tab);
  const scenario = await address(tab);
  assert.match(scenario, /file=one\.swf/);
  assert.match(scenario, /[?&]k=8&/);
  assert.equal((await read(tab)).hidden, false);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
