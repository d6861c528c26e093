/**
 * Answers scenarios: sends their cells to the workers and outcomes to the board, and shows the
 * results.
 */
import { byId } from './dom.js';
import { Aside } from './aside.js';
import { fits, isLarge, isTooBig, runFits } from './limits.js';
import * as safe from './safe.js';
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
} from './state.js';
import { texts } from './texts.js';
import { say, unsay } from './view/banners.js';
import { breath } from './worker/protocol.js';
import { Cancelled, Fault, Refused } from './worker/worker-client.js';

/** @typedef {import('./pkg/backfill_web.js').CellOutcome} CellOutcome */

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

/**
 * @typedef {object} Page the effects of an answer on the page
 * @property {() => void} showAddress writes the scenario into the address
 * @property {(now: import('./state.js').Reading, trace: import('./worker/messages.d.ts').TraceFile
 *   | null, wanted: import('./state.js').Inspected | null) => void} showRun opens a run
 * @property {() => void} hideRun closes the run
 * @property {() => void} keepRun stores the answer in the browser
 * @property {import('./limits.js').SaveStudy} saveStudy
 */

/** @typedef {ReturnType<typeof createWorkbench>} Workbench */

/** Whether the user's machine runs on battery, or saves data. */
async function isThrifty() {
  const machine =
    /** @type {Navigator & {connection?: {saveData: boolean}, getBattery?: () => Promise<{charging:
     *   boolean}>}} */ (navigator);
  if (machine.connection?.saveData) return true;
  const battery = await machine.getBattery?.().catch(() => null);
  return battery?.charging === false;
}

/**
 * @param {object} given
 * @param {typeof import('./pkg/backfill_web.js')} given.core
 * @param {import('./worker/pool.js').Pool} given.pool the workers that simulate
 * @param {import('./answer.js').Answer} given.answer
 * @param {ReturnType<typeof import('./estimate.js').estimates>} given.estimates
 * @param {string} given.built the digest of the answer that the page was built with
 * @param {Page} given.page
 */
