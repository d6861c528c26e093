// The page of the papers' figures: it holds every figure and every claim, sums them up, shows those
// that are asked for, and whatever it links to opens.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { AXE, findings, overflow, WINDOWS } from './axe.js';
import { dist, DAILY_ENGINES, launch, site } from './browser.js';
import { commandLine } from './built.js';
import { core } from './core.js';
import { serve } from './server.js';
import { answer, enter, read } from './visitor.js';

const page = await readFile(join(site, 'papers.html'), 'utf8');

/** What is on file: figures, and claims with their verdicts. */
const onFile = readFileSync(new URL('../golden/claims.txt', import.meta.url), 'utf8');
const figures = [...onFile.matchAll(/^([\w-]+): (quick|full)$/gm)].map(([, id, effort]) => ({
  id,
  effort,
}));
const claims = [...onFile.matchAll(/^ {2}(\S+): (.*)$/gm)].map(([, id, verdict]) => ({
  id,
  verdict,
}));

/** The curves on file: figures, and the points of each. */
const curves = readFileSync(new URL('../golden/curves.txt', import.meta.url), 'utf8')
  .split(/^(?=\S)/m)
  .map((block) => {
    const [heading, ...lines] = block.trimEnd().split('\n');
    const [id] = heading.split(': ');
    // A policy's name may have commas of its own.
    const [, points] = /^.*: (.*)$/.exec(lines[0]);
    return { id, points: points.split(', ').length, policies: lines.length };
  });

/** The name in addresses of the paper that a figure or claim is of. */
function paperOf(id) {
  const [, kind, number] = /^([pr])(\d+)-/.exec(id) ?? ['', 'p', '1'];
  return `${kind === 'r' ? 'report' : 'paper'}-${number}`;
}

/** What the verdicts are called in addresses, by their words. */
const VERDICTS = [
  [/^holds$/, 'holds'],
  [/^holds only under /, 'holds-only'],
  [/^does not hold$/, 'does-not-hold'],
  [/^undecided$/, 'undecided'],
  [/^needs the log$/, 'needs-log'],
  [/^true by construction$/, 'by-construction'],
];
const nameOf = (verdict) => VERDICTS.find(([words]) => words.test(verdict))[1];

/** Text as written in HTML. */
const escaped = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** The links that open the playground with a scenario, and what they are called. */
const links = [...page.matchAll(/<a (?:class="go" )?href="\.\/(#[^"]+)">([^<]*)</g)].map(
  ([, href, words]) => ({
    link: href.replaceAll('&amp;', '&'),
    words,
  }),
);

test('every figure, claim, verdict and number on file stands in the page as it is sent', () => {
  assert.doesNotMatch(page, /baked:/);
  assert.doesNotMatch(page, / style=| on[a-z]+=|<script>/);
  assert.ok(figures.length >= 12 && claims.length >= 50);
  const parts = new Map(
    page
      .split('<details class="figure" name="figure" id="')
      .slice(1)
      .map((part) => [part.split('"')[0], part]),
  );
  assert.deepEqual(
    [...parts.keys()],
    figures.map(({ id }) => id),
  );
  for (const { id, effort } of figures) {
    const command = `backfill figure ${id}${effort === 'quick' ? ' --quick' : ''}`;
    assert.ok(parts.get(id).includes(`<code>${command}`), command);
  }
  for (const { id, verdict } of claims) {
    const claim = parts.get(id.split('.')[0]).split(`<li id="${id}">`)[1].split('<li id="')[0];
    assert.ok(claim.includes(`</span> ${escaped(verdict)}</span>`), `${id}: ${verdict}`);
  }
  const found = [...onFile.matchAll(/^ {4}(.*?): (.*?): (.*)$/gm)];
  for (const [line, , , sentence] of found) assert.ok(page.includes(escaped(sentence)), line);
});

/** A figure as it is sent. */
const partOf = (id) =>
  page.split(`<details class="figure" name="figure" id="${id}"`)[1].split('<ul class="claims">')[0];

