/**
 * For a lesson: what the answer will be is asked before it is shown. The question is about the
 * first metric at the last value of x, since all curves are furthest apart there in most scenarios;
 * who comes first is for the core to say.
 */
import { byId, make } from '../dom.js';
import { digest, summary } from '../state.js';
import { texts } from '../texts.js';

/** @typedef {import('../pkg/backfill_web.js').Comparison} Comparison */

/** What is hidden until then. */
const ANSWER = ['answer', 'compare', 'fairness', 'inside'];
/** The mark by which it is hidden; parts that a link hides for good have another one. */
const UNSEEN = 'data-until-predicted';

/**
 * @param {(metric: string) => Comparison | null} compare the ranking, once there is one
 * @returns {() => void} ends it, and shows everything
 */
export function askFirst(compare) {
  const said = texts.predict;
  const form = make('fieldset', {}, make('legend'));
  const show = make(
    'button',
    { type: 'button', class: 'primary', disabled: true, onclick: () => reveal() },
    said.show,
  );
  const status = make('p', { class: 'soft', role: 'status' });
  const section = make(
    'section',
    { class: 'prediction', 'aria-labelledby': 'prediction-title' },
    make('h2', { id: 'prediction-title' }, said.title),
    form,
    show,
    status,
  );
  byId('answer').before(section);
  for (const part of ANSWER) byId(part).setAttribute(UNSEEN, '');

  let asked = '';
  /** The metric that is asked about. */
  let metric = '';
  let open = true;
  const chosen = () => /** @type {HTMLInputElement | null} */ (form.querySelector('input:checked'));

  function ask() {
    const now = summary.get();
    metric = now?.headline[0] ?? '';
    const about = now?.metrics.find(({ name }) => name === metric);
    if (!open || now === null || about === undefined) return;
    const where =
      now.x.label === '' ? '' : `${now.x.label} ${now.x.values[now.x.values.length - 1]}`;
    const words = said.question(about.label, texts.answer.better[about.better], where);
    const question = [words, ...now.policies].join('\n');
    if (question === asked) return;
    asked = question;
    form.replaceChildren(
      make('legend', {}, words),
      ...now.policies.map((policy, place) =>
        make(
          'label',
          {},
          make('input', {
            type: 'radio',
            name: 'prediction',
            value: String(place),
            onchange: ready,
          }),
          policy,
        ),
      ),
    );
    ready();
  }

  function ready() {
    if (!open) return;
    const done = digest.get() !== '';
    show.disabled = !done || chosen() === null;
    status.textContent = done ? (chosen() === null ? said.choose : '') : said.computing;
  }

  function reveal() {
    const now = summary.get();
    const choice = chosen();
    if (now === null || choice === null) return;
    const mine = Number(choice.value);
    end(false);
    const comparison = compare(metric);
    const ranking = comparison?.places[comparison.places.length - 1]?.ranking ?? [];
    const unit = now.metrics.find(({ name }) => name === metric)?.unit ?? '';
    const value = (/** @type {import('../pkg/backfill_web.js').Value} */ { mean, half }) =>
      said.value(mean, half, unit);
    const first = ranking.find(({ rank }) => rank === 1);
    const own = ranking.find(({ policy }) => policy === mine);
    const called = now.policies[mine];
    let words = said.none(called);
    if (first !== undefined && own !== undefined) {
      // Who is printed with the same mean is as good.
      const level = ranking.filter(
        ({ rank, value }) => rank !== null && value.mean === first.value.mean,
      );
      const others = level.filter((each) => each !== own).map(({ policy }) => now.policies[policy]);
      words = level.includes(own)
        ? said.right(called, value(own.value), others)
        : said.wrong(
            called,
            said.place(own.rank, value(own.value)),
            now.policies[first.policy],
            value(first.value),
          );
    }
    section.replaceChildren(
      make('h2', { id: 'prediction-title' }, said.title),
      make('p', { class: 'said-then', role: 'status', tabIndex: -1 }, words),
    );
    /** @type {HTMLElement} */ (section.lastElementChild).focus();
  }

  /** @param {boolean} wholly whether nothing of the question stays */
  function end(wholly) {
    open = false;
    for (const part of ANSWER) byId(part).removeAttribute(UNSEEN);
    if (wholly) section.remove();
  }

  summary.watch(ask);
  digest.watch(ready);
  return () => end(true);
}
