// Two runs side by side: the second one's picture, that of what the first has more, and stepping
// through both.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, findings, overflow } from './axe.js';
import { DAILY_ENGINES } from './browser.js';
import { core, runToEnd, scenario } from './core.js';
import { answer, scrollToRun } from './visitor.js';
import { visitsIn } from './visits.js';

/** One run of each policy. */
const SINGLE = [
  ['x', 'none'],
  ['reps', '1'],
];

/** The runs of the two policies of a scenario, each kept to look into. */
function pair(pairs) {
  const text = scenario([...pairs, ...SINGLE]);
  return [0, 1].map((cell) => {
    const run = runToEnd(text, cell, core.Keep.Allocations);
    return run.replay();
  });
}

/** Every machine that there is a picture of, and two policies on it. */
const MACHINES = {
  'a fat-tree, parallel links as one': [
    ['policy', 'none+adaba,fcfs+adaba'],
    ['load', '0.9'],
    ['jobs', '120'],
  ],
  'a fat-tree, link by link': [
    ['policy', 'none+adaba,none+greedy'],
    ['fabric', 'single-root'],
    ['load', '0.9'],
    ['jobs', '120'],
  ],
  nodes: [
    ['system', 'nodes'],
    ['bandwidth', 'none'],
    ['nodes', '32'],
    ['policy', 'fcfs,easy'],
    ['load', '0.9'],
    ['jobs', '80'],
  ],
  'nodes of two tiers': [
    ['system', 'nodes'],
    ['nodes', '32'],
    ['tiers', '2'],
    ['bandwidth', 'none'],
    ['size', 'harmonic:1.5:5:32'],
    ['migration_cost_s', '600'],
    ['policy', 'amcbf,cmcbf'],
    ['load', '1'],
    ['jobs', '80'],
  ],
  clusters: [
    ['system', 'multi-cluster'],
    ['bandwidth', 'constant'],
    ['bandwidth_mbps', '2000'],
    ['policy', 'fpfs+no-share,fpfs+first-fit'],
    ['load', '0.9'],
    ['jobs', '200'],
  ],
  'a pool': [
    ['system', 'pool'],
    ['bandwidth', 'none'],
    ['policy', 'zomt,fair'],
    ['load', '0.9'],
    ['jobs', '80'],
  ],
};

