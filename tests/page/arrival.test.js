// A log that arrives: it is answered whole, on its own machine, and asked on with one click.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAILY_ENGINES } from './browser.js';
import { core, scenario } from './core.js';
import { ask, asked, bring, log, subject } from './log.js';
import { answer, answerOf, read } from './visitor.js';
import { visits } from './visits.js';

/** The scenario in the address, once it has the digest of its answer. */
const address = (tab) =>
  tab.waitFor(() => /&digest=/.test(location.hash) && decodeURIComponent(location.hash));

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine);

  test(`${engine}: a log is answered on its own machine, whole, and asked on with one click`, async () => {
    const tab = await visit();
    const first = await answerOf(tab, await bring('arrives.swf', log(2000)));
    const said = await subject(tab, /^arrives\.swf: /);
    assert.equal(
      said,
      'arrives.swf: all 2,000 jobs; its own machine of 128 processors (MaxProcs of its header).',
    );
    assert.equal(first.policies.length, 3);
    assert.match(await address(tab), /[?&]system=nodes&machine=log&/);
    assert.doesNotMatch(await address(tab), /first=|slice=/);
    assert.deepEqual(await asked(tab), [
      ['Which scheduler?', 'true'],
      ['A larger machine?', 'false'],
      ['More load?', 'false'],
      ['What would bandwidth guarantees cost?', 'false'],
    ]);

    await ask(tab, 'A larger machine?');
    await subject(tab, /; machines around its own of 128 processors/);
    assert.match(await address(tab), /x=machine_scale:0\.8,0\.9,1,/);
    await ask(tab, 'What would bandwidth guarantees cost?');
    await subject(tab, /: the busiest 1,000 of 2,000 jobs; fat-tree with 128 slots\.$/);
    const { sentence } = await read(tab);
    assert.doesNotMatch(sentence, /more bandwidth than/);
    assert.equal((await asked(tab))[3][1], 'true');
    const again = await ask(tab, 'Which scheduler?');
    assert.equal(again.digest, first.digest);
    assert.deepEqual((await read(tab)).banners, []);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: what the log's own scheduler did stands beside what others would have done`, async () => {
    const lines = log(300).split('\n');
    const waited = lines.map((line) => line.replace(/^(\d+ \d+) -1/, '$1 75'));
    const tab = await visit();
    const { policies, sentence } = await answerOf(
      tab,
      await bring('waited.swf', waited.join('\n')),
    );
    await subject(tab, /^waited\.swf: all 300 jobs; /);
    assert.equal(policies.length, 4);
    assert.ok(sentence.includes(policies[3]), sentence);
    assert.match(sentence, /so it is not ranked\.$/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

const visit = visits('chromium');

test('chromium: a scenario that names its system keeps it, and the log can be asked all the same', async () => {
  const text = scenario([
    ['k', '8'],
    ['reps', '1'],
    ['policy', 'fcfs+adaba'],
  ]);
  const tab = await visit(core.write_link(text, ''));
  await answerOf(tab, await bring('kept.swf', log(300)));
  await subject(tab, /^kept\.swf: all 300 jobs; fat-tree with 1,024 slots\.$/);
  assert.match(await address(tab), /[?&]k=8&/);
  assert.ok((await asked(tab)).every(([, pressed]) => pressed === 'false'));
  await ask(tab, 'Which scheduler?');
  assert.doesNotMatch(await address(tab), /[?&]k=8&/);

  // Another log takes the place of one that was asked a question; what it is about is told even if
  // everything is cancelled, several times, before the worker comes to that.
  await tab.evaluate(() => {
    let times = 0;
    const send = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...others) {
      if (message.type !== 'about') return send.call(this, message, ...others);
      times += 1;
      if (times === 5) Worker.prototype.postMessage = send;
      const held = [{ type: 'pause' }, { ...message, id: 0 }];
      for (const next of [...held, message, { type: 'cancel' }]) send.call(this, next);
    };
  });
  await tab.choose('#file', await bring('other.swf', log(200)));
  await subject(tab, /^other\.swf: all 200 jobs; its own machine of 128 processors/);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('chromium: what sacct --json prints is a log, not a result', async () => {
  const job = (/** @type {number} */ id, /** @type {number} */ start) => ({
    job_id: id,
    time: { submission: 1_709_287_200, start, end: start + 600, elapsed: 600 },
    required: { CPUs: 4 },
    state: { current: ['COMPLETED'] },
  });
  const jobs = [job(101, 1_709_287_205), job(102, 1_709_287_805)];
  const tab = await visit();
  await answer(tab);
  await tab.choose('#file', await bring('slurm.json', JSON.stringify({ meta: {}, jobs })));
  await subject(tab, /^slurm\.json: all 2 jobs, 1 Mar 2024; its own machine of 4 processors/);
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
    'settings.toml and one.swf are used; two.swf is not: one log, one topology and one scenario or result at a time.',
  );
  await answer(tab);
  const scenario = await address(tab);
  assert.match(scenario, /file=one\.swf/);
  assert.match(scenario, /[?&]k=8&/);
  assert.equal((await read(tab)).hidden, false);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
