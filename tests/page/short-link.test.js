// The short form of a long link: Share says what both take, every reader of links unpacks it, and what
// is hostile in it is refused in a sentence. The QR code of a link.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { generate } from 'lean-qr';
import { AXE, findings, overflow } from './axe.js';
import { DAILY_ENGINES, ENGINES } from './browser.js';
import { commandLine } from './built.js';
import { core, scenario, simulate } from './core.js';
import { draws } from './random.js';
import { answer, openShare, pressShare, read } from './visitor.js';
import { visits } from './visits.js';

/** A scenario with a link of more than 2,000 characters that runs at once. */
const LONG = scenario([
  ['k', '4'],
  ['jobs', '2'],
  ['reps', '1'],
  ['policy', 'fcfs+adaba,easy+adaba'],
  ['x', `load:${Array.from({ length: 190 }, (_, place) => `100.${100_001 + 2 * place}`).join()}`],
]);

/** The short form of a text, as somebody else may write it. */
const short = (text) => `#z1?${deflateRawSync(text).toString('base64url')}`;

/** The plain form of its link, which no address has. */
const plainOf = (text, digest = '') =>
  core.write_link(text, digest, undefined, undefined, undefined, true);

const WHOLE = short(plainOf(LONG));
/** What is wrong, and the sentence about it. */
const HOSTILE = [
  ['#z1?', /cannot be unpacked/],
  ['#z1?%00', /cannot be unpacked/],
  ['#z1?AAAA', /cannot be unpacked/],
  [WHOLE.slice(0, -1), /cannot be unpacked/],
  [WHOLE.slice(0, WHOLE.length / 2), /cannot be unpacked/],
  [`${WHOLE}AAAA`, /cannot be unpacked/],
  [short(Buffer.from([0xff, 0xfe])), /cannot be unpacked/],
  [short('x'.repeat(50_000_000)), /more than 100,?000 characters/],
  [short(WHOLE), /no link to a scenario/],
  [short('#v1?k=4&sum=00000000'), /its checksum does not fit/],
  [short('#v1?k=7'), /must be an even whole number/],
];

/** What the open dialog shares once it has made the short form, and what it says of that. */
const shortened = (tab) =>
  tab.waitFor(() => {
    const dialog = document.querySelector('dialog[open]');
    const { value } = dialog.querySelector('textarea');
    return (
      value.includes('#z1?') && { address: value, words: dialog.querySelector('.soft').textContent }
    );
  });

