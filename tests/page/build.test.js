// What the build script makes of the pages' own text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill, lead, preload, releaseOf } from '../../www/build.mjs';

test('every marker is replaced, and a missing one is named', () => {
  const page = '<p><!-- baked:digest --></p><!-- baked:table --><i><!-- baked:digest --></i>';
  assert.equal(
    fill('index.html', page, { digest: '<b>$&</b>', table: '' }),
    '<p><b>$&</b></p><i><b>$&</b></i>',
  );
  assert.throws(
    () => fill('index.html', '<p></p>', { table: '' }),
    /www\/index\.html has no place for what is baked: add `<!-- baked:table -->`/,
  );
});

const built = {
  files: new Map([['chunk-A.js', '']]),
  names: new Map([
    ['src/main.ts', 'main-A.js'],
    ['style.css', 'style-A.css'],
    ['icon.svg', 'icon-A.svg'],
  ]),
  imports: new Map([
    ['main-A.js', ['chunk-A.js', 'core-A.js']],
    ['chunk-A.js', ['core-A.js', 'deep-A.js']],
  ]),
  top: { 'figures/fig4-light.svg': '' },
};

test('links lead to what is built, in the folder of the release', () => {
  const between =
    '<a href="#top"><a href="./"><a href="./#v1?k=4"><a href="./papers.html#fig4"><img src="./figures/fig4-light.svg"><a href="https://example.org/">';
  const page = (style, main) =>
    `<link href="./${style}">${between}<script src="./${main}"><link href="./chunk-A.js">`;
  const text = page('style.css', 'src/main.ts');
  assert.equal(lead('index.html', text, '', built), page('style-A.css', 'main-A.js'));
  assert.equal(
    lead('index.html', text, '1f', built),
    page('1f/style-A.css', '1f/main-A.js').replace('./chunk', './1f/chunk'),
  );
  assert.equal(
    lead('backfill.webmanifest', '{ "src": "./icon.svg" }', '1f', built),
    '{ "src": "./1f/icon-A.svg" }',
  );
});

test('a link to nothing is refused', () => {
  for (const link of ['gone.js', './gone.js', 'style.css'])
    assert.throws(
      () => lead('index.html', `<script src="${link}">`, '1f', built),
      (error) => error.message.includes(`\`${link}\``),
    );
});

test('what a script imports before it begins is preloaded, each file once', () => {
  const script = '<script type="module" src="./src/main.ts"></script>';
  const links = ['chunk', 'core', 'deep'].map(
    (name) => `<link rel="modulepreload" href="./${name}-A.js">\n`,
  );
  assert.equal(preload(`<p>\n${script}\n`, built), `<p>\n${links.join('')}${script}\n`);
});

test('the service worker is told every file of the release but source maps', () => {
  assert.deepEqual(releaseOf('1f', ['main-A.js', 'main-A.js.map']), {
    folder: '1f',
    pages: ['./', 'papers.html', 'changes.html'],
    files: [
      './',
      '1f/main-A.js',
      'backfill.webmanifest',
      'changes.html',
      'index.html',
      'papers.html',
    ],
  });
});
