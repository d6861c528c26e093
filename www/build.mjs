// Builds the page: `node www/build.mjs --baked FILE --version VERSION --to FOLDER [--release]`.
//
// esbuild bundles and minifies the scripts and style sheets and names each file by a hash of its
// contents; what a page imports before it begins is preloaded, what it imports later are files of
// their own. Markers such as `<!-- baked:table -->` of a page take the HTML of that name of the file
// that --baked names, which also holds the schemas. The module of the core and the script around it
// come from `pkg/`, the module that judges claims and its script from `pkg-claims/`. Page and workers
// import the same script, so that a browser fetches it once.
//
// `play` and the tests get all files in one plain folder. With --release it is what a host gets: the
// pages, the service worker, the web manifest, the schemas of scenarios and results and
// `manifest.json` at the top, everything else in one folder named by a hash of all contents. So
// scripts and module always come from one build, and a host may keep the folder of the release
// before. The service worker is told the release, which a browser then keeps as a whole.
//
// The playground stands in a release a second time under the name of its version, which is what
// links name the core by that made their digest: a host that keeps that page and its folder can show
// any link's result as it was made.

import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';

const WWW = import.meta.dirname;

const PLAYGROUND = 'index.html';
/** What visitors' addresses name, so that it stays where it is. */
const PAGES = [PLAYGROUND, 'papers.html', 'changes.html'];
/** Its addresses begin at the folder it lies in. */
const WEB_MANIFEST = 'backfill.webmanifest';
/** Its scope is the folder it lies in. */
const SERVICE_WORKER = 'sw.js';

/** The script around the core, its module and the rest of it, and the script of the page's workers. */
const CORE = 'src/joined.ts';
const MODULE = 'pkg/backfill_web_bg.wasm';
const REST = 'pkg/backfill_web_rest.wasm';
const WORKER = 'src/worker/worker.ts';
/** The module that judges claims. */
const CLAIMS = 'pkg-claims/backfill_claims_bg.wasm';
/** What is built as it is, for itself. */
const ALONE = [
  MODULE,
  REST,
  CLAIMS,
  'src/theme.ts',
  'style.css',
  'papers.css',
  'icon.svg',
  'icon-full.svg',
];
/** The licences of the packages that are part of the page. */
const LICENCES = 'licences.txt';
/** The script of the playground, which is split into what it loads at once and what it loads later. */
const SCRIPT = 'src/main.ts';
/** The scripts of the other pages, which are small: what they share would split that of the playground. */
const OTHER_SCRIPTS = ['src/papers.ts', 'src/changes.ts'];

/** The settings of every step; the files are written when all are known. */
const SETTINGS = {
  absWorkingDir: WWW,
  outdir: 'built',
  bundle: true,
  write: false,
  metafile: true,
  minify: true,
  charset: 'utf8',
  format: 'esm',
  target: 'es2022',
  sourcemap: 'linked',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  loader: { '.wasm': 'copy', '.svg': 'copy' },
};

/**
 * All files of the page but those at its top.
 * @typedef {object} Built
 * @property {Map<string, Uint8Array>} files by name
 * @property {Map<string, string>} names of the files that are built from these sources
 * @property {Set<string>} packages that are part of it
 * @property {Map<string, string[]>} imports by the name of a script: the files that it imports
 *   before it begins
 */

