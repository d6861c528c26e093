// Layout: what must stay in view does, at every width; the tabs lead to their parts, by pointer,
// key and link; the cards of a first visit disappear for good.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings, overflow } from './axe.js';
import { DAILY_ENGINES, ENGINES } from './browser.js';
import { SMALL, core, scenario } from './core.js';
import { bring, log } from './log.js';
import { answer, enter, enterUntil, pressTool, run, share } from './visitor.js';
import { visitsIn } from './visits.js';

const visit = visitsIn(ENGINES, AXE);

/** Whether all of an element is in the window, and nothing over its middle. */
function inView(/** @type {string} */ selector) {
  const element = document.querySelector(selector);
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
  const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  return inside && width > 0 && (element.contains(over) || over?.contains(element));
}

/** Whether that holds in a tab. */
const isInView = (tab, selector) => tab.evaluate(inView, selector);

/** The page is at rest: everything is there, and drawn. */
async function settled(tab) {
  await answer(tab);
  await tab.waitFor(
    () =>
      !document.querySelector('#inside').hidden &&
      document.querySelectorAll('#charts canvas').length === 3,
  );
}

/** How far below the tabs a part begins, in CSS pixels. */
function below(tab, part) {
  return tab.evaluate(
    (id) =>
      document.getElementById(id).getBoundingClientRect().top -
      document.querySelector('#tabs').getBoundingClientRect().bottom,
    part,
  );
}

/** Which tab is marked as the one that is read. */
const current = (tab) =>
  tab.evaluate(() =>
    [...document.querySelectorAll('#tabs [aria-current]')].map(({ textContent }) => textContent),
  );

/** The part that the address opens. */
const addressed = (tab) =>
  tab.evaluate(() => location.hash).then((hash) => (hash === '' ? '' : core.read_link(hash).view));

/**
 * Runs in the page: waits until it has kept its height for ten frames, as views fill when they are
 * in view.
 */
async function rests() {
  const heightNow = () => document.documentElement.scrollHeight;
  let [height, frames] = [heightNow(), 0];
  while (frames < 10) {
    await new Promise(requestAnimationFrame);
    frames = heightNow() === height ? frames + 1 : 0;
    height = heightNow();
  }
}

