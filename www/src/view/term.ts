import { make } from '../dom.ts';
import type { Summary } from '../../pkg/backfill_web.js';

/**
 * A name in a text that `glossary.ts` explains.
 * @param term the entry of the glossary
 */
export function term(words: string, term: string) {
  return make('dfn', { class: 'term', tabIndex: 0, 'data-term': term }, words);
}

/**
 * A sentence of the core, with explanations of the names in it.
 * @param all its answer
 */
export function withTerms(
  sentence: string,
  { policies, metrics }: Summary,
): (string | HTMLElement)[] {
  const terms: [words: string, term: string][] = [
    ...policies.map((label) => [label, `policy:${label}`] as [string, string]),
    ...metrics.map(
      // A label has the paper's name of the metric in parentheses.
      ({ label, name }) => [label.replace(/ \(.*\)$/, ''), `metric:${name}`] as [string, string],
    ),
  ];
  // The longest first, since some are prefixes of others.
  terms.sort(([one], [other]) => other.length - one.length);
  const all = terms.map(([words]) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const pieces = sentence.split(new RegExp(`(?<![\\p{L}\\p{N}])(${all})(?![\\p{L}\\p{N}])`, 'iu'));
  return pieces.map((piece, place) => {
    const found = terms.find(([words]) => words.toLowerCase() === piece.toLowerCase());
    return place % 2 === 1 && found !== undefined ? term(piece, found[1]) : piece;
  });
}