test('every figure with curves on file has them as a picture and as a table, or is a heatmap', () => {
  assert.ok(curves.length >= 60, `${curves.length} curves`);
  for (const { id, points, policies } of curves) {
    const part = partOf(id);
    if (part.startsWith(' data-shape="heatmap"')) continue;
    for (const theme of ['light', 'dark']) {
      const [, file] = part.match(
        new RegExp(`<img class="${theme}" src="\\./([^"]+)" alt="Curves\\. `),
      );
      const picture = readFileSync(join(site, file), 'utf8');
      assert.match(picture, /^<svg [\s\S]*<\/svg>\s*$/, file);
      assert.equal(picture, readFileSync(join(dist, file), 'utf8'));
    }
    const [, rows] = part.match(
      /The same numbers as a table<\/summary>[\s\S]*?<tbody>(.*?)<\/tbody>/,
    );
    const cells = rows
      .split('<tr>')
      .slice(1)
      .map((row) => row.split('<td>').length - 1);
    assert.deepEqual(cells, Array(points).fill(policies + 1), id);
  }
});

test('every link to the playground names the digest on file', () => {
  const file = new URL('../golden/figure-digests.txt', import.meta.url);
  const onFile = readFileSync(file, 'utf8').match(/[0-9a-f]{16}$/gm);
  const named = links.map(({ link }) => core.read_link(link).digest);
  assert.deepEqual(new Set(named), new Set(onFile));
});

test('every claim has its rule beside its verdict', () => {
  for (const { id } of claims) {
    const claim = page.split(`<li id="${id}">`)[1].split('</li>')[0];
    assert.match(claim, /<p class="soft rule">[A-Z][^<]+\.<\/p>/, id);
  }
});

/** The numbers of a sentence that sums up claims, by verdict. */
function summed(sentence) {
  const number = (/** @type {RegExp} */ words) => Number(words.exec(sentence)?.[1] ?? 0);
  return {
    claims: number(/^Of the (\d+) claims/),
    figures: number(/about (\d+) figures/),
    holds: number(/(\d+) holds?(?=,| and |\.)/),
    'holds-only': number(/(\d+) holds? only under some interpretations/),
    'does-not-hold': number(/(\d+) do(?:es)? not hold/),
    undecided: number(/(\d+) (?:is|are) undecided/),
    'needs-log': number(/(\d+) needs? the log/),
    'by-construction': number(/(\d+) more (?:is|are) true by construction/),
  };
}

/** What a sentence should say of some figures and claims. */
function expected(figures, claims) {
  const counts = Object.fromEntries(VERDICTS.map(([, name]) => [name, 0]));
  for (const { verdict } of claims) counts[nameOf(verdict)] += 1;
  const judged = claims.length - counts['by-construction'];
  return { claims: judged, figures: figures.length, ...counts };
}

test('the summary says of all papers and of each what is on file, and names what does not hold', () => {
  const sentences = [...page.matchAll(/<p>(Of the \d+ claims [^<]*)<\/p>/g)].map(
    ([, words]) => words,
  );
  assert.deepEqual(summed(sentences[0]), expected(figures, claims));
  const papers = [...new Set(figures.map(({ id }) => paperOf(id)))];
  assert.equal(sentences.length, papers.length + 1);
  const shorts = page.split('<section class="in-short">').slice(1);
  for (const [index, paper] of papers.entries()) {
    const own = (/** @type {{id: string}} */ { id }) => paperOf(id) === paper;
    const ownClaims = claims.filter(own);
    assert.deepEqual(summed(sentences[index + 1]), expected(figures.filter(own), ownClaims), paper);
    const failing = ownClaims.filter(({ verdict }) => nameOf(verdict) === 'does-not-hold');
    const short = shorts[index].split('</section>')[0];
    const named = short.split('by figure or table: ')[1]?.split('</p>')[0] ?? '';
    assert.deepEqual(
      [...named.matchAll(/href="#([^"]+)">[^<]+<\/a> \((\d+)\)/g)].map(([, id, count]) => [
        id,
        Number(count),
      ]),
      figures
        .map(({ id }) => [id, failing.filter((claim) => claim.id.split('.')[0] === id).length])
        .filter(([, count]) => count > 0),
      paper,
    );
    for (const [, name] of VERDICTS) {
      const list = short.split(`<details id="${paper}-${name}">`)[1]?.split('</details>')[0] ?? '';
      const ids = [...list.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
      const onFile = ownClaims.filter(({ verdict }) => nameOf(verdict) === name);
      assert.deepEqual(ids.toSorted(), onFile.map(({ id }) => id).toSorted(), `${paper} ${name}`);
    }
  }
});

