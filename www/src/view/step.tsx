/**
 * A scheduling pass step by step: the sentence of each step, the queue in its order, and the plan
 * of what is believed.
 */
import { instant } from '../format.ts';
import { mounted } from '../mount.ts';
import { chosenJob, clock, kept, lesson } from '../state.ts';
import { stepTexts } from '../texts/step.ts';
import { Check } from './check.tsx';
import { CopyAs } from './copy-as-button.tsx';
import { labelOf } from './other-passes.ts';
import { SignButton } from './sign-button.tsx';
import { PlacementList } from './step-placement.tsx';
import { StepPlan } from './step-plan.tsx';
import { QueueTable } from './step-queue.tsx';
import { SideBySide } from './step-side.tsx';
import { believed, sentenceOf } from './step-state.ts';
import { Stepping } from './stepping.ts';
import { comeTo } from './tabs.ts';
import type { ToldPass } from '../../pkg/backfill_web.js';
import type { Look, Run } from './inspector.ts';
import type { Other, PassOf } from './other-passes.ts';
import type { Side } from './step-side.tsx';
import type { Shown } from './stepping.ts';

export function stepView(look: Look, passOf: PassOf) {
  const stepping = new Stepping(look, passOf, () => comeTo(element.id));
  const element = mounted(<Steps stepping={stepping} />);
  return { element, show: (run: Run) => stepping.open(run) };
}

function Steps({ stepping }: { stepping: Stepping }) {
  const said = stepTexts;
  const isOpen = stepping.isOpen.value;
  const shown = isOpen ? stepping.shown.value : null;
  const words = stepping.words.value;
  const keys = (event: KeyboardEvent) => {
    if (shown === null || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    event.preventDefault();
    const by = event.key === 'ArrowRight' ? 1 : -1;
    if (event.shiftKey) stepping.go('position', shown.pass.position + by);
    else stepping.step(by);
  };
  return (
    <section
      class="steps"
      id="steps"
      tabIndex={-1}
      aria-label={said.title}
      data-at={shown?.pass.at}
      onKeyDown={keys}
    >
      <h3>{said.title}</h3>
      {!isOpen && (
        <>
          <p class="soft">{said.help}</p>
          <button type="button" onClick={() => stepping.go('upTo', clock.peek())}>
            {said.open}
          </button>
        </>
      )}
      {words !== '' && <p role="status">{words}</p>}
      {shown !== null && <Told shown={shown} stepping={stepping} />}
    </section>
  );
}

interface ToldParts {
  shown: Shown;
  stepping: Stepping;
}

function Told({ shown, stepping }: ToldParts) {
  const { pass, done } = shown;
  const said = stepTexts;
  const now = believed(pass, done);
  const placement = pass.steps[done - 1]?.placement ?? null;
  const others = stepping.others.shown.value;
  const { note, isBeside } = lesson.value;
  return (
    <>
      {isBeside && note !== '' && <p class="note">{note}</p>}
      <Moves shown={shown} stepping={stepping} />
      <p class="pass">{said.pass(pass.position + 1, pass.passes, instant(pass.at))}</p>
      <div class="sentence" aria-live="polite">
        {done === 0 ? (
          <p>{said.begins(pass.queue.length, pass.running.length, pass.free, pass.slots)}</p>
        ) : (
          <p>
            <b>{said.at(done, pass.steps.length)}.</b> {sentenceOf(pass, done - 1)}
          </p>
        )}
      </div>
      {placement !== null && <PlacementList placement={placement} />}
      {others.length === 0 ? (
        <div class="believed">
          <StepPlan pass={pass} now={now} />
          {pass.queue.length > 0 && <QueueTable pass={pass} now={now} />}
        </div>
      ) : (
        <SideBySide sides={sidesOf(shown, others)} at={pass.at} />
      )}
    </>
  );
}

/** The kept run, and what others have last decided by then. */
function sidesOf({ pass, done }: Shown, others: Other[]): Side[] {
  const run = kept.peek();
  const label = run === null ? '' : labelOf(run);
  const own = { label, cell: run?.cell ?? 0, pass, words: '', done };
  return [own, ...others.map((other) => ({ ...other, done: other.pass?.steps.length ?? 0 }))];
}

function Moves({ shown, stepping }: ToldParts) {
  const { pass, done } = shown;
  const { moves } = stepTexts;
  const { isAll, isPossible } = stepping.others;
  const { position } = pass;
  const isFirst = position === 0;
  const isLast = position + 1 === pass.passes;
  const job = chosenJob.value;
  const named = (words: string, act: () => void) => (
    <button type="button" data-hint={stepTexts.decision} onClick={act}>
      {words}
    </button>
  );
  return (
    <div class="pick">
      <div class="group-of">
        <SignButton
          sign="⇤"
          words={moves.passBefore}
          act={() => stepping.go('position', position - 1)}
          disabled={isFirst}
        />
        <SignButton
          sign="←"
          words={moves.back}
          act={() => stepping.step(-1)}
          disabled={isFirst && done === 0}
        />
        <SignButton
          sign="→"
          words={moves.ahead}
          act={() => stepping.step(1)}
          disabled={isLast && done === pass.steps.length}
        />
        <SignButton
          sign="⇥"
          words={moves.passAfter}
          act={() => stepping.go('position', position + 1)}
          disabled={isLast}
        />
      </div>
      <div class="group-of">
        {named(moves.decisionBefore, () => stepping.go('decisionBefore', position))}
        {named(moves.decisionAfter, () => stepping.go('decisionAfter', position))}
        {job !== null && (
          <button type="button" onClick={() => stepping.go('startOf', job)}>
            {moves.startOf(numberOf(pass, job) ?? job + 1)}
          </button>
        )}
      </div>
      {isPossible.value && (
        <Check
          words={stepTexts.all}
          isOn={isAll.value}
          turn={(isOn) => {
            isAll.value = isOn;
          }}
        />
      )}
      <CopyAs name={stepTexts.title} chart={() => ({ of: 'step' })} />
    </div>
  );
}

function numberOf({ queue, running }: ToldPass, job: number) {
  return [...queue, ...running].find(({ asked }) => asked.job === job)?.asked.number;
}
