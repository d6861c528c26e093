/** The queue of a pass in its order, and what becomes of each job. */
import { instant, span, whole } from '../format.ts';
import { chosenJob } from '../state.ts';
import { stepTexts } from '../texts/step.ts';
import { strengthOf } from './by-size.tsx';
import type { ToldPass, ToldQueued } from '../../pkg/backfill_web.js';
import type { Believed } from './step-state.ts';

/** The most jobs that are listed. */
const LISTED = 30;

interface QueueParts {
  pass: ToldPass;
  now: Believed;
  /** What the region is called. */
  region?: string;
}

export function QueueTable({ pass, now, region = stepTexts.queueRegion }: QueueParts) {
  const said = stepTexts;
  // The job of the step is listed wherever it stands in the queue.
  const first = pass.queue.slice(0, LISTED);
  const ofStep = pass.queue.find(({ asked }) => asked.job === now.job);
  const listed = ofStep === undefined || first.includes(ofStep) ? first : [...first, ofStep];
  const more = pass.queue.length - listed.length;
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={region}>
      <table>
        <caption>{said.queue}</caption>
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
          {listed.map((queued) => (
            <QueuedRow key={queued.asked.job} {...queued} now={now} slots={pass.slots} />
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="soft">{said.more(more)}</p>}
    </div>
  );
}

interface RowParts extends ToldQueued {
  now: Believed;
  /** Those of the system. */
  slots: number;
}

function QueuedRow({ asked, now, slots }: RowParts) {
  const { job, number, size, estimate, submit } = asked;
  const state = now.states.get(job);
  const isLooked = now.job === job;
  const isChosen = chosenJob.value === job;
  const { states } = stepTexts;
  const words = state === undefined ? (isLooked ? states.looked : '') : states[state];
  return (
    <tr class={[state, isLooked && 'looked', isChosen && 'chosen'].filter(Boolean).join(' ')}>
      <th scope="row">
        <button
          type="button"
          class="plain"
          data-hint={stepTexts.look(number)}
          aria-pressed={isChosen}
          onClick={() => {
            chosenJob.value = job;
          }}
        >
          {number}
        </button>
      </th>
      <td>{words}</td>
      <td>
        {whole(size)}
        <span class="sample by-strength" style={strengthOf(size, slots)} />
      </td>
      <td>{span(estimate)}</td>
      <td>{instant(submit)}</td>
    </tr>
  );
}