test('figures are called on the command line as they are in the page', () => {
  const list = execFileSync(commandLine, ['figure', '--list'], { encoding: 'utf8' });
  for (const { id } of figures) {
    const [place, title] = /<h4>(.*?): (.*?)<\/h4>/
      .exec(page.split(`name="figure" id="${id}"`)[1])
      .slice(1);
    const line = list.split('\n').find((line) => line.startsWith(`${id} `));
    assert.ok(
      escaped(line).includes(place) && escaped(line).includes(title),
      `${id}: ${place}: ${title}`,
    );
  }
});

test('captions say how many replications of how many jobs were simulated', () => {
  for (const { id } of figures.filter(({ id }) => !['fig2', 'fig3'].includes(id))) {
    const caption = page
      .split(`<details class="figure" name="figure" id="${id}"`)[1]
      .split('<p>')[1]
      .split('</p>')[0];
    const told = id.startsWith('r3-')
      ? /[\d,]+ instants spread over the second half of (?:[\d,]+|all) jobs.*, 200 futures each/
      : /20 replications of (?:the first )?(?:[\d,]+|all) jobs/;
    assert.match(caption, told, id);
  }
});

test('forecasts have their command, histograms and the numbers of every group on file', () => {
  const blocks = onFile.split(/^(?=[\w-]+: full$)/m).filter((block) => block.startsWith('r3-'));
  assert.ok(blocks.length >= 4, `${blocks.length} figures`);
  for (const block of blocks) {
    const id = block.split(':')[0];
    const figure = page.split(`name="figure" id="${id}"`)[1].split('<ul class="claims">')[0];
    assert.match(figure, /<code>backfill forecast [^<]+ --calibrate \d+<\/code>/, id);
    const groups = [...block.matchAll(/^ {2}at (.+): (.+)$/gm)];
    const tables = figure.split('<details>');
    for (const [, name, numbers] of groups) {
      const [cases, ...rest] = numbers.split(' ');
      const tenths = rest.slice(4);
      assert.equal(tenths.length, 10);
      assert.ok(tables[1].includes(`<td>${name}</td><td>${cases}</td>`), `${id}: ${name}`);
      const row = [name, ...tenths].map((cell) => `<td>${cell}</td>`).join('');
      assert.ok(tables[2].includes(row), `${id}: ${name}`);
    }
    const tenths = groups[0][2].split(' ').slice(5);
    const bars = tenths.map((share) => `${share} %`).join(', ');
    assert.ok(figure.includes(`from early to late: ${bars}</title>`), `${id}: ${bars}`);
  }
});

test('every name in the page stands there once, and the summary leads to every claim', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
  assert.deepEqual(
    targets.filter((target) => !ids.includes(target)),
    [],
  );
  assert.deepEqual(
    claims.filter(({ id }) => !targets.includes(id)),
    [],
  );
});

test('Node: every link opens a scenario without a problem', () => {
  assert.ok(links.length > 300, `${links.length} links`);
  for (const { link, words } of links) {
    const { problems, runs } = core.read_scenario(core.read_link(link).pairs);
    assert.deepEqual(problems, [], link);
    const told = /^(?:(?:quick|full): \d+ replications,|Recompute:) ([\d,]+) runs$/.exec(words);
    if (told === null) assert.match(words, /^(?:quick|full)$/);
    else assert.equal(Number(told[1].replaceAll(',', '')), runs, link);
  }
});

