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
  moving,
  reading,
  sizesOf,
  summary,
  trace,
  up,
} from './state.ts';
import { badgeTexts } from './texts/badge.ts';
import type { Board, CellOutcome } from '../pkg/backfill_web.js';
import type { Core } from './core.ts';
import type { Badge, Reading } from './state.ts';
import type { TraceFile } from './worker/messages.ts';

/**
 * A complete answer, its badge, the version of the core that made it, and the milliseconds that it
 * took, infinity if unknown.
 */
export type Known = { outcomes: CellOutcome[]; verdict: Badge; maker: string; spent: number };

/** The most runs of all cached answers. */
const MOST_REMEMBERED = 5000;
/** The page redraws growing curves at most this often, in milliseconds, */
const REDRAW = 400;
/** takes at most one in so many parts of the time for it, */
const SHARE = 20;
/** and waits until there are so many times as many outcomes. */
const GROWTH = 1.1;

export class Answer {
  core: Core;
  version: string;
  /** The finished cells of the scenario shown. */
  board: Board | null = null;
  /** The outcomes on it. */
  outcomes: CellOutcome[] = [];
  /** The version of the core that made them. */
  maker: string;
  /** The canonical text of that scenario. */
  text: string | null = null;
  /** The part of the text that determines the runs. */
  simulated = '';
  /** The sizes of its sweep. */
  sizes: ReturnType<typeof sizesOf> | null = null;
  /** Its trace. */
  source: TraceFile | null = null;
  traceName: { name: string; sha256: string; jobs: number } | null = null;
  /** The milliseconds that it took, infinity if unknown. */
  spent = Infinity;
  /** The identity of its axes. */
  axes = '';
  /** The badge while the form is unchanged. */
  verdict: Badge = { tone: '', words: '' };
  /** Recent complete answers by the canonical texts of their scenarios. */
  readonly known = new Map<string, Known>();
  /** The time of the last drawing, how long it took, in milliseconds, and how many outcomes it had. */
  drawn = 0;
  took = 0;
  shown = 0;

  /** @param version of the core */
  constructor(core: Core, version: string) {
    this.core = core;
    this.version = version;
    this.maker = version;
    facet.subscribe(() => this.redraw());
  }

  /**
   * Starts a board for a scenario with existing outcomes.
   * @param by the version of the core that made them
   * @param spent the milliseconds that all of them took
   */
  hold(now: Reading, kept: CellOutcome[], by: string = this.version, spent: number = Infinity) {
    const mine = new this.core.Board(now.text);
    mine.made_by(by);
    for (const outcome of kept) mine.add(outcome);
    if (this.board !== null) mine.replace(this.board);
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

  /** Applies the zoom of a link; the zoom of other axes does not apply to these. */
  zoom(now: Reading) {
    const axes = JSON.stringify([now.x, now.policies]);
    if (asked.zoom !== null || (this.axes !== '' && this.axes !== axes)) {
      across.value = asked.zoom?.across ?? null;
      up.value = asked.zoom?.up ?? {};
    }
    asked.zoom = null;
    this.axes = axes;
  }

  /** Sets the trace of the next answer. */
  take(mine: TraceFile | null) {
    this.source = mine;
    const report = trace.peek()?.report;
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

  /** Caches a complete answer to the scenario with this canonical text. */
  know(text: string, found: Known) {
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

  /** Sets the verdict on the numbers. */
  settle(words: Badge) {
    this.verdict = words;
    this.showVerdict(reading.peek()?.text);
  }

  /** Shows the verdict if the form has the answered scenario; else that the answer is outdated. */
  showVerdict(text: string | undefined) {
    badge.value = text === this.text ? this.verdict : { tone: 'stale', words: badgeTexts.stale };
  }

  redraw() {
    const begun = performance.now();
    this.drawn = begun;
    this.shown = this.outcomes.length;
    const shown = summary.peek()?.headline.join();
    if (this.board !== null) summary.value = this.board.summary(facet.peek(), shown, moving.peek());
    // Charts and tables are drawn and laid out in the next frame.
    requestAnimationFrame(() =>
      setTimeout(() => {
        this.drawn = performance.now();
        this.took = this.drawn - begun;
      }),
    );
  }

  /** Draws curves that have grown again: at once, or if that is due. */
  redrawGrown(isAtOnce: boolean) {
    const { length } = this.outcomes;
    if (length === this.shown) return;
    const pause = Math.max(REDRAW, (SHARE - 1) * this.took);
    const isDue = length >= GROWTH * this.shown && performance.now() - this.drawn >= pause;
    if (isAtOnce || isDue) this.redraw();
  }

  /** The cells of all replications of all policies at a value of x, while the answer is complete. */
  cellsAt(x: number) {
    if (this.sizes === null || this.text === null || digest.peek() === '') return null;
    const { policies, replications } = this.sizes;
    const cells = [];
    for (let replication = 0; replication < replications; replication += 1) {
      for (let policy = 0; policy < policies; policy += 1)
        cells.push(cellAt(this.sizes, { y: facet.peek(), x, policy, replication }));
    }
    return { scenario: this.text, trace: this.source, cells };
  }
}