for (const [machine, pairs] of Object.entries(MACHINES)) {
  test(`Node: on ${machine} the difference is what one run has more than the other, cell by cell`, () => {
    const [one, other] = pair(pairs);
    const inspector = one.inspector();
    assert.throws(() => inspector.both_shares(0, false), /no other run/);
    inspector.put_beside(other);
    const { machine, span } = one.info();
    const picture = new core.Picture(machine, 300);
    const { width } = picture;
    const spots = Array.from({ length: width * picture.height }, (_, pixel) =>
      picture.spot(pixel % width, Math.floor(pixel / width)),
    );
    let [more, less] = [0, 0];
    for (const at of [
      undefined,
      ...Array.from({ length: 12 }, (_, step) => (span * (step + 0.5)) / 12),
    ]) {
      const shares = [one, other].map((run) => [
        ...(at === undefined ? run.mean_shares() : run.shares_at(at)),
      ]);
      assert.deepEqual([...inspector.both_shares(at, false)], shares.flat());
      const paused = at === undefined ? new Uint32Array() : other.paused_at(at);
      assert.deepEqual(
        inspector.paint_beside(at, false, width, false),
        picture.paint(new Float32Array(shares[1]), paused, false),
      );

      const apart = shares[0].map((share, part) => Math.fround(share - shares[1][part]));
      const pixels = inspector.paint_difference(at, false, width, true);
      const colours = new Map();
      for (const [pixel, spot] of spots.entries()) {
        const [x, y] = [pixel % width, Math.floor(pixel / width)];
        const [red, green, blue, seen] = pixels.subarray(4 * pixel);
        if (spot === undefined) assert.equal(seen, 0);
        else if (seen > 0) colours.set(spot.part, [red, green, blue]);
        // The middle of a cell: a hole where this run has less.
        const middle =
          spot !== undefined &&
          x === spot.left + Math.floor((spot.width - 1) / 2) &&
          y === spot.top + Math.floor((spot.height - 1) / 2);
        if (middle && Math.min(spot.width, spot.height) > 2)
          assert.equal(
            seen === 0,
            apart[spot.part] <= -0.0005,
            `${spot.name}: ${apart[spot.part]}`,
          );
      }
      apart.forEach((difference, part) => {
        const [red, , blue] = colours.get(part);
        if (Math.abs(difference) < 0.0005) assert.deepEqual(colours.get(part), [0x26, 0x2a, 0x31]);
        else if (Math.abs(difference) <= 1)
          assert.equal(red > blue, difference > 0, `${difference} is ${colours.get(part)}`);
        else assert.deepEqual(colours.get(part), [0xff, 0x5c, 0x8d]);
      });

      const cells = inspector.cells(at, false);
      const [ahead, behind] = [
        apart.filter((each) => each >= 0.0005).length,
        apart.filter((each) => each <= -0.0005).length,
      ];
      assert.deepEqual(
        [cells.parts, cells.beside.more, cells.beside.less],
        [apart.length, ahead, behind],
      );
      const largest = apart.map(Math.abs).sort((a, b) => b - a);
      const size = (row) => Math.fround(Math.abs(row.share - row.beside));
      assert.equal(size(cells.furthest), largest[0]);
      // Page by page, every cell once.
      const pages = Array.from({ length: Math.ceil(apart.length / 50) }, (_, page) =>
        inspector.cell_rows(at, false, '', 50 * page, 50),
      );
      assert.ok(pages.every(({ found }) => found === apart.length));
      const rows = pages.flatMap((page) => page.rows);
      assert.deepEqual(rows.map(size), largest);
      assert.equal(new Set(rows.map(({ name }) => name)).size, apart.length);
      const { found, rows: named } = inspector.cell_rows(at, false, rows[7].name, 0, 50);
      assert.deepEqual(
        [found, named],
        [
          rows.filter(({ name }) => name.includes(rows[7].name)).length,
          rows.filter(({ name }) => name.includes(rows[7].name)).slice(0, 50),
        ],
      );
      more += ahead;
      less += behind;
    }
    assert.ok(more > 0 && less > 0, `${more} more, ${less} less`);

    // Over time: lines on one scale, the second dashed over the first, and a plan of each.
    const alone = [one, other].map((run) => run.inspector());
    assert.equal(inspector.about().moves.length, 2);
    inspector.about().lines.forEach(({ most, label }, line) => {
      const own = alone.map((run) => run.about().lines[line]);
      assert.deepEqual(
        [own[0].label, own[1].label, most],
        [label, label, Math.max(...own.map((each) => each.most))],
      );
      const [drawn, under] = [inspector, alone[0]].map((run) =>
        run.strip(line, 90, 40, 0, span, false),
      );
      let dashes = 0;
      for (let at = 0; at < drawn.length; at += 4)
        dashes += Number(drawn[at] === 0xd0 && drawn[at + 1] === 0x52 && drawn[at + 2] === 0x00);
      assert.ok(
        dashes > 90 && dashes < drawn.length / 8,
        `${label}: ${dashes} pixels are of the other run`,
      );
      assert.notDeepEqual(drawn, under);
    });
    for (const run of [inspector, ...alone]) run.lay_out(200, 120, 0, span);
    assert.deepEqual(inspector.plan(0, undefined, false), alone[0].plan(0, undefined, false));
    assert.deepEqual(inspector.plan_beside(0, 3, true), alone[1].plan(0, 3, true));
    for (let step = 0; step < 40; step += 1) {
      const [x, y] = [5 * step, 3 * step];
      assert.equal(inspector.job_at_beside(x, y), alone[1].job_at(x, y));
      assert.deepEqual(
        inspector.values_beside((span * step) / 40),
        alone[1].values((span * step) / 40),
      );
    }
    assert.deepEqual(inspector.job_details_beside(7, span / 2), alone[1].job_details(7, span / 2));
    assert.throws(() => alone[0].values_beside(0), /no other run/);

    // Step by step through what happens in either.
    let now = 0;
    for (let step = 0; step < 100; step += 1) {
      const next = alone.map((run) => run.step(now, 1)).filter((at) => at > now);
      now = inspector.step(now, 1);
      assert.equal(now, Math.min(...next));
    }
  });
}

test('Node: runs on different machines do not stand side by side', () => {
  const [small] = pair([
    ['k', '4'],
    ['jobs', '20'],
    ['policy', 'none+adaba,fcfs+adaba'],
  ]);
  const [large] = pair([
    ['k', '6'],
    ['jobs', '20'],
    ['policy', 'none+adaba,fcfs+adaba'],
  ]);
  assert.throws(() => small.inspector().put_beside(large), /different machines/);
});

