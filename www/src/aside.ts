/**
 * Complete answers that idle workers compute: to the scenario in the form, and to those that may
 * come next. A run takes precedence over both at once.
 */
import { traceFor } from './state.ts';
import { badgeTexts } from './texts/badge.ts';
import type { Answer, Known } from './answer.ts';
import type { Core } from './core.ts';
import type { Badge, Reading } from './state.ts';
import type { Pool } from './worker/pool.ts';

export class Aside {
  core: Core;
  pool: Pool;
  answer: Answer;
  /** The current computation. */
  underWay: { text: string; found: Promise<Known> } | null = null;

  /** @param answer caches the results */
  constructor(core: Core, pool: Pool, answer: Answer) {
    this.core = core;
    this.pool = pool;
    this.answer = answer;
  }

  /**
   * The answer to a scenario, computed unless it is cached; throws what the workers throw, and
   * Cancelled if something else took their time.
   */
  async compute(now: Reading): Promise<Known> {
    const known = this.answer.known.get(now.text);
    if (known !== undefined) return known;
    if (this.underWay?.text !== now.text) this.underWay = { text: now.text, found: this.run(now) };
    const mine = this.underWay;
    try {
      return await mine.found;
    } finally {
      if (this.underWay === mine) this.underWay = null;
    }
  }

  async run(now: Reading) {
    const board = new this.core.Board(now.text);
    const cells = [...board.left()];
    board.free();
    const trace = traceFor(now);
    const begun = performance.now();
    const outcomes = await this.pool.aside(
      'cell',
      cells.map((cell) => ({ scenario: now.text, trace, cell })),
    );
    const spent = performance.now() - begun;
    const verdict: Badge = { tone: '', words: badgeTexts.complete(spent) };
    return this.answer.know(now.text, { outcomes, verdict, maker: this.answer.version, spent });
  }
}
