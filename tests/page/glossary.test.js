// The meanings of names are shown beside them: by keys, by mouse, by touch, and closed by Escape.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { DAILY_ENGINES } from './browser.js';
import { SMALL, core } from './core.js';
import { answer } from './visitor.js';
import { TOUCH, visits } from './visits.js';

const glossary = core.glossary();

/** Waits for an explanation that holds these words, and returns it and what it describes. */
function explained(tab, words) {
  return tab.waitFor((wanted) => {
    const box = document.querySelector('#definition:popover-open');
    const of = document.querySelector('[aria-describedby~="definition"]');
    const { left, right, top, bottom } = box?.getBoundingClientRect() ?? {};
    return (
      box?.textContent.includes(wanted) && {
        words: box.textContent,
        describes: of?.id || of?.textContent || '',
        inside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
      }
    );
  }, words);
}

const closed = (tab) =>
  tab.waitFor(() => document.querySelector('#definition:popover-open') === null);

test('the glossary defines every key, choice, policy, placement and metric of the tables', () => {
  const { keys, queues, placements } = core.tables();
  for (const { name, choices } of keys) {
    assert.ok(glossary.keys[name].meaning.length > 10, name);
    for (const { value } of choices) assert.ok(glossary.choices[name][value].meaning, value);
  }
  for (const { value } of queues) assert.ok(glossary.queues[value].meaning, value);
  for (const { value } of placements) assert.ok(glossary.placements[value].meaning, value);
  assert.ok(Object.keys(glossary.metrics).length > 40);
});

test('what the page explains, it explains by one mechanism', async () => {
  const views = new URL('../../www/src/view/', import.meta.url);
  for (const file of await readdir(views)) {
    const script = await readFile(new URL(file, views), 'utf8');
    assert.doesNotMatch(script, /\.title = |'title'/, file);
  }
});

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine);

  test(`${engine}: a field is explained while the keys are at it, and its choice with it`, async () => {
    const tab = await visit(SMALL);
    await answer(tab);
    await tab.evaluate(() => document.querySelector('#field-jobs').focus());
    const jobs = await explained(tab, glossary.keys.jobs.meaning);
    assert.equal(jobs.describes, 'field-jobs');
    assert.ok(jobs.inside, 'within the window');
    await tab.press('Escape');
    await closed(tab);
    assert.equal(
      await tab.evaluate(() =>
        document.querySelector('#field-jobs').getAttribute('aria-describedby'),
      ),
      'field-jobs-wrong',
    );
    await tab.evaluate(() => document.querySelector('#field-system').focus());
    const system = await tab.evaluate(() => document.querySelector('#field-system').value);
    await explained(tab, glossary.choices.system[system].meaning);
    assert.deepEqual(await tab.faults(), []);
  });

  test(`${engine}: names in legend, answer, ranking and charts are explained to who points at them`, async () => {
    const tab = await visit();
    const { policies, sentence } = await answer(tab);
    const [queue, placement] = policies[0].split(' + ');
    const meaning = (all, label) => Object.values(all).find((each) => each.label === label).meaning;
    await tab.point('#legend button');
    const legend = await explained(tab, meaning(glossary.queues, queue));
    assert.ok(legend.words.includes(meaning(glossary.placements, placement)));
    await tab.point('#badge');
    await closed(tab);
    await tab.point('#charts select');
    await explained(tab, glossary.metrics.bsd_mean.meaning);
    await tab.point('#comparison .ranking .term');
    await explained(tab, 'Source: ');
    // The sentence is that of the core, with its names marked.
    const named = await tab.evaluate(() => [
      document.querySelector('#sentence').textContent,
      [...document.querySelectorAll('#sentence .term')].map((each) => each.textContent),
    ]);
    assert.equal(named[0], sentence);
    assert.ok(
      named[1].some((name) => policies.includes(name)),
      named[1].join(),
    );
    await tab.evaluate(() => document.querySelector('#sentence .term').focus());
    await tab.press('Shift');
    assert.deepEqual(await tab.faults(), []);
  });
}

const touch = visits('chromium', {}, TOUCH);

test('chromium: on a small touch screen a tap explains a name, within the screen', async () => {
  const tab = await touch();
  await answer(tab);
  await tab.tap('#sentence .term');
  const name = await explained(tab, 'Source: ');
  assert.ok(name.inside, 'within the window');
  await tab.tap('#badge');
  await closed(tab);
  assert.deepEqual(await tab.faults(), []);
});
