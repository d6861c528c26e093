/** A scenario as lines of text, `key = value` each, and what a line may go on with. */
import { scenarioTextTexts } from './texts/scenario-text.ts';
import type { Problem } from '../pkg/backfill_web.js';

/** A line that names a key, and which line that is. */
export interface Entry {
  line: number;
  key: string;
  value: string;
}

/** The lines of a scenario, from its text in the core. */
export function linesOf(text: string) {
  return text.replace(/^([^=\n]+)=/gm, '$1 = ');
}

/** A key and its value, which may be in quotes as in a file, and a remark. */
const LINE = /^\s*([^=\s]+)\s*=(?:\s*"([^"]*)"|(.*?))(?:\s+#.*|\s*)$/;

/** The entries of lines, and the numbers of lines that are none; what begins with `#` is a remark. */
export function linesIn(text: string): { entries: Entry[]; faults: number[] } {
  const entries: Entry[] = [];
  const faults: number[] = [];
  for (const [line, words] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(words)) continue;
    const [, key, quoted, bare = ''] = LINE.exec(words) ?? [];
    if (key === undefined) faults.push(line);
    else entries.push({ line, key, value: quoted ?? bare.trim() });
  }
  return { entries, faults };
}

/** The pairs of lines; throws which line is none. */
export function pairsIn(text: string): [string, string][] {
  const { entries, faults } = linesIn(text);
  const said = scenarioTextTexts;
  if (faults.length > 0) throw new Error(said.line(faults[0], said.fault));
  return entries.map(({ key, value }) => [key, value]);
}

/** What is wrong with the values of a scenario, in words. */
export function problemsInWords(problems: Problem[]) {
  return problems.map(({ key, message }) => scenarioTextTexts.problem(key, message)).join('; ');
}

/** What may be typed: its name, and what it is. */
export interface Offer {
  name: string;
  meaning: string;
}

/** The names of keys, and those that may come next in the value of one. */
export interface Names {
  keys: () => Offer[];
  /** @param typed the value up to where it is being typed */
  valuesOf: (key: string, typed: string) => Offer[];
}

/**
 * What may stand where a line is being typed; nothing if the word there is complete.
 * @param before the line up to the caret
 * @returns the offers, and how many characters before the caret they replace
 */
export function offersFor(before: string, { keys, valuesOf }: Names) {
  const [, key, typed] = /^\s*([^=\s]+)\s*=\s*(.*)$/.exec(before) ?? [];
  const word = /[^\s=,+:()]*$/.exec(before)?.[0] ?? '';
  if (key === undefined) return { offers: word === '' ? [] : matching(word, keys()), word };
  return { offers: matching(word, valuesOf(key, typed)), word };
}

/** The names with this word in them, those first that begin with it. */
function matching(word: string, all: Offer[]) {
  if (all.some(({ name }) => name === word)) return [];
  const begins = all.filter(({ name }) => name.startsWith(word));
  return [...begins, ...all.filter(({ name }) => name.indexOf(word) > 0)];
}
