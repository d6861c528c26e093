/** The passes of several policies side by side: of each its plan, its queue and its steps. */
import { instant } from '../format.ts';
import { chosenJob } from '../state.ts';
import { stepTexts } from '../texts/step.ts';
import { StepPlan, horizon } from './step-plan.tsx';
import { QueueTable } from './step-queue.tsx';
import { believed, sentenceOf } from './step-state.ts';
import type { ToldPass } from '../../pkg/backfill_web.js';

/** What a policy has decided in a pass so far. */
export interface Side {
  label: string;
  cell: number;
  /** Null where there is none, and then why. */
  pass: ToldPass | null;
  words: string;
  /** How many of its steps are done. */
  done: number;
}

/** @param at the instant at the left of all plans */
export function SideBySide({ sides, at }: { sides: Side[]; at: number }) {
  const ends = sides.map(({ pass, done }) =>
    pass === null ? at : horizon(at, believed(pass, done)),
  );
  return (
    <div class="sides">
      {sides.map((side) => (
        <PolicySide key={side.cell} side={side} ends={[at, Math.max(...ends)]} />
      ))}
    </div>
  );
}

function PolicySide({ side, ends }: { side: Side; ends: [number, number] }) {
  const { label, pass, words, done } = side;
  return (
    <details open>
      <summary>
        <b>{label}</b> {pass !== null && stepTexts.passAt(instant(pass.at))}
      </summary>
      {pass === null ? <p class="soft">{words}</p> : <Decided {...{ label, pass, done, ends }} />}
    </details>
  );
}

interface DecidedParts {
  label: string;
  pass: ToldPass;
  done: number;
  ends: [number, number];
}

function Decided({ label, pass, done, ends }: DecidedParts) {
  const now = believed(pass, done);
  return (
    <>
      <StepPlan pass={pass} now={now} ends={ends} />
      <ol aria-label={stepTexts.stepsOf(label)}>
        {pass.steps.slice(0, done).map(({ job }, position) => (
          <li key={position} class={job !== null && job === chosenJob.value ? 'chosen' : ''}>
            {sentenceOf(pass, position)}
          </li>
        ))}
      </ol>
      {pass.queue.length > 0 && (
        <QueueTable pass={pass} now={now} region={stepTexts.queueOf(label)} />
      )}
    </>
  );
}
