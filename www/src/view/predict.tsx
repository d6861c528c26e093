/**
 * For a lesson: asks for a prediction of the answer before it is shown. The question is about the
 * last value of x, where curves differ most in most scenarios, and about the first metric in which
 * one policy alone is best there; the core ranks them.
 */
import { effect, signal } from '@preact/signals';
import { byId } from '../dom.ts';
import { mounted } from '../mount.ts';
import { digest, summary } from '../state.ts';
import { answerTexts } from '../texts/answer.ts';
import { predictTexts as said } from '../texts/predict.ts';
import type { Signal } from '@preact/signals';
import type { Comparison, Summary, Value } from '../../pkg/backfill_web.js';

/** The parts hidden until then. */
const ANSWER = ['answer', 'compare', 'fairness', 'inside'];
/** The attribute that hides them; parts hidden by a link have another one. */
const UNSEEN = 'data-until-predicted';

type Ranking = Comparison['places'][number]['ranking'];

interface Question {
  words: string;
  metric: string;
  policies: string[];
}

/** What is asked and answered so far. */
interface Prediction {
  question: Signal<Question | null>;
  /** The policy chosen, by its position. */
  chosen: Signal<number | null>;
  /** What became of the prediction, once the answer is shown. */
  outcome: Signal<string | null>;
}

/**
 * @param compare the ranking, once there is one
 * @returns ends it, and shows everything
 */
export function askFirst(compare: (metric: string) => Comparison | null): () => void {
  const prediction: Prediction = {
    question: signal(null),
    chosen: signal(null),
    outcome: signal(null),
  };
  const { question, chosen, outcome } = prediction;
  /** The ranking of policies by a metric at the point of the question. */
  const rankingBy = (of: string) => compare(of)?.places.at(-1)?.ranking ?? [];
  const showAnswer = () => {
    for (const part of ANSWER) byId(part).removeAttribute(UNSEEN);
  };
  const reveal = () => {
    const [now, metric] = [summary.peek(), question.peek()?.metric];
    const mine = chosen.peek();
    if (now === null || metric === undefined || mine === null) return;
    endAsking();
    showAnswer();
    outcome.value = outcomeOf(mine, rankingBy(metric), metric, now);
    section.querySelector<HTMLElement>('.said-then')?.focus();
  };
  const section = mounted(<Asked prediction={prediction} reveal={reveal} />);
  byId('answer').before(section);
  for (const part of ANSWER) byId(part).setAttribute(UNSEEN, '');
  const endAsking = effect(() => {
    const now = summary.value;
    if (now === null || digest.value === '') return;
    const next = questionOn(now, rankingBy);
    const before = question.peek();
    if (next === null || (before !== null && isSame(next, before))) return;
    question.value = next;
    chosen.value = null;
  });
  return () => {
    endAsking();
    showAnswer();
    section.remove();
  };
}

function Asked({ prediction, reveal }: { prediction: Prediction; reveal: () => void }) {
  const { outcome, question, chosen } = prediction;
  return (
    <section class="prediction" aria-labelledby="prediction-title">
      <h2 id="prediction-title">{said.title}</h2>
      {outcome.value === null ? (
        <Form question={question.value} chosen={chosen} reveal={reveal} />
      ) : (
        <p class="said-then" role="status" tabIndex={-1}>
          {outcome}
        </p>
      )}
    </section>
  );
}

interface FormParts {
  question: Question | null;
  chosen: Signal<number | null>;
  reveal: () => void;
}

function Form({ question, chosen, reveal }: FormParts) {
  const isDone = digest.value !== '';
  const status = chosen.value === null ? said.choose : '';
  return (
    <>
      <fieldset>
        <legend>{question?.words}</legend>
        {question?.policies.map((policy, place) => (
          <label key={place}>
            <input
              type="radio"
              name="prediction"
              value={place}
              checked={chosen.value === place}
              onChange={() => {
                chosen.value = place;
              }}
            />
            {policy}
          </label>
        ))}
      </fieldset>
      <button
        type="button"
        class="primary"
        disabled={!isDone || chosen.value === null}
        onClick={reveal}
      >
        {said.show}
      </button>
      <p class="soft" role="status">
        {isDone ? status : said.computing}
      </p>
    </>
  );
}

function questionOn(now: Summary, rankingBy: (metric: string) => Ranking): Question | null {
  const decisive = now.headline.find((name) => winners(rankingBy(name)).length === 1);
  const metric = now.metrics.find(({ name }) => name === (decisive ?? now.headline[0]));
  if (metric === undefined) return null;
  const where = now.x.label === '' ? '' : `${now.x.label} ${now.x.values.at(-1)}`;
  const words = said.question(metric.label, answerTexts.better[metric.better], where);
  return { words, metric: metric.name, policies: now.policies };
}

function isSame(one: Question, other: Question) {
  return one.words === other.words && one.policies.join('\n') === other.policies.join('\n');
}

/** What the ranking says of the policy that was predicted, by its position. */
function outcomeOf(mine: number, ranking: Ranking, metric: string, now: Summary) {
  const unit = now.metrics.find(({ name }) => name === metric)?.unit ?? '';
  const value = ({ mean, half }: Value) => said.value(mean, half, unit);
  const level = winners(ranking);
  const [first] = level;
  const own = ranking.find(({ policy }) => policy === mine);
  const called = now.policies[mine];
  if (first === undefined || own === undefined) return said.none(called);
  const others = level.filter((each) => each !== own).map(({ policy }) => now.policies[policy]);
  if (level.includes(own)) return said.right(called, value(own.value), others);
  const place = said.place(own.rank, value(own.value));
  return said.wrong(called, place, now.policies[first.policy], value(first.value));
}

/** The best policy, all whose mean is printed the same, and all that are as good. */
function winners(ranking: Ranking) {
  const first = ranking.find(({ rank }) => rank === 1);
  const level = ranking.filter(
    ({ rank, value }) => rank !== null && value.mean === first?.value.mean,
  );
  return first === undefined ? [] : [first, ...level.filter((each) => each !== first)];
}
