// The checker of accessibility, for every test that wants its word.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** What a test's server has to serve beside the page: `serve(site, AXE)`. */
export const AXE = {
  '/axe.js': await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
};

/**
 * Windows that every width and every colour scheme is in: `[width, dark]`. With --long each width is
 * in both schemes.
 *
 * @type {[number, boolean][]}
 */
export const WINDOWS = process.env.BACKFILL_LONG
  ? [
      [320, false],
      [320, true],
      [1280, false],
      [1280, true],
    ]
  : [
      [320, false],
      [1280, true],
    ];

/** What axe finds on the page as it is now, one line each. */
export async function findings(tab) {
  return tab.evaluate(async () => {
    if (globalThis.axe === undefined) {
      await new Promise((resolve, reject) => {
        const script = document.createElement('script');
        script.src = '/axe.js';
        script.onload = resolve;
        script.onerror = reject;
        document.head.append(script);
      });
    }
    const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`),
    );
  });
}

/** By how many CSS pixels the page is wider than the window. */
export function overflow(tab) {
  return tab.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}