/** Follows the link of those words in a figure. */
async function follow(tab, figure, place) {
  await tab.click(`#${figure} > summary`);
  await tab.click(`#${figure} p.open:nth-of-type(${place}) .go`);
  await tab.waitFor(() => document.querySelector('#badge') !== null);
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: figures open in the playground and run, and lead back`, async () => {
    const host = await serve(dist);
    const browser = await launch(engine);
    try {
      const tab = await browser.open(host.url);
      await answer(tab);
      await tab.click('a[href="./papers.html"]');
      await tab.waitFor(() => document.querySelector('#fig4 .go') !== null);
      // By its order among the paragraphs: with a log first, then with generated jobs.
      for (const [figure, paragraph] of [
        ['fig4', 2],
        ['fig8a', 4],
        ['p4-decisions', 2],
      ]) {
        await follow(tab, figure, paragraph);
        const now = await answer(tab);
        assert.match(now.badge, /^identical to the link's result/, figure);
        assert.deepEqual(now.banners, [], figure);
        await tab.click('a[href="./papers.html"]');
        await tab.waitFor(() => document.querySelector('#fig4 .go') !== null);
      }
      await follow(tab, 'fig6a', 2);
      await tab.waitFor(() => document.querySelector('.banner') !== null);
      const { banners } = await read(tab);
      assert.equal(banners.length, 1);
      assert.match(banners[0], /^This link uses the trace KTH-SP2/);
      assert.deepEqual(await tab.faults(), []);
      assert.deepEqual(host.violations, []);
    } finally {
      await browser.close();
      await host.close();
    }
  });
}

/** The figures and claims that are shown, the open figures, and the address. */
function shown(tab) {
  return tab.evaluate(() => {
    const seen = (/** @type {string} */ selector) =>
      [...document.querySelectorAll(selector)].filter((each) => each.closest('[hidden]') === null);
    return {
      papers: seen('.paper').map(({ id }) => id),
      figures: seen('.figure').map(({ id }) => id),
      claims: seen('.claims > li').map(({ id }) => id),
      told: document.querySelector('#shown').textContent,
      open: [...document.querySelectorAll('.figure[open]')].map(({ id }) => id),
      address: location.search + location.hash,
    };
  });
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: a picture is fetched when its figure is opened, in the colours of the page`, async () => {
    const host = await serve(site);
    const browser = await launch(engine);
    try {
      const tab = await browser.open(`${host.url}papers.html`);
      await tab.waitFor(() => document.querySelector('#shown').textContent !== '');
      const fetched = () =>
        host.requests.map(({ path }) => path).filter((path) => path.startsWith('/figures/'));
      assert.deepEqual(fetched(), []);
      await tab.click('#fig4 > summary');
      const isShown = (/** @type {string} */ theme) => {
        const picture = document.querySelector(`#fig4 img.${theme}`);
        return picture.naturalWidth > 0 && picture.getBoundingClientRect().width > 300;
      };
      await tab.waitFor(isShown, 'light');
      assert.deepEqual(fetched(), ['/figures/fig4-light.svg']);
      await tab.evaluate(() => {
        document.documentElement.dataset.theme = 'dark';
      });
      await tab.waitFor(isShown, 'dark');
      assert.deepEqual(fetched(), ['/figures/fig4-light.svg', '/figures/fig4-dark.svg']);
      assert.deepEqual(await tab.faults(), []);
      assert.deepEqual(host.violations, []);
    } finally {
      await browser.close();
      await host.close();
    }
  });
}

/** What is on file of the claims of a figure under its default interpretation. */
function findingsOf(figure) {
  const [, block] = onFile.split(new RegExp(`^${figure}: \\w+$`, 'm'));
  const [mine] = block.split(/^\S/m);
  return mine
    .split(/^ {2}(?! )/m)
    .slice(1)
    .map((claim) => /^ {4}(?:.*?): (.*?): (.*)$/m.exec(claim))
    .map(([, outcome, sentence]) => ({ outcome, sentence }));
}

