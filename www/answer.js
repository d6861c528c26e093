/**
 * The answer that the page shows: the finished runs of a scenario, put together on a board of the
 * core's.
 */
import {
  across,
  asked,
  badge,
  cellAt,
  digest,
  facet,
  reading,
  sizesOf,
  summary,
  trace,
  up,
} from './state.js';
import { texts } from './texts.js';

/** @typedef {import('./pkg/backfill_web.js').CellOutcome} CellOutcome */
/** @typedef {import('./state.js').Badge} Badge */

/**
 * @typedef {{outcomes: CellOutcome[], verdict: Badge, maker: string, spent: number}} Known a whole
 *   answer, what the badge says of it, which version of the core made it, and how many milliseconds
 *   that took, infinity where that is not known
 */

/** How many runs the answers that are remembered may have together. */
const MOST_REMEMBERED = 5000;
/** The page redraws growing curves this often, in milliseconds. */
const REDRAW = 200;

export class Answer {
  /**
   * @param {typeof import('./pkg/backfill_web.js')} core
   * @param {string} version of the core
   */
  constructor(core, version) {
    this.core = core;
    this.version = version;
    /**
     * The finished cells of the scenario shown.
     * @type {import('./pkg/backfill_web.js').Board | null}
     */
    this.board = null;
    /** The outcomes on it. @type {CellOutcome[]} */
    this.outcomes = [];
    /** Which version of the core made them. */
    this.maker = version;
    /** The canonical text of that scenario. @type {string | null} */
    this.text = null;
    /** The part of the text that says what is run. */
    this.simulated = '';
    /** How many runs it has of what. @type {ReturnType<typeof sizesOf> | null} */
    this.sizes = null;
    /** The trace that it is of. @type {import('./worker/messages.d.ts').TraceFile | null} */
    this.source = null;
    /** @type {{name: string, sha256: string, jobs: number} | null} */
    this.traceName = null;
    /** How many milliseconds it took, infinity where that is not known. */
    this.spent = Infinity;
    /** What its axes are of. */
    this.axes = '';
    /** What the badge says as long as the form is not changed. @type {Badge} */
    this.verdict = { tone: '', words: '' };
    /**
     * Whole answers of late by the canonical texts of their scenarios.
     * @type {Map<string, Known>}
     */
    this.known = new Map();
    /** When it was drawn last, and what will draw it again. */
    this.drawn = 0;
    this.waiting = 0;
    facet.watch(() => this.redraw());
  }

  /**
   * Begins a board for a scenario with the outcomes that there are already.
   * @param {import('./state.js').Reading} now
   * @param {CellOutcome[]} kept
   * @param {string} [by] which version of the core made them
   * @param {number} [spent] how many milliseconds the whole took
   */
  hold(now, kept, by = this.version, spent = Infinity) {
    const mine = new this.core.Board(now.text);
    mine.made_by(by);
    for (const outcome of kept) mine.add(outcome);
    this.board?.free();
    this.board = mine;
    this.outcomes = [...kept];
    this.maker = by;
    this.spent = spent;
    this.text = now.text;
    this.sizes = sizesOf(now);
    this.simulated = now.simulated;
    this.zoom(now);
    return mine;
  }

  /**
   * Shows what a link asks for of the axes; what was seen of others says nothing of these.
   * @param {import('./state.js').Reading} now
   */
  zoom(now) {
    const axes = JSON.stringify([now.x, now.policies]);
    if (asked.zoom !== null || (this.axes !== '' && this.axes !== axes)) {
      across.set(asked.zoom?.across ?? null);
      up.set(asked.zoom?.up ?? {});
    }
    asked.zoom = null;
    this.axes = axes;
  }

  /**
   * The answer will be of this trace.
   * @param {import('./worker/messages.d.ts').TraceFile | null} mine
   */
  take(mine) {
    this.source = mine;
    const report = trace.get()?.report;
    this.traceName =
      mine === null || report === undefined
        ? null
        : { name: mine.file.name, sha256: report.sha256, jobs: report.jobs };
  }

  /** Remembers the whole answer, so that it is there at once when the form says the same again. */
  remember() {
    if (this.text === null) return;
    const { outcomes, verdict, maker, spent } = this;
    this.know(this.text, { outcomes, verdict, maker, spent });
  }

  /**
   * Remembers a whole answer to the scenario with this canonical text.
   * @param {string} text
   * @param {Known} found
   */
  know(text, found) {
    this.known.delete(text);
    this.known.set(text, found);
    let runs = [...this.known.values()].reduce((sum, each) => sum + each.outcomes.length, 0);
    for (const [oldest, { outcomes: forgotten }] of this.known) {
      if (runs <= MOST_REMEMBERED) break;
      this.known.delete(oldest);
      runs -= forgotten.length;
    }
    return found;
  }

  /**
   * Says how far the numbers can be trusted.
   * @param {Badge} words
   */
  settle(words) {
    this.verdict = words;
    this.showVerdict(reading.get()?.text);
  }

  /**
   * Shows the verdict if the form says what was answered; else that the answer is not of the form.
   * @param {string | undefined} text
   */
  showVerdict(text) {
    badge.set(text === this.text ? this.verdict : { tone: 'stale', words: texts.badge.stale });
  }

  redraw() {
    this.waiting = 0;
    this.drawn = performance.now();
    if (this.board !== null) summary.set(this.board.summary(facet.get()));
  }

  /** Draws growing curves again, soon. */
  redrawSoon() {
    if (this.waiting !== 0) return;
    const wait = Math.max(0, this.drawn + REDRAW - performance.now());
    this.waiting = setTimeout(() => this.redraw(), wait);
  }

  /** The cells of all replications of all policies at a value of x, while the answer is whole. */
  cellsAt(/** @type {number} */ x) {
    if (this.sizes === null || this.text === null || digest.get() === '') return null;
    const { policies, replications } = this.sizes;
    const cells = [];
    for (let replication = 0; replication < replications; replication += 1) {
      for (let policy = 0; policy < policies; policy += 1)
        cells.push(cellAt(this.sizes, { y: facet.get(), x, policy, replication }));
    }
    return { scenario: this.text, trace: this.source, cells };
  }
}
