/** What other policies of the scenario have last decided by the instant of the told pass. */
import { computed, signal } from '@preact/signals';
import { latest } from '../dom.ts';
import { cellAt, kept, sizesOf } from '../state.ts';
import { stepTexts } from '../texts/step.ts';
import type { Signal } from '@preact/signals';
import type { ToldPass } from '../../pkg/backfill_web.js';
import type { Kept } from '../state.ts';

/** Tells the last pass of a run of the scenario up to an instant; null where there is none. */
export type PassOf = (cell: number, at: number) => Promise<ToldPass | null>;

/** A run of another policy at the same point, and its pass. */
export interface Other {
  label: string;
  cell: number;
  pass: ToldPass | null;
  /** Why there is no pass. */
  words: string;
}

export class OtherPasses {
  /** Whether those of all policies are shown, not only that of the run beside the kept one. */
  readonly isAll = signal(false);
  readonly shown = signal<Other[]>([]);
  /** Whether there are others. */
  readonly isPossible = computed(() => (kept.value?.reading.policies.length ?? 0) > 1);
  readonly #pass: Signal<ToldPass | null>;
  readonly #passOf: PassOf;
  /** The scenario of those shown. */
  #scenario = '';

  /** @param pass what is told of the kept run */
  constructor(pass: Signal<ToldPass | null>, passOf: PassOf) {
    this.#pass = pass;
    this.#passOf = passOf;
    for (const each of [pass, kept, this.isAll]) each.subscribe(() => void this.#fetch());
  }

  readonly #fetch = latest(async () => {
    const now = kept.peek();
    const pass = this.#pass.peek();
    if (now === null || pass === null) return;
    const before = this.#scenario === now.scenario ? this.shown.peek() : [];
    this.#scenario = now.scenario;
    const others = othersOf(now, this.isAll.peek());
    this.shown.value = others.map(
      (other) => before.find(({ cell }) => cell === other.cell) ?? other,
    );
    for (const { cell } of others) {
      const told = await this.#passOf(cell, pass.at);
      if (now !== kept.peek() || pass !== this.#pass.peek()) return;
      this.shown.value = this.shown
        .peek()
        .map((other) =>
          other.cell === cell ? { ...other, pass: told, words: stepTexts.none } : other,
        );
    }
  });
}

/** The other policies at the point of a run, or only the one beside it. */
function othersOf({ reading, run }: Kept, isAll: boolean): Other[] {
  return reading.policies.flatMap(({ label }, policy) =>
    policy === run.policy || !(isAll || policy === run.beside)
      ? []
      : {
          label,
          cell: cellAt(sizesOf(reading), { ...run, policy }),
          pass: null,
          words: stepTexts.running,
        },
  );
}

/** The label of the policy of a run. */
export function labelOf({ reading, run }: Kept) {
  return reading.policies[run.policy].label;
}
