// The page for everyone: by keyboard, in light and dark, narrow and wide, and as a checker of
// accessibility sees it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings, overflow, WINDOWS } from './axe.js';
import { ENGINES, launch, site } from './browser.js';
import { SMALL, core, scenario } from './core.js';
import { ask, bring, log } from './log.js';
import { serve } from './server.js';
import { answer, dialogs, enter, lookAtFirstJob, runIsKept, scrollToRun } from './visitor.js';
import { visitsIn } from './visits.js';

const visit = visitsIn(ENGINES);

for (const [width, dark] of WINDOWS) {
  test(`axe finds nothing at ${width} px, ${dark ? 'dark' : 'light'}`, async () => {
    const host = await serve(site, AXE);
    const browser = await launch('chromium', { dark });
    try {
      const tab = await browser.open(host.url, { width, height: 700 });
      await answer(tab);
      await tab.waitFor(() => !document.querySelector('#inside').hidden);
      // Leaving a field for Run must not move Run away.
      await enter(tab, 'reps', '2');
      await tab.click('#run');
      await tab.waitFor(() => /^computed here/.test(document.querySelector('#badge').textContent));
      const states = {
        finished: async () => {},
        'everything open': async () => {
          await tab.evaluate(() => {
            for (const each of document.querySelectorAll('details')) each.open = true;
          });
        },
        'wrong value and bad file': async () => {
          await enter(tab, 'k', '7');
          await tab.choose('#file', await bring('empty.swf', ''));
          await tab.waitFor(() => document.querySelector('.banner') !== null);
        },
        'report of a log': async () => {
          await enter(tab, 'k', '6');
          await tab.choose('#file', await bring('small.swf', log(30, ['1 2 3'])));
          await tab.waitFor(() => document.querySelector('.report dl') !== null);
        },
        'inside a run': async () => {
          await lookAtFirstJob(tab);
        },
        resting: async () => {
          // Of a log on its own machine nothing is random, and its runs are soon over.
          await ask(tab, 'What would bandwidth guarantees cost?');
          await enter(tab, 'reps', '400');
          await tab.click('#run');
          await tab.click('#pause');
          await tab.waitFor(() => /^Paused/.test(document.querySelector('#status').textContent));
        },
        'what ails a log': async () => {
          await tab.click('#cancel');
          await tab.waitFor(() => !document.querySelector('#run').disabled);
          await tab.click('.field .doctor');
          await tab.waitFor(() => document.querySelector('dialog[open] .diagnosis h3') !== null);
        },
        ...dialogs(tab),
        'a lesson': async () => {
          const link = new URL(
            core.write_link(
              scenario([
                ['jobs', '40'],
                ['reps', '2'],
              ]),
              '',
              '',
              'scenario,compare',
            ),
            host.url,
          );
          await tab.goto(`${host.url}?lesson${link.hash}`);
          await tab.waitFor(
            () =>
              document.querySelector('[data-kind="hides"]') !== null &&
              !document.querySelector('#inside').hidden,
          );
        },
      };
      for (const [name, reach] of Object.entries(states)) {
        await reach();
        assert.deepEqual(await findings(tab), [], name);
        assert.equal(await overflow(tab), 0, name);
      }
      assert.deepEqual(await tab.faults(), []);
    } finally {
      await browser.close();
      await host.close();
    }
  });
}

