/**
 * The decision at an instant of a run: the jobs that waited, those that were started, and those
 * that first fit would have started.
 */
import { latest } from '../dom.ts';
import { signal } from '@preact/signals';
import { instant, span, whole } from '../format.ts';
import { mounted } from '../mount.ts';
import { chosenJob, clock } from '../state.ts';
import { decisionTexts } from '../texts/decision.ts';
import type { Decided, JobSet } from '../../pkg/backfill_web.js';
import type { Look, Run } from './inspector.ts';

/** Decimals of the worth of a set. */
const DECIMALS = 3;
const ABSENT = '–';

export function decisionView(look: Look) {
  const run = signal<Run | null>(null);
  const decided = signal<Decided | null>(null);
  const show = latest(async () => {
    if (!run.peek()?.about.decisions) return;
    const answers = await look(['decided', clock.peek()]);
    if (answers !== null && decided.peek()?.at !== answers[0].at) decided.value = answers[0];
  });
  /** Goes to the nearest decision. */
  const step = async (back: boolean) => {
    const answers = await look(['next_decision', clock.peek(), back]);
    if (answers !== null && answers[0] !== undefined) clock.value = answers[0];
  };
  clock.subscribe(() => void show());
  const Drawn = () => (
    <Decision
      hidden={!run.value?.about.decisions}
      decided={decided.value}
      step={(back) => void step(back)}
    />
  );
  return {
    element: mounted(<Drawn />),

    show(now: Run) {
      run.value = now;
      decided.value = null;
      void show();
    },
  };
}

interface DecisionParts {
  hidden: boolean;
  decided: Decided | null;
  step: (back: boolean) => void;
}

function Decision({ hidden, decided, step }: DecisionParts) {
  const said = decisionTexts;
  const waits = decided !== null && decided.waiting > 0;
  const button = (words: string, back: boolean) => (
    <button type="button" data-hint={said.stepHelp} onClick={() => step(back)}>
      {words}
    </button>
  );
  return (
    <section class="decision" aria-label={said.title} hidden={hidden} data-at={decided?.at}>
      <h3>{said.title}</h3>
      <div class="pick">
        <div class="group-of">
          {button(said.back, true)}
          {button(said.ahead, false)}
        </div>
      </div>
      <p>{decided !== null && sentenceOf(decided)}</p>
      <div class="table-scroll" tabIndex={0} role="region" aria-label={said.region} hidden={!waits}>
        {decided !== null && <DecisionTable decided={decided} />}
      </div>
      <p class="soft" hidden={!waits}>
        {decided !== null && said.meaning(span(decided.unit))}
      </p>
    </section>
  );
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

function DecisionTable({ decided }: { decided: Decided }) {
  const { waiting, jobs, started, first_fit: firstFit } = decided;
  const said = decisionTexts;
  const sum = (label: string, of: (set: JobSet) => string) => (
    <tr>
      <th scope="row" colSpan={4}>
        {label}
      </th>
      <td>{of(started)}</td>
      <td>{of(firstFit)}</td>
    </tr>
  );
  return (
    <table>
      <caption>{said.caption(jobs.length, waiting)}</caption>
      <thead>
        <tr>
          {said.columns.map((label) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <DecidedJob key={job.job} {...job} />
        ))}
      </tbody>
      <tfoot>
        {sum(said.sums.jobs, (set) => whole(set.jobs))}
        {sum(said.sums.slots, (set) => whole(set.slots))}
        {sum(said.sums.worth, (set) => set.worth.toFixed(DECIMALS))}
      </tfoot>
    </table>
  );
}

function DecidedJob(decided: Decided['jobs'][number]) {
  const { job, number, size, waited, worth, got, by_first_fit: byFirstFit } = decided;
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="plain"
          data-hint={decisionTexts.look(number)}
          onClick={() => {
            chosenJob.value = job;
          }}
        >
          {number}
        </button>
      </th>
      <td>{whole(size)}</td>
      <td>{span(waited)}</td>
      <td>{worth.toFixed(DECIMALS)}</td>
      <Slots count={got} />
      <Slots count={byFirstFit ? size : null} />
    </tr>
  );
}

/** The slots of a job that a set contains. */
function Slots({ count }: { count: number | null }) {
  return <td class={count === null ? '' : 'in'}>{count === null ? ABSENT : whole(count)}</td>;
}