const visit = visitsIn(DAILY_ENGINES, AXE);

/** Opens a scenario of three policies and puts the third beside the first. */
async function beside(open, window) {
  const pairs = [
    ['load', '0.9'],
    ['jobs', '200'],
    ['fabric', 'single-root'],
  ];
  const tab = await open(
    core.write_link(
      scenario([['policy', 'none+adaba,none+greedy,fcfs+adaba'], ...pairs, ...SINGLE]),
      '',
    ),
  );
  if (window) await tab.resize(...window);
  await answer(tab);
  await scrollToRun(tab);
  await tab.waitFor(() => document.querySelector('.jobs tbody tr') !== null);
  await choose(tab, '2');
  return { tab, runs: pair([['policy', 'none+adaba,fcfs+adaba'], ...pairs]) };
}

/** Chooses the run to compare with. */
function choose(tab, value) {
  return tab.evaluate((value) => {
    const select = document.querySelectorAll('#replay .pick select')[4];
    select.value = value;
    select.dispatchEvent(new Event('change'));
  }, value);
}

/** The headings of the pictures, once the first is this. */
function heads(tab, first) {
  return tab.waitFor((first) => {
    const heads = [...document.querySelectorAll('#replay h3.of')]
      .filter((each) => !each.hidden)
      .map((each) => each.textContent);
    return heads[0] === first && heads;
  }, first);
}

/**
 * Waits until a picture shows just these pixels: of all, how many are seen, and the sum of their
 * bytes.
 */