/** What the playground says of the claims of the figures that its answer is. */
async function judged(tab) {
  await tab.waitFor(() => document.querySelector('.figures:not([hidden]) li') !== null);
  return tab.evaluate(() =>
    [...document.querySelectorAll('.figures li')].map((claim) => ({
      outcome: claim.querySelector('strong').textContent,
      sentence: claim.querySelector('.soft').textContent.split('. The rule')[0],
      link: claim.querySelector('a').getAttribute('href'),
    })),
  );
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: a claim is recomputed, with any seed, and leads back to its rule`, async () => {
    const host = await serve(dist);
    const browser = await launch(engine);
    try {
      const tab = await browser.open(`${host.url}papers.html#fig4`);
      await opened(tab, 'fig4', '#fig4');
      await tab.click('#fig4 .claims a[href*="#v1?"]');
      await tab.waitFor(() => document.querySelector('#badge') !== null);
      const { badge } = await answer(tab);
      assert.match(badge, /^identical to the link's result/);
      const said = await judged(tab);
      const withoutLinks = said.map(({ outcome, sentence }) => ({ outcome, sentence }));
      assert.deepEqual(withoutLinks, findingsOf('fig4'));

      // Fewer replications from another seed are runs of the same figure, and of no other machine.
      const pathOf = ({ path }) => path;
      const modules = () => host.requests.map(pathOf).filter((path) => path.endsWith('.wasm'));
      // The core in two parts, and what judges claims.
      assert.equal(modules().length, 3);
      await enter(tab, 'reps', '3');
      await enter(tab, 'seed', '77');
      await tab.click('#run');
      await answer(tab);
      await tab.waitFor(() => document.querySelector('.figures li')?.textContent.includes('n = 3'));
      assert.equal((await judged(tab)).length, said.length);
      await enter(tab, 'k', '8');
      await tab.click('#run');
      await answer(tab);
      await tab.waitFor(() => document.querySelector('.figures').hidden);

      await tab.goto(`${host.url}${said[0].link}`);
      await opened(tab, 'fig4', `#${said[0].link.split('#')[1]}`);
      assert.deepEqual(await tab.faults(), []);
      assert.deepEqual(host.violations, []);
    } finally {
      await browser.close();
      await host.close();
    }
  });
}

/** Chooses a value of a filter. */
function filter(tab, name, value) {
  return tab.evaluate(
    ([name, value]) => {
      const field = document.querySelector('#filters').elements[name];
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    },
    [name, value],
  );
}

/** Waits until the figure alone is open and the address is this one. */
function opened(tab, figure, address) {
  return tab.waitFor(
    ([figure, address]) =>
      [...document.querySelectorAll('.figure[open]')].map(({ id }) => id).join() === figure &&
      location.search + location.hash === address,
    [figure, address],
  );
}

