/**
 * Answers scenarios: sends their cells to the workers and outcomes to the board, and shows the
 * results.
 */
import { byId } from './dom.ts';
import { Aside } from './aside.ts';
import { fits, isLarge, isTooBig, runFits } from './limits.ts';
import * as safe from './safe.ts';
import {
  answering,
  asked,
  badge,
  cellAt,
  digest,
  entries,
  estimate,
  facet,
  moving,
  reading,
  sizesOf,
  summary,
  traceFor,
  work,
} from './state.ts';
import { badgeTexts } from './texts/badge.ts';
import { compareTexts } from './texts/compare.ts';
import { runTexts } from './texts/run.ts';
import { say, unsay } from './view/banners.ts';
import { breath } from './worker/protocol.ts';
import { Cancelled, Fault, Refused } from './worker/worker-client.ts';
import type { CellOutcome } from '../pkg/backfill_web.js';
import type { Answer, Known } from './answer.ts';
import type { Core } from './core.ts';
import type { estimates } from './estimate.ts';
import type { Range } from './forecast.ts';
import type { SaveStudy } from './limits.ts';
import type { Asked, Badge, Entries, Inspected, Reading, Saturated } from './state.ts';
import type { TraceFile } from './worker/messages.ts';
import type { Pool, Under } from './worker/pool.ts';

/** An answer that takes at most this long, in milliseconds, needs no press of Run. */
const AT_ONCE = 300;
/**
 * If the current answer took at most this long, in milliseconds, the answer follows a moved slider,
 * and neighbouring values are computed ahead.
 */
const FOLLOWED = 2000;
/** A run whose queue only grows is named if it lasts longer than this, in milliseconds. */
const LONG = 3000;
/**
 * The interval between two updates of the progress of a run, in milliseconds: more frequent drawing
 * takes time from the workers on machines with few cores.
 */
const UPDATE = 80;
const FORETELL = 500;

/** The effects of an answer on the page. */
interface Page {
  /** Writes the scenario into the address. */
  showAddress: () => void;
  /** Opens a run. */
  showRun: (now: Reading, trace: TraceFile | null, wanted: Inspected | null) => void;
  /** Closes the run. */
  hideRun: () => void;
  /** Stores the answer in the browser. */
  keepRun: () => void;
  saveStudy: SaveStudy;
}

export type Workbench = ReturnType<typeof createWorkbench>;

/** Whether the user's machine runs on battery, or saves data. */
async function isThrifty() {
  const machine = navigator as Navigator & {
    connection?: { saveData: boolean };
    getBattery?: () => Promise<{ charging: boolean }>;
  };
  if (machine.connection?.saveData) return true;
  const battery = await machine.getBattery?.().catch(() => null);
  return battery?.charging === false;
}

interface CreateWorkbenchParts {
  core: Core;
  /** The workers that simulate. */
  pool: Pool;
  answer: Answer;
  estimates: ReturnType<typeof estimates>;
  /** The digest of the answer that the page was built with. */
  built: string;
  page: Page;
}