for (const engine of ENGINES) {
  test(`${engine}: Run, tabs and badge stay in view, however far page and scenario are scrolled`, async () => {
    const tab = await visit[engine](SMALL);
    await tab.resize(1280, 720);
    await settled(tab);
    const stays = async (when) => {
      for (const part of ['#run', '#status', '#tabs', '#badge', '#share'])
        assert.ok(await isInView(tab, part), `${part} ${when}`);
    };
    await stays('at first');
    await tab.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await tab.waitFor(() => scrollY > 1000);
    await stays('at the end of the results');
    await tab.evaluate(rests);
    const { page, column } = await tab.evaluate(async () => {
      const box = document.querySelector('#scenario');
      const page = scrollY;
      for (const each of box.querySelectorAll('details')) each.open = true;
      box.scrollTop = box.scrollHeight;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return { page: scrollY - page, column: box.scrollTop };
    });
    assert.equal(page, 0, 'the column scrolls by itself');
    assert.ok(column > 100, `${column}`);
    await stays('at the end of the scenario');
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: on small screens the answer is the first thing, and Run stays below it`, async () => {
    for (const [width, height] of [
      [320, 640],
      [768, 1024],
    ]) {
      const tab = await visit[engine]();
      await tab.resize(width, height);
      await tab.reload();
      await settled(tab);
      for (const part of ['#sentence', '#run', '#badge', '#menu > summary'])
        assert.ok(await isInView(tab, part), `${part} at ${width} px`);
      assert.match(
        await tab.evaluate(() => document.querySelector('#summary').innerText),
        /^4 policies · .*400 jobs · k = 6$/,
      );
      await tab.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await tab.waitFor(() => scrollY > 1000);
      for (const part of ['#run', '#badge', '#tabs'])
        assert.ok(await isInView(tab, part), `${part} at the end, ${width} px`);
      // The inspector, which comes into view, makes the page longer.
      const [footer, bar] = await tab.evaluate(() => {
        scrollTo(0, document.documentElement.scrollHeight);
        return ['footer p', '#act'].map((part) => {
          const { top, bottom } = document.querySelector(part).getBoundingClientRect();
          return part === '#act' ? top : bottom;
        });
      });
      assert.ok(footer <= bar, 'nothing is left under the bar');
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    }
  });

  test(`${engine}: Run stays where it is as more is said of what it will do`, async () => {
    for (const [width, height] of [
      [320, 640],
      [768, 1024],
      [1280, 720],
    ]) {
      const tab = await visit[engine](SMALL);
      await tab.resize(width, height);
      await settled(tab);
      const look = () =>
        tab.evaluate(() => {
          const [run, said] = ['#run', '#status'].map((part) =>
            document.querySelector(part).getBoundingClientRect(),
          );
          return { x: run.x, y: run.y, said: said.height };
        });
      const before = await look();
      await tab.evaluate(() => {
        document.querySelector('#scenario').open = true;
      });
      const long = [
        ['jobs', '10000'],
        ['reps', '400'],
      ];
      await enterUntil(tab, long, () =>
        tab.waitFor(
          () => /queue grows/.test(document.querySelector('#status').textContent),
          null,
          5000,
        ),
      );
      const after = await look();
      assert.deepEqual([after.x, after.y], [before.x, before.y], `${width} px`);
      assert.ok(width === 768 || after.said > before.said, `${width} px: it takes a line more`);
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    }
  });

  test(`${engine}: tabs lead to their parts, by key too, and the address says which`, async () => {
    const tab = await visit[engine](SMALL);
    await settled(tab);
    assert.deepEqual(await current(tab), ['Answer']);
    for (const [name, id] of [
      ['Compare', 'compare'],
      ['Fairness', 'fairness'],
      ['Inside a run', 'inside'],
      ['Jobs', 'jobs'],
    ]) {
      await tab.evaluate((part) => document.querySelector(`#tabs [href="#${part}"]`).focus(), id);
      await tab.press('Enter');
      await tab.waitFor(
        (part) => document.getElementById(part).contains(document.activeElement),
        id,
      );
      await tab.waitFor(
        (label) => document.querySelector('#tabs [aria-current]')?.textContent === label,
        name,
      );
      assert.equal(await addressed(tab), id);
    }
    await tab.waitFor(() => document.querySelector('#jobs tbody tr') !== null);
    await tab.click('#tabs [href="#answer"]');
    await tab.waitFor(() => scrollY === 0 || document.activeElement.id === 'answer');
    assert.equal(await addressed(tab), '');
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: on a narrow screen the current tab is seen, and who goes on from a part stays there`, async () => {
    const tab = await visit[engine](SMALL);
    await tab.resize(320, 640);
    await settled(tab);
    await tab.evaluate(() => document.querySelector('#tabs [href="#when"]').click());
    await tab.waitFor(() => {
      const current = document.querySelector('#tabs [aria-current]');
      const { left, right } = current.getBoundingClientRect();
      return current.hash === '#when' && left >= 0 && right <= innerWidth;
    });
    const focused = await tab.evaluate(async () => {
      document.querySelector('#run').focus();
      document.body.style.paddingBottom = '300px';
      for (let frame = 0; frame < 5; frame += 1) await new Promise(requestAnimationFrame);
      return document.activeElement.id;
    });
    assert.equal(focused, 'run');
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a link opens a part of the page, and one with an unknown part opens all the same`, async () => {
    const text = scenario([
      ['jobs', '40'],
      ['reps', '2'],
    ]);
    const tab = await visit[engine](core.write_link(text, '', 'compare'));
    await settled(tab);
    await tab.waitFor(() => document.activeElement.id === 'compare');
    const away = await below(tab, 'compare');
    assert.ok(away >= 0 && away < 60, `${away}`);
    assert.deepEqual(await current(tab), ['Compare']);
    // It is still there after a change, and Share hands it on.
    await enter(tab, 'jobs', '50');
    assert.equal(await addressed(tab), 'compare');
    await run(tab);
    assert.match(core.read_link(new URL(await share(tab)).hash).view, /(^|,)compare(,|$)/);
    await tab.close();

    for (const address of ['#jobs', core.write_link(scenario([]), '', 'jobs')]) {
      const listed = await visit[engine](address);
      await settled(listed);
      await listed.waitFor(() => document.querySelector('#jobs tbody tr') !== null);
      await listed.waitFor(() => document.activeElement.id === 'jobs');
      assert.deepEqual(await listed.faults(), []);
      await listed.close();
    }

    const unknown = await visit[engine](core.write_link(text, '', 'nowhere'));
    await settled(unknown);
    assert.equal(await unknown.evaluate(() => scrollY), 0);
    assert.equal(await addressed(unknown), '');
    assert.deepEqual(await unknown.faults(), []);
    await unknown.close();
  });

  test(`${engine}: the link that skips to the answer keeps scenario and address`, async () => {
    const link = core.write_link(scenario([['jobs', '40']]), '');
    const tab = await visit[engine](link);
    await settled(tab);
    const before = await tab.evaluate(() => location.hash);
    await tab.evaluate(() => document.querySelector('.skip').focus());
    await tab.press('Enter');
    await tab.waitFor(() => document.activeElement.id === 'answer');
    assert.equal(await tab.evaluate(() => location.hash), before);
    assert.equal(await tab.evaluate(() => document.querySelector('.banner')), null);
    await tab.close();
  });
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: the cards of a first visit lead to scenarios, and go for good once used`, async () => {
    const ways = {
      dismissed: (tab) => tab.click('#dismiss'),
      'a question': (tab) => tab.click('#landing .card[href^="#v1"]'),
      'generated jobs': (tab) => tab.click('#landing .card[href="#answer"]'),
      'a log': async (tab) => {
        await tab.drop('#drop-log', await bring('first.swf', log(30)));
        await tab.waitFor(() => document.querySelector('.report dl') !== null);
      },
    };
    for (const [name, use] of Object.entries(ways)) {
      const tab = await visit[engine]();
      await settled(tab);
      assert.ok(await isInView(tab, '#landing'), name);
      const promised = await tab.evaluate(
        () => document.querySelector('#landing .card[href^="#v1"] .soft').textContent,
      );
      await use(tab);
      await tab.waitFor(() => document.querySelector('#landing') === null);
      if (name === 'a question') {
        await tab.waitFor(() => /^computed/.test(document.querySelector('#badge').textContent));
        await answer(tab);
        const { pairs } = core.read_link(await tab.evaluate(() => location.hash));
        assert.ok(pairs.length > 1);
        const first = await tab.evaluate(
          () => document.querySelector('#charts .plot').getAttribute('aria-label').split(' by ')[0],
        );
        assert.ok(promised.startsWith(`${first} by `), `${promised}: ${first}`);
        assert.equal(
          (await tab.evaluate(() => document.querySelector('#badge').textContent)).slice(0, 8),
          'computed',
        );
      }
      // While the page answers a log, it writes into its address, which must not meet the next one.
      await answer(tab);
      await tab.goto(await tab.evaluate(() => location.origin));
      await settled(tab);
      assert.equal(await tab.evaluate(() => document.querySelector('#landing')), null, name);
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    }
    // A visitor with a link comes for its scenario, and sees the cards at the first visit without
    // one.
    const tab = await visit[engine](core.write_link(scenario([['jobs', '40']]), ''));
    await settled(tab);
    assert.equal(await tab.evaluate(() => document.querySelector('#landing')), null);
    await tab.goto(await tab.evaluate(() => `${location.origin}/?again`));
    await settled(tab);
    assert.ok(await isInView(tab, '#landing'));
    await tab.close();
  });

  test(`${engine}: where there is no answer, why and a way on stand in its place`, async () => {
    for (const width of [320, 1280]) {
      const tab = await visit[engine]('#v1?k=4&sum=0000');
      await tab.resize(width, 720);
      await tab.waitFor(() => document.querySelector('[data-kind="link"] button') !== null);
      assert.ok(await isInView(tab, '[data-kind="link"] .words'));
      assert.equal(await overflow(tab), 0);
      if (engine === 'chromium') assert.deepEqual(await findings(tab), []);
      await tab.click('[data-kind="link"] button');
      await settled(tab);
      assert.equal(await tab.evaluate(() => document.querySelector('.banner')), null);
      assert.equal(await tab.evaluate(() => location.hash), '');
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    }
  });
}

test('no width makes the page scroll sideways, or cuts off the ranking in a wide window', async () => {
  const tab = await visit.chromium(SMALL);
  await settled(tab);
  for (const width of [320, 400, 768, 888, 1024, 1099, 1100, 1232, 1280, 1640, 1920, 2560]) {
    await tab.resize(width, 800);
    await tab.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    assert.equal(await overflow(tab), 0, `${width} px`);
    const cut = await tab.evaluate(() => {
      const { scrollWidth, clientWidth } = document.querySelector('#comparison > .table-scroll');
      return scrollWidth - clientWidth;
    });
    if (width >= 1280) assert.ok(cut <= 0, `the ranking is cut by ${cut} px at ${width} px`);
  }
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('the menu of a small screen holds the tools, and closes when one is chosen', async () => {
  const tab = await visit.chromium(SMALL);
  await tab.resize(320, 640);
  await settled(tab);
  await tab.click('#menu > summary');
  for (const part of [
    '#open',
    '#example',
    '#share',
    '#export',
    '#papers',
    '#theme',
    '#find',
    '#keys',
  ])
    assert.ok(await isInView(tab, part), part);
  assert.deepEqual(await findings(tab), []);
  assert.equal(await overflow(tab), 0);
  await tab.press('Escape');
  assert.equal(await tab.evaluate(() => document.querySelector('#menu').open), false);
  await pressTool(tab, '#share');
  await tab.waitFor(() => document.querySelector('dialog[open] textarea')?.value);
  await tab.press('Escape');
  assert.equal(await tab.evaluate(() => document.querySelector('#menu').open), false);
  await tab.resize(1280, 720);
  // They are back in the header.
  await tab.waitFor(inView, '#share');
  await tab.close();
});

test('a narrow window that becomes wide has its scenario unfolded, and no gap above the answer', async () => {
  const tab = await visit.chromium(core.write_link(scenario([['jobs', '60']]), ''));
  await tab.resize(320, 640);
  await tab.reload();
  await settled(tab);
  const seen = () => tab.evaluate(() => document.querySelector('#form').checkVisibility());
  assert.equal(await seen(), false);
  await tab.resize(1280, 720);
  await tab.waitFor(() => document.querySelector('#form').checkVisibility());
  // What is only for paper takes no room.
  await tab.waitFor(() => document.querySelector('.printed') !== null);
  assert.deepEqual(
    await tab.evaluate(() => {
      const { marginTop, paddingTop, borderTopWidth } = getComputedStyle(
        document.querySelector('#answer'),
      );
      return [marginTop, paddingTop, borderTopWidth];
    }),
    ['0px', '0px', '0px'],
  );
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});

test('the buttons of a dialog stand on a line, equally far apart', async () => {
  const tab = await visit.chromium(SMALL);
  await tab.resize(1280, 800);
  await settled(tab);
  for (const [tool, row] of [
    ['#share', '.buttons'],
    ['#export', '.files:has(.copy)'],
  ]) {
    await pressTool(tab, tool);
    const boxes = await tab.waitFor((row) => {
      const buttons = [...document.querySelectorAll(`dialog[open] ${row} button`)];
      return buttons.length > 1 && buttons.map((each) => each.getBoundingClientRect().toJSON());
    }, row);
    for (const [place, { left, top }] of boxes.slice(1).entries()) {
      assert.equal(top, boxes[place].top, tool);
      assert.ok(Math.abs(left - boxes[place].right - 8) < 1, `${tool}: ${left}`);
    }
    await tab.press('Escape');
  }
  // The figure that is offered first is the first chart.
  await pressTool(tab, '#export');
  const [offered, first] = await tab.evaluate(() => [
    document.querySelector('#export-dialog select').selectedOptions[0].textContent,
    document.querySelector('#charts .plot').getAttribute('aria-label').split(' by ')[0],
  ]);
  assert.equal(offered, first);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
