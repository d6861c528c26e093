/** What a link hides of the page, with a plain way to show it. */
import { byId } from './dom.ts';
import { onDemand } from './part.ts';
import { facet, lesson } from './state.ts';
import { linkTexts } from './texts/link.ts';
import { say, unsay } from './view/banners.tsx';
import type { Answer } from './answer.ts';

/** The parts of the page that a link may hide, by their ids. */
const PARTS = ['scenario', 'tools', 'compare', 'fairness', 'inside', 'when', 'numbers'];
/** The part that makes a link ask for a prediction before it shows the answer. */
const PREDICTION = 'prediction';
/** The part that stands for all around the answer, for a slide or an iframe. */
const COMPACT = 'compact';

export class Hiding {
  readonly #answer: Answer;
  readonly #shown: () => void;
  /** Ends the question of a link before its answer is shown. */
  #predicted: (() => void) | null = null;

  /** @param shown called when the visitor has everything shown */
  constructor(answer: Answer, shown: () => void) {
    this.#answer = answer;
    this.#shown = shown;
  }

  /** Hides these parts of the page, and shows all others. */
  conceal(hide: string) {
    for (const part of document.querySelectorAll('[data-hidden-by-link]'))
      part.removeAttribute('data-hidden-by-link');
    unsay('hides');
    this.#predicted?.();
    this.#predicted = null;
    const names = hide.split(',');
    const parts = names.filter((name) => PARTS.includes(name));
    const asks = names.includes(PREDICTION);
    const page = document.documentElement;
    page.toggleAttribute('data-compact', names.includes(COMPACT) || 'embed' in page.dataset);
    const known = names.filter((name) => [...PARTS, PREDICTION, COMPACT].includes(name));
    lesson.value = { ...lesson.peek(), hide: known.join() };
    if (known.length === 0) return;
    for (const part of parts) byId(part).setAttribute('data-hidden-by-link', '');
    if (asks) void this.#askFirst();
    const act = () => {
      this.conceal('');
      this.#shown();
    };
    say('hides', { title: linkTexts.hides, actions: [{ words: linkTexts.showAll, act }] });
  }

  /** Asks for a prediction before the answer is shown. */
  async #askFirst() {
    const mine = () => {};
    this.#predicted = mine;
    const view = await onDemand();
    if (view !== null && this.#predicted === mine)
      this.#predicted = view.askFirst(
        (metric) => this.#answer.board?.compare(metric, facet.peek()) ?? null,
      );
  }
}
