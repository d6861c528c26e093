// One server and one browser for all tests of a file in one engine.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { launch, site } from './browser.js';
import { serve } from './server.js';

/**
 * A browser on a small touch screen.
 * @type {import('./browser.js').Circumstances}
 */
export const TOUCH = {
  emulate: {
    viewport: { width: 320, height: 568 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  },
};

/**
 * Visitors in Chromium prefer reduced motion, except with --long: to draw what moves costs more than
 * most of what tests look at.
 */
const STILL = process.env.BACKFILL_LONG ? {} : { reducedMotion: 'reduce' };

/**
 * A browser whose visitor lets things move.
 * @type {import('./browser.js').Circumstances}
 */
export const MOVING = { emulate: { reducedMotion: 'no-preference' } };

/**
 * Serves the page and starts a browser before the tests of this file, and ends both after them; by
 * then nothing may have broken the content security policy.
 *
 * @param {'chromium' | 'firefox'} engine
 * @param {Record<string, string | null>} [extra] other files to serve, as `serve` takes them
 * @param {import('./browser.js').Circumstances} [circumstances] under which the browser runs
 * @returns {(address?: string, window?: import('./browser.js').Window) =>
 *   Promise<import('./browser.js').Tab>} opens an address, relative to the page's, in a tab with
 *   storage of its own
 */
export function visits(engine, extra = {}, circumstances = {}) {
  /** @type {Awaited<ReturnType<typeof launch>>} */
  let browser;
  /** @type {Awaited<ReturnType<typeof serve>>} */
  let host;
  before(async () => {
    host = await serve(site, extra);
    const emulate = { ...STILL, ...circumstances.emulate };
    browser = await launch(engine, { ...circumstances, emulate });
  });
  after(async () => {
    await browser.close();
    await host.close();
    assert.deepEqual(host.violations, []);
  });
  return (address = '', window = {}) => browser.open(new URL(address, host.url).href, window);
}

/**
 * The same in several engines, each by its name.
 *
 * @param {string[]} engines
 * @param {Record<string, string | null>} [extra]
 */
export const visitsIn = (engines, extra) =>
  Object.fromEntries(engines.map((engine) => [engine, visits(engine, extra)]));
