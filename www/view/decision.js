/**
 * The decision at an instant of a run: the jobs that waited, those that were started, and those
 * that first fit would have started.
 */
import { make } from '../dom.js';
import { instant, span, whole } from '../format.js';
import { chosenJob, clock } from '../state.js';
import { texts } from '../texts.js';
import { latest } from '../latest.js';

/**
 * @typedef {import('./inspector.js').Run} Run
 * @typedef {import('../pkg/backfill_web.js').Decided} Decided
 * @typedef {import('../pkg/backfill_web.js').JobSet} JobSet
 */

/** Decimals of the worth of a set. */
const DECIMALS = 3;
const ABSENT = '–';

/** @param {import('./inspector.js').Look} look */
export function decisionView(look) {
  const said = texts.decision;
  const button = (/** @type {string} */ words, /** @type {boolean} */ back) =>
    make(
      'button',
      { type: 'button', 'data-hint': said.stepHelp, onclick: () => void step(back) },
      words,
    );
  const steps = { back: button(said.back, true), ahead: button(said.ahead, false) };
  const sentence = make('p');
  const table = make('div', {
    class: 'table-scroll',
    tabIndex: 0,
    role: 'region',
    'aria-label': said.region,
  });
  const meaning = make('p', { class: 'soft' });
  const element = make(
    'section',
    { class: 'decision', 'aria-label': said.title, hidden: true },
    make('h3', {}, said.title),
    make('div', { class: 'pick' }, make('div', { class: 'group-of' }, steps.back, steps.ahead)),
    sentence,
    table,
    meaning,
  );

  /** @type {Run | null} */
  let run = null;

  const show = latest(async () => {
    if (run === null || !run.about.decisions) return;
    const answers = await look(['decided', clock.get()]);
    if (answers === null) return;
    const [decided] = answers;
    if (element.dataset.at === String(decided.at)) return;
    element.dataset.at = String(decided.at);
    sentence.textContent = sentenceOf(decided);
    const waits = decided.waiting > 0;
    table.hidden = !waits;
    meaning.hidden = !waits;
    table.replaceChildren(tableOf(decided));
    meaning.textContent = said.meaning(span(decided.unit));
  });

  /** Goes to the nearest decision. @param {boolean} back */
  async function step(back) {
    const answers = await look(['next_decision', clock.get(), back]);
    if (answers !== null && answers[0] !== undefined) clock.set(answers[0]);
  }

  clock.watch(() => void show());

  return {
    element,

    /** @param {Run} now */
    show(now) {
      run = now;
      element.hidden = !now.about.decisions;
      delete element.dataset.at;
      void show();
    },
  };
}

/** @param {Decided} decided */
function sentenceOf({
  at,
  free,
  slots,
  waiting,
  started,
  first_fit: firstFit,
  is_first_fit: same,
}) {
  const said = texts.decision;
  const now = said.now(instant(at), free, slots, waiting);
  const set = (/** @type {JobSet} */ { jobs, slots, worth }) =>
    said.set(jobs, slots, worth.toFixed(DECIMALS));
  if (waiting === 0) return now;
  return now + (same ? said.same(set(started)) : said.apart(set(started), set(firstFit)));
}

/** @param {Decided} decided */
function tableOf({ waiting, jobs, started, first_fit: firstFit }) {
  const said = texts.decision;
  const slots = (/** @type {number | null} */ count) =>
    make('td', { class: count === null ? '' : 'in' }, count === null ? ABSENT : whole(count));
  const rows = jobs.map(({ job, number, size, waited, worth, got, by_first_fit: byFirstFit }) =>
    make(
      'tr',
      {},
      make(
        'th',
        { scope: 'row' },
        make(
          'button',
          {
            type: 'button',
            class: 'plain',
            'data-hint': said.look(number),
            onclick: () => chosenJob.set(job),
          },
          String(number),
        ),
      ),
      make('td', {}, whole(size)),
      make('td', {}, span(waited)),
      make('td', {}, worth.toFixed(DECIMALS)),
      slots(got),
      slots(byFirstFit ? size : null),
    ),
  );
  const sum = (/** @type {string} */ label, /** @type {(set: JobSet) => string} */ of) =>
    make(
      'tr',
      {},
      make('th', { scope: 'row', colSpan: 4 }, label),
      make('td', {}, of(started)),
      make('td', {}, of(firstFit)),
    );
  return make(
    'table',
    {},
    make('caption', {}, said.caption(jobs.length, waiting)),
    make(
      'thead',
      {},
      make('tr', {}, ...said.columns.map((label) => make('th', { scope: 'col' }, label))),
    ),
    make('tbody', {}, ...rows),
    make(
      'tfoot',
      {},
      sum(said.sums.jobs, (set) => whole(set.jobs)),
      sum(said.sums.slots, (set) => whole(set.slots)),
      sum(said.sums.worth, (set) => set.worth.toFixed(DECIMALS)),
    ),
  );
}
