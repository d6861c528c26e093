// A made log of 2.2 million jobs on 9,472 nodes, run at its full length in a tab.

import { core, scenario } from './core.js';
import { listen } from './core-memory.js';
import { bring, nodeLog } from './log.js';
import { newDigest } from './visitor.js';

export const JOBS = 2_200_000;
const NAME = 'made.swf';

/** Writes the log and returns its path. */
export const bringWholeLog = () => bring(NAME, nodeLog(JOBS));

/** The pairs of a scenario that takes all of the log unchanged, besides its system and policy. */
export const WHOLE_LOG = [
  ['workload', 'swf'],
  ['file', NAME],
  ['processors', 'nodes'],
  ['bandwidth', 'none'],
  ['load', 'as-logged'],
  ['x', 'none'],
  ['reps', '1'],
];

/**
 * Follows the link of a scenario, brings the log at `path` that it requires, and waits for the
 * answer and for the picture of a run, each for at most `patience` milliseconds.
 *
 * @returns the tab, the digest, and the seconds that reading, answering and keeping a run took
 */
export async function runWholeLog(browser, url, pairs, path, patience) {
  const seconds = [];
  const until = async (call, argument) => {
    const begun = performance.now();
    const found = await tab.waitFor(call, argument, patience);
    seconds.push((performance.now() - begun) / 1000);
    return found;
  };
  const text = scenario([...pairs, ...WHOLE_LOG]);
  const tab = await browser.open(`${url}${core.write_link(text, '')}`);
  await tab.evaluate(listen);
  await tab.waitFor(() => document.querySelector('[data-kind="wanted"]') !== null);
  const before = await tab.evaluate(() => document.querySelector('#digest').textContent);
  await tab.choose('#file', path);
  await until(() => document.querySelector('.report dl') !== null);
  const digest = await until(newDigest, before);
  await until(() => !document.querySelector('#inside').hidden);
  return { tab, digest, seconds };
}
