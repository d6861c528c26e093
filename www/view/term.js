import { make } from '../dom.js';

/**
 * A name in a text that `glossary.js` explains.
 * @param {string} words
 * @param {string} term the entry of the glossary
 */
export function term(words, term) {
  return make('dfn', { class: 'term', tabIndex: 0, 'data-term': term }, words);
}

/**
 * A sentence of the core, with explanations of the names in it.
 * @param {string} sentence
 * @param {import('../pkg/backfill_web.js').Summary} all its answer
 * @returns {(string | HTMLElement)[]}
 */
export function withTerms(sentence, { policies, metrics }) {
  /** @type {[words: string, term: string][]} */
  const terms = [
    ...policies.map((label) => /** @type {[string, string]} */ ([label, `policy:${label}`])),
    ...metrics.map(
      // A label has the paper's name of the metric in parentheses.
      ({ label, name }) =>
        /** @type {[string, string]} */ ([label.replace(/ \(.*\)$/, ''), `metric:${name}`]),
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
