/**
 * For a lesson: asks for a prediction of the answer before it is shown. The question is about the
 * last value of x, where curves differ most in most scenarios, and about the first metric in which
 * one policy alone is best there; the core ranks them.
 */
import { byId, make } from '../dom.ts';
import { digest, summary } from '../state.ts';
import { answerTexts } from '../texts/answer.ts';
import { predictTexts } from '../texts/predict.ts';
import type { Comparison, Value } from '../../pkg/backfill_web.js';

/** The parts hidden until then. */
const ANSWER = ['answer', 'compare', 'fairness', 'inside'];
/** The attribute that hides them; parts hidden by a link have another one. */
const UNSEEN = 'data-until-predicted';

/**
 * @param compare the ranking, once there is one
 * @returns ends it, and shows everything
 */
export function askFirst(compare: (metric: string) => Comparison | null): () => void {
  const said = predictTexts;
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
  /** The metric of the question. */
  let metric = '';
  let open = true;
  const chosen = () => form.querySelector<HTMLInputElement>('input:checked');

  /** The ranking of policies by a metric at the point of the question. */
  const rankingBy = (of: string) => compare(of)?.places.at(-1)?.ranking ?? [];

  function ask() {
    const now = summary.peek();
    ready();
    if (!open || now === null || digest.peek() === '') return;
    const decisive = now.headline.find((name) => winners(rankingBy(name)).length === 1);
    metric = decisive ?? now.headline[0];
    const about = now.metrics.find(({ name }) => name === metric);
    if (about === undefined) return;
    const where =
      now.x.label === '' ? '' : `${now.x.label} ${now.x.values[now.x.values.length - 1]}`;
    const words = said.question(about.label, answerTexts.better[about.better], where);
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
    const done = digest.peek() !== '';
    show.disabled = !done || chosen() === null;
    status.textContent = done ? (chosen() === null ? said.choose : '') : said.computing;
  }

  function reveal() {
    const now = summary.peek();
    const choice = chosen();
    if (now === null || choice === null) return;
    const mine = Number(choice.value);
    end(false);
    const ranking = rankingBy(metric);
    const unit = now.metrics.find(({ name }) => name === metric)?.unit ?? '';
    const value = ({ mean, half }: Value) => said.value(mean, half, unit);
    const level = winners(ranking);
    const first = level[0];
    const own = ranking.find(({ policy }) => policy === mine);
    const called = now.policies[mine];
    let words = said.none(called);
    if (first !== undefined && own !== undefined) {
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
    (section.lastElementChild as HTMLElement).focus();
  }

  /** @param wholly whether nothing of the question remains */
  function end(wholly: boolean) {
    open = false;
    for (const part of ANSWER) byId(part).removeAttribute(UNSEEN);
    if (wholly) section.remove();
  }

  summary.subscribe(ask);
  digest.subscribe(ask);
  return () => end(true);
}

/** The best policy, all whose mean is printed the same, and all that are as good. */
function winners(ranking: Comparison['places'][number]['ranking']) {
  const first = ranking.find(({ rank }) => rank === 1);
  const level = ranking.filter(
    ({ rank, value }) => rank !== null && value.mean === first?.value.mean,
  );
  return first === undefined ? [] : [first, ...level.filter((each) => each !== first)];
}
