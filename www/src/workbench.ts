/**
 * Answers scenarios: sends their cells to the workers and outcomes to the board, and shows the
 * results.
 */
import { Follower } from './follower.ts';
import { fits, isLarge, runFits } from './limits.ts';
import * as safe from './safe.ts';
import {
  asked,
  digest,
  estimate,
  facet,
  moving,
  reading,
  stepped,
  summary,
  traceFor,
  work,
} from './state.ts';
import { Sweep } from './sweep.ts';
import { endSweep, failSweep, sayBroke } from './sweep-end.ts';
import { badgeTexts } from './texts/badge.ts';
import { runTexts } from './texts/run.ts';
import { unsay } from './view/banners.tsx';
import { showAnswer } from './view/layout.ts';
import { breath } from './worker/protocol.ts';
import { Cancelled } from './worker/worker-client.ts';
import type { CellOutcome } from '../pkg/backfill_web.js';
import type { Answer, Known } from './answer.ts';
import type { Core } from './core.ts';
import type { Estimates } from './estimate.ts';
import type { Inspected, Reading } from './state.ts';
import type { TraceFile } from './worker/messages.ts';
import type { Pool } from './worker/pool.ts';

/** The effects of an answer on the page. */
interface Page {
  /** Writes the scenario into the address, which may have just been run. */
  showAddress: (isRun?: boolean) => void;
  /** Opens a run. */
  showRun: (now: Reading, trace: TraceFile | null, wanted: Inspected | null) => void;
  /** Closes the run. */
  hideRun: () => void;
  /** Stores the answer in the browser. */
  keepRun: () => void;
  /** Says that a scenario is too large for a tab, and what else can run it. */
  sayTooBig: (now: Reading) => void;
}

interface WorkbenchParts {
  core: Core;
  /** The workers that simulate. */
  pool: Pool;
  answer: Answer;
  estimates: Estimates;
  /** The digest of the answer that the page was built with. */
  built: string;
  page: Page;
}

export class Workbench {
  /** Answers without a press of Run. */
  readonly follower: Follower;
  readonly #parts: WorkbenchParts;
  readonly #answer: Answer;
  readonly #page: Page;
  /** The badge's text during a run, except while it is paused. */
  #underWay = '';
  /** What to do as soon as the run has ended. */
  #awaited: (() => void) | null = null;
  /** Tasks after the first answer. */
  readonly #later: (() => Promise<unknown>)[] = [];

  constructor(parts: WorkbenchParts) {
    const { core, pool, answer, page } = parts;
    this.#parts = parts;
    this.#answer = answer;
    this.#page = page;
    this.follower = new Follower({
      core,
      pool,
      answer,
      present: (now, known) => this.present(now, known),
      rested: (now) => {
        this.#showRunOf(now);
        page.keepRun();
      },
      showAddress: () => page.showAddress(true),
    });
  }