export function createWorkbench({
  core,
  pool,
  answer,
  estimates,
  built,
  page,
}: CreateWorkbenchParts) {
  /** The badge's text during a run, except while it is paused. */
  let underWay = '';
  /** What to do as soon as the run has ended. */
  let awaited: (() => void) | null = null;
  /** Tasks after the first answer. */
  const later: (() => Promise<void>)[] = [];
  const aside = new Aside(core, pool, answer);

  /** Shows the answer to the scenario in the form, if it is cached. */
  function recall() {
    const now = reading.get();
    const known =
      now === null || now.text === answer.text || work.get().phase !== 'idle'
        ? undefined
        : answer.known.get(now.text);
    if (now === null || known === undefined) return;
    if (now.trace === null || traceFor(now) !== null) present(now, known);
  }

  /** Evaluates the outcomes for the scenario in the form, if that needs no other runs. */
  function evaluateAgain() {
    const now = reading.get();
    if (
      answer.text === null ||
      now === null ||
      now.problems.length > 0 ||
      work.get().phase !== 'idle'
    )
      return;
    if (now.text === answer.text || now.simulated !== answer.simulated) return;
    answer.hold(now, answer.outcomes, answer.maker);
    answer.redraw();
  }

  /** Does something once the first answer is shown, so that it does not delay it. */
  function whenAnswered(act: () => Promise<void>) {
    later.push(act);
  }

  /**
   * Runs the scenario in the form.
   * @param kept outcomes of some of its cells, which are not run again
   */
  async function run(kept: CellOutcome[] = []) {
    const now = reading.get();
    const mineTrace = now === null ? null : traceFor(now);
    if (work.get().phase !== 'idle' || now === null || now.problems.length > 0) return;
    if (now.trace !== null && mineTrace === null) return;
    answer.take(mineTrace);
    if (isTooBig(now, page.saveStudy)) return;
    estimate.set(null);
    // The expected digest of another link, if one is followed meanwhile, is not for this run.
    const promise = asked.promised;
    unsay('run');
    unsay('broke');
    unsay('differs');
    unsay('link');
    byId('answer').hidden = false;

    // The current answer stays while it is checked; otherwise curves grow.
    const checking = answer.board === null && built !== '' && now.changed.length === 0;
    const mine = answer.hold(now, kept);
    digest.set('');
    facet.set(asked.facet < (now.y?.values.length ?? 1) ? asked.facet : 0);
    asked.facet = 0;
    const begun = performance.now();
    let done = kept.length;
    const forecast = estimates.forecastFor(now);
    for (const { cell } of answer.outcomes) forecast.done(cellAt(sizesOf(now), cell), null);
    /** The times of the last updates of the progress and of the remaining time. */
    let updated = 0;
    let estimated = 0;
    let left: Range | null = null;
    let saturated: Saturated | null = null;
    /** The stopped points, in words, and the number of their runs that are left out. */
    const stopped = { points: [] as string[], runs: 0 };
    underWay = checking ? badgeTexts.checking : badgeTexts.running;
    answer.settle({ tone: '', words: underWay });
    work.set({ phase: 'running', done, total: now.runs, left: null, words: '' });
    if (!checking) answer.redraw();

    const took = (outcome: CellOutcome, spent: number | null) => {
      mine.add(outcome);
      forecast.done(cellAt(sizesOf(now), outcome.cell), spent);
      answer.outcomes.push(outcome);
      done += 1;
      if (!checking) answer.redrawSoon();
    };
    const progress = (cells: number, under: Under | undefined) => {
      const all = kept.length + cells;
      if (under !== undefined) forecast.under(under.cell, under);
      const moment = performance.now();
      if (moment - updated < UPDATE) return;
      updated = moment;
      if (moment - estimated > FORETELL) {
        estimated = moment;
        left = forecast.rest();
        saturated = saturatedPoint();
      }
      const { phase, done: shown } = work.get();
      const total = now.runs - stopped.runs;
      work.set({ phase, done: Math.max(all, shown), total, left, words: '', saturated });
    };
    /** The point whose queue only grows, if there is one and it takes long. */
    const saturatedPoint = () => {
      const found = forecast.saturated();
      if (found === null || found.left < LONG) return null;
      const { cell } = found;
      const point = pointInWords(now, cell);
      const waiting = forecast.parts.get(cell)?.waiting ?? 0;
      const stop = () => {
        const cells = forecast.besides(cell);
        forecast.leaveOut(cells);
        stopped.points.push(point);
        stopped.runs += cells.length;
        saturated = null;
        pool.leaveOut(cells);
      };
      return { words: runTexts.saturated(point, waiting), stop };
    };

    let words = '';
    safe.begin(now.text);
    try {
      if (work.get().phase === 'cancelling') throw new Cancelled();
      await pool.run({ scenario: now.text, trace: mineTrace, order: mine.left(), took, progress });
      const spent = performance.now() - begun;
      safe.stood(now.text);
      if (stopped.runs > 0) {
        words = runTexts.stopped(done, now.runs, stopped.points);
        answer.settle({ tone: '', words: badgeTexts.partial(done, now.runs) });
      } else {
        words = runTexts.done(done, spent);
        performance.mark('first-result');
        digest.set(mine.digest() ?? '');
        answer.spent = spent;
        answer.settle(judge(checking, promise, digest.get(), spent));
        answer.remember();
      }
    } catch (error) {
      words = runTexts.cancelled(done, now.runs);
      answer.settle({ tone: '', words: badgeTexts.partial(done, now.runs) });
      if (error instanceof Fault) safe.fell(now.text);
      if (error instanceof Fault)
        say('run', {
          title: runTexts.fault,
          details: runTexts.faultDetails,
          verbatim: error.message,
          loud: true,
        });
      else if (error instanceof Refused)
        say('run', { title: runTexts.failed, details: error.message, loud: true });
      else if (!(error instanceof Cancelled)) throw error;
    } finally {
      safe.end();
      if (isLarge(now)) pool.release();
      const views = Promise.all(later.splice(0).map((act) => act()));
      clearTimeout(answer.waiting);
      // In parts, so that none of its tasks is long; until it is idle no other run starts.
      await breath();
      answer.redraw();
      await breath();
      work.set({ phase: 'idle', done, total: now.runs, left: null, words });
      evaluateAgain();
      page.showAddress();
      if (awaited !== null) {
        const act = awaited;
        awaited = null;
        act();
      } else {
        const wanted = asked.run;
        asked.run = null;
        // Below the tasks that waited, so that it does not move when they are done.
        void views.then(() => {
          if (answer.text === now.text) page.showRun(now, mineTrace, wanted);
        });
        page.keepRun();
      }
    }
  }

  /** The point of the sweep of a cell: its policy and the swept values. */
  function pointInWords(now: Reading, cell: number) {
    const { xs, policies, replications } = sizesOf(now);
    const point = Math.floor(cell / replications);
    const at = [Math.floor(point / policies) % xs, Math.floor(point / policies / xs)];
    const values = [now.x, now.y].flatMap((axis, place) =>
      axis === null ? [] : [`${axis.label} ${axis.values[at[place]]}`],
    );
    return runTexts.point(now.policies[point % policies].label, values);
  }

  /** Runs the opened scenario, unless it broke something the last time. */
  function runByItself() {
    const now = reading.get();
    if (now === null || !safe.broke(now.text)) {
      runInstead();
      return;
    }
    if (now.changed.length > 0) byId('answer').hidden = summary.get() === null;
    say('broke', {
      title: runTexts.broke,
      details: runTexts.brokeDetails,
      loud: true,
      actions: [{ words: runTexts.runAnyway, act: runInstead }],
    });
  }

  /** Runs more replications until every interval of a metric is within a percentage of its mean. */
  async function replicate(metric: string, percent: number) {
    unsay('replicate');
    for (;;) {
      const now = reading.get();
      if (now === null || now.problems.length > 0) return;
      // New replications are not merged with those of another version.
      if (now.text !== answer.text || digest.get() === '' || answer.maker !== answer.version) {
        await run();
        if (now.text !== answer.text || digest.get() === '') return;
      }
      const wanted = answer.board?.replications_within(metric, percent / 100) ?? 0;
      if (wanted <= now.replications) {
        say('replicate', { title: compareTexts.reached(now.replications, percent) });
        return;
      }
      const kept = answer.outcomes;
      const before = entries.get();
      entries.set({ ...before, reps: String(wanted) });
      const problems = reading.get()?.problems ?? [];
      if (problems.length > 0) {
        entries.set(before);
        say('replicate', {
          title: compareTexts.tooMany,
          details: problems.map(({ message }) => message).join('; '),
          loud: true,
        });
        return;
      }
      await run(kept);
      if (digest.get() === '') return;
    }
  }

  /** Answers the scenario in the form without a press of Run, if that takes little time. */
  async function answerAtOnce() {
    const now = reading.get();
    const foreseen = estimate.get();
    if (
      answer.text === null ||
      foreseen === null ||
      foreseen.text !== now?.text ||
      foreseen.range.high > AT_ONCE
    )
      return;
    await answerAside(now);
  }

  /**
   * Shows the answer that idle workers compute to the scenario in the form, unless that has changed
   * when they are done.
   */
  async function answerAside(now: Reading) {
    let known: Known;
    answering.set(now.text);
    try {
      known = await aside.compute(now);
    } catch {
      // Something else took their time; a press of Run will report any error.
      return;
    } finally {
      if (answering.get() === now.text) answering.set(null);
    }
    if (reading.get() !== now || work.get().phase !== 'idle' || now.text === answer.text) return;
    present(now, known);
    work.set({ ...work.get(), words: runTexts.done(known.outcomes.length, known.spent) });
  }

  /** Whether answers near the current one are computed ahead. */
  function isQuick() {
    return work.get().phase === 'idle' && answer.spent <= FOLLOWED;
  }

  /** Answers the scenario of a slider that is being moved, if that takes little time. */
  async function follow() {
    const now = reading.get();
    if (!moving.get() || now === null || now.text === answer.text) return;
    if (!isQuick() || !fits(now) || safe.broke(now.text)) return;
    badge.set({ tone: '', words: badgeTexts.running });
    await answerAside(now);
    if (reading.get() === now && !moving.get()) rest();
  }

  /** Stores the answer to the last value of a slider once it rests, and opens a run of it. */
  function rest() {
    const now = reading.get();
    page.showAddress();
    if (now === null || now.text !== answer.text || digest.get() === '') return;
    showRunOf(now);
    page.keepRun();
  }

  /**
   * Computes the answers to other entries, one after the other, while nothing else is to be done
   * and neither power nor data is to be saved.
   */
  async function lookAhead(all: Entries[]) {
    const now = reading.get();
    if (now === null || (await isThrifty())) return;
    for (const pairs of all) {
      if (!isQuick() || reading.get() !== now || now.text !== answer.text) return;
      const read = core.read_scenario(Object.entries(pairs));
      const next = { ...read, values: Object.fromEntries(read.values) };
      if (next.problems.length > 0 || !fits(next) || safe.broke(next.text)) continue;
      try {
        await aside.compute(next);
      } catch {
        // Other work has priority; answers ahead of it are requested again.
        return;
      }
    }
  }

  /** Runs the scenario in the form; the current run gives way to it. */
  function runInstead() {
    instead(() => void run());
  }

  /** Does something that has priority over a run. */
  function instead(act: () => void) {
    if (work.get().phase === 'idle') {
      act();
    } else {
      awaited = act;
      cancel();
    }
  }

  /** The verdict on a complete answer: compared with the one built in, or the one in the link. */
  function judge(
    checking: boolean,
    promise: Asked['promised'],
    found: string,
    spent: number,
  ): Badge {
    if (promise !== null && promise.digest !== '') {
      if (promise.digest === found) return { tone: 'good', words: badgeTexts.linkIdentical(spent) };
      say('differs', {
        title: badgeTexts.linkDiffers,
        details: badgeTexts.linkDiffersDetails(promise.digest, found),
        loud: true,
      });
      return { tone: 'bad', words: badgeTexts.linkDiffers };
    }
    if (checking) {
      if (built === found) return { tone: 'good', words: badgeTexts.identical(spent) };
      say('differs', {
        title: badgeTexts.differs,
        details: badgeTexts.differsDetails(built, found),
        loud: true,
      });
      return { tone: 'bad', words: badgeTexts.differs };
    }
    return { tone: '', words: badgeTexts.complete(spent) };
  }

  function cancel() {
    const now = work.get();
    if (now.phase !== 'running' && now.phase !== 'paused') return;
    work.set({ ...now, phase: 'cancelling' });
    answer.settle({ tone: '', words: badgeTexts.cancelling });
    void pool.cancel();
  }

  function pauseOrResume() {
    const now = work.get();
    if (now.phase === 'running') {
      work.set({ ...now, phase: 'paused' });
      answer.settle({ tone: '', words: badgeTexts.paused });
      pool.pause();
    } else if (now.phase === 'paused') {
      work.set({ ...now, phase: 'running' });
      answer.settle({ tone: '', words: underWay });
      pool.resume();
    }
  }

  /**
   * Replaces the current answer by a complete one, and opens one of its runs if a tab can simulate
   * it.
   * @param wanted the run to open
   */
  function present(
    now: Reading,
    { outcomes, verdict, maker, spent }: Known,
    wanted: Inspected | null = null,
  ) {
    answer.take(traceFor(now));
    estimate.set(null);
    if (facet.get() >= (now.y?.values.length ?? 1)) facet.set(0);
    digest.set(answer.hold(now, outcomes, maker, spent).digest() ?? '');
    answer.settle(verdict);
    answer.remember();
    byId('answer').hidden = false;
    answer.redraw();
    if (moving.get()) return;
    page.showAddress();
    showRunOf(now, wanted);
  }

  /** Opens a run of the answer, if a tab can simulate it. */
  function showRunOf(now: Reading, wanted: Inspected | null = null) {
    const mineTrace = traceFor(now);
    if ((now.trace === null || mineTrace !== null) && runFits(now))
      page.showRun(now, mineTrace, wanted);
    else page.hideRun();
  }

  /**
   * Called when the trace of the scenario in the form has arrived: opens a run of the answer, or
   * first computes that.
   */
  function traceCame() {
    const now = reading.get();
    const mineTrace = now === null ? null : traceFor(now);
    if (now === null || now.text !== answer.text || digest.get() === '') {
      runInstead();
      return;
    }
    answer.take(mineTrace);
    if (runFits(now)) page.showRun(now, mineTrace, null);
  }

  return {
    recall,
    evaluateAgain,
    whenAnswered,
    run,
    runByItself,
    runInstead,
    traceCame,
    instead,
    replicate,
    answerAtOnce,
    follow,
    lookAhead,
    rest,
    cancel,
    pauseOrResume,
    present,
  };
}