export function createWorkbench({ core, pool, answer, estimates, built, page }) {
  /** The badge's text during a run, except while it is paused. */
  let underWay = '';
  /** What to do as soon as the run has ended. @type {(() => void) | null} */
  let awaited = null;
  /** Tasks after the first answer. @type {(() => Promise<void>)[]} */
  const later = [];
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

  /**
   * Does something once the first answer is shown, so that it does not delay it.
   * @param {() => Promise<void>} act
   */
  function whenAnswered(act) {
    later.push(act);
  }

  /**
   * Runs the scenario in the form.
   * @param {CellOutcome[]} [kept] outcomes of some of its cells, which are not run again
   */
  async function run(kept = []) {
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
    /** @type {import('./forecast.js').Range | null} */
    let left = null;
    /** @type {import('./state.js').Saturated | null} */
    let saturated = null;
    /** The stopped points, in words, and the number of their runs that are left out. */
    const stopped = { points: /** @type {string[]} */ ([]), runs: 0 };
    underWay = checking ? texts.badge.checking : texts.badge.running;
    answer.settle({ tone: '', words: underWay });
    work.set({ phase: 'running', done, total: now.runs, left: null, words: '' });
    if (!checking) answer.redraw();

    const took = (/** @type {CellOutcome} */ outcome, /** @type {number | null} */ spent) => {
      mine.add(outcome);
      forecast.done(cellAt(sizesOf(now), outcome.cell), spent);
      answer.outcomes.push(outcome);
      done += 1;
      if (!checking) answer.redrawSoon();
    };
    const progress = (
      /** @type {number} */ cells,
      /** @type {import('./worker/pool.js').Under | undefined} */ under,
    ) => {
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
      return { words: texts.run.saturated(point, waiting), stop };
    };

    let words = '';
    safe.begin(now.text);
    try {
      if (work.get().phase === 'cancelling') throw new Cancelled();
      await pool.run({ scenario: now.text, trace: mineTrace, order: mine.left(), took, progress });
      const spent = performance.now() - begun;
      safe.stood(now.text);
      if (stopped.runs > 0) {
        words = texts.run.stopped(done, now.runs, stopped.points);
        answer.settle({ tone: '', words: texts.badge.partial(done, now.runs) });
      } else {
        words = texts.run.done(done, spent);
        performance.mark('first-result');
        digest.set(mine.digest() ?? '');
        answer.spent = spent;
        answer.settle(judge(checking, promise, digest.get(), spent));
        answer.remember();
      }
    } catch (error) {
      words = texts.run.cancelled(done, now.runs);
      answer.settle({ tone: '', words: texts.badge.partial(done, now.runs) });
      if (error instanceof Fault) safe.fell(now.text);
      if (error instanceof Fault)
        say('run', {
          title: texts.run.fault,
          details: texts.run.faultDetails,
          verbatim: error.message,
          loud: true,
        });
      else if (error instanceof Refused)
        say('run', { title: texts.run.failed, details: error.message, loud: true });
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

  /**
   * The point of the sweep of a cell: its policy and the swept values.
   * @param {import('./state.js').Reading} now
   * @param {number} cell
   */
  function pointInWords(now, cell) {
    const { xs, policies, replications } = sizesOf(now);
    const point = Math.floor(cell / replications);
    const at = [Math.floor(point / policies) % xs, Math.floor(point / policies / xs)];
    const values = [now.x, now.y].flatMap((axis, place) =>
      axis === null ? [] : [`${axis.label} ${axis.values[at[place]]}`],
    );
    return texts.run.point(now.policies[point % policies].label, values);
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
      title: texts.run.broke,
      details: texts.run.brokeDetails,
      loud: true,
      actions: [{ words: texts.run.runAnyway, act: runInstead }],
    });
  }

  /**
   * Runs more replications until every interval of a metric is within a percentage of its mean.
   * @param {string} metric
   * @param {number} percent
   */
  async function replicate(metric, percent) {
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
        say('replicate', { title: texts.compare.reached(now.replications, percent) });
        return;
      }
      const kept = answer.outcomes;
      const before = entries.get();
      entries.set({ ...before, reps: String(wanted) });
      const problems = reading.get()?.problems ?? [];
      if (problems.length > 0) {
        entries.set(before);
        say('replicate', {
          title: texts.compare.tooMany,
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
   * @param {import('./state.js').Reading} now
   */
  async function answerAside(now) {
    /** @type {import('./answer.js').Known} */
    let known;
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
    work.set({ ...work.get(), words: texts.run.done(known.outcomes.length, known.spent) });
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
    badge.set({ tone: '', words: texts.badge.running });
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
   * @param {import('./state.js').Entries[]} all
   */
  async function lookAhead(all) {
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

  /** Does something that has priority over a run. @param {() => void} act */
  function instead(act) {
    if (work.get().phase === 'idle') {
      act();
    } else {
      awaited = act;
      cancel();
    }
  }

  /**
   * The verdict on a complete answer: compared with the one built in, or the one in the link.
   * @param {boolean} checking
   * @param {import('./state.js').Asked['promised']} promise
   * @param {string} found
   * @param {number} spent
   * @returns {import('./state.js').Badge}
   */
  function judge(checking, promise, found, spent) {
    if (promise !== null && promise.digest !== '') {
      if (promise.digest === found)
        return { tone: 'good', words: texts.badge.linkIdentical(spent) };
      say('differs', {
        title: texts.badge.linkDiffers,
        details: texts.badge.linkDiffersDetails(promise.digest, found),
        loud: true,
      });
      return { tone: 'bad', words: texts.badge.linkDiffers };
    }
    if (checking) {
      if (built === found) return { tone: 'good', words: texts.badge.identical(spent) };
      say('differs', {
        title: texts.badge.differs,
        details: texts.badge.differsDetails(built, found),
        loud: true,
      });
      return { tone: 'bad', words: texts.badge.differs };
    }
    return { tone: '', words: texts.badge.complete(spent) };
  }

  function cancel() {
    const now = work.get();
    if (now.phase !== 'running' && now.phase !== 'paused') return;
    work.set({ ...now, phase: 'cancelling' });
    answer.settle({ tone: '', words: texts.badge.cancelling });
    void pool.cancel();
  }

  function pauseOrResume() {
    const now = work.get();
    if (now.phase === 'running') {
      work.set({ ...now, phase: 'paused' });
      answer.settle({ tone: '', words: texts.badge.paused });
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
   * @param {import('./state.js').Reading} now
   * @param {import('./answer.js').Known} known
   * @param {import('./state.js').Inspected | null} [wanted] the run to open
   */
  function present(now, { outcomes, verdict, maker, spent }, wanted = null) {
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

  /**
   * Opens a run of the answer, if a tab can simulate it.
   * @param {import('./state.js').Reading} now
   * @param {import('./state.js').Inspected | null} [wanted]
   */
  function showRunOf(now, wanted = null) {
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