  /** Shows the answer to the scenario in the form, if it is cached. */
  recall() {
    const now = reading.peek();
    if (now === null || now.text === this.#answer.text || work.peek().phase !== 'idle') return;
    const known = this.#answer.known.get(now.text);
    if (known !== undefined && (now.trace === null || traceFor(now) !== null))
      this.present(now, known);
  }

  /** Evaluates the outcomes for the scenario in the form, if that needs no other runs. */
  evaluateAgain() {
    const answer = this.#answer;
    const now = reading.peek();
    if (answer.text === null || now === null || now.problems.length > 0) return;
    if (work.peek().phase !== 'idle') return;
    if (now.text === answer.text || now.simulated !== answer.simulated) return;
    answer.hold(now, answer.outcomes, answer.maker);
    answer.redraw();
  }

  /** Does something once the first answer is shown, so that it does not delay it. */
  whenAnswered(act: () => Promise<unknown>) {
    this.#later.push(act);
  }

  /**
   * Runs the scenario in the form.
   * @param kept outcomes of some of its cells, which are not run again
   */
  async run(kept: CellOutcome[] = []) {
    const now = reading.peek();
    const trace = now === null ? null : traceFor(now);
    if (work.peek().phase !== 'idle' || now === null || now.problems.length > 0) return;
    if (now.trace !== null && trace === null) return;
    this.#answer.take(trace);
    if (!fits(now)) return this.#page.sayTooBig(now);
    const sweep = this.#begin(now, trace, kept);
    let words = '';
    safe.begin(now.text);
    try {
      if (work.peek().phase === 'cancelling') throw new Cancelled();
      const spent = await sweep.simulate();
      words = endSweep(sweep, spent, this.#answer, this.#parts.built);
    } catch (error) {
      words = runTexts.cancelled(sweep.done, now.runs);
      failSweep(sweep, error, this.#answer);
    } finally {
      await this.#finish(sweep, words);
    }
  }

  /** Makes the page ready for a run. */
  #begin(now: Reading, trace: TraceFile | null, kept: CellOutcome[]) {
    const answer = this.#answer;
    const { pool, built, estimates } = this.#parts;
    estimate.value = null;
    for (const kind of ['big', 'run', 'broke', 'differs', 'link']) unsay(kind);
    // A step is one of the run before.
    stepped.value = null;
    showAnswer(true);
    const isCheck = answer.board === null && built !== '' && now.changed.length === 0;
    const board = answer.hold(now, kept);
    digest.value = '';
    facet.value = asked.facet < (now.y?.values.length ?? 1) ? asked.facet : 0;
    asked.facet = 0;
    const sweep = new Sweep({
      reading: now,
      trace,
      kept,
      pool,
      answer,
      board,
      forecast: estimates.forecastFor(now),
      isCheck,
      // That of another link, if one is followed meanwhile, is not for this run.
      promise: asked.promised,
    });
    this.#underWay = isCheck ? badgeTexts.checking : badgeTexts.running;
    answer.settle({ tone: '', words: this.#underWay });
    work.value = { phase: 'running', done: sweep.done, total: now.runs, left: null, words: '' };
    if (!isCheck) answer.redraw();
    return sweep;
  }

  /** Shows all of the answer, and does what waited for it. */
  async #finish({ reading: now, trace, done }: Sweep, words: string) {
    const answer = this.#answer;
    const page = this.#page;
    safe.end();
    if (isLarge(now)) this.#parts.pool.release();
    const views = Promise.all(this.#later.splice(0).map((act) => act()));
    // In parts, so that none of its tasks is long; until it is idle no other run starts.
    await breath();
    answer.redraw();
    await breath();
    work.value = { phase: 'idle', done, total: now.runs, left: null, words };
    this.evaluateAgain();
    page.showAddress(done === now.runs);
    const awaited = this.#awaited;
    this.#awaited = null;
    if (awaited !== null) {
      awaited();
      return;
    }
    const wanted = asked.run;
    asked.run = null;
    // Below the tasks that waited, so that it does not move when they are done.
    void views.then(() => {
      if (answer.text === now.text) page.showRun(now, trace, wanted);
    });
    page.keepRun();
  }

  /** Runs the opened scenario, unless it broke something the last time. */
  runByItself() {
    const now = reading.peek();
    if (now === null || !safe.broke(now.text)) {
      this.runInstead();
      return;
    }
    if (now.changed.length > 0) showAnswer(summary.peek() !== null);
    sayBroke(() => this.runInstead());
  }

  /** Runs the scenario in the form; the current run gives way to it. */
  runInstead() {
    this.instead(() => void this.run());
  }

  /** Does something that has priority over a run. */
  instead(act: () => void) {
    if (work.peek().phase === 'idle') {
      act();
    } else {
      this.#awaited = act;
      this.cancel();
    }
  }

  cancel() {
    const now = work.peek();
    if (now.phase !== 'running' && now.phase !== 'paused') return;
    work.value = { ...now, phase: 'cancelling' };
    this.#answer.settle({ tone: '', words: badgeTexts.cancelling });
    void this.#parts.pool.cancel();
  }

  pauseOrResume() {
    const { pool } = this.#parts;
    const now = work.peek();
    if (now.phase === 'running') {
      work.value = { ...now, phase: 'paused' };
      this.#answer.settle({ tone: '', words: badgeTexts.paused });
      pool.pause();
    } else if (now.phase === 'paused') {
      work.value = { ...now, phase: 'running' };
      this.#answer.settle({ tone: '', words: this.#underWay });
      pool.resume();
    }
  }

  /**
   * Replaces the current answer by a complete one, and opens one of its runs if a tab can simulate
   * it.
   * @param wanted the run to open
   */
  present(
    now: Reading,
    { outcomes, verdict, maker, spent }: Known,
    wanted: Inspected | null = null,
  ) {
    const answer = this.#answer;
    answer.take(traceFor(now));
    estimate.value = null;
    if (facet.peek() >= (now.y?.values.length ?? 1)) facet.value = 0;
    digest.value = answer.hold(now, outcomes, maker, spent).digest() ?? '';
    answer.settle(verdict);
    answer.remember();
    showAnswer(true);
    answer.redraw();
    if (moving.peek()) return;
    this.#page.showAddress();
    this.#showRunOf(now, wanted);
  }

  /** Opens a run of the answer, if a tab can simulate it. */
  #showRunOf(now: Reading, wanted: Inspected | null = null) {
    const trace = traceFor(now);
    if ((now.trace === null || trace !== null) && runFits(now))
      this.#page.showRun(now, trace, wanted);
    else this.#page.hideRun();
  }

  /**
   * Called when the trace of the scenario in the form has arrived: opens a run of the answer, or
   * first computes that.
   */
  traceCame() {
    const now = reading.peek();
    if (now === null || now.text !== this.#answer.text || digest.peek() === '') {
      this.runInstead();
      return;
    }
    const trace = traceFor(now);
    this.#answer.take(trace);
    if (runFits(now)) this.#page.showRun(now, trace, null);
  }
}
