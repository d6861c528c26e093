import type { Summary } from '../../pkg/backfill_web.js';

/**
 * A name in a text that `glossary.ts` explains.
 * @param term the entry of the glossary
 * @param curve the position of the curve whose colour underlines it
 */
export function Term({ words, term, curve }: { words: string; term: string; curve?: number }) {
  const ofCurve = curve === undefined ? '' : ` series-${curve}`;
  return (
    <dfn class={`term${ofCurve}`} tabIndex={0} data-term={term}>
      <span>{words}</span>
    </dfn>
  );
}

/** A sentence about an answer, in which the names of policies and metrics are explained. */
export function WithTerms({ sentence, all }: { sentence: string; all: Summary }) {
  const { policies, metrics } = all;
  const terms: [words: string, term: string, curve?: number][] = [
    ...policies.map((label, curve): [string, string, number] => [label, `policy:${label}`, curve]),
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
      <Term key={place} words={piece} term={found[1]} curve={found[2]} />
    ) : (
      piece
    );
  });
}