/** Whether the place with this name is in the window, and how high. */
function position(tab, id) {
  return tab.evaluate((id) => {
    const { top } = document.getElementById(id).getBoundingClientRect();
    return { top: Math.round(top), inWindow: top > -1 && top < innerHeight };
  }, id);
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: filters leave what they say, and the address keeps them`, async () => {
    const host = await serve(site);
    const browser = await launch(engine);
    try {
      const tab = await browser.open(`${host.url}papers.html`);
      await tab.waitFor(() => document.querySelector('#shown').textContent !== '');
      const all = `${figures.length} figures and tables`;
      let now = await shown(tab);
      assert.equal(now.figures.length, figures.length);
      assert.equal(
        now.told,
        `${figures.length} of ${all}, ${claims.length} of ${claims.length} claims`,
      );

      await filter(tab, 'paper', 'paper-2');
      await filter(tab, 'verdict', 'does-not-hold');
      now = await shown(tab);
      const asked = claims.filter(
        ({ id, verdict }) => paperOf(id) === 'paper-2' && verdict === 'does not hold',
      );
      const theirs = new Set(asked.map(({ id }) => id.split('.')[0]));
      assert.deepEqual(now.papers, ['paper-2']);
      assert.deepEqual(
        now.claims,
        asked.map(({ id }) => id),
      );
      assert.deepEqual(new Set(now.figures), theirs);
      assert.equal(
        now.told,
        `${theirs.size} of ${all}, ${asked.length} of ${claims.length} claims`,
      );
      assert.equal(now.address, '?paper=paper-2&verdict=does-not-hold');

      await tab.reload();
      await tab.waitFor(() => document.querySelector('#shown').textContent !== '');
      assert.deepEqual(await shown(tab), now);

      // Words are looked for in titles, captions and claims, whatever their case.
      await tab.click('#show-all');
      await tab.type('#filters input', 'EASY utilisation');
      now = await shown(tab);
      assert.ok(now.figures.includes('p2-fig3-utilisation') && !now.figures.includes('fig4'));
      assert.ok(now.claims.includes('p2-fig3-utilisation.easy'));
      assert.equal(now.address, '?text=EASY+utilisation');
      await tab.type('#filters input', 'no such word');
      now = await shown(tab);
      assert.deepEqual([now.papers, now.figures, now.claims], [[], [], []]);

      await tab.click('#show-all');
      await filter(tab, 'shape', 'heatmap');
      now = await shown(tab);
      assert.ok(now.figures.includes('p3-fig16') && !now.figures.includes('fig4'));
      assert.equal(
        await tab.evaluate(() =>
          document.querySelector('.figure:not([hidden]):not(:has(svg.chart))'),
        ),
        null,
      );
      await tab.click('#show-all');
      assert.equal((await shown(tab)).address, '');

      // What an address cannot mean is left out.
      await tab.goto(`${host.url}papers.html?paper=paper-0&verdict=perhaps&other=1`);
      await tab.waitFor(() => document.querySelector('#shown').textContent !== '');
      assert.equal((await shown(tab)).figures.length, figures.length);
      assert.deepEqual(await tab.faults(), []);
      assert.deepEqual(host.violations, []);
    } finally {
      await browser.close();
      await host.close();
    }
  });

  test(`${engine}: one figure is open at a time, and an address opens figures, claims and lists`, async () => {
    const host = await serve(site);
    const browser = await launch(engine);
    try {
      const tab = await browser.open(`${host.url}papers.html#fig4`);
      await opened(tab, 'fig4', '#fig4');
      assert.ok((await position(tab, 'fig4')).inWindow);

      // What is clicked stays where it is, although a figure above it closes.
      await tab.evaluate(() =>
        document.querySelector('#fig6b > summary').scrollIntoView({ block: 'center' }),
      );
      const before = await position(tab, 'fig6b');
      await tab.click('#fig6b > summary');
      await opened(tab, 'fig6b', '#fig6b');
      await tab.waitFor(
        (top) => Math.abs(document.querySelector('#fig6b').getBoundingClientRect().top - top) <= 2,
        before.top,
      );
      await tab.click('#fig6b > summary');
      await opened(tab, '', '');

      // From the summary to a claim, which the filters hide.
      await filter(tab, 'paper', 'paper-2');
      await tab.click('#paper-1-does-not-hold > summary');
      await tab.click('#paper-1-does-not-hold a[href="#table1.kth-size"]');
      await opened(tab, 'table1', '#table1.kth-size');
      assert.ok((await position(tab, 'table1.kth-size')).inWindow);
      assert.equal((await shown(tab)).figures.length, figures.length);

      // A figure that a filter hides is no longer in the address.
      await filter(tab, 'paper', 'paper-2');
      await opened(tab, '', '?paper=paper-2');

      await tab.goto(`${host.url}papers.html?verdict=undecided#paper-2-undecided`);
      await tab.waitFor(() => document.querySelector('#paper-2-undecided').open);
      assert.ok((await position(tab, 'paper-2-undecided')).inWindow);
      assert.ok((await shown(tab)).figures.length < figures.length);
      assert.deepEqual(await tab.faults(), []);
    } finally {
      await browser.close();
      await host.close();
    }
  });
}

