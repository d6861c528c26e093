// The packages as others install them: that for npm from its archive alone, the wheel in a Python of its
// own.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { npmPackage } from './built.js';

/** What the npm package is called. */
export const NAME = '@backfill-sim/core';

/**
 * Installs the npm package in a folder that is there until the tests of a file have ended.
 *
 * @returns {{ folder: string, installed: string, api: Promise<any> }} the folder, the package in it,
 *   and what it exports for Node
 */
export function npmInstalled() {
  const folder = emptyFolder();
  const archive = readdirSync(npmPackage).find((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const quietly = ['--offline', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...quietly, join(npmPackage, archive)], { cwd: folder });
  const installed = join(folder, 'node_modules', NAME);
  return { folder, installed, api: import(pathToFileURL(join(installed, 'node.js')).href) };
}

/**
 * Makes a page that imports the installed npm package; it is `api` there once the title says so.
 *
 * @param {string} installed the package
 * @param {string} site the folder of the page
 * @returns {string} that folder
 */
export function importing(installed, site) {
  cpSync(installed, join(site, 'core'), { recursive: true });
  const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:";
  writeFileSync(
    join(site, 'index.html'),
    `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="icon" href="data:,"><script type="module" src="./page.js"></script>`,
  );
  writeFileSync(
    join(site, 'page.js'),
    `import * as api from './core/index.js';
globalThis.api = api;
await api.load();
document.title = 'loaded';`,
  );
  return site;
}

/**
 * Installs the wheel, and runs a script with it.
 *
 * @param {string} script what Python runs
 * @param {string} input what it reads
 * @returns {string | null} what it prints; null where nothing made a wheel
 */
export function inWheel(script, input) {
  const { BACKFILL_PYTHON: python, BACKFILL_WHEEL: wheel } = process.env;
  if (python === undefined || wheel === undefined) return null;
  const own = join(emptyFolder(), 'own');
  execFileSync(python, ['-m', 'venv', own]);
  const fresh = join(own, 'bin/python');
  execFileSync(fresh, ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', wheel]);
  // What the package needs is that of the Python that made it.
  const needed = execFileSync(
    python,
    ['-c', "import sysconfig; print(sysconfig.get_path('purelib'))"],
    { encoding: 'utf8' },
  );
  const env = { ...process.env, PYTHONPATH: needed.trim(), PATH: '' };
  return execFileSync(fresh, ['-c', script], { env, input, encoding: 'utf8' });
}

function emptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'backfill-package-'));
  after(() => rmSync(folder, { recursive: true }));
  return folder;
}