function drawn(tab, place, pixels) {
  const sum = (/** @type {Uint8ClampedArray} */ of) => of.reduce((all, byte) => all + byte, 0);
  return tab.waitFor(
    ([place, length, sum]) => {
      const canvas = document.querySelectorAll('#replay .map > canvas:first-child')[place];
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return data.length === length && data.reduce((all, byte) => all + byte, 0) === sum;
    },
    [place, pixels.length, sum(pixels)],
  );
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: two runs are seen at the same instant, and read by keyboard`, async () => {
    const { tab, runs } = await beside(visit[engine]);
    assert.deepEqual(await heads(tab, 'A: No queue + AdaBa'), [
      'A: No queue + AdaBa',
      'B: FCFS + AdaBa',
      'A − B',
    ]);
    const inspector = runs[0].inspector();
    inspector.put_beside(runs[1]);

    // Stepping by keyboard goes through what happens in either run; all three pictures follow.
    await tab.evaluate(() => document.querySelector('.stack').focus());
    const clock = () =>
      tab.evaluate(() => Number(document.querySelector('.stack').getAttribute('aria-valuenow')));
    for (const [key, by] of [
      ['ArrowRight', 1],
      ['ArrowRight', 1],
      ['ArrowLeft', -1],
      ['ArrowRight', 1],
    ]) {
      const next = inspector.step(await clock(), by);
      await tab.press(key);
      await tab.waitFor(
        (next) => Number(document.querySelector('.stack').getAttribute('aria-valuenow')) === next,
        next,
      );
    }
    const now = await clock();
    const width = await tab.evaluate(() => document.querySelector('#replay .map canvas').width);
    const picture = new core.Picture(runs[0].info().machine, width);
    await drawn(tab, 0, picture.paint(runs[0].shares_at(now), runs[0].paused_at(now), false));
    await drawn(tab, 1, inspector.paint_beside(now, false, width, false));
    await drawn(tab, 2, inspector.paint_difference(now, false, width, false));
    const [running, waiting] = runs[1].jobs_at(now);
    await tab.waitFor(
      (words) => document.querySelector('#replay .told.second').textContent === words,
      `${running} jobs running, ${waiting} waiting`,
    );

    // Over time, both are drawn, read at the cursor, and distinguished in words.
    assert.deepEqual(
      await tab.evaluate(() =>
        [...document.querySelectorAll('.both-runs .key')].map((each) => each.textContent),
      ),
      ['A: No queue + AdaBa', 'B: FCFS + AdaBa'],
    );
    const values = runs.map((run) => run.inspector().values(now));
    const [slots, queue] = [0, 1].map((line) =>
      values.map((each, place) => `${'AB'[place]} ${each[line]}`),
    );
    await tab.waitFor(
      (words) => document.querySelector('.stack').getAttribute('aria-valuetext').includes(words),
      `Slots in use ${slots.join(', ')}, Jobs waiting ${queue.join(', ')},`,
    );
    assert.deepEqual(
      await tab.evaluate(() =>
        [...document.querySelector('.stack .value').children].map((each) => each.textContent),
      ),
      slots,
    );
    assert.deepEqual(
      await tab.evaluate(() =>
        [...document.querySelectorAll('.plan-of')].map((each) => each.textContent),
      ),
      ['A: No queue + AdaBa', 'B: FCFS + AdaBa'],
    );

    // A job chosen on the second plan is chosen in both.
    const plan = await tab.waitFor(() => {
      const canvas = document.querySelectorAll('.stack canvas.plan')[1];
      return canvas.width > 300 && { width: canvas.width, height: canvas.height };
    });
    const laid = inspector.lay_out(
      plan.width,
      200,
      0,
      Math.max(...runs.map((run) => run.info().span)),
    );
    assert.equal(plan.height, laid.height);
    // A spot whose neighbours belong to the same job: browsers round where a pointer is.
    const near = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down]));
    const spots = Array.from({ length: plan.height - 2 }, (_, y) => ({
      x: Math.floor(plan.width / 2),
      y: y + 1,
    }));
    const spot = spots.find(({ x, y }) => {
      const found = new Set(
        near.map(([right, down]) => inspector.job_at_beside(x + right, y + down)),
      );
      return found.size === 1 && !found.has(undefined);
    });
    const { columns } = inspector.about();
    const job = inspector.job_details_beside(inspector.job_at_beside(spot.x, spot.y), now).row[
      columns.findIndex(({ name }) => name === 'job')
    ];
    await tab.evaluate(({ x, y }) => {
      const canvas = document.querySelectorAll('.stack canvas.plan')[1];
      const { left, top } = canvas.getBoundingClientRect();
      const event = { bubbles: true, clientX: left + x + 0.5, clientY: top + y + 0.5 };
      canvas.dispatchEvent(new PointerEvent('pointermove', event));
      canvas.dispatchEvent(new MouseEvent('click', event));
    }, spot);
    await tab.waitFor(
      (words) => document.querySelector('.one-job h3').textContent === words,
      `Job ${job}`,
    );
    await tab.waitFor(
      (start) => document.querySelector('.over-time .under').textContent.startsWith(start),
      `B Job ${job} · `,
    );

    // The arrow keys read a cell of the difference, and mark it on all three.
    await tab.evaluate(() => document.querySelectorAll('#replay .map')[2].focus());
    await tab.press('ArrowRight');
    const { name, part } = picture.spot(0, 0);
    const [one, other] = [0, 1].map((place) => runs[place].shares_at(now)[part]);
    const points = (one - other) * 100;
    const size = Math.abs(points).toFixed(1);
    const words =
      size === '0.0' ? 'the same' : `${size} points ${points > 0 ? 'more' : 'less'} in A`;
    const told = `${name}: ${(one * 100).toFixed(1)} % reserved; ${(other * 100).toFixed(1)} % in B: ${words}`;
    await tab.waitFor((told) => document.querySelector('#replay .at').textContent === told, told);
    assert.equal(
      await tab.evaluate(
        () =>
          [...document.querySelectorAll('#replay .map .cell')].filter((each) => !each.hidden)
            .length,
      ),
      3,
    );

    // The same as a sentence and as a table.
    await tab.click('.cells summary');
    const { parts, beside: b } = inspector.cells(now, false);
    const { rows } = inspector.cell_rows(now, false, '', 0, 100);
    const cells = await tab.waitFor(
      (count) => {
        const lines = [...document.querySelectorAll('.cells tbody tr')].map((row) =>
          [...row.children].map((cell) => cell.textContent),
        );
        return lines.length === count && lines;
      },
      Math.min(100, parts),
    );
    assert.deepEqual(
      cells.map(([called]) => called),
      rows.map((row) => row.name),
    );
    cells.forEach(([, first, second, difference], place) => {
      const { share, beside } = rows[place];
      assert.deepEqual(
        [first, second],
        [share, beside].map((each) => `${(each * 100).toFixed(1)} %`),
      );
      const number = Number(difference.replace('−', '-').replace('+', ''));
      assert.ok(
        Math.abs(number - (share - beside) * 100) <= 0.051,
        `${difference}: ${share} and ${beside}`,
      );
    });

    // The pages after the first, and cells by their names.
    const page = (from) =>
      tab.waitFor((start) => {
        const told = document.querySelector('.cells caption').textContent;
        return (
          told.startsWith(start) && {
            told,
            names: [...document.querySelectorAll('.cells tbody th')].map(
              (each) => each.textContent,
            ),
          }
        );
      }, `Cells ${from} to `);
    assert.equal(parts, 162);
    for (const from of [0, 100]) {
      const { told, names } = await page(from + 1);
      assert.match(told, new RegExp(`of ${parts}, those furthest apart first$`));
      assert.deepEqual(
        names,
        inspector.cell_rows(now, false, '', from, 100).rows.map(({ name }) => name),
      );
      await tab.evaluate(() => document.querySelectorAll('.cells .group-of button')[1].click());
    }
    await tab.type('.cells input', rows[7].name);
    const { names } = await tab.waitFor((name) => {
      const names = [...document.querySelectorAll('.cells tbody th')].map(
        (each) => each.textContent,
      );
      return names.every((each) => each.includes(name)) && { names };
    }, rows[7].name);
    assert.ok(names.includes(rows[7].name));
    const summary = await tab.evaluate(() => document.querySelector('#cells-told').textContent);
    assert.match(
      summary,
      new RegExp(
        `Of ${parts} cells ${b.more} have more in A, ${b.less} in B; furthest apart: ${rows[0].name}, \\d+\\.\\d points (more|less) in A\\.$`,
      ),
    );

    // Averaged over time, too.
    await tab.click('#replay .check input');
    await drawn(tab, 2, inspector.paint_difference(undefined, false, width, false));
    await tab.click('#replay .check input');
    await drawn(tab, 2, inspector.paint_difference(now, false, width, false));

    // Choosing B as A exchanges the two; then A is shown alone again.
    await tab.evaluate(() => {
      const select = document.querySelector('#replay .pick select');
      select.value = '2';
      select.dispatchEvent(new Event('change'));
    });
    assert.deepEqual(await heads(tab, 'A: FCFS + AdaBa'), [
      'A: FCFS + AdaBa',
      'B: No queue + AdaBa',
      'A − B',
    ]);
    await choose(tab, '');
    await tab.waitFor(
      () =>
        [...document.querySelectorAll('#replay .map')].filter((each) => !each.hidden).length === 1,
    );
    await tab.waitFor(
      () =>
        document.querySelectorAll('.stack canvas.plan').length === 1 &&
        document.querySelector('.both-runs').hidden,
    );
    await tab.waitFor(() =>
      /^On average over \d+ cells \d+\.\d % reserved\.$/.test(
        document.querySelector('#cells-told').textContent,
      ),
    );
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

test('a link leads to the run that was looked into, and to what stood beside it', async () => {
  const { tab } = await beside(visit.chromium);
  await heads(tab, 'A: No queue + AdaBa');
  await tab.evaluate(() => {
    const select = document.querySelector('#replay .pick select');
    select.value = '1';
    select.dispatchEvent(new Event('change'));
  });
  await heads(tab, 'A: No queue + Greedy');
  await tab.click('#share');
  const link = await tab.waitFor(() => document.querySelector('dialog[open] textarea')?.value);
  const { hash } = new URL(link);
  assert.equal(core.read_link(hash).view, 'run:1+0+0+0+2');
  await tab.close();

  const other = await visit.chromium(hash);
  await answer(other);
  await scrollToRun(other);
  assert.deepEqual(await heads(other, 'A: No queue + Greedy'), [
    'A: No queue + Greedy',
    'B: FCFS + AdaBa',
    'A − B',
  ]);
  assert.deepEqual(await other.faults(), []);
  await other.close();
});

test('in a narrow window the pictures stand below each other, and axe finds nothing', async () => {
  const { tab } = await beside(visit.chromium, [320, 700]);
  await heads(tab, 'A: No queue + AdaBa');
  const boxes = await tab.waitFor(() => {
    const boxes = [...document.querySelectorAll('#replay .map')].map((each) =>
      each.getBoundingClientRect(),
    );
    return (
      boxes.every(({ height }) => height > 20) &&
      boxes.map(({ top, bottom, left, right }) => ({ top, bottom, left, right }))
    );
  });
  assert.equal(boxes.length, 3);
  assert.ok(
    boxes[0].bottom <= boxes[1].top && boxes[1].bottom <= boxes[2].top,
    JSON.stringify(boxes),
  );
  assert.ok(boxes.every(({ left, right }) => left >= 0 && right <= 320));
  await tab.click('.cells summary');
  await tab.waitFor(() => document.querySelector('.cells tbody tr') !== null);
  assert.equal(await overflow(tab), 0);
  assert.deepEqual(await findings(tab), []);
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
