/** Which pass of a run is told, and how many of its steps are done; the core follows the run again. */
import { computed, effect, signal } from '@preact/signals';
import { latest } from '../dom.ts';
import { asked, clock, pointedJob, stepped } from '../state.ts';
import { stepTexts } from '../texts/step.ts';
import { OtherPasses } from './other-passes.ts';
import { believed } from './step-state.ts';
import type { ToldPass } from '../../pkg/backfill_web.js';
import type { InspectorCall } from '../worker/messages.ts';
import type { Look, Run } from './inspector.ts';
import type { PassOf } from './other-passes.ts';

type Wanted = InspectorCall<'pass'>;
/** Which pass is meant by a number. */
export type Which = Wanted[1];

/** A pass and how many of its steps are done. */
export interface Shown {
  pass: ToldPass;
  done: number;
}

export class Stepping {
  readonly shown = signal<Shown | null>(null);
  /** Why none is shown. */
  readonly words = signal('');
  readonly isOpen = signal(false);
  /** What other policies do meanwhile. */
  readonly others: OtherPasses;
  readonly #look: Look;
  /** Scrolls to the steps. */
  readonly #arrive: () => void;
  /** Which run is opened. */
  #opened = '';
  #wanted: Wanted | null = null;
  /** How many steps are done when the wanted pass is shown. */
  #done = 0;
  /** Whether a link leads here. */
  #isAwaited = false;

  constructor(look: Look, passOf: PassOf, arrive: () => void) {
    this.#look = look;
    this.#arrive = arrive;
    clock.subscribe((at) => {
      const now = this.shown.peek();
      if (this.isOpen.peek() && now !== null && Math.abs(at - now.pass.at) > 1e-3)
        this.go('upTo', at);
    });
    const pass = computed(() => this.shown.value?.pass ?? null);
    this.others = new OtherPasses(pass, passOf);
    effect(() => {
      const now = this.shown.value;
      const isAll = this.others.isAll.value;
      stepped.value = now === null ? null : { pass: now.pass.position, done: now.done, isAll };
    });
    this.shown.subscribe((now) => {
      // The job of the step is marked in the pictures of the run, too.
      pointedJob.value = now === null ? null : believed(now.pass, now.done).job;
    });
  }

  go(which: Which, of: number, done: number = 0) {
    this.#wanted = ['pass', which, of];
    this.#done = done;
    this.isOpen.value = true;
    void this.#fetch();
  }

  /** A step, or on to the next pass behind the last one. */
  step(by: 1 | -1) {
    const now = this.shown.peek();
    if (now === null) return;
    const next = now.done + by;
    const { position, steps } = now.pass;
    if (next >= 0 && next <= steps.length) {
      this.#done = next;
      this.shown.value = { ...now, done: next };
    } else this.go('position', position + by, by < 0 ? Infinity : 0);
  }

  /** Shows no pass of a run yet, but that which a link leads to. */
  open({ kept: { scenario, cell } }: Run) {
    const { step } = asked;
    const run = `${cell} of ${scenario}`;
    if (step === null && run === this.#opened) {
      void this.#fetch();
      return;
    }
    this.#opened = run;
    this.shown.value = null;
    this.words.value = '';
    this.#wanted = null;
    this.isOpen.value = false;
    if (step === null) return;
    asked.step = null;
    stepped.value = step;
    this.others.isAll.value = step.isAll;
    this.#isAwaited = true;
    this.go('position', step.pass, step.done);
    this.#arrive();
  }

  readonly #fetch = latest(async () => {
    const mine = this.#wanted;
    if (mine === null) return;
    const { shown, words } = this;
    if (shown.peek() === null) words.value = stepTexts.running;
    const answers = await this.#look(mine);
    if (answers === null || mine !== this.#wanted) return;
    const [pass] = answers;
    const isNone = pass === null && shown.peek() === null;
    words.value = isNone ? stepTexts.none : '';
    if (isNone) stepped.value = null;
    if (pass === null) return;
    shown.value = { pass, done: Math.min(this.#done, pass.steps.length) };
    clock.value = pass.at;
    if (this.#isAwaited) this.#arrive();
    this.#isAwaited = false;
  });
}