test('chromium: without scripts every figure opens, alone, and what cannot filter is not there', async () => {
  const host = await serve(site);
  const browser = await launch('chromium', { emulate: { javaScriptEnabled: false } });
  try {
    const tab = await browser.open(`${host.url}papers.html#fig4.best`);
    // The browser itself opens what holds the claim.
    const seen = () =>
      tab.evaluate(() => ({
        open: [...document.querySelectorAll('.figure[open]')].map(({ id }) => id),
        filters: document.querySelector('#filters').checkVisibility(),
        figures: [...document.querySelectorAll('.figure')].filter((each) => each.checkVisibility())
          .length,
      }));
    assert.deepEqual(await seen(), { open: ['fig4'], filters: false, figures: figures.length });
    await tab.click('#fig5a > summary');
    assert.deepEqual((await seen()).open, ['fig5a']);
    assert.ok(
      await tab.evaluate(() => document.getElementById('fig5a.best').checkVisibility()),
      'its claims are there',
    );
    await tab.click('a[href="#paper-1"]');
  } finally {
    await browser.close();
    await host.close();
  }
});

test('chromium: what is open is printed in full, or else everything that the filters leave', async () => {
  const host = await serve(site);
  const browser = await launch('chromium');
  try {
    const tab = await browser.open(`${host.url}papers.html?paper=paper-1`);
    await tab.waitFor(() => document.querySelector('#shown').textContent !== '');
    await tab.emulate({ media: 'print' });
    // What was skipped so far is laid out with the next frame.
    await tab.waitFor(() =>
      document.querySelector('.claims > li').checkVisibility({ contentVisibilityAuto: true }),
    );
    const printed = () =>
      tab.evaluate(() =>
        [...document.querySelectorAll('.claims > li')]
          .filter((each) => each.checkVisibility({ contentVisibilityAuto: true }))
          .map(({ id }) => id),
      );
    const own = claims.filter(({ id }) => paperOf(id) === 'paper-1').map(({ id }) => id);
    assert.deepEqual(await printed(), own);
    await tab.evaluate(() => {
      document.querySelector('#fig4').open = true;
    });
    assert.deepEqual(
      await printed(),
      own.filter((id) => id.startsWith('fig4.')),
    );
    await tab.emulate({ media: 'screen' });
    assert.deepEqual(await tab.faults(), []);
  } finally {
    await browser.close();
    await host.close();
  }
});

/** Runs in the page: takes out what closed figures fold away, until it is put back. */
function takeOut() {
  const bodies = [...document.querySelectorAll('.figure:not([open])')].map((figure) => {
    const body = new DocumentFragment();
    body.append(...[...figure.children].filter(({ localName }) => localName !== 'summary'));
    return { figure, body };
  });
  window.putBack = () => {
    for (const { figure, body } of bodies) figure.append(body);
  };
}

/** Runs in the page: leaves three rows of each table, which are made like all others. */
function shorten() {
  for (const { rows } of document.querySelectorAll('tbody'))
    for (const row of [...rows].slice(3)) row.remove();
}

for (const [width, dark] of WINDOWS) {
  test(`axe finds nothing in the papers' figures at ${width} px, ${dark ? 'dark' : 'light'}`, async () => {
    const host = await serve(site, AXE);
    const browser = await launch('chromium', { dark });
    try {
      const tab = await browser.open(`${host.url}papers.html`, { width, height: 700 });
      await tab.waitFor(() => !document.querySelector('#theme').hidden);
      for (const open of [false, true]) {
        await tab.evaluate((open) => {
          for (const each of document.querySelectorAll('details')) {
            // All at once, which their common name would prevent.
            each.removeAttribute('name');
            each.open = open;
          }
        }, open);
        // What is folded away is looked at once it is open.
        if (!open) await tab.evaluate(takeOut);
        assert.equal(await overflow(tab), 0);
        if (open && !process.env.BACKFILL_LONG) await tab.evaluate(shorten);
        assert.deepEqual(await findings(tab), []);
        if (!open) await tab.evaluate(() => window.putBack());
      }
      assert.deepEqual(await tab.faults(), []);
      assert.deepEqual(host.violations, []);
    } finally {
      await browser.close();
      await host.close();
    }
  });
}
