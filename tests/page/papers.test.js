// The page of the papers' figures: it holds every figure and every claim, and whatever it links to
// opens.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { AXE, findings, overflow } from './axe.js';
import { dist, ENGINES, launch, site } from './browser.js';
import { core } from './core.js';
import { serve } from './server.js';
import { answer, read } from './visitor.js';

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

/** Text as it stands in HTML. */
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
      .split('<section class="figure" id="')
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

test('every claim has its rule beside its verdict, and what cannot fail is counted apart', () => {
  for (const { id } of claims) {
    const claim = page.split(`<li id="${id}">`)[1].split('</li>')[0];
    assert.match(claim, /<\/span><\/p><p class="soft rule">[A-Z][^<]+\.<\/p>/, id);
  }
  const counted = [
    ...page.matchAll(
      /: (\d+) claims about \d+ figures and tables, by verdict(?:; (\d+) more are true by construction)?</g,
    ),
  ];
  const sum = (place) => counted.reduce((sum, found) => sum + Number(found[place] ?? 0), 0);
  const sure = claims.filter(({ verdict }) => verdict === 'true by construction');
  assert.ok(sure.length > 0);
  assert.equal(sum(2), sure.length);
  assert.equal(sum(1), claims.length - sure.length);
});

test('captions say how many replications of how many jobs were simulated', () => {
  for (const { id } of figures.filter(({ id }) => !['fig2', 'fig3'].includes(id))) {
    const caption = page
      .split(`<section class="figure" id="${id}"`)[1]
      .split('<p>')[1]
      .split('</p>')[0];
    assert.match(caption, /20 replications of (?:the first )?(?:[\d,]+|all) jobs/, id);
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
    const told = /^(?:quick|full): \d+ replications, (\d+) runs$/.exec(words);
    if (told === null) assert.match(words, /^(?:quick|full)$/);
    else assert.equal(Number(told[1]), runs, link);
  }
});

/** Follows the link of those words in a figure. */
async function follow(tab, figure, place) {
  await tab.click(`#${figure} p.open:nth-of-type(${place}) .go`);
  await tab.waitFor(() => document.querySelector('#badge') !== null);
}

for (const engine of ENGINES) {
  test(`${engine}: figures open in the playground and run, and lead back`, async () => {
    const host = await serve(dist);
    const browser = await launch(engine);
    try {
      const tab = await browser.open(host.url);
      await answer(tab);
      await tab.click('a[href="./papers.html"]');
      await tab.waitFor(() => document.querySelector('#fig4 .go') !== null);
      // By its order among the paragraphs: with a log first, then with a look-alike.
      for (const [figure, paragraph] of [
        ['fig4', 2],
        ['fig5b', 4],
        ['fig8a', 4],
      ]) {
        await follow(tab, figure, paragraph);
        const now = await answer(tab);
        assert.match(now.badge, /^computed here/, figure);
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

for (const dark of [false, true]) {
  for (const width of [320, 1280]) {
    test(`axe finds nothing in the papers' figures at ${width} px, ${dark ? 'dark' : 'light'}`, async () => {
      const host = await serve(site, AXE);
      const browser = await launch('chromium', { dark });
      try {
        const tab = await browser.open(`${host.url}papers.html`, { width, height: 700 });
        await tab.waitFor(() => !document.querySelector('#theme').hidden);
        for (const open of [false, true]) {
          await tab.evaluate((open) => {
            for (const each of document.querySelectorAll('details')) each.open = open;
          }, open);
          assert.deepEqual(await findings(tab), []);
          assert.equal(await overflow(tab), 0);
        }
        assert.deepEqual(await tab.faults(), []);
        assert.deepEqual(host.violations, []);
      } finally {
        await browser.close();
        await host.close();
      }
    });
  }
}