test('Node: the command line and the module read what others have packed', () => {
  assert.equal(execFileSync(commandLine, ['open', WHOLE], { encoding: 'utf8' }).trim(), toml(LONG));
  for (const [hostile, sentence] of HOSTILE) {
    const { status, stderr } = spawnSync(commandLine, ['open', hostile], { encoding: 'utf8' });
    assert.equal(status, 1, hostile.slice(0, 80));
    assert.match(stderr, sentence);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});

/** The scenario as its file. */
const toml = (text) => new core.Board(text).toml().trim();

for (const engine of ENGINES) {
  const visit = visits(engine, AXE);

  test(`${engine}: a long scenario is shared by a short link, which opens with the same digest`, async () => {
    const { digest } = simulate(LONG);
    const plain = plainOf(LONG, digest);
    assert.ok(plain.length > 2000);
    assert.throws(() => core.write_link(LONG, digest), /more than 2000/);
    const tab = await visit(short(plain));
    assert.equal((await answer(tab)).digest, digest);
    await pressShare(tab);
    const { address, words } = await shortened(tab);
    assert.ok(address.length < 2000 && address.length < plain.length / 1.5, `${address.length}`);
    assert.match(words, new RegExp(`^${address.length.toLocaleString('en')} characters\\. `));
    assert.match(words, /the plain one would have [23],\d{3}, which mail and chat programs cut/);
    assert.deepEqual(await findings(tab), []);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();

    const { hash } = new URL(address);
    assert.equal(
      execFileSync(commandLine, ['open', hash], { encoding: 'utf8' }).trim(),
      toml(LONG),
    );
    const other = await visit(hash);
    const opened = await answer(other);
    assert.equal(opened.digest, digest);
    assert.match(opened.badge, /verified|identical/);
    assert.deepEqual(opened.banners, []);
    // Whoever loads it again has the same.
    assert.equal(await other.evaluate(() => location.hash), hash);
    await other.reload();
    assert.equal((await answer(other)).digest, digest);
    assert.deepEqual(await other.faults(), []);
    await other.close();
  });

  test(`${engine}: what even a short link cannot hold is a file`, async () => {
    const tab = await visit('#v1?k=4&jobs=40&reps=2&policy=fcfs+adaba');
    await answer(tab);
    const draw = draws(7);
    const some = new Set(Array.from({ length: 900 }, () => `0.${100_000 + draw(900_000)}`));
    // Pasted, since typing so many keys takes long; nothing runs it.
    await tab.evaluate((text) => {
      const field = document.querySelector('[data-key="x"] input[type="text"]');
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }, [...some].join());
    await tab.waitFor(() => location.hash === '');
    await pressShare(tab);
    await tab.waitFor(() =>
      /^Even the short form of the link would have \d,\d{3} characters/.test(
        document.querySelector('dialog[open] .soft')?.textContent,
      ),
    );
    const text = await tab.evaluate(() => document.querySelector('dialog[open] textarea').value);
    assert.equal(text, '');
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a broken short link is refused in a sentence, and leaves the answer alone`, async () => {
    const tab = await visit('#v1?k=4&jobs=40&reps=2&policy=fcfs+adaba');
    const { digest } = await answer(tab);
    for (const [hostile, sentence] of HOSTILE) {
      await tab.evaluate((hash) => {
        document.querySelector('.banner[data-kind="link"]')?.remove();
        location.hash = hash;
      }, hostile);
      const said = await tab.waitFor(
        () => document.querySelector('.banner[data-kind="link"] .words')?.textContent,
      );
      assert.match(said, /^This link cannot be opened/);
      assert.match(said, sentence);
      assert.doesNotMatch(said, /Error/);
      assert.equal((await read(tab)).digest, digest);
    }
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}

/** Opens the code of what the dialog shares; its modules, row by row, and what is said of it. */
async function code(tab) {
  await tab.evaluate(() =>
    [...document.querySelectorAll('dialog[open] .buttons button')]
      .find(({ textContent }) => textContent === 'QR code')
      .click(),
  );
  return tab.waitFor(() => {
    const dialog = document.querySelector('dialog.qr-code[open]');
    const svg = dialog?.querySelector('svg');
    if (!svg) return null;
    const { width } = svg.viewBox.baseVal;
    const dark = svg.querySelector('path');
    const sign = (x, y) => (dark.isPointInFill(new DOMPoint(x + 0.5, y + 0.5)) ? '#' : ' ');
    const side = Array.from({ length: width }, (_, place) => place);
    const rows = side.map((y) => side.map((x) => sign(x, y)).join(''));
    const box = svg.getBoundingClientRect();
    return {
      rows,
      words: dialog.querySelector('p').textContent,
      name: svg.getAttribute('aria-label'),
      side: Math.min(box.width, box.height),
      fills: [...svg.children].map((each) => getComputedStyle(each).fill),
    };
  });
}

/** The modules that the library makes of a text, with the light ones around. */
const modules = (text) =>
  generate(text).toString({ on: '#', off: ' ', pad: 4, lf: '\n' }).replace(/\n$/, '').split('\n');

for (const engine of DAILY_ENGINES) {
  const visit = visits(engine, AXE, { dark: true });

  test(`${engine}: the link is a QR code as large as the window`, async () => {
    const tab = await visit('#v1?k=4&jobs=40&reps=2&policy=fcfs+adaba');
    await answer(tab);
    const link = await openShare(tab);
    assert.ok(link.length < 2000);
    const shown = await code(tab);
    assert.deepEqual(shown.rows, modules(link));
    assert.equal(
      shown.words,
      `${new URL(link).host}: the link to this scenario, ${link.length} characters.`,
    );
    assert.equal(shown.name, 'QR code of the link to this scenario');
    assert.ok(shown.side > 550, `${shown.side}`);
    assert.deepEqual(shown.fills, ['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
    assert.deepEqual(await findings(tab), []);
    await tab.resize(320, 568);
    assert.equal(await overflow(tab), 0);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: a link too long for a readable code is shortened`, async () => {
    const tab = await visit(short(plainOf(LONG)));
    await answer(tab);
    await pressShare(tab);
    const { address } = await shortened(tab);
    const shown = await code(tab);
    assert.deepEqual(shown.rows, modules(address));
    assert.match(shown.words, /the short link to this scenario/);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });
}
