// The system of a run as a picture: the tree and the matrix, the scale of colours, links that
// sentences name, what is in use where only a part is guaranteed, and that all of it is of one run;
// and the topology file of a cluster, as its operator brings it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { core, runToEnd, scenario } from './core.js';
import { asked, bring, log, subject } from './log.js';
import { answer, lookAtFirstJob, newDigest, scrollToRun } from './visitor.js';
import { visits, visitsIn } from './visits.js';

const SINGLE = [
  ['x', 'none'],
  ['reps', '1'],
];
const SMALL = [['k', '4'], ['jobs', '150'], ['load', '1.1'], ...SINGLE];
/** Jobs that share links, with this percentage guaranteed. */
const shared = (guarantee, policy = 'fcfs+adaba') => [
  ['policy', policy],
  ['guarantee', guarantee],
  ['communication', '1'],
  ['k', '4'],
  ['jobs', '120'],
  ['load', '0.9'],
  ...SINGLE,
];

/** The kept runs of the policies of a scenario. */
function runs(text, count = 1) {
  return Array.from({ length: count }, (_, cell) => {
    const run = runToEnd(text, cell, core.Keep.Allocations);
    return run.replay();
  });
}

test('Node: half of the scale is for the shares from 80 to 100 %', () => {
  assert.deepEqual([0, 0.4, 0.8, 0.9, 1].map(core.scale_place), [0, 0.25, 0.5, 0.75, 1]);
});

for (const fabric of ['aggregated', 'single-root']) {
  test(`Node: links that an explanation names are parts of the picture (${fabric})`, () => {
    const text = scenario([...SMALL, ['policy', 'none+adaba'], ['fabric', fabric]]);
    const [replay] = runs(text);
    const inspector = replay.inspector();
    const { diagram } = inspector.about();
    let named = 0;
    for (let job = 0; job < 150; job += 1) {
      const pieces = core.explain(text, 0, core.Trace.none(), job);
      for (const piece of pieces.filter((each) => typeof each === 'object')) {
        assert.equal(diagram.names[piece.part], piece.name);
        const { row } = inspector.job_details(job, 0);
        assert.equal(
          piece.at,
          row[inspector.about().columns.findIndex((c) => c.name === 'submit')],
        );
        const spot = inspector.spot_of(piece.part, 300);
        const picture = new core.Picture(replay.info().machine, 300);
        assert.deepEqual(picture.spot(spot.left, spot.top), spot);
        named += 1;
      }
    }
    assert.ok(named > 5, `${named} links are named`);
  });

  for (const guarantee of ['40', '0'])
    test(`Node: what is in use is at least what is reserved, and at most all (${fabric}, ${guarantee} %)`, () => {
      const text = scenario([...shared(guarantee), ['fabric', fabric]]);
      const [replay] = runs(text);
      const inspector = replay.inspector();
      assert.equal(inspector.about().shared, true);
      const { span } = replay.info();
      let [more, slowed] = [0, 0];
      for (let step = 0; step < 40; step += 1) {
        const at = (span * (step + 0.5)) / 40;
        const [reserved, used] = [false, true].map((use) => inspector.shares_at(at, use));
        assert.deepEqual(reserved, replay.shares_at(at));
        reserved.forEach((share, part) => {
          assert.ok(used[part] >= share - 1e-4 && used[part] <= 1.0001, `${share} ${used[part]}`);
          more += Number(used[part] > share + 0.01);
        });
        for (let job = 0; job < 120; job += 1) {
          const { allocation } = inspector.job_details(job, at);
          if (allocation === null || at < allocation.start || at >= allocation.end) continue;
          const { share, least, most, speed, limit } = allocation.shared;
          assert.ok(least <= share && share <= most && most <= 1);
          // With c = 1 a job goes as fast as its share says.
          assert.ok(Math.abs(speed - share) < 1e-9);
          assert.equal(limit === null, share === 1);
          if (limit === null) continue;
          slowed += 1;
          assert.ok(used[limit.part] > 0.9999, `${limit.name} is full`);
          const told = core.explain(text, 0, core.Trace.none(), job, at);
          const link = told.find((piece) => typeof piece === 'object');
          assert.ok(told.join('').includes(`${(100 * share).toFixed(1)} % of the bandwidth`));
          assert.ok(link !== undefined);
        }
      }
      assert.ok(more > 20 && slowed > 5, `${more} ${slowed}`);
    });
}