for (const engine of ENGINES) {
  test(`${engine}: charts, heatmap and runs by keyboard`, async () => {
    const tab = await visit[engine](SMALL);
    await answer(tab);
    await tab.waitFor(
      () =>
        !document.querySelector('#inside').hidden &&
        document.querySelector('#charts canvas') !== null,
    );
    const told = () => tab.evaluate(() => document.activeElement.getAttribute('aria-valuetext'));

    await tab.evaluate(() => {
      const charts = [...document.querySelectorAll('#charts .chart')];
      const ofRates = charts.find((chart) => chart.querySelector('select').value === 'accept_rate');
      ofRates.querySelector('.plot').focus();
    });
    await tab.press('End');
    assert.match(
      await told(),
      /^Load 0\.9: FCFS \+ AdaBa 100\.0.*; No queue \+ AdaBa \d+\.\d ± \d+\.\d %/,
    );
    await tab.press('ArrowLeft');
    assert.match(await told(), /^Load 0\.7: /);
    const crosses = await tab.evaluate(
      () => [...document.querySelectorAll('.cross')].filter((each) => !each.hidden).length,
    );
    assert.equal(crosses, 4, 'all charts mark the same place, that of the differences too');

    // The numbers read out are those of the table.
    const spoken = await told();
    await tab.evaluate(() => {
      document.querySelector('#numbers').open = true;
    });
    const rows = await tab.waitFor(() =>
      [...document.querySelectorAll('#table tbody tr:nth-child(3)')]
        .map((row) => row.innerText.replaceAll('\t', ' '))
        .join('; '),
    );
    for (const [number] of spoken.split(': ')[1].matchAll(/\d+\.\d/g))
      assert.ok(rows.includes(number), `${number} in ${rows}`);

    await tab.evaluate(() => {
      localStorage.setItem('drawn-as', 'matrix');
      document.querySelector('.map').focus();
    });
    // Now that it is visible the run is kept with all its details, and its picture is drawn
    // again.
    await tab.waitFor(() => document.querySelector('.jobs tbody tr') !== null);
    const place = () => tab.evaluate(() => document.querySelector('.at').textContent);
    await tab.press('ArrowRight');
    assert.match(await place(), /^pod 0 – core, 9 links as one: \d+\.\d % reserved$/);
    // Links that act as one are one cell.
    await tab.press('ArrowRight');
    assert.match(await place(), /^pod 1 – core, 9 links as one: /);
    await tab.press('ArrowDown');
    assert.match(await place(), /^edge switch 0 – aggregation of pod 1, 3 links as one: /);
    for (let step = 0; step < 3; step += 1) await tab.press('ArrowDown');
    assert.match(await place(), /^server 10 – edge switch 0 of pod 1: /);

    await enter(tab, 'reps', '2');
    await tab.press('Escape');
    await tab.evaluate(() => document.querySelector('#run').focus());
    await tab.press('Enter');
    assert.match((await answer(tab)).badge, /^computed here/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

test('every control can be reached with Tab, its focus is seen, and nothing holds it', async () => {
  const tab = await visit.chromium(SMALL);
  await answer(tab);
  await scrollToRun(tab);
  await tab.waitFor(() => document.querySelector('.jobs tbody tr') !== null);
  await tab.evaluate(() => {
    scrollTo(0, 0);
    window.reached = new Set();
    document.querySelector('.skip').focus();
  });
  const names = [];
  for (;;) {
    const at = await tab.evaluate(() => {
      const element = document.activeElement;
      if (element === document.body || element === null) return null;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      const middle = document.elementFromPoint(
        box.left + box.width / 2,
        Math.max(box.top, Math.min(box.top + box.height / 2, innerHeight - 1)),
      );
      const again = window.reached.has(element);
      window.reached.add(element);
      return {
        id:
          element.id ||
          element.getAttribute('aria-label') ||
          element.textContent ||
          element.className,
        again,
        outlined: outlineStyle !== 'none' && outlineWidth !== '0px',
        covered:
          middle === null ||
          !(
            element.contains(middle) ||
            middle.contains(element) ||
            middle.closest('label')?.contains(element)
          ),
      };
    });
    if (at === null || (at.again && names.length > 0 && at.id === names[0])) break;
    assert.ok(!at.again, `${at.id} is reached twice`);
    assert.ok(at.outlined, `focus of ${at.id} is seen`);
    assert.ok(!at.covered, `${at.id} is under something else`);
    names.push(at.id);
    await tab.press('Tab');
  }
  const visible = await tab.evaluate(() => {
    const all = [
      ...document.querySelectorAll(
        'a[href], button, input, select, textarea, summary, [tabindex="0"]',
      ),
    ];
    const forgotten = all.filter(
      (each) =>
        each.checkVisibility({ visibilityProperty: true }) &&
        !each.disabled &&
        each.tabIndex >= 0 &&
        !window.reached.has(each),
    );
    // Of a group of choices one is reached, and the arrow keys do the rest.
    return forgotten
      .filter((each) => each.type !== 'radio')
      .map(
        (each) => each.id || each.getAttribute('aria-label') || each.textContent || each.className,
      );
  });
  assert.deepEqual(visible, [], `after ${names.length} steps`);
  for (const id of ['open', 'share', 'papers', 'More', 'Compare', 'field-k', 'field-reps', 'run'])
    assert.ok(names.includes(id), `${id} among ${names}`);

  // The menu opens by key, what is in it is reached, and Escape leads back to where it was opened.
  await tab.evaluate(() => document.querySelector('#menu > summary').focus());
  await tab.press('Enter');
  await tab.press('Tab');
  for (const item of ['theme', 'find', 'keys']) {
    assert.equal(await tab.evaluate(() => document.activeElement.id), item);
    if (item !== 'keys') await tab.press('Tab');
  }
  await tab.press('Escape');
  assert.deepEqual(
    await tab.evaluate(() => [
      document.querySelector('#menu').open,
      document.activeElement.matches('#menu > summary'),
    ]),
    [false, true],
  );
  await tab.close();
});

test('what is dark on the screen is light on paper', async () => {
  const host = await serve(site);
  const browser = await launch('chromium', { dark: true });
  try {
    const tab = await browser.open(host.url + SMALL);
    await answer(tab);
    await tab.waitFor(() => document.querySelector('#charts canvas') !== null);
    const paper = () => {
      const canvas = document.querySelector('#charts canvas');
      const [red] = canvas.getContext('2d').getImageData(1, 1, 1, 1).data;
      return { chart: red, page: getComputedStyle(document.documentElement).backgroundColor };
    };
    const screen = await tab.evaluate(paper);
    assert.ok(screen.chart < 64, `${screen.chart}`);
    await tab.emulate({ media: 'print' });
    await tab.waitFor(
      () =>
        document.querySelector('#charts canvas').getContext('2d').getImageData(1, 1, 1, 1)
          .data[0] === 255,
    );
    assert.equal((await tab.evaluate(paper)).page, 'rgb(255, 255, 255)');
    await tab.emulate({ media: 'screen' });
    await tab.waitFor(
      (red) =>
        document.querySelector('#charts canvas').getContext('2d').getImageData(1, 1, 1, 1)
          .data[0] === red,
      screen.chart,
    );
    assert.deepEqual(await tab.faults(), []);
  } finally {
    await browser.close();
    await host.close();
  }
});

test('paper has the scenario as a list, every section with something in it, and nothing to press', async () => {
  const tab = await visit.chromium(SMALL, { width: 800, height: 1100 });
  await answer(tab);
  await tab.waitFor(() => document.querySelector('.printed dd') !== null);
  await runIsKept(tab);
  const unseen = await tab.evaluate(
    () => document.querySelector('.printed').getClientRects().length,
  );
  assert.equal(unseen, 0);
  await tab.emulate({ media: 'print' });
  const paper = await tab.evaluate(() => {
    const isSeen = (element) => element.checkVisibility({ contentVisibilityAuto: false });
    const seen = (selector) => [...document.querySelectorAll(selector)].filter(isSeen);
    return {
      controls: seen('button, input, progress').filter((each) => !each.closest('.legend, th'))
        .length,
      framed: seen('select').filter((each) => getComputedStyle(each).borderStyle !== 'none').length,
      scenario: document.querySelector('.printed dl').innerText,
      sections: seen('.results > section').map((each) => each.className),
      above: seen('.results > *')[0].getBoundingClientRect().top,
      below: document.querySelector('#top').getBoundingClientRect().bottom,
      short: seen('.results > section').filter((each) => each.innerText.length < 60).length,
      across: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
  });
  assert.equal(paper.controls, 0);
  assert.equal(paper.framed, 0);
  assert.match(paper.scenario, /Pods \(k\)\s+6/);
  assert.match(paper.scenario, /Policies\s+FCFS \+ AdaBa, EASY/);
  assert.match(paper.scenario, /Load\s+0\.3, 0\.5, 0\.7, 0\.9/);
  for (const section of ['printed', 'answer', 'compare', 'inside'])
    assert.ok(paper.sections.includes(section), paper.sections.join());
  assert.equal(paper.short, 0);
  assert.ok(paper.above - paper.below < 20, 'no empty band at the top');
  assert.equal(paper.across, 0);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('forced colours hide no line that says where one is', async () => {
  const host = await serve(site);
  const browser = await launch('chromium', { dark: true, emulate: { forcedColors: 'active' } });
  try {
    const tab = await browser.open(host.url + SMALL);
    await answer(tab);
    await scrollToRun(tab);
    await tab.waitFor(() => document.querySelector('.jobs tbody tr') !== null);
    await tab.evaluate(() => document.querySelector('#charts .plot').focus());
    await tab.press('End');
    const [page, ...lines] = await tab.evaluate(() => [
      getComputedStyle(document.documentElement).backgroundColor,
      ...['.stack .cursor', '#charts .cross'].map(
        (line) => getComputedStyle(document.querySelector(line)).backgroundColor,
      ),
      ...[...document.querySelectorAll('.bars .bar')].map(
        (bar) => getComputedStyle(bar).backgroundColor,
      ),
    ]);
    assert.ok(lines.length >= 2);
    for (const line of lines) assert.notEqual(line, page);
    // They reach every part of the page, and only the tab that is read is underlined.
    const found = await tab.evaluate(() => ({
      own: [...document.querySelectorAll('main > *, .act')]
        .filter((part) => getComputedStyle(part).forcedColorAdjust !== 'auto')
        .map((part) => part.className),
      underlined: [...document.querySelectorAll('#tabs a')]
        .filter((each) => {
          const { borderBottomColor } = getComputedStyle(each);
          return borderBottomColor !== getComputedStyle(document.documentElement).backgroundColor;
        })
        .map((each) => each.hasAttribute('aria-current')),
    }));
    assert.deepEqual(found, { own: [], underlined: [true] });
    await tab.evaluate(() => document.querySelector('.jobs table').focus());
    await tab.press('ArrowDown');
    assert.notEqual(
      await tab.evaluate(
        () => getComputedStyle(document.querySelector('.jobs tr.on')).outlineStyle,
      ),
      'none',
    );
    assert.deepEqual(await tab.faults(), []);
  } finally {
    await browser.close();
    await host.close();
  }
});
