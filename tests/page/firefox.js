// Firefox for tests, from a profile that has seen no page but knows what Firefox compiles of itself
// and looks up at its first start: that costs more than all else at its start.

import { cp, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';

/** What a first start leaves for the next ones, none of which has to do with pages. */
const PREPARED = [
  'addonStartup.json.lz4',
  'cert9.db',
  'compatibility.ini',
  'extensions.json',
  'key4.db',
  'prefs.js',
  'search.json.mozlz4',
  'startupCache',
];

/**
 * Starts Firefox with a profile of its own, which goes with it.
 *
 * @param {string} executablePath the program
 * @param {Record<string, unknown>} preferences those it is to have, which the prepared profile lacks
 * @param {number} patience how long it may take to start and to answer, in milliseconds
 */
export async function startFirefox(executablePath, preferences, patience) {
  const start = (/** @type {string} */ userDataDir, extraPrefsFirefox = {}) =>
    puppeteer.launch({
      browser: 'firefox',
      executablePath,
      extraPrefsFirefox,
      userDataDir,
      timeout: patience,
      protocolTimeout: patience,
    });
  const prepared = await preparedProfile(executablePath, start);
  const profile = await mkdtemp(join(tmpdir(), 'backfill-firefox-'));
  await cp(prepared, profile, { recursive: true });
  const browser = await start(profile, preferences);
  return {
    newPage: async () => (await browser.createBrowserContext()).newPage(),
    close: async () => {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The folder with what a first start of this build of Firefox leaves, made where there is none. */
async function preparedProfile(executablePath, start) {
  const { mtimeMs } = await stat(executablePath);
  const { uid } = userInfo();
  const prepared = join(tmpdir(), `backfill-firefox-${uid}-${Math.round(mtimeMs)}`);
  if (await isThere(prepared)) return prepared;
  const first = await mkdtemp(join(tmpdir(), 'backfill-firefox-'));
  await (await start(first)).close();
  const part = await mkdtemp(`${prepared}-`);
  for (const name of PREPARED) {
    if (await isThere(join(first, name)))
      await cp(join(first, name), join(part, name), { recursive: true });
  }
  await rm(first, { recursive: true, force: true, maxRetries: 5 });
  // Another test may have been first.
  await rename(part, prepared).catch(() => rm(part, { recursive: true }));
  return prepared;
}

const isThere = (/** @type {string} */ path) =>
  stat(path).then(
    () => true,
    () => false,
  );
