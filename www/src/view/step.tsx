/**
 * A scheduling pass step by step: the sentence of each step, the queue in its order, and the plan
 * of what is believed. The core follows the run again, at the first wish.
 */
import { signal } from '@preact/signals';
import { latest } from '../dom.ts';
import { instant, span, whole } from '../format.ts';
import { mounted } from '../mount.ts';
import { asked, chosenJob, clock, lesson, pointedJob, stepped } from '../state.ts';
import { stepTexts } from '../texts/step.ts';
import { StepPlan } from './step-plan.tsx';
import { believed } from './step-state.ts';
import { comeTo } from './tabs.ts';
import type { ToldPass, ToldQueued } from '../../pkg/backfill_web.js';
import type { InspectorCall } from '../worker/messages.ts';
import type { Look, Run } from './inspector.ts';
import type { Believed } from './step-state.ts';

/** The most jobs of the queue that are listed. */
const LISTED = 30;

type Wanted = InspectorCall<'pass'>;

/** A pass and how many of its steps are done. */
interface Shown {
  pass: ToldPass;
  done: number;
}

export function stepView(look: Look) {
  const shown = signal<Shown | null>(null);
  const words = signal('');
  const isOpen = signal(false);
  /** Which run is opened. */
  let opened = '';
  let wanted: Wanted | null = null;
  /** Whether a link leads here. */
  let isAwaited = false;
  /** How many steps are done when the wanted pass is shown. */
  let done = 0;
  const fetch = latest(async () => {
    const mine = wanted;
    if (mine === null) return;
    if (shown.peek() === null) words.value = stepTexts.running;
    const answers = await look(mine);
    if (answers === null || mine !== wanted) return;
    const [pass] = answers;
    words.value = pass === null && shown.peek() === null ? stepTexts.none : '';
    if (pass === null) return;
    shown.value = { pass, done: Math.min(done, pass.steps.length) };
    clock.value = pass.at;
    if (isAwaited) comeTo(element.id);
    isAwaited = false;
  });
  const go = (which: Wanted[1], of: number, doneSteps = 0) => {
    wanted = ['pass', which, of];
    done = doneSteps;
    isOpen.value = true;
    void fetch();
  };
  /** A step, or on to the next pass behind the last one. */
  const step = (by: 1 | -1) => {
    const now = shown.peek();
    if (now === null) return;
    const next = now.done + by;
    const { position, steps } = now.pass;
    if (next >= 0 && next <= steps.length) {
      done = next;
      shown.value = { ...now, done };
    } else go('position', position + by, by < 0 ? Infinity : 0);
  };
  clock.subscribe((at) => {
    const now = shown.peek();
    if (isOpen.peek() && now !== null && Math.abs(at - now.pass.at) > 1e-3) go('upTo', at);
  });
  shown.subscribe((now) => {
    stepped.value = now === null ? null : { pass: now.pass.position, done: now.done };
    // The job of the step is marked in the pictures of the run, too.
    pointedJob.value = now === null ? null : believed(now.pass, now.done).job;
  });
  const Drawn = () => (
    <Steps
      shown={isOpen.value ? shown.value : null}
      words={words.value}
      isOpen={isOpen.value}
      open={() => go('upTo', clock.peek())}
      go={go}
      step={step}
    />
  );
  const element = mounted(<Drawn />);
  return {
    element,

    show({ kept: { scenario, cell } }: Run) {
      const { step } = asked;
      const run = `${cell} of ${scenario}`;
      if (step === null && run === opened) {
        void fetch();
        return;
      }
      opened = run;
      shown.value = null;
      words.value = '';
      wanted = null;
      isOpen.value = false;
      if (step === null) return;
      asked.step = null;
      isAwaited = true;
      go('position', step.pass, step.done);
      comeTo(element.id);
    },
  };
}

interface StepsParts {
  shown: Shown | null;
  words: string;
  isOpen: boolean;
  open: () => void;
  go: (which: Wanted[1], of: number) => void;
  step: (by: 1 | -1) => void;
}

