/**
 * The decision at an instant of a run: the jobs that waited, those that were started, and those
 * that first fit would have started.
 */
import { make } from '../dom.ts';
import { instant, span, whole } from '../format.ts';
import { chosenJob, clock } from '../state.ts';
import { decisionTexts } from '../texts/decision.ts';
import { latest } from '../latest.ts';
import type { Decided, JobSet } from '../../pkg/backfill_web.js';
import type { Look, Run } from './inspector.ts';

/** Decimals of the worth of a set. */
const DECIMALS = 3;
const ABSENT = '–';

export function decisionView(look: Look) {
  const said = decisionTexts;
  const button = (words: string, back: boolean) =>
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

  let run: Run | null = null;

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

  /** Goes to the nearest decision. */
  async function step(back: boolean) {
    const answers = await look(['next_decision', clock.get(), back]);
    if (answers !== null && answers[0] !== undefined) clock.set(answers[0]);
  }

  clock.watch(() => void show());

  return {
    element,

    show(now: Run) {
      run = now;
      element.hidden = !now.about.decisions;
      delete element.dataset.at;
      void show();
    },
  };
}

function sentenceOf({
  at,
  free,
  slots,
  waiting,
  started,
  first_fit: firstFit,
  is_first_fit: same,
}: Decided) {
  const said = decisionTexts;
  const now = said.now(instant(at), free, slots, waiting);
  const set = ({ jobs, slots, worth }: JobSet) => said.set(jobs, slots, worth.toFixed(DECIMALS));
  if (waiting === 0) return now;
  return now + (same ? said.same(set(started)) : said.apart(set(started), set(firstFit)));
}

function tableOf({ waiting, jobs, started, first_fit: firstFit }: Decided) {
  const said = decisionTexts;
  const slots = (count: number | null) =>
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
  const sum = (label: string, of: (set: JobSet) => string) =>
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