/** Builds the page into the folder `to`, as a release or not. */
export async function build({ baked, version, to, release }) {
  const built = await bundle(baked.figures);
  const names = [...built.files.keys()].sort();
  const pages = new Map();
  for (const name of PAGES) {
    const text = await readFile(join(WWW, name), 'utf8');
    pages.set(name, preload(fill(name, text, baked.pages[name] ?? {}), built));
  }
  const linking = new Map(pages).set(WEB_MANIFEST, await readFile(join(WWW, WEB_MANIFEST), 'utf8'));
  const plain = new Map(Object.entries(baked.files)).set(SERVICE_WORKER, await serviceWorker(NONE));
  const folder = release ? hash([...linking, ...plain, ...built.files]) : '';
  if (release) plain.set(SERVICE_WORKER, await serviceWorker(releaseOf(folder, names)));
  // `src/link.ts` looks for it by this name.
  if (release) linking.set(`v${version}.html`, pages.get(PLAYGROUND));
  const manifest = { version, folder, files: names, sources: Object.fromEntries(built.names) };
  plain.set('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);

  await rm(to, { recursive: true, force: true });
  await mkdir(join(to, folder), { recursive: true });
  for (const [name, text] of linking)
    plain.set(name, lead(name, text, folder, { ...built, top: baked.files }));
  for (const [name, contents] of plain) {
    await mkdir(dirname(join(to, name)), { recursive: true });
    await writeFile(join(to, name), contents);
  }
  for (const [name, contents] of built.files) await writeFile(join(to, folder, name), contents);
  if (release) console.log(`wrote ${to} (release ${folder})`);
}

/**
 * Bundles everything that gets a name by its contents.
 * @param figures which scenarios are published figures
 * @returns {Promise<Built>}
 */
async function bundle(figures) {
  const built = { files: new Map(), names: new Map(), imports: new Map(), packages: new Set() };
  await step(built, { entryPoints: ALONE });
  const named = (source) => JSON.stringify(`./${built.names.get(source)}`);
  await step(built, { entryPoints: [CORE], define: { 'BUILT.rest': named(REST) } });
  const ofCore = {
    name: 'core',
    setup(build) {
      build.onResolve({ filter: /\/joined\.ts$/ }, () => ({
        path: `./${built.names.get(CORE)}`,
        external: true,
      }));
    },
  };
  await step(built, {
    entryPoints: [WORKER],
    splitting: true,
    plugins: [ofCore],
    define: { 'BUILT.claims': named(CLAIMS) },
  });
  await step(built, { entryPoints: OTHER_SCRIPTS });
  await step(built, {
    entryPoints: [SCRIPT],
    splitting: true,
    plugins: [ofCore],
    define: {
      'BUILT.script': named(CORE),
      'BUILT.module': named(MODULE),
      'BUILT.rest': named(REST),
      'BUILT.worker': named(WORKER),
      // A text, which stays in the script that reads it: an object becomes a script of its own.
      'BUILT.figures': JSON.stringify(JSON.stringify(figures)),
    },
  });
  built.files.set(LICENCES, Buffer.from(await licences(built.packages)));
  return built;
}

/** Adds to `built` what esbuild makes by these settings. */
async function step(built, settings) {
  const { outputFiles, metafile } = await esbuild.build({ ...SETTINGS, ...settings });
  for (const { path, contents } of outputFiles) built.files.set(basename(path), contents);
  for (const path of Object.keys(metafile.inputs)) {
    const [, name] = /node_modules\/((?:@[^/]*\/)?[^/]*)\//.exec(path) ?? [];
    if (name !== undefined) built.packages.add(name);
  }
  for (const [path, { entryPoint, imports, inputs }] of Object.entries(metafile.outputs)) {
    const name = basename(path);
    // What is copied has no entry point.
    const source = entryPoint ?? Object.keys(inputs)[0];
    if (source !== undefined && !name.endsWith('.map')) built.names.set(source, name);
    const statements = imports.filter(({ kind }) => kind === 'import-statement');
    built.imports.set(
      name,
      statements.map(({ path }) => basename(path)),
    );
  }
}

/** The licences of the packages that are part of the page, which ask for their text beside it. */
async function licences(packages) {
  const texts = [...packages].sort().map(async (name) => {
    const folder = join(WWW, '../node_modules', name);
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version}\n\n${(await readFile(join(folder, 'LICENSE'), 'utf8')).trim()}\n`;
  });
  return (await Promise.all(texts)).join('\n');
}

/**
 * `page`, of that name, with each marker replaced by the HTML of that name; throws where something
 * baked has no marker.
 */
export function fill(name, page, baked) {
  for (const [place, html] of Object.entries(baked)) {
    const marker = `<!-- baked:${place} -->`;
    if (!page.includes(marker))
      throw new Error(`www/${name} has no place for what is baked: add \`${marker}\``);
    page = page.replaceAll(marker, () => html);
  }
  return page;
}

/**
 * `page` with a link before its script to each file that the script imports before it begins, so
 * that a browser asks for all of them at once and not for those that it finds in what it got.
 */
export function preload(page, { names, imports }) {
  const tag = /<script type="module" src="\.\/([^"]*)"><\/script>/;
  const [script, source] = tag.exec(page) ?? [];
  const found = new Set([names.get(source)]);
  for (const each of found) for (const one of imports.get(each) ?? []) found.add(one);
  const links = [...found].slice(1).map((one) => `<link rel="modulepreload" href="./${one}">\n`);
  return page.replace(script, () => links.join('') + script);
}

/**
 * `text`, of the file `name`, with its links to sources leading to what is built of them in
 * `folder`, and those to files of `top` as they are; throws where a link leads to nothing.
 */
export function lead(name, text, folder, { names, files, top }) {
  return text.replace(/(\bhref|\bsrc|"src")(=|: )"([^"]*)"/g, (whole, attribute, sign, link) => {
    const [file] = link.split('#');
    if (file === '' || file === './' || file.includes(':')) return whole;
    const inside = file.replace(/^\.\//, '');
    const isAtTop = PAGES.includes(inside) || inside === WEB_MANIFEST || inside in top;
    if (file !== inside && isAtTop) return whole;
    const built = names.get(inside) ?? (files.has(inside) ? inside : undefined);
    if (file === inside || built === undefined)
      throw new Error(`www/${name} links to \`${link}\`: write a link to a file as \`./NAME\``);
    return `${attribute}${sign}"./${folder === '' ? '' : `${folder}/`}${built}"`;
  });
}

/** What a service worker is told that keeps nothing. */
const NONE = { folder: '', pages: [], files: [] };

/** What the service worker keeps of a release: source maps are for those who look at its code. */
export function releaseOf(folder, names) {
  // Hosts serve the playground under the name of its folder.
  const pages = ['./', ...PAGES.filter((page) => page !== PLAYGROUND)];
  const inside = names.filter((name) => !name.endsWith('.map'));
  const files = new Set([...pages, ...PAGES, WEB_MANIFEST]);
  for (const name of inside) files.add(`${folder}/${name}`);
  return { folder, pages, files: [...files].sort() };
}

/** The service worker that is told this release. */
async function serviceWorker(told) {
  const { outputFiles } = await esbuild.build({
    ...SETTINGS,
    entryPoints: ['src/sw.ts'],
    sourcemap: false,
    define: { RELEASE: JSON.stringify(told) },
  });
  return outputFiles[0].contents;
}

/** The name of a release with these contents. */
function hash(contents) {
  const sum = createHash('sha256');
  for (const [name, content] of contents.sort(([one], [other]) => (one < other ? -1 : 1)))
    sum.update(`${name}\n`).update(content);
  return sum.digest('hex').slice(0, 16);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = { type: 'string' };
  const options = { baked: text, version: text, to: text, release: { type: 'boolean' } };
  const { baked, ...rest } = parseArgs({ options }).values;
  await build({ baked: JSON.parse(await readFile(baked, 'utf8')), ...rest });
}
