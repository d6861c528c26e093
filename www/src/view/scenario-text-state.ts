/** What is written as the text of a scenario, what is wrong with it, and what may come next. */
import { computed, signal } from '@preact/signals';
import { linesIn, linesOf, offersFor } from '../scenario-lines.ts';
import { enterAll, reading } from '../state.ts';
import { scenarioTextTexts } from '../texts/scenario-text.ts';
import type { Core } from '../core.ts';
import type { Names, Offer } from '../scenario-lines.ts';

/** How many names are offered at most. */
const OFFERS = 8;

/** What is wrong with a line. */
export interface Complaint {
  line: number;
  words: string;
}

export class ScenarioTextState {
  readonly text = signal('');
  readonly complaints = signal<Complaint[]>([]);
  /** The names that may come next, and the word in whose place. */
  readonly offered = signal<{ offers: Offer[]; word: string }>({ offers: [], word: '' });
  /** The chosen offer, by its position. */
  readonly at = signal(0);
  readonly wrongLines = computed(() => new Set(this.complaints.value.map(({ line }) => line)));
  readonly #core: Core;
  readonly #names: Names;
  /** The scenario that the text was last. */
  #scenario = '';

  constructor(core: Core, names: Names) {
    this.#core = core;
    this.#names = names;
    reading.subscribe((now) => {
      if (now === null || now.problems.length > 0 || now.text === this.#scenario) return;
      this.#scenario = now.text;
      this.text.value = linesOf(now.text);
      this.complaints.value = [];
    });
  }

  /** Takes what is written; it is entered in the form if nothing is wrong with it. */
  write(text: string, caret: number) {
    this.text.value = text;
    this.offer(text.slice(0, caret));
    const { entries, faults } = linesIn(text);
    const pairs = [...new Map(entries.map(({ key, value }) => [key, value]))];
    const read = this.#core.read_scenario(pairs);
    const said = scenarioTextTexts;
    const lines = new Map(entries.map(({ key, line }) => [key, line]));
    const ofKeys = read.problems.map(({ key, message }) => ({
      line: lines.get(key) ?? 0,
      words: said.problem(key, message),
    }));
    const twice = entries.filter(
      ({ key }, place) => entries.findIndex((each) => each.key === key) < place,
    );
    const all = [
      ...faults.map((line) => ({ line, words: said.fault })),
      ...twice.map(({ line, key }) => ({ line, words: said.twice(key) })),
      ...ofKeys,
    ];
    this.complaints.value = all.sort((one, other) => one.line - other.line);
    if (all.length > 0) return;
    this.#scenario = read.text;
    enterAll(pairs);
  }

  /** Offers what may come next after the text up to the caret. */
  offer(before: string) {
    const { offers, word } = offersFor(before.slice(before.lastIndexOf('\n') + 1), this.#names);
    this.offered.value = { offers: offers.slice(0, OFFERS), word };
    this.at.value = 0;
  }

  /** Offers nothing. */
  withdraw() {
    this.offered.value = { offers: [], word: '' };
  }

  /** Moves the choice among the offers. */
  move(by: number) {
    const count = this.offered.peek().offers.length;
    this.at.value = (this.at.peek() + by + count) % count;
  }

  /** What the word before the caret becomes by an offer. */
  completion(place: number, isKey: boolean) {
    const name = this.offered.peek().offers[place]?.name ?? '';
    return isKey ? `${name} = ` : name;
  }
}