const visit = visitsIn(DAILY_ENGINES, AXE);

/** Opens a scenario and looks into its first run. */
async function look(open, pairs, window) {
  const tab = await open(core.write_link(scenario(pairs), ''));
  if (window) await tab.resize(...window);
  await answer(tab);
  await scrollToRun(tab);
  await tab.waitFor(
    () =>
      document.querySelector('.jobs tbody tr') !== null &&
      document.querySelector('#cells-told').textContent !== '',
  );
  return tab;
}

/** Chooses how the picture is drawn. */
const drawAs = (tab, how) =>
  tab.evaluate((how) => {
    const select = [...document.querySelectorAll('#replay .pick select')].find((each) =>
      [...each.options].some(({ value }) => value === how),
    );
    select.value = how;
    select.dispatchEvent(new Event('change'));
  }, how);

for (const engine of DAILY_ENGINES) {
  for (const [fabric, bundle] of [
    ['aggregated', 4],
    ['single-root', 1],
  ]) {
    test(`${engine}: a small fat-tree is drawn as a tree, in the colours of the matrix (${fabric})`, async () => {
      const tab = await look(visit[engine], [
        ...SMALL,
        ['policy', 'none+adaba'],
        ['fabric', fabric],
      ]);
      const { machine } = runs(
        scenario([...SMALL, ['policy', 'none+adaba'], ['fabric', fabric]]),
      )[0].info();
      const lines = await tab.waitFor(() => {
        const lines = [...document.querySelectorAll('.drawing line.inner')];
        return (
          !document.querySelector('.drawing').hidden &&
          lines.some((line) => line.getAttribute('stroke').startsWith('rgb')) &&
          lines.map((line) => line.getAttribute('stroke'))
        );
      });
      // 16 wires on each of three levels.
      assert.equal(lines.length, 48);
      assert.equal(
        await tab.evaluate(() => getComputedStyle(document.querySelector('#replay .map')).height),
        '0px',
      );

      // By keyboard from the first link down to a server, which the matrix has in the same colour.
      await tab.evaluate(() => document.querySelector('.drawing').focus());
      const said = () => tab.evaluate(() => document.querySelector('#replay .at').textContent);
      await tab.press('ArrowRight');
      const first = await said();
      assert.match(
        first,
        bundle === 1
          ? /^aggregation switch 0 of pod 0 – core switch 0: \d+\.\d % reserved$/
          : /^pod 0 – core, 4 links as one: \d+\.\d % reserved$/,
      );
      await tab.press('ArrowRight');
      assert.match(await said(), bundle === 1 ? /core switch 1: / : /^pod 1 – core/);
      await tab.press('ArrowLeft');
      assert.equal(await said(), first);
      await tab.press('ArrowDown');
      await tab.press('ArrowDown');
      assert.match(await said(), /^server 0 – edge switch 0 of pod 0: /);
      await tab.press('ArrowUp');
      assert.match(await said(), /^edge switch 0 – aggregation/);

      const drawn = await tab.evaluate(() => {
        const canvas = document.querySelector('#replay .map canvas');
        return { width: canvas.width, height: canvas.height };
      });
      const picture = new core.Picture(machine, drawn.width);
      assert.deepEqual([picture.width, picture.height], [drawn.width, drawn.height]);
      const cells = [];
      for (let y = 0; y < picture.height; y += 4)
        for (let x = 0; x < picture.width; x += 4) {
          const spot = picture.spot(x, y);
          if (spot && !cells.some(({ part }) => part === spot.part)) cells.push(spot);
        }
      const colours = await tab.evaluate((cells) => {
        const canvas = document.querySelector('#replay .map canvas');
        return cells.map(({ left, top }) =>
          [...canvas.getContext('2d').getImageData(left, top, 1, 1).data].slice(0, 3),
        );
      }, cells);
      const idle = '236 238 241';
      const ofMatrix = new Set(colours.map((colour) => colour.join(' ')).filter((c) => c !== idle));
      const near = (one, other) => {
        const [a, b] = [one, other].map((each) => each.match(/\d+/g).map(Number));
        return a.every((level, channel) => Math.abs(level - b[channel]) <= 3);
      };
      for (const stroke of lines.filter((each) => each !== 'none'))
        assert.ok(
          [...ofMatrix].some((colour) => near(colour, stroke)),
          `${stroke} is in the matrix`,
        );

      // The choice is remembered.
      await drawAs(tab, 'matrix');
      assert.equal(await tab.evaluate(() => document.querySelector('.drawing').hidden), true);
      await tab.evaluate(() => document.querySelector('#replay .map').focus());
      await tab.press('ArrowRight');
      assert.equal(await said(), first);
      await tab.reload();
      await answer(tab);
      await scrollToRun(tab);
      await tab.waitFor(() => document.querySelector('#cells-told')?.textContent);
      assert.equal(await tab.evaluate(() => document.querySelector('.drawing').hidden), true);
      await drawAs(tab, 'tree');
      await tab.evaluate(() => document.querySelector('.drawing').scrollIntoView());
      assert.deepEqual(await findings(tab), []);
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    });
  }

  test(`${engine}: a link in an explanation is shown in the picture, at the instant it is said of`, async () => {
    const pairs = [...SMALL, ['policy', 'none+adaba']];
    const text = scenario(pairs);
    const tab = await look(visit[engine], pairs);
    // No job slows another here, and there is no sentence on it.
    assert.equal(
      await tab.evaluate(() => document.querySelector('.jobs th[data-column="stretch"]').hidden),
      true,
    );
    const jobs = Array.from({ length: 150 }, (_, job) => job);
    const links = (job) =>
      core.explain(text, 0, core.Trace.none(), job).filter((piece) => typeof piece === 'object');
    const job = jobs.find((each) => links(each).length > 0);
    const [link] = links(job);
    for (const how of ['tree', 'matrix']) {
      await drawAs(tab, how);
      await tab.type('.jobs input', '');
      await tab.waitFor(() => document.querySelectorAll('.jobs tbody tr').length > 1);
      await tab.type('.jobs input', String(job + 1));
      await tab.waitFor(
        (number) => {
          const rows = document.querySelectorAll('.jobs tbody tr');
          return rows.length === 1 && rows[0].children[0].textContent === number;
        },
        String(job + 1),
      );
      await tab.click('.jobs tbody tr');
      await tab.waitFor(
        (name) =>
          [...document.querySelectorAll('.one-job .why button')].some(
            (each) => each.textContent === name,
          ),
        link.name,
      );
      await tab.evaluate((name) => {
        document.querySelector('.stack').focus();
        [...document.querySelectorAll('.one-job .why button')]
          .find((each) => each.textContent === name)
          .click();
      }, link.name);
      await tab.waitFor(
        (name) => document.querySelector('#replay .at').textContent.startsWith(`${name}: `),
        link.name,
      );
      const seen = await tab.evaluate((drawn) => {
        const { activeElement } = document;
        const { top, bottom } = activeElement.getBoundingClientRect();
        return {
          focused: activeElement.className.split(' ')[0],
          within: top < innerHeight && bottom > 0,
          at: Number(document.querySelector('.stack').getAttribute('aria-valuenow')),
          marked: drawn
            ? document.querySelectorAll('.drawing .casing.pointed').length
            : Number(!document.querySelector('#replay .map .cell').hidden),
        };
      }, how === 'tree');
      assert.equal(seen.focused, how === 'tree' ? 'drawing' : 'map');
      assert.ok(seen.within && seen.marked > 0, JSON.stringify(seen));
      assert.ok(Math.abs(seen.at - link.at) < 1e-6);
    }
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  for (const guarantee of ['40', '0'])
    test(`${engine}: where links are shared the picture begins with what is in use (${guarantee} %)`, async () => {
      const pairs = shared(guarantee, 'fcfs+adaba,easy+adaba');
      const both = runs(scenario(pairs), 2).map((replay) => ({
        ...replay.info(),
        inspector: replay.inspector(),
      }));
      const [{ busiest, span, inspector }] = both;
      const tab = await look(visit[engine], pairs);
      const mean = (use, { inspector, busiest } = both[0]) => {
        const shares = inspector.shares_at(busiest, use);
        return `${((shares.reduce((sum, share) => sum + share, 0) / shares.length) * 100).toFixed(1)} %`;
      };
      const told = (words) =>
        tab.waitFor(
          (words) => document.querySelector('#cells-told').textContent.includes(words),
          words,
        );
      await told(`${mean(true)} in use`);
      assert.ok(busiest > 0);
      assert.notEqual(mean(true), mean(false));
      assert.equal(mean(false) === '0.0 %', guarantee === '0');
      // Most is in use then.
      const most = inspector.shares_at(busiest, true).reduce((sum, share) => sum + share, 0);
      for (let step = 0; step < 50; step += 1) {
        const used = inspector.shares_at((span * step) / 50, true);
        assert.ok(used.reduce((sum, share) => sum + share, 0) <= most + 1e-3);
      }

      // Lines over time say which of the two they are, and those of what is in use are not flat.
      const labels = inspector.about().lines.map(({ label }) => label);
      assert.deepEqual(
        labels.slice(2),
        ['Server', 'Edge', 'Core'].flatMap((layer) =>
          guarantee === '0'
            ? [`${layer} links in use`]
            : [`${layer} links reserved`, `${layer} links in use`],
        ),
      );
      const values = inspector.values(busiest);
      labels.forEach((label, line) => {
        if (label.endsWith('in use')) assert.ok(values[line] > 0, label);
      });
      const shown = await tab.evaluate(() => document.querySelector('.stack').textContent);
      for (const label of labels) assert.ok(shown.includes(label), label);

      // A job that runs says what it gets, and its links above servers are marked.
      const job = Array.from({ length: 120 }, (_, each) => each).find((each) => {
        const { allocation } = inspector.job_details(each, busiest);
        return (
          allocation !== null &&
          busiest >= allocation.start &&
          busiest < allocation.end &&
          allocation.shared.share < 1 &&
          inspector.marked(each, busiest).some((part) => part >= 16)
        );
      });
      await tab.type('.jobs input', String(job + 1));
      await tab.waitFor(
        (number) => document.querySelector('.jobs tbody tr').children[0].textContent === number,
        String(job + 1),
      );
      await tab.click('.jobs tbody tr');
      const { share } = inspector.job_details(job, busiest).allocation.shared;
      await tab.waitFor(
        (words) =>
          document.querySelector('.one-job .where').textContent.includes(words) &&
          !document.querySelector('.share-over-time').hidden,
        `gets ${(100 * share).toFixed(1)} % of the bandwidth`,
      );
      await tab.waitFor(() => document.querySelectorAll('.drawing .casing.marked').length > 2);

      // What the visitor chooses stays, also in another run.
      await drawAs(tab, 'reserved');
      await told(`${mean(false)} reserved`);
      await tab.evaluate(() => {
        const policy = document.querySelector('#replay .pick select');
        policy.value = '1';
        policy.dispatchEvent(new Event('change'));
      });
      await told(`${mean(false, both[1])} reserved`);
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    });

  test(`${engine}: a job says when it is slowed, by which link and with whom, and leads there`, async () => {
    const pairs = shared('0');
    const [replay] = runs(scenario(pairs));
    const inspector = replay.inspector();
    const { columns, lines } = inspector.about();
    const slowed = Array.from({ length: 120 }, (_, job) => ({
      job,
      ...inspector.slowed_over(job, 0),
      allocation: inspector.job_details(job, 0).allocation,
    }));
    // The one with the longest explanation that does not run at the busiest instant.
    const { busiest } = replay.info();
    const [{ job, longest, more, allocation }] = slowed
      .filter(({ allocation }) => allocation !== null && allocation.end < busiest)
      .sort((one, other) => other.more - one.more);
    assert.ok(longest.length === 5 && more > 0 && lines.length > 2);
    const tab = await look(visit[engine], pairs);
    await tab.type('.jobs input', String(job + 1));
    await tab.waitFor(
      (number) => document.querySelector('.jobs tbody tr').children[0].textContent === number,
      String(job + 1),
    );
    await tab.click('.jobs tbody tr');
    await tab.waitFor(() => document.querySelectorAll('.slowed li').length === 6);
    const told = () =>
      tab.evaluate(() =>
        [...document.querySelectorAll('.slowed li')].map((item) => ({
          words: item.textContent,
          buttons: [...item.querySelectorAll('button')].map(({ textContent }) => textContent),
        })),
      );
    const items = await told();
    longest.forEach((pieces, place) => {
      const named = pieces.filter((piece) => typeof piece === 'object');
      assert.equal(named.length, 1);
      const [{ name, at }] = named;
      const [from, until] = pieces.filter((piece) => typeof piece === 'number');
      assert.ok(allocation.start <= from && from < until && until <= allocation.end);
      assert.equal(at, from);
      const { words, buttons } = items[place];
      assert.equal(buttons.length, 3);
      assert.equal(buttons[2], name);
      const share = inspector.job_details(job, from).allocation.shared;
      assert.equal(share.limit.name, name);
      const percent = (value) => `${(100 * value).toFixed(1)} %`;
      assert.ok(words.startsWith(`From ${buttons[0]} to ${buttons[1]} it is slowed to`), words);
      assert.ok(words.includes(`${percent(share.speed)} of its undisturbed speed`), words);
      assert.ok(words.endsWith(`it has ${percent(share.share)} of the bandwidth it asks for.`));
      for (const other of share.limit.with.slice(0, 6)) assert.ok(words.includes(String(other)));
    });
    assert.equal(items[5].words, `It is slowed in shorter stretches, too: ${more}.`);
    // That is the strip for screen readers.
    assert.equal(
      await tab.evaluate(() =>
        document
          .querySelector('.share-over-time canvas')
          .getAttribute('aria-describedby')
          .split(' ')
          .every((id) => document.getElementById(id)?.matches('.slowed')),
      ),
      true,
    );

    // An instant leads to itself, and stays where it is with the focus on it.
    const at = () =>
      tab.evaluate(() => Number(document.querySelector('.stack').getAttribute('aria-valuenow')));
    await tab.evaluate(() => {
      const [, until] = document.querySelectorAll('.slowed li:nth-child(3) button');
      until.focus();
      until.click();
    });
    const [, until] = longest[2].filter((piece) => typeof piece === 'number');
    await tab.waitFor(
      (until) =>
        Math.abs(Number(document.querySelector('.stack').getAttribute('aria-valuenow')) - until) <
        1e-6,
      until,
    );
    assert.equal(
      await tab.evaluate(() => document.activeElement.closest('.slowed') !== null),
      true,
    );
    // A link is shown, from when it slows the job.
    const link = longest[1].find((piece) => typeof piece === 'object');
    await tab.evaluate(() =>
      document.querySelector('.slowed li:nth-child(2) button:nth-of-type(3)').click(),
    );
    await tab.waitFor(
      (name) => document.querySelector('#replay .at').textContent.startsWith(`${name}: 100.0 %`),
      link.name,
    );
    assert.ok(Math.abs((await at()) - link.at) < 1e-6);
    // The clock need not be within the stay.
    await tab.evaluate(() => document.querySelector('.instant button').click());
    await tab.waitFor(() =>
      document.querySelector('.one-job .where').textContent.startsWith('Not running'),
    );
    assert.deepEqual(await told(), items);
    assert.equal(
      await tab.evaluate(() => document.querySelector('.share-over-time').hidden),
      false,
    );

    // Jobs are sorted by how much they are slowed.
    await tab.type('.jobs input', 'stretch>1');
    await tab.click('.jobs th[data-column="stretch"] button');
    await tab.click('.jobs th[data-column="stretch"] button');
    const stretch = columns.findIndex(({ name }) => name === 'stretch');
    const most = Math.max(
      ...slowed.map(({ job }) => inspector.job_details(job, 0).row[stretch] ?? 0),
    );
    await tab.waitFor(
      ([column, most]) =>
        document.querySelector('.jobs tbody tr').children[column].textContent === most,
      [stretch, most.toFixed(2)],
    );
    assert.deepEqual(await findings(tab), []);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a job that pays for its migration is not said to run at any speed`, async () => {
    const pairs = [...shared('40', 'bgmbf+adaba'), ['migration_cost_s', '900']];
    const [replay] = runs(scenario(pairs));
    const inspector = replay.inspector();
    const { span } = replay.info();
    const paying = (at) =>
      Array.from({ length: 120 }, (_, job) => job).find((job) => {
        const { allocation } = inspector.job_details(job, at);
        return allocation !== null && at >= allocation.start && at < allocation.works_from;
      });
    const steps = Array.from({ length: 1000 }, (_, step) => step);
    const step = steps.find((step) => paying((step / 1000) * span) !== undefined);
    const job = paying((step / 1000) * span);
    const tab = await look(visit[engine], pairs);
    await tab.type('.jobs input', String(job + 1));
    await tab.waitFor(
      (number) => document.querySelector('.jobs tbody tr').children[0].textContent === number,
      String(job + 1),
    );
    await tab.click('.jobs tbody tr');
    const go = (step) =>
      tab.evaluate((step) => {
        const time = document.querySelector('.instant input');
        time.value = String(step);
        time.dispatchEvent(new Event('input'));
      }, step);
    const where = () => tab.evaluate(() => document.querySelector('.one-job .where').textContent);
    await go(step);
    await tab.waitFor(() =>
      /It pays for its migration until [\d:day, ]+\.$/.test(
        document.querySelector('.one-job .where').textContent,
      ),
    );
    assert.doesNotMatch(await where(), /of the bandwidth it asks for/);
    // Once it works it gets a share again.
    const { allocation } = inspector.job_details(job, (step / 1000) * span);
    const works = steps.find((step) => (step / 1000) * span >= allocation.works_from);
    assert.ok((works / 1000) * span < allocation.end);
    await go(works);
    await tab.waitFor(() =>
      document
        .querySelector('.one-job .where')
        .textContent.includes('of the bandwidth it asks for at this instant'),
    );
    assert.doesNotMatch(await where(), /pays/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: what is said of a picture is never of the run before`, async () => {
    const pairs = [
      ...SINGLE,
      ['jobs', '3000'],
      ['load', '1.1'],
      ['policy', 'none+adaba,fcfs+adaba,none+greedy'],
    ];
    const tab = await look(visit[engine], pairs);
    // Each picture averaged over its run is one of few; with each comes its sentence.
    await tab.evaluate(() => {
      const map = document.querySelector('#replay .map canvas');
      const { putImageData } = CanvasRenderingContext2D.prototype;
      window.seen = [];
      CanvasRenderingContext2D.prototype.putImageData = function (image, ...place) {
        putImageData.call(this, image, ...place);
        if (this.canvas !== map || !document.querySelector('#replay .pick .check input').checked)
          return;
        requestAnimationFrame(() => {
          const { data } = map.getContext('2d').getImageData(0, 0, map.width, map.height);
          let sum = 0;
          for (let at = 0; at < data.length; at += 1) sum = (sum * 31 + data[at]) % 1e9;
          window.seen.push([sum, document.querySelector('#cells-told').textContent]);
        });
      };
      document.querySelector('#replay .pick .check input').click();
    });
    await tab.waitFor(() => window.seen.length > 0);
    const choose = (place, value) =>
      tab.evaluate(
        ([place, value]) => {
          const select = document.querySelectorAll('#replay .pick select')[place];
          select.value = value;
          select.dispatchEvent(new Event('change'));
        },
        [place, value],
      );
    await choose(4, '2');
    await tab.waitFor(() => / in B/.test(document.querySelector('#cells-told').textContent));
    for (const policy of ['1', '0', '1']) {
      await choose(0, policy);
      // While the next run is made, time is dragged.
      await tab.evaluate(async () => {
        const time = document.querySelector('.instant input');
        for (let step = 0; step < 60; step += 1) {
          time.disabled = false;
          time.value = String(step * 15);
          time.dispatchEvent(new Event('input'));
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      });
      await tab.waitFor(
        (head) =>
          document.querySelector('#replay h3.of').textContent === head &&
          / in B/.test(document.querySelector('#cells-told').textContent),
        `A: ${['No queue + AdaBa', 'FCFS + AdaBa'][Number(policy)]}`,
      );
    }
    const seen = await tab.evaluate(() => window.seen);
    /** @type {Map<number, Set<string>>} */
    const told = new Map();
    for (const [picture, words] of seen) {
      const mean = /On average (?:over \d+ cells )?(\d+\.\d %)/.exec(words)?.[1];
      if (mean === undefined) continue;
      told.set(picture, (told.get(picture) ?? new Set()).add(mean));
    }
    assert.ok(told.size > 1, 'both runs were seen');
    for (const means of told.values()) assert.equal(means.size, 1, JSON.stringify([...means]));
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

/** Two islands of a cluster, and a node in neither. */
const ISLANDS = `SwitchName=rack1 Nodes=n[01-18]
SwitchName=rack2 Nodes=n[19-36]
SwitchName=rack3 Nodes=n[37-64]
SwitchName=west Switches=rack[1-2]
SwitchName=east Switches=rack3
SwitchName=core Switches=west,east
`;

test('Node: of a tree whose links are shared, nodes show what is held and uplinks what is in use', () => {
  const pairs = [
    ['system', 'tree'],
    ['tree', '((4,3)(5,4))'],
    ['guarantee', '0'],
    ['communication', '1'],
    ['oversubscription', '4'],
    ['jobs', '100'],
    ['load', '0.9'],
    ...SINGLE,
  ];
  const [replay] = runs(scenario([...pairs, ['policy', 'easy+slurm-linear']]));
  const inspector = replay.inspector();
  assert.equal(inspector.about().shared, true);
  let full = 0;
  for (let step = 0; step < 40; step += 1) {
    const at = (replay.info().span * (step + 0.5)) / 40;
    const [held, used] = [false, true].map((use) => inspector.shares_at(at, use));
    assert.equal(used.length, 16 + 6);
    assert.deepEqual(used.slice(0, 16), held.slice(0, 16));
    assert.ok(held.slice(16).every((share) => share === 0));
    full += used.slice(16).filter((share) => share > 0.9999).length;
  }
  assert.ok(full > 10, `${full} uplinks are full`);
});

test('Node: what is told of a run calls nodes and switches as their file does', () => {
  const { question } = core.open_topology(ISLANDS, core.Trace.none());
  const pairs = [
    ['system', 'tree'],
    question.pairs.find(([key]) => key === 'tree'),
    ['node_slots', '4'],
    ['oversubscription', '4'],
    ['jobs', '100'],
    ['load', '1.1'],
    ...SINGLE,
  ];
  const text = scenario([...pairs, ['policy', 'none+adaba']]);
  const run = runToEnd(text, 0, core.Keep.Allocations);
  const replay = run.replay(ISLANDS);
  const inspector = replay.inspector();
  assert.deepEqual(inspector.about().blocks, ['rack1', 'rack2', 'rack3']);
  const passes = Array.from({ length: 40 }, (_, position) => inspector.pass('position', position));
  const told = passes.flatMap(({ steps }) => steps).flatMap(({ placement }) => placement ?? []);
  const subtrees = told.flatMap((placement) => placement.subtrees.map(({ name }) => name));
  assert.ok(subtrees.length > 20, `${subtrees.length} subtrees are told`);
  for (const name of subtrees) assert.match(name, /^(rack[1-3]|west|east|core)$/);

  // Links in the explanation of a job are called so where the machine of the run is given.
  const links = (machine) =>
    Array.from({ length: 100 }, (_, job) =>
      core.explain(text, 0, core.Trace.none(), job, undefined, machine),
    ).flatMap((pieces) => pieces.filter((piece) => typeof piece === 'object'));
  const named = links(replay.info().machine);
  assert.ok(named.length > 5, `${named.length} links are named`);
  const link = /^(n\d\d – rack[1-3]|rack[1-3] – (west|east)|(west|east) – core)$/;
  for (const { name } of named) assert.match(name, link);
  const numbered = links();
  assert.deepEqual(
    numbered.map(({ part }) => part),
    named.map(({ part }) => part),
  );
  for (const { name } of numbered) assert.match(name, /^(node|leaf|switch) \d/);
});

/** The names of the blocks of the plan that have room for theirs. */
const namesOfPlan = (tab) =>
  tab.waitFor(() => {
    const names = [...document.querySelectorAll('.stack .blocks span:not([hidden])')];
    return names.length > 0 && names.map((name) => name.textContent);
  });

/** Drops a log and a topology together. */
const dropBoth = async (tab) =>
  tab.drop('body', await bring('site.swf', log(120)), await bring('topology.conf', ISLANDS));

/** What the page says of the last topology file. */
const told = (tab, pattern) =>
  tab.waitFor((source) => {
    const words = document.querySelector('.banner[data-kind="topology"] .words')?.textContent ?? '';
    return new RegExp(source).test(words) && words;
  }, pattern.source);

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine, AXE);

  test(`${engine}: a topology beside a log asks what placement by topology gains`, async () => {
    const tab = await visit();
    await answer(tab);
    await dropBoth(tab);
    await told(tab, /^topology\.conf: 64 nodes in 3 leaves\./);
    await subject(tab, /^site\.swf: all 120 jobs; tree with 128 slots/);
    const compared = await answer(tab);
    assert.deepEqual(compared.policies.length, 2);
    assert.match(compared.policies.join(), /EASY \+ Slurm, tree.*EASY \+ Slurm, linear/);
    const gain = 'What does topology-aware placement gain?';
    assert.deepEqual((await asked(tab)).at(-1), [gain, 'true']);

    // A mistake is told by line and column, and changes nothing.
    await tab.drop('body', await bring('topology.yaml', '- topology: t\n  flat: true'));
    await told(tab, /^topology\.yaml could not be used.*line 2, column 9: .*no switches/);
    assert.equal((await answer(tab)).digest, compared.digest);

    // The next log runs on the topology that was opened last.
    await tab.drop('body', await bring('next.swf', log(40)));
    await subject(tab, /^next\.swf: all 40 jobs; tree with 128 slots/);
    await answer(tab);
    assert.deepEqual((await asked(tab)).at(-1), [gain, 'true']);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: an operator takes a rack out, and the jobs run on what is left`, async () => {
    const tab = await visit();
    await answer(tab);
    await dropBoth(tab);
    await told(tab, /^topology\.conf: 64 nodes/);
    const before = await answer(tab);
    await lookAtFirstJob(tab);
    // Nothing is guaranteed, so the picture is of what jobs use.
    await tab.waitFor(() =>
      document.querySelector('#replay').textContent.includes('of a node held, or of a link in use'),
    );
    const press = (source) =>
      tab.evaluate((words) => {
        const buttons = [...document.querySelectorAll('#inspector button, dialog[open] button')];
        const named = (each) => each.getAttribute('aria-label') ?? each.textContent;
        buttons.find((each) => named(each) === words).click();
      }, source);
    await press('Change the leaves…');
    const rows = await tab.evaluate(() =>
      [...document.querySelectorAll('dialog.leaves tbody tr')].map((row) => [
        ...[...row.querySelectorAll('th, td')].slice(0, 2).map(({ textContent }) => textContent),
        row.querySelector('input').value,
      ]),
    );
    assert.deepEqual(rows, [
      ['rack1', 'west', '18'],
      ['rack2', 'west', '18'],
      ['rack3', 'east', '28'],
    ]);
    assert.deepEqual(await findings(tab), []);
    await press('Empty rack2');
    await press('Run on these');
    await tab.waitFor(newDigest, before.digest);
    const after = await answer(tab);
    assert.deepEqual(after.policies, before.policies);
    assert.match(await tab.evaluate(() => location.href), /tree=\(\(18,0\)\(28\)\)/);
    await subject(tab, /^site\.swf: all 120 jobs; tree with 92 slots/);

    // What is left is called as in the file.
    await lookAtFirstJob(tab);
    assert.deepEqual((await namesOfPlan(tab)).at(-1), 'rack3');
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a topology alone is a machine for generated jobs`, async () => {
    const tab = await visit();
    await answer(tab);
    await tab.drop('body', await bring('printed.txt', ISLANDS));
    await told(tab, /^printed\.txt: 64 nodes in 3 leaves\./);
    const { policies, sentence } = await answer(tab);
    assert.match(policies.join(), /EASY \+ Slurm, tree.*EASY \+ Slurm, linear/);
    assert.notEqual(sentence, '');
    await scrollToRun(tab);

    // Its parts are called as in the file, which no link says.
    const called = ['rack1', 'rack2', 'rack3'];
    await tab.waitFor((names) => {
      const pods = [...document.querySelectorAll('.tree .pods span')];
      return pods.map((name) => name.textContent).join() === names;
    }, called.join());

    await lookAtFirstJob(tab);
    assert.deepEqual(await namesOfPlan(tab), called);
    assert.doesNotMatch(await tab.evaluate(() => location.href), /rack/);

    // A log that comes later runs on it.
    await tab.drop('body', await bring('later.swf', log(40)));
    await subject(tab, /^later\.swf: all 40 jobs; tree with 128 slots/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
