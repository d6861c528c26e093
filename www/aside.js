/**
 * Complete answers that idle workers compute: to the scenario in the form, and to those that may
 * come next. A run takes precedence over both at once.
 */
import { traceFor } from './state.js';
import { texts } from './texts.js';

/** @typedef {import('./answer.js').Known} Known */
/** @typedef {import('./state.js').Reading} Reading */

export class Aside {
  /**
   * @param {typeof import('./pkg/backfill_web.js')} core
   * @param {import('./worker/pool.js').Pool} pool
   * @param {import('./answer.js').Answer} answer caches the results
   */
  constructor(core, pool, answer) {
    this.core = core;
    this.pool = pool;
    this.answer = answer;
    /** The current computation. @type {{text: string, found: Promise<Known>} | null} */
    this.underWay = null;
  }

  /**
   * The answer to a scenario, computed unless it is cached; throws what the workers throw, and
   * Cancelled if something else took their time.
   * @param {Reading} now
   * @returns {Promise<Known>}
   */
  async compute(now) {
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

  /** @param {Reading} now */
  async run(now) {
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
    const verdict = { tone: /** @type {''} */ (''), words: texts.badge.complete(spent) };
    return this.answer.know(now.text, { outcomes, verdict, maker: this.answer.version, spent });
  }
}
