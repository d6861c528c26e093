/**
 * The current answer: the finished runs of a scenario, on a board of the core.
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
 * @typedef {{outcomes: CellOutcome[], verdict: Badge, maker: string, spent: number}} Known a
 *   complete answer, its badge, the version of the core that made it, and the milliseconds that it
 *   took, infinity if unknown
 */

/** The most runs of all cached answers. */
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
    /** The version of the core that made them. */
    this.maker = version;
    /** The canonical text of that scenario. @type {string | null} */
    this.text = null;
    /** The part of the text that determines the runs. */
    this.simulated = '';
    /** The sizes of its sweep. @type {ReturnType<typeof sizesOf> | null} */
    this.sizes = null;
    /** Its trace. @type {import('./worker/messages.d.ts').TraceFile | null} */
    this.source = null;
    /** @type {{name: string, sha256: string, jobs: number} | null} */
    this.traceName = null;
    /** The milliseconds that it took, infinity if unknown. */
    this.spent = Infinity;
    /** The identity of its axes. */
    this.axes = '';
    /** The badge while the form is unchanged. @type {Badge} */
    this.verdict = { tone: '', words: '' };
    /**
     * Recent complete answers by the canonical texts of their scenarios.
     * @type {Map<string, Known>}
     */
    this.known = new Map();
    /** The time of the last drawing, and the timer of the next. */
    this.drawn = 0;
    this.waiting = 0;
    facet.watch(() => this.redraw());
  }

  /**
   * Starts a board for a scenario with existing outcomes.
   * @param {import('./state.js').Reading} now
   * @param {CellOutcome[]} kept
   * @param {string} [by] the version of the core that made them
   * @param {number} [spent] the milliseconds that all of them took
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
   * Applies the zoom of a link; the zoom of other axes does not apply to these.
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
   * Sets the trace of the next answer.
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

  /** Caches the complete answer, so that it is there at once when the form has the same scenario. */
  remember() {
    if (this.text === null) return;
    const { outcomes, verdict, maker, spent } = this;
    this.know(this.text, { outcomes, verdict, maker, spent });
  }

  /**
   * Caches a complete answer to the scenario with this canonical text.
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
   * Sets the verdict on the numbers.
   * @param {Badge} words
   */
  settle(words) {
    this.verdict = words;
    this.showVerdict(reading.get()?.text);
  }

  /**
   * Shows the verdict if the form has the answered scenario; else that the answer is outdated.
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

  /** The cells of all replications of all policies at a value of x, while the answer is complete. */
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
