// The recorded digests, which every build of the core and every engine must give.

import { readFileSync } from 'node:fs';
import { scenario } from './core.js';

/** The keys of a scenario, of its arguments of the command line. */
export const keysOf = (words) => Object.fromEntries(pairsOf(words));

const pairsOf = (words) => words.map((word) => word.split(/=(.*)/, 2));

/**
 * Each digest with its scenario as arguments of the command line and in its canonical text.
 *
 * @type {{ digest: string, words: string[], text: string }[]}
 */
export const golden = readFileSync(new URL('../golden/digests.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [digest, arguments_] = line.split(' | ');
    const words = arguments_.split(' ');
    return { digest, words, text: scenario(pairsOf(words)) };
  });
