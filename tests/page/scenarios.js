// Random valid scenarios, made from the core's own table of keys: what a key allows is what its
// definition says.

import { core } from './core.js';

/** @typedef {import('./core.js').Pairs} Pairs */

const LAWS = [
  (draw) => `constant:${draw(9999)}.50`,
  (draw) =>
    [draw(99), draw(99)].sort((a, b) => a - b).reduce((law, bound) => `${law}:${bound}`, 'uniform'),
  () => 'exponential',
  (draw) => `exponential:${draw(999)}.${1 + draw(999999)}`,
  (draw) => `hyperexponential:0.${draw(999)}:${1 + draw(99)}:7`,
  (draw) => `normal:${draw(99)}:5:1:1000`,
  (draw) => `pow2:${2 ** draw(20)}`,
  (draw) => `lognormal:${draw(40) - 20}:1.25`,
  (draw) => `harmonic:1.50:5:${1 + draw(99)}`,
  (draw) => `harmonic:1.5:5:${1 + draw(9)}:0.40:19:0.46:256`,
];

/** Keys that a policy may have for itself. */
const OWN = [
  'blocked=skip',
  'promote=off',
  'level0=on',
  'reservation=sum',
  'migration_cost_s=20.50',
  'bmax=oracle',
  'behind=reserve, order=min(size, 4)/wait',
  'depth=all, may_preempt=head',
  'name=Small first, blocked=skip',
  'switches=2@60',
];

/** Orders of the queue: by name and by formula. */
const ORDERS = [
  'arrival',
  'largest',
  'wfp3',
  'f2',
  'bandwidth',
  'wait/estimate*size',
  'min( size, 4 ) ^ 2 - wait',
  'if wait > 3600 and load <= 0.5 then -wait else area',
  'waiting != 1 ? log2(size) : -submit',
];

const LETTERS = [...'abzXYZ019 _-.,:;()=&?#%+~@!\'"<>[]{}|^`$äß漢字🌲'];

/**
 * A maker of scenarios.
 *
 * @param {(bound: number) => number} draw
 * @param {{ most?: bigint }} [limits] the largest whole number that any key gets, so that runs stay
 *   small
 * @returns {() => Pairs} gives the next: valid pairs, about a third of all keys
 */
export function scenarios(draw, { most = 2n ** 64n } = {}) {
  const { keys, queues, placements } = core.tables();
  const glossary = core.glossary();
  const pick = (list) => list[draw(list.length)];

  const whole = (low, high) => {
    const [from, to] = [BigInt(low), BigInt(high) < most ? BigInt(high) : most];
    // Three draws make more digits than any key takes.
    const drawn = [1, 2, 3].reduce((sum) => sum * 2147483647n + BigInt(draw(2147483647)), 0n);
    return from > to ? from : from + (drawn % (to - from + 1n));
  };
  const decimal = (low, high, places) => {
    const scale = 10 ** places;
    const units = whole(Math.round(low * scale), Math.round(high * scale));
    const text = String(units).padStart(places + 1, '0');
    return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
  };
  const policy = () => {
    const placement = draw(2) ? `+${pick(placements).value}` : '';
    return `${pick(queues).value}${placement}${draw(5) ? '' : `( ${pick(OWN)} )`}`;
  };
  const swept = keys.filter((key) => key.sweep);
  const axis = () => {
    if (draw(6) === 0)
      return pick([
        'none',
        `load:0.${1 + draw(9)}0:${1 + draw(9)}.5:0.1`,
        `k:2:${2 + 2 * draw(4)}:2`,
      ]);
    const key = pick(swept);
    return `${key.name}: ${Array.from({ length: 1 + draw(4) }, () => value(key)).join(', ')}`;
  };
  const name = () => Array.from({ length: draw(40) }, () => pick(LETTERS)).join('');
  const hexadecimal = () =>
    Array.from({ length: 64 }, () => pick([...'0123456789abcdefABCDEF'])).join('');

  /** A value of a key, valid by itself. */
  const value = ({ kind, choices, name: key }) => {
    const [, allowed = ''] = glossary.keys[key].meaning.match(/ It (must be .*)\.$/) ?? [];
    switch (kind) {
      case 'choice':
        return pick(choices).value;
      case 'policies':
        return Array.from({ length: 1 + draw(5) }, policy).join(' , ');
      case 'reference':
        return draw(2) ? 'first' : policy();
      case 'sweep':
        return axis();
      case 'file':
        return name();
      case 'sha256':
        return draw(4) ? hexadecimal() : '';
      case 'metric':
        return pick(Object.keys(glossary.metrics));
      case 'text': {
        if (allowed.startsWith('must be one of constant:')) return pick(LAWS)(draw);
        if (allowed.startsWith('must be all, busiest:'))
          return pick(['all', 'busiest:1000', '3-9']);
        if (allowed.startsWith('must be pairs such as'))
          return pick(['', 'submit:at,run:took,size:cores']);
        if (allowed.startsWith('must be nodes of leaves'))
          return pick(['(8,8)(4)', '3x4', 'blocks:4,8:3x4']);
        if (allowed.startsWith('must be 0, or the most leaves')) return pick(['0', '1', '2@60']);
        if (allowed.startsWith('must be a name, or !name')) return pick(['', 'batch', '!batch']);
        if (allowed.includes(' expression such as '))
          return allowed.startsWith('must be same') && draw(3) === 0 ? 'same' : pick(ORDERS);
        const [, least, greatest, apart] =
          allowed.match(
            /numbers? from (\S+) to (\d+)(?:, or one for each cluster as \d+(.)| separated by colons)/,
          ) ?? [];
        if (least !== undefined) {
          const places = (least.split('.')[1] ?? '').length;
          const numbers = Array.from({ length: 1 + draw(4) }, () =>
            decimal(Number(least), Number(greatest), places),
          );
          return allowed.startsWith('must be equal or ') && draw(2)
            ? 'equal'
            : numbers.join(apart ?? ':');
        }
        const number =
          /^must be (?:(\S+) or )?an? (even )?(whole )?number from (\S+) to (\S+?)(?: with at most (\d+) digits? after the point)?$/;
        const [, word, even, isWhole, low, high, places] = allowed.match(number) ?? [];
        if (low === undefined) throw new Error(`${key}: what is "${allowed}"?`);
        if (word !== undefined && draw(4) === 0) return word;
        if (isWhole === undefined) return decimal(Number(low), Number(high), Number(places));
        const drawn = whole(low, high);
        return String(even ? drawn - (drawn % 2n) : drawn);
      }
      default:
        throw new Error(`${key}: what is a ${kind}?`);
    }
  };

  return () => {
    let pairs = keys.filter(() => draw(3) === 0).map((key) => [key.name, value(key)]);
    for (;;) {
      const { problems } = core.read_scenario(pairs);
      if (problems.length === 0) return pairs;
      // Each value is valid by itself; where two of them cannot be together, one gives way.
      const wrong = problems.map(({ key }) => key);
      const left = pairs.filter(([key]) => !wrong.includes(key));
      pairs = left.length < pairs.length ? left : pairs.slice(0, -1);
    }
  };
}