function Steps({ shown, words, isOpen, open, go, step }: StepsParts) {
  const said = stepTexts;
  const keys = (event: KeyboardEvent) => {
    if (shown === null || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    event.preventDefault();
    const by = event.key === 'ArrowRight' ? 1 : -1;
    if (event.shiftKey) go('position', shown.pass.position + by);
    else step(by);
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
          <button type="button" onClick={open}>
            {said.open}
          </button>
        </>
      )}
      {words !== '' && <p role="status">{words}</p>}
      {shown !== null && <Told shown={shown} go={go} step={step} />}
    </section>
  );
}

function Told({
  shown,
  go,
  step,
}: {
  shown: Shown;
  go: StepsParts['go'];
  step: StepsParts['step'];
}) {
  const { pass, done } = shown;
  const said = stepTexts;
  const now = believed(pass, done);
  const { note } = lesson.value;
  return (
    <>
      {note !== '' && <p class="note">{note}</p>}
      <Moves shown={shown} go={go} step={step} />
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
      <div class="believed">
        <StepPlan pass={pass} now={now} />
        {pass.queue.length > 0 && <QueueTable pass={pass} now={now} />}
      </div>
    </>
  );
}

function Moves({
  shown,
  go,
  step,
}: {
  shown: Shown;
  go: StepsParts['go'];
  step: StepsParts['step'];
}) {
  const { pass, done } = shown;
  const { moves } = stepTexts;
  const { position } = pass;
  const isFirst = position === 0;
  const isLast = position + 1 === pass.passes;
  const job = chosenJob.value;
  const button = (sign: string, words: string, act: () => void, disabled: boolean) => (
    <button type="button" aria-label={words} data-hint={words} onClick={act} disabled={disabled}>
      {sign}
    </button>
  );
  const named = (words: string, act: () => void) => (
    <button type="button" data-hint={stepTexts.decision} onClick={act}>
      {words}
    </button>
  );
  return (
    <div class="pick">
      <div class="group-of">
        {button('⇤', moves.passBefore, () => go('position', position - 1), isFirst)}
        {button('←', moves.back, () => step(-1), isFirst && done === 0)}
        {button('→', moves.ahead, () => step(1), isLast && done === pass.steps.length)}
        {button('⇥', moves.passAfter, () => go('position', position + 1), isLast)}
      </div>
      <div class="group-of">
        {named(moves.decisionBefore, () => go('decisionBefore', position))}
        {named(moves.decisionAfter, () => go('decisionAfter', position))}
        {job !== null && (
          <button type="button" onClick={() => go('startOf', job)}>
            {moves.startOf(numberOf(pass, job) ?? job + 1)}
          </button>
        )}
      </div>
    </div>
  );
}

function numberOf({ queue, running }: ToldPass, job: number) {
  return [...queue, ...running].find(({ asked }) => asked.job === job)?.asked.number;
}

function sentenceOf({ steps }: ToldPass, position: number) {
  const pieces = steps[position]?.sentence ?? [];
  return pieces.map((piece) => (typeof piece === 'number' ? instant(piece) : piece)).join('');
}

function QueueTable({ pass, now }: { pass: ToldPass; now: Believed }) {
  const said = stepTexts;
  // The job of the step is listed wherever it stands in the queue.
  const first = pass.queue.slice(0, LISTED);
  const ofStep = pass.queue.find(({ asked }) => asked.job === now.job);
  const listed = ofStep === undefined || first.includes(ofStep) ? first : [...first, ofStep];
  const more = pass.queue.length - listed.length;
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={said.queueRegion}>
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
            <QueuedRow key={queued.asked.job} {...queued} now={now} />
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="soft">{said.more(more)}</p>}
    </div>
  );
}

function QueuedRow({ asked, now }: ToldQueued & { now: Believed }) {
  const { job, number, size, estimate, submit } = asked;
  const state = now.states.get(job);
  const isLooked = now.job === job;
  const { states } = stepTexts;
  const words = state === undefined ? (isLooked ? states.looked : '') : states[state];
  return (
    <tr class={[state ?? '', isLooked ? 'looked' : ''].join(' ').trim()}>
      <th scope="row">
        <button
          type="button"
          class="plain"
          data-hint={stepTexts.look(number)}
          onClick={() => {
            chosenJob.value = job;
          }}
        >
          {number}
        </button>
      </th>
      <td>{words}</td>
      <td>{whole(size)}</td>
      <td>{span(estimate)}</td>
      <td>{instant(submit)}</td>
    </tr>
  );
}
