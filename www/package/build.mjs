// Builds the package: `node www/package/build.mjs --version VERSION --core FOLDER --to FOLDER`.
//
// esbuild bundles what browsers import, `index.js`, and what Node does, `node.js`, which adds reading
// the module from beside it; tsc writes their types. The module of the core, whole, and the script
// around it come from the folder --core, the types of what crosses to it from `crate/web/`.

import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../..');

const SCRIPT = 'backfill_web.js';
const MODULE = 'backfill_web_bg.wasm';
const BOUNDARY = 'boundary.d.ts';
/** What stands in the package as it is, beside the core. */
const COPIED = [
  `crate/web/src/${BOUNDARY}`,
  'www/package/README.md',
  'LICENSE-MIT',
  'LICENSE-APACHE',
];
/** The types that others see. */
const TYPES = ['index.d.ts', 'types.d.ts'];

/** What stands beside the scripts and is imported from there. */
const beside = {
  name: 'beside',
  setup(build) {
    const stands = (filter, path) => build.onResolve({ filter }, () => ({ path, external: true }));
    stands(/\/pkg\/backfill_web\.js$/, `./${SCRIPT}`);
    build.onResolve({ filter: /^\.\/index\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './index.js', external: true },
    );
  },
};

const text = { type: 'string' };
const { version, core, to } = parseArgs({
  options: { version: text, core: text, to: text },
}).values;
await rm(to, { recursive: true, force: true });
await mkdir(to, { recursive: true });
await esbuild.build({
  absWorkingDir: HERE,
  entryPoints: ['./index.ts', './node.ts'],
  outdir: to,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  external: ['node:*'],
  plugins: [beside],
  define: {
    'BUILT.script': JSON.stringify(`./${SCRIPT}`),
    'BUILT.module': JSON.stringify(`./${MODULE}`),
  },
});
const declared = join(to, 'declared');
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', HERE, '--outDir', declared], { stdio: 'inherit' });
for (const name of TYPES) {
  const types = await readFile(join(declared, 'package', name), 'utf8');
  const places = types.replaceAll('../pkg/backfill_web.js', './boundary.js');
  await writeFile(join(to, name), places.replaceAll("'./types.ts'", "'./types.js'"));
}
await rm(declared, { recursive: true });
const copied = [...COPIED.map((path) => join(ROOT, path)), join(core, SCRIPT), join(core, MODULE)];
for (const path of copied) await copyFile(path, join(to, basename(path)));
const described = JSON.parse(await readFile(join(HERE, 'package.json'), 'utf8'));
const { name, ...rest } = described;
await writeFile(
  join(to, 'package.json'),
  `${JSON.stringify({ name, version, ...rest }, null, 2)}\n`,
);
