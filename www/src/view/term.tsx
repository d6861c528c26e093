import type { Summary } from '../../pkg/backfill_web.js';

/**
 * A name in a text that `glossary.ts` explains.
 * @param term the entry of the glossary
 */
export function Term({ words, term }: { words: string; term: string }) {
  return (
    <dfn class="term" tabIndex={0} data-term={term}>
      {words}
    </dfn>
  );
}

/** A sentence about an answer, in which the names of policies and metrics are explained. */
export function WithTerms({ sentence, all }: { sentence: string; all: Summary }) {
  const { policies, metrics } = all;
  const terms: [words: string, term: string][] = [
    ...policies.map((label): [string, string] => [label, `policy:${label}`]),
    ...metrics.map(({ label, name }): [string, string] => [
      // A label has the paper's name of the metric in parentheses.
      label.replace(/ \(.*\)$/, ''),
      `metric:${name}`,
    ]),
  ];
  // The longest first, since some are prefixes of others.
  terms.sort(([one], [other]) => other.length - one.length);
  const words = terms.map(([words]) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const pieces = sentence.split(
    new RegExp(`(?<![\\p{L}\\p{N}])(${words})(?![\\p{L}\\p{N}])`, 'iu'),
  );
  return pieces.map((piece, place) => {
    const found = terms.find(([words]) => words.toLowerCase() === piece.toLowerCase());
    return place % 2 === 1 && found !== undefined ? (
      <Term key={place} words={piece} term={found[1]} />
    ) : (
      piece
    );
  });
}
