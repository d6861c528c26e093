/**
 * Answers without a press of Run: idle workers compute what takes little time, as a slider moves, and
 * what may come next.
 */
import { Aside } from './aside.ts';
import { fits } from './limits.ts';
import * as safe from './safe.ts';
import { answering, badge, digest, estimate, moving, reading, work } from './state.ts';
import { badgeTexts } from './texts/badge.ts';
import { runTexts } from './texts/run.ts';
import type { Answer, Known } from './answer.ts';
import type { Core } from './core.ts';
import type { Entries, Reading } from './state.ts';
import type { Pool } from './worker/pool.ts';

/** An answer that takes at most this long, in milliseconds, needs no press of Run. */
const AT_ONCE = 300;
/**
 * If the current answer took at most this long, in milliseconds, the answer follows a moved slider,
 * and neighbouring values are computed ahead.
 */
const FOLLOWED = 2000;

interface FollowerParts {
  core: Core;
  pool: Pool;
  answer: Answer;
  /** Replaces the current answer. */
  present: (now: Reading, known: Known) => void;
  /** Called when a slider rests on a value whose answer is shown. */
  rested: (now: Reading) => void;
  /** Writes the scenario into the address. */
  showAddress: () => void;
}

export class Follower {
  readonly #parts: FollowerParts;
  readonly #aside: Aside;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#aside = new Aside(parts.core, parts.pool, parts.answer);
  }

  /** Answers the scenario in the form without a press of Run, if that takes little time. */
  async answerAtOnce() {
    const now = reading.peek();
    const foreseen = estimate.peek();
    if (this.#parts.answer.text === null || now === null) return;
    if (foreseen === null || foreseen.text !== now.text || foreseen.range.high > AT_ONCE) return;
    await this.#answerAside(now);
  }

  /** Answers the scenario of a slider that is being moved, if that takes little time. */
  async follow() {
    const now = reading.peek();
    if (!moving.peek() || now === null || now.text === this.#parts.answer.text) return;
    if (!this.#isQuick() || !fits(now) || safe.broke(now.text)) return;
    badge.value = { tone: '', words: badgeTexts.running };
    await this.#answerAside(now);
    if (reading.peek() === now && !moving.peek()) this.rest();
  }

  /** Stores the answer to the last value of a slider once it rests, and opens a run of it. */
  rest() {
    const now = reading.peek();
    this.#parts.showAddress();
    if (now === null || now.text !== this.#parts.answer.text || digest.peek() === '') return;
    this.#parts.answer.redraw();
    this.#parts.rested(now);
  }

  /**
   * Computes the answers to other entries, one after the other, while nothing else is to be done
   * and neither power nor data is to be saved.
   */
  async lookAhead(all: Entries[]) {
    const { core, answer } = this.#parts;
    const now = reading.peek();
    if (now === null || (await isThrifty())) return;
    for (const pairs of all) {
      if (!this.#isQuick() || reading.peek() !== now || now.text !== answer.text) return;
      const read = core.read_scenario(Object.entries(pairs));
      const next = { ...read, values: Object.fromEntries(read.values) };
      if (next.problems.length > 0 || !fits(next) || safe.broke(next.text)) continue;
      try {
        await this.#aside.compute(next);
      } catch {
        // Other work has priority; answers ahead of it are requested again.
        return;
      }
    }
  }

  /**
   * Shows the answer that idle workers compute to the scenario in the form, unless that has changed
   * when they are done.
   */
  async #answerAside(now: Reading) {
    let known: Known;
    answering.value = now.text;
    try {
      known = await this.#aside.compute(now);
    } catch {
      // Something else took their time; a press of Run will report any error.
      return;
    } finally {
      if (answering.peek() === now.text) answering.value = null;
    }
    const isShown = now.text === this.#parts.answer.text;
    if (reading.peek() !== now || work.peek().phase !== 'idle' || isShown) return;
    this.#parts.present(now, known);
    work.value = { ...work.peek(), words: runTexts.done(known.outcomes.length, known.spent) };
  }

  /** Whether answers near the current one are computed ahead. */
  #isQuick() {
    return work.peek().phase === 'idle' && this.#parts.answer.spent <= FOLLOWED;
  }
}

/** Whether the user's machine runs on battery, or saves data. */
async function isThrifty() {
  const machine: Navigator & {
    connection?: { saveData: boolean };
    getBattery?: () => Promise<{ charging: boolean }>;
  } = navigator;
  if (machine.connection?.saveData) return true;
  const battery = await machine.getBattery?.().catch(() => null);
  return battery?.charging === false;
}
