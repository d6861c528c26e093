/**
 * Puts the page together; the only module that knows all the others. It loads the core, opens what
 * the address says, and carries scenarios to the workers and outcomes to the board.
 */
import init, * as core from './pkg/backfill_web.js';
import { command } from './command.js';
import { completeBuild, openingBuild } from './core.js';
import { byId } from './dom.js';
import { foresee } from './estimate.js';
import { Forecast, GROWING } from './forecast.js';
import { fetched, onDrop, onPaste } from './files.js';
import { Cancelled, Fault, WorkerClient, Refused } from './worker/worker-client.js';
import { Pool, poolSize } from './worker/pool.js';
import { breath } from './worker/protocol.js';
import * as safe from './safe.js';
import {
  LONGEST_NOTE,
  badge,
  cellAt,
  dark,
  digest,
  entries,
  estimate,
  facet,
  hidden,
  inspected,
  reading,
  sizesOf,
  summary,
  trace,
  traceOf,
  traceProblem,
  traceReading,
  work,
} from './state.js';
import { texts } from './texts.js';
import { say, unsay } from './view/banners.js';
import { charts } from './view/charts.js';
import { facetChoice } from './view/facet.js';
import { form } from './view/form.js';
import { legend } from './view/legend.js';
import { replayView } from './view/replay.js';
import { answerWords, runControls } from './view/run.js';
import { table } from './view/table.js';
import { themeButton } from './view/theme.js';
import { traceField } from './view/trace.js';
import { warn } from './warning.js';

/** @typedef {import('./pkg/backfill_web.js').Outcome} Outcome */

/** Traces with more jobs than this begin with their first ones only. */
const FIRST = 1000;
/** The parts of the page that a link may hide, by their ids. */
const PARTS = ['scenario', 'tools', 'compare', 'fairness', 'inside', 'numbers'];
/** What stands among them where a link asks for a prediction before it shows the answer. */
const PREDICTION = 'prediction';
/** What a note begins with in the part of a link that says what is shown. */
const NOTE = 'note:';
/** The most jobs of one run, and of all runs together, that a tab simulates. */
const MOST_JOBS = 2_000_000;
const MOST_IN_ALL = 1_000_000_000;
/** @param {number} jobs of one run @param {number} runs */
const fits = (jobs, runs) => jobs <= MOST_JOBS && jobs * runs <= MOST_IN_ALL;
/** How many runs the answers that are remembered may have together. */
const MOST_REMEMBERED = 5000;
/** An answer that takes at most this long, in milliseconds, is given without Run. */
const AT_ONCE = 300;
/**
 * The page redraws growing curves this often, in milliseconds, and says so often how long the rest
 * takes.
 */
const REDRAW = 100;
const FORETELL = 500;

themeButton();

/** The digest of the answer that the page was built with. */
const built = byId('digest').textContent?.trim() ?? '';

try {
  await start();
} catch (error) {
  say('core', {
    title: texts.core.missing,
    details: texts.core.missingDetails,
    verbatim: String(error),
    loud: true,
  });
}

async function start() {
  const build = await openingBuild();
  const pool = new Pool(build, poolSize());
  const replayWorker = new WorkerClient(build);
  await init({ module_or_path: build.module });
  core.on_panic((/** @type {string} */ words) => {
    say('broken', {
      title: texts.core.broken,
      details: texts.core.brokenDetails,
      verbatim: words,
      loud: true,
    });
  });
  await breath();
  const tables = core.tables();

  /**
   * The finished cells of the scenario shown.
   * @type {import('./pkg/backfill_web.js').Board | null}
   */
  let board = null;
  /** The outcomes on it. @type {Outcome[]} */
  let outcomes = [];
  /** Which version of the core made them. */
  let maker = tables.version;
  /**
   * The canonical text of that scenario, and the part of it that says what is run.
   * @type {string | null}
   */
  let answered = null;
  let simulated = '';
  /** How many runs it has of what. @type {ReturnType<typeof sizesOf> | null} */
  let sizes = null;
  /**
   * Whole answers of late by the canonical texts of their scenarios.
   * @type {Map<string, {outcomes: Outcome[], verdict: import('./state.js').Badge}>}
   */
  const answers = new Map();
  /**
   * The traces that were read here, by the hashes of their contents.
   * @type {Map<string, NonNullable<ReturnType<typeof trace.get>>>}
   */
  const traces = new Map();
  /** What the badge says as long as the form is not changed. @type {import('./state.js').Badge} */
  let verdict = { tone: '', words: '' };
  /** What it says of the run under way, unless that rests. */
  let underWay = '';
  /**
   * What the link that was opened promises.
   * @type {{text: string, digest: string, core: string} | null}
   */
  let promised = null;
  /** The contents that the link's trace must have. @type {{file: string, sha256: string} | null} */
  let wanted = null;

  /** Whether the address has been read: before, it must not be written. */
  let opened = false;
  /** What is to be done as soon as the run under way has ended. @type {(() => void) | null} */
  let awaited = null;
  /**
   * What is known of how long the runs of a scenario take, from trials before any was run.
   * @type {{text: string, forecast: Forecast} | null}
   */
  let foretold = null;

  // Scenario.

  trace.watch((now) => {
    if (now !== null) traces.set(now.report.sha256, now);
  });
  entries.watch((now) => {
    const read = core.read_scenario(Object.entries(now));
    reading.set({ ...read, values: Object.fromEntries(read.values) });
  });
  reading.watch((now) => {
    if (now === null || now.problems.length > 0) return;
    if (promised !== null && promised.text !== now.text) promised = null;
    if (now.trace === null || now.values.first !== String(FIRST)) unsay('shortened');
    const before = now.trace === null ? undefined : traces.get(now.trace.sha256);
    if (before !== undefined && traceOf(now) === null) trace.set(before);
    evaluateAgain();
    recall();
    if (answered !== null)
      badge.set(now.text === answered ? verdict : { tone: 'stale', words: texts.badge.stale });
    if (opened) showAddress();
    // What the reader found depends on which column it takes for the size.
    const held = trace.get()?.source;
    if (held && now.trace && held.processors !== now.values.processors) void takeTrace(held.file);
  });

  function showAddress() {
    const now = reading.get();
    if (now === null || now.problems.length > 0) return;
    let address = location.pathname + location.search;
    try {
      if (now.changed.length > 0)
        address = core.write_link(
          now.text,
          now.text === answered ? digest.get() : '',
          undefined,
          undefined,
          maker,
        );
    } catch {
      // The scenario is too long for a link, so the address says nothing of it; Share says why.
    }
    history.replaceState(null, '', address);
  }

  /** @param {[string, string][]} pairs */
  function enterAll(pairs) {
    entries.set(Object.fromEntries(pairs));
  }

  // Answer.

  /**
   * Begins a board for a scenario with the outcomes that there are already.
   * @param {import('./state.js').Reading} now
   * @param {Outcome[]} kept
   * @param {string} [by] which version of the core made them
   */
  function hold(now, kept, by = tables.version) {
    const mine = new core.Board(now.text);
    mine.made_by(by);
    for (const outcome of kept) mine.add(outcome);
    board?.free();
    board = mine;
    outcomes = [...kept];
    maker = by;
    answered = now.text;
    sizes = sizesOf(now);
    simulated = now.simulated;
    return mine;
  }

  /**
   * Remembers the whole answer that stands, so that it is there at once when the form says the same
   * again.
   */
  function remember() {
    if (answered === null) return;
    answers.delete(answered);
    answers.set(answered, { outcomes, verdict });
    let runs = [...answers.values()].reduce((sum, each) => sum + each.outcomes.length, 0);
    for (const [oldest, { outcomes: forgotten }] of answers) {
      if (runs <= MOST_REMEMBERED) break;
      answers.delete(oldest);
      runs -= forgotten.length;
    }
  }

  /** Shows the answer to what the form says now, if it is remembered. */
  function recall() {
    const now = reading.get();
    const known =
      now === null || now.text === answered || work.get().phase !== 'idle'
        ? undefined
        : answers.get(now.text);
    if (now === null || known === undefined) return;
    const mineTrace = traceFor(now);
    if (now.trace === null || mineTrace !== null)
      answerWith(now, mineTrace, known.outcomes, known.verdict);
  }

  /** Puts the outcomes together as the form says now, if that takes no other runs. */
  function evaluateAgain() {
    const now = reading.get();
    if (answered === null || now === null || now.problems.length > 0 || work.get().phase !== 'idle')
      return;
    if (now.text === answered || now.simulated !== simulated) return;
    hold(now, outcomes, maker);
    redraw();
  }

  function settle(/** @type {import('./state.js').Badge} */ words) {
    verdict = words;
    badge.set(
      reading.get()?.text === answered ? words : { tone: 'stale', words: texts.badge.stale },
    );
  }

  let redrawn = 0;
  let waiting = 0;
  /** What waits for the first answer. @type {(() => Promise<void>)[]} */
  const later = [];

  /**
   * Has something done once the first answer stands, so that it does not come between.
   * @param {() => Promise<void>} act
   */
  function whenAnswered(act) {
    later.push(act);
  }

  function redraw() {
    waiting = 0;
    redrawn = performance.now();
    if (board !== null) summary.set(board.summary(facet.get()));
  }
  facet.watch(redraw);

  /**
   * Runs the scenario in the form.
   * @param {Outcome[]} [kept] outcomes of some of its cells, which are not run again
   */
  async function run(kept = []) {
    const now = reading.get();
    const mineTrace = now === null ? null : traceFor(now);
    if (work.get().phase !== 'idle' || now === null || now.problems.length > 0) return;
    if (now.trace !== null && mineTrace === null) return;
    take(mineTrace);
    if (isTooBig(now)) return;
    estimate.set(null);
    // What another link promises, if it is followed meanwhile, is not this run's to keep.
    const promise = promised;
    unsay('run');
    unsay('broke');
    unsay('differs');
    unsay('link');
    byId('answer').hidden = false;

    // As long as the answer that stands here is being checked it stays; otherwise curves grow.
    const checking = board === null && built !== '' && now.changed.length === 0;
    const mine = hold(now, kept);
    digest.set('');
    facet.set(wantedFacet < (now.y?.values.length ?? 1) ? wantedFacet : 0);
    wantedFacet = 0;
    const begun = performance.now();
    let done = kept.length;
    const forecast =
      foretold !== null && foretold.text === now.text ? foretold.forecast : forecastOf(now);
    foretold = null;
    for (const { cell } of outcomes) forecast.done(cellAt(sizesOf(now), cell), null);
    let said = 0;
    /** @type {import('./forecast.js').Range | null} */
    let left = null;
    underWay = checking ? texts.badge.checking : texts.badge.running;
    settle({ tone: '', words: underWay });
    work.set({ phase: 'running', done, total: now.runs, left: null, words: '' });
    if (!checking) redraw();

    const took = (/** @type {Outcome} */ outcome, /** @type {number | null} */ spent) => {
      mine.add(outcome);
      forecast.done(cellAt(sizesOf(now), outcome.cell), spent);
      outcomes.push(outcome);
      done += 1;
      if (!checking && waiting === 0)
        waiting = setTimeout(redraw, Math.max(0, redrawn + REDRAW - performance.now()));
    };
    const progress = (
      /** @type {number} */ cells,
      /** @type {import('./worker/pool.js').Under | undefined} */ under,
    ) => {
      const all = kept.length + cells;
      if (under !== undefined) forecast.under(under.cell, under);
      if (performance.now() - said > FORETELL) {
        said = performance.now();
        left = forecast.rest();
      }
      const { phase, done: shown } = work.get();
      work.set({ phase, done: Math.max(all, shown), total: now.runs, left, words: '' });
    };

    let words = '';
    safe.begin(now.text);
    try {
      if (now.complete) pool.equip(await completeBuild());
      if (work.get().phase === 'cancelling') throw new Cancelled();
      await pool.run({ scenario: now.text, trace: mineTrace, order: mine.left(), took, progress });
      const spent = performance.now() - begun;
      words = texts.run.done(done, spent);
      safe.stood(now.text);
      performance.mark('first-result');
      digest.set(mine.digest() ?? '');
      settle(judge(checking, promise, digest.get(), spent));
      remember();
    } catch (error) {
      words = texts.run.cancelled(done, now.runs);
      settle({ tone: '', words: texts.badge.partial(done, now.runs) });
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
      for (const act of later.splice(0)) void act();
      clearTimeout(waiting);
      // In parts, so that none of its tasks is long; until it is idle no other run begins.
      await breath();
      redraw();
      await breath();
      work.set({ phase: 'idle', done, total: now.runs, left: null, words });
      evaluateAgain();
      showAddress();
      if (awaited !== null) {
        const act = awaited;
        awaited = null;
        act();
      } else {
        replay.open(now, mineTrace, wantedRun);
        wantedRun = null;
        keepRun();
      }
    }
  }

  /**
   * The answer will be of this trace.
   * @param {import('./worker/messages.d.ts').TraceFile | null} mine
   */
  function take(mine) {
    source = mine;
    const report = trace.get()?.report;
    traceName =
      source === null || report === undefined
        ? null
        : { name: source.file.name, sha256: report.sha256, jobs: report.jobs };
  }

  /** Runs the scenario that was opened, unless that broke something the last time. */
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
   * Runs further replications until every interval of a metric is within so many per cent of its
   * mean.
   * @param {string} metric
   * @param {number} percent
   */
  async function replicate(metric, percent) {
    unsay('replicate');
    for (;;) {
      const now = reading.get();
      if (now === null || now.problems.length > 0) return;
      // Further replications do not join those of another version.
      if (now.text !== answered || digest.get() === '' || maker !== tables.version) {
        await run();
        if (now.text !== answered || digest.get() === '') return;
      }
      const wanted = board?.replications_within(metric, percent / 100) ?? 0;
      if (wanted <= now.replications) {
        say('replicate', { title: texts.compare.reached(now.replications, percent) });
        return;
      }
      const kept = outcomes;
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

  /**
   * Refuses a scenario that is too big for a tab, with the numbers and what to type instead.
   * @param {import('./state.js').Reading} now
   */
  function isTooBig(now) {
    unsay('big');
    const jobs = jobsOf(now);
    if (fits(jobs, now.runs)) return false;
    const json = `${command(now.changed)} --json result.json`;
    say('big', {
      title: texts.run.tooBig(jobs, now.runs),
      details: texts.run.tooBigDetails(MOST_JOBS, MOST_IN_ALL),
      verbatim: json,
      loud: true,
    });
    return true;
  }

  /** How many jobs each run of a scenario has. @param {import('./state.js').Reading} now */
  function jobsOf(now) {
    return now.trace === null
      ? Number(now.values.jobs)
      : Math.min(Number(now.values.first) || Infinity, trace.get()?.report.jobs ?? 0);
  }

  /**
   * How long the scenario in the form would take, from short trials of every policy at the ends of
   * what is swept; null where that cannot be told or need not be, as where its answer stands
   * already.
   * @param {import('./state.js').Reading} now
   */
  async function takes(now) {
    const mineTrace = traceFor(now);
    if (
      now.text === answered ||
      (now.trace !== null && mineTrace === null) ||
      safe.broke(now.text) ||
      !fits(jobsOf(now), now.runs)
    )
      return null;
    const build = now.complete ? await completeBuild() : null;
    if (work.get().phase !== 'idle' || reading.get() !== now) return null;
    if (build !== null) pool.equip(build);
    const mine = sizesOf(now);
    const [x, y] = [mine.xs - 1, (now.y?.values.length ?? 1) - 1];
    const ends =
      x + y > 0
        ? [
            { x: 0, y: 0 },
            { x, y },
          ]
        : [{ x, y }];
    const cells = ends.flatMap((end) =>
      now.policies.map((_, policy) => cellAt(mine, { ...end, policy, replication: 0 })),
    );
    /** @type {(import('./forecast.js').Part | null)[]} */
    const each = await pool.aside(
      'estimate',
      cells.map((cell) => ({ scenario: now.text, trace: mineTrace, cell })),
    );
    const forecast = forecastOf(now);
    for (const [place, part] of each.entries()) {
      if (part !== null) forecast.try(cells[place], part);
    }
    foretold = { text: now.text, forecast };
    const rest = forecast.rest();
    const grows = each.some((part) => part !== null && part.share < 1 && part.queued >= GROWING);
    return rest === null || each.includes(null) ? null : { ...rest, grows };
  }

  /**
   * Nothing known yet of how long the runs of a scenario take.
   * @param {import('./state.js').Reading} now
   */
  function forecastOf(now) {
    return new Forecast({ ...sizesOf(now), ys: now.y?.values.length ?? 1 }, pool.workers.length);
  }

  /** Answers the scenario in the form without being asked to, if that takes no time to speak of. */
  async function answerAtOnce() {
    const now = reading.get();
    const foreseen = estimate.get();
    if (
      answered === null ||
      foreseen === null ||
      foreseen.text !== now?.text ||
      foreseen.range.high > AT_ONCE
    )
      return;
    const mineTrace = traceFor(now);
    const whole = new core.Board(now.text);
    const cells = [...whole.left()];
    whole.free();
    const begun = performance.now();
    /** @type {Outcome[]} */
    let found;
    try {
      found = await pool.aside(
        'cell',
        cells.map((cell) => ({ scenario: now.text, trace: mineTrace, cell })),
      );
    } catch {
      // Somebody pressed Run, or whoever does will be told.
      return;
    }
    if (reading.get() !== now || work.get().phase !== 'idle' || now.text === answered) return;
    const spent = performance.now() - begun;
    answerWith(now, mineTrace, found, { tone: '', words: texts.badge.complete(spent) });
    work.set({ ...work.get(), words: texts.run.done(found.length, spent) });
    remember();
  }

  /**
   * Answers the scenario in the form with runs that are there already, and looks into one of them.
   * @param {import('./state.js').Reading} now
   * @param {import('./worker/messages.d.ts').TraceFile | null} mineTrace
   * @param {Outcome[]} found
   * @param {import('./state.js').Badge} words
   */
  function answerWith(now, mineTrace, found, words) {
    take(mineTrace);
    present(now, found, words);
    replay.open(now, mineTrace, null);
  }

  /** Runs the scenario in the form; what is running now gives way to it. */
  function runInstead() {
    instead(() => void run());
  }

  /** Does something that a run under way gives way to. @param {() => void} act */
  function instead(act) {
    if (work.get().phase === 'idle') {
      act();
    } else {
      awaited = act;
      cancel();
    }
  }

  /**
   * What a complete answer is worth: compared with the one built in, or the one that the link
   * promised.
   * @param {boolean} checking
   * @param {typeof promised} promise
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
    settle({ tone: '', words: texts.badge.cancelling });
    void pool.cancel();
  }

  function pauseOrResume() {
    const now = work.get();
    if (now.phase === 'running') {
      work.set({ ...now, phase: 'paused' });
      settle({ tone: '', words: texts.badge.paused });
      pool.pause();
    } else if (now.phase === 'paused') {
      work.set({ ...now, phase: 'running' });
      settle({ tone: '', words: underWay });
      pool.resume();
    }
  }

  // Trace.

  /**
   * The user's file as a scenario wants it read.
   * @param {import('./state.js').Reading} now
   * @returns {import('./worker/messages.d.ts').TraceFile | null}
   */
  function traceFor(now) {
    const held = traceOf(now);
    return now.trace === null || held === null
      ? null
      : { file: held.source.file, kind: now.trace.kind, processors: now.values.processors };
  }

  /** How many traces have been asked for. */
  let brought = 0;

  /**
   * Has a trace read. A run that is looked into meanwhile takes its place in the replay worker;
   * then it is read again after that, unless another one has been asked for.
   * @param {import('./worker/messages.d.ts').TraceFile} source
   * @returns {Promise<import('./worker/messages.d.ts').TraceReport>}
   */
  async function readTrace(source) {
    brought += 1;
    const mine = brought;
    for (;;) {
      try {
        return await replayWorker.ask('read', { trace: source }, (done, total) => {
          traceReading.set(texts.form.readingShare(source.file.name, done / total));
        });
      } catch (error) {
        if (!(error instanceof Cancelled) || mine !== brought) throw error;
      }
    }
  }

  /**
   * Reads a file of the user's and makes it the workload.
   * @param {File} file
   * @param {boolean} [anyway] even if the link asks for other contents
   */
  async function takeTrace(file, anyway = false) {
    traceProblem.set('');
    traceReading.set(texts.form.reading(file.name));
    unsay('trace');
    const kind = core.trace_kind(file.name);
    // Also while the form is no scenario yet.
    const processors =
      entries.get().processors ??
      tables.keys.find((key) => key.name === 'processors')?.default ??
      '';
    try {
      replayWorker.equip(await completeBuild());
      const report = await readTrace({ file, kind, processors });
      if (wanted !== null && wanted.sha256 !== '' && wanted.sha256 !== report.sha256 && !anyway) {
        say('trace', {
          title: texts.trace.otherFile(file.name),
          details: texts.trace.otherFileDetails(wanted.sha256, report.sha256),
          loud: true,
          actions: [{ words: texts.trace.useAnyway, act: () => void takeTrace(file, true) }],
        });
        return;
      }
      unsay('wanted');
      const asWanted = wanted !== null && !anyway;
      const known = trace.get()?.source.file === file;
      wanted = null;
      trace.set({ source: { file, kind, processors }, report });
      if (asWanted) {
        runInstead();
        return;
      }
      /** @type {import('./state.js').Entries} */
      const next = { ...entries.get(), workload: kind, file: file.name, sha256: report.sha256 };
      if (!known && report.jobs > 2 * FIRST && next.first === undefined) {
        next.first = String(FIRST);
        say('shortened', { title: texts.trace.shortened(FIRST, report.jobs) });
      }
      entries.set(next);
    } catch (error) {
      if (error instanceof Cancelled) return;
      traceProblem.set(error instanceof Error ? error.message : String(error));
      say('trace', {
        title: texts.trace.failed(file.name),
        details: traceProblem.get(),
        loud: true,
      });
    } finally {
      traceReading.set(null);
    }
  }

  // Link.

  /** Opens what the address says; without a link the opening scenario. */
  function openAddress(hash = location.hash) {
    if (hash === '' || hash === '#') {
      promised = null;
      enterAll([]);
      opened = true;
      runByItself();
      return;
    }
    try {
      const link = core.read_link(hash);
      unsay('link');
      look(link.view);
      conceal(link.hide);
      enterAll(link.pairs);
      const now = reading.get();
      promised = { text: now?.text ?? '', digest: link.digest, core: link.core };
      unsay('core-differs');
      if (link.core !== '' && link.core !== tables.version) void tellOtherCore(link.core, hash);
      opened = true;
      if (now?.trace && trace.get()?.report.sha256 !== now.trace.sha256) {
        wanted = now.trace;
        byId('answer').hidden = summary.get() === null;
        const { sha256 } = now.trace;
        void remembering()
          .then((history) => history?.trace(sha256) ?? null)
          .then((file) => {
            if (file !== null && wanted?.sha256 === sha256) void takeTrace(file);
          });
        say('wanted', {
          title: texts.trace.wanted(wanted.file),
          details:
            wanted.sha256 === ''
              ? texts.trace.wantedUnchecked
              : texts.trace.wantedDetails(wanted.sha256),
          actions: [{ words: texts.trace.choose, act: () => byId('file').click() }],
        });
      } else {
        runByItself();
      }
    } catch (error) {
      // Nothing is replaced, and no other scenario's answer stands in for the one that was meant.
      if (summary.get() === null) byId('answer').hidden = true;
      say('link', {
        title: texts.link.bad,
        details: String(error),
        loud: true,
        actions: [{ words: texts.link.openDefault, act: openDefault }],
      });
    }
  }

  /**
   * Says that another version of the core made a link, and leads to the release with that core
   * where the host keeps it.
   * @param {string} theirs
   * @param {string} hash
   */
  async function tellOtherCore(theirs, hash) {
    const title = texts.link.otherCore(theirs, tables.version);
    say('core-differs', { title });
    const release = /^\d+(\.\d+)*$/.test(theirs) ? `./v${theirs}.html` : null;
    const kept =
      release !== null &&
      (await fetch(release, { method: 'HEAD' }).then(
        ({ ok }) => ok,
        () => false,
      ));
    if (promised?.core !== theirs) return;
    if (kept)
      say('core-differs', {
        title,
        actions: [
          { words: texts.link.openRelease(theirs), act: () => location.assign(release + hash) },
        ],
      });
    else say('core-differs', { title, details: texts.link.noRelease(theirs) });
  }

  function openDefault() {
    unsay('link');
    history.replaceState(null, '', location.pathname + location.search);
    openAddress();
  }

  // Files and what is kept.

  /** @typedef {ReturnType<typeof import('./view/history.js').historyView>} Past */
  /**
   * Runs and traces kept in the browser, once they are asked for and as far as that could be
   * fetched.
   * @type {Promise<Past | null> | null}
   */
  let past = null;

  function remembering() {
    past ??= part(() => import('./view/history.js')).then((view) => {
      if (view === null) {
        past = null;
        return null;
      }
      return view.historyView((run) => void showKept(run));
    });
    return past;
  }
  /**
   * The trace that the answer is of, as a file to read and by name.
   * @type {import('./worker/messages.d.ts').TraceFile | null}
   */
  let source = null;
  /** @type {{name: string, sha256: string, jobs: number} | null} */
  let traceName = null;
  /** The worker that writes and opens files. @type {WorkerClient | null} */
  let exportWorker = null;

  async function startedExportWorker() {
    exportWorker ??= new WorkerClient(await completeBuild());
    return exportWorker;
  }

  /** @param {import('./worker/messages.d.ts').BoardCall[]} calls */
  async function write(calls) {
    const worker = await startedExportWorker();
    return worker.ask('write', { scenario: answered ?? '', maker, outcomes, calls });
  }

  /** Saves the scenario in the form as a file. */
  async function saveScenario() {
    const now = reading.get();
    if (now === null || now.problems.length > 0) return;
    const found = await part(() =>
      Promise.all([import('./view/hand-out.js'), startedExportWorker()]),
    );
    if (found === null) return;
    const [{ save }, worker] = found;
    const [text] = await worker.ask('write', {
      scenario: now.text,
      maker: tables.version,
      outcomes: [],
      calls: [['toml']],
    });
    save('scenario.toml', text, 'application/toml');
  }

  /**
   * What to share now; nothing where the form is no scenario or too long for a link, which is said.
   * @param {string} hide parts of the page that whoever opens the link does not see
   * @param {string} note what they read above it
   */
  function shared(hide, note) {
    const now = reading.get();
    if (now === null || now.problems.length > 0) return null;
    unsay('share');
    const complete = now.text === answered ? digest.get() : '';
    try {
      history.replaceState(
        null,
        '',
        core.write_link(now.text, complete, viewed(note), hide, maker),
      );
    } catch (error) {
      say('share', {
        title: texts.link.none,
        details: String(error),
        loud: true,
        actions: [{ words: texts.link.file, act: () => void saveScenario() }],
      });
      return null;
    }
    return {
      address: location.href,
      digest: complete !== '',
      trace: now.trace?.file ?? '',
      command: command(now.changed),
    };
  }

  /** Keeps the answer that stands in the browser, if it is whole. */
  function keepRun() {
    const now = reading.get();
    const told = summary.get();
    if (
      past === null ||
      now === null ||
      told === null ||
      now.text !== answered ||
      digest.get() === ''
    )
      return;
    const about = texts.history.about(
      now.policies.map(({ label }) => label).join(', '),
      told.x.label,
    );
    // Every key, so that a default may change; a swept one has no other value than those of its
    // axis.
    const swept = [now.x?.key, now.y?.key];
    const scenario = Object.fromEntries(
      Object.entries(now.values).filter(([key]) => !swept.includes(key)),
    );
    const kept = {
      schema: tables.schema,
      core: maker,
      scenario,
      digest: digest.get(),
      sentence: told.sentence,
      about,
      outcomes,
    };
    void past.then((history) => history?.add(kept));
  }

  /**
   * Shows a run that was kept, as far as this version understands it.
   * @param {import('./store.js').KeptRun | import('./store.js').UnnamedRun} run
   */
  async function showKept(run) {
    unsay('file');
    try {
      if ('pairs' in run) {
        enterAll(run.pairs);
        say('file', {
          title: texts.history.unnamed(run.core),
          details: texts.history.unnamedDetails,
          loud: true,
        });
        return;
      }
      const worker = await startedExportWorker();
      showResult(await worker.ask('restore', { kept: run }), texts.history.restored);
    } catch (error) {
      say('file', {
        title: texts.history.keptFailed,
        details: error instanceof Error ? error.message : String(error),
        loud: true,
      });
    }
  }

  /**
   * Shows a scenario, and its result where the runs are there; what another version made is said to
   * be so.
   * @param {import('./pkg/backfill_web.js').OpenedFile} opened
   * @param {string} words where the runs come from
   */
  function showResult(opened, words) {
    const { pairs, outcomes: found, core: by, lacks } = opened;
    // A scenario can be entered at any time; a result takes the place of what is being run.
    if (found.length > 0 && work.get().phase !== 'idle') {
      instead(() => showResult(opened, words));
      return;
    }
    enterAll(pairs);
    const now = reading.get();
    if (now === null || now.problems.length > 0) return;
    if (found.length === 0) {
      badge.set({ tone: 'stale', words: texts.badge.stale });
      return;
    }
    present(now, found, { tone: '', words }, by);
    if (by !== tables.version || lacks.length > 0) {
      say('file', {
        title: texts.history.otherCore(by, tables.version),
        details: texts.history.lacks(lacks),
      });
    }
    // Of the run before, nothing is left to be said.
    work.set({ ...work.get(), words: '' });
  }

  /**
   * Puts a whole answer in the place of the one that stands.
   * @param {import('./state.js').Reading} now
   * @param {Outcome[]} found
   * @param {import('./state.js').Badge} words where it comes from
   * @param {string} [by] which version of the core made it
   */
  function present(now, found, words, by) {
    estimate.set(null);
    if (facet.get() >= (now.y?.values.length ?? 1)) facet.set(0);
    digest.set(hold(now, found, by).digest() ?? '');
    settle(words);
    byId('answer').hidden = false;
    redraw();
    showAddress();
  }

  /**
   * Opens any file of the user's: a scenario or a result, else a trace.
   * @param {File} file
   */
  async function takeFile(file) {
    if (!/\.(toml|json)$/i.test(file.name)) {
      void takeTrace(file);
      return;
    }
    unsay('file');
    try {
      const worker = await startedExportWorker();
      const opened = await worker.ask('open', { contents: await file.text() });
      showResult(opened, texts.history.opened(file.name));
    } catch (error) {
      say('file', {
        title: texts.history.fileFailed(file.name),
        details: error instanceof Error ? error.message : String(error),
        loud: true,
      });
    }
  }

  /** Opens the file that the address names, if it names one. */
  async function takeNamed() {
    const address = new URLSearchParams(location.search).get('trace');
    if (address === null) return;
    try {
      await takeFile(await fetched(address));
    } catch (error) {
      say('file', {
        title: texts.files.failed(address),
        details: error instanceof Error ? error.message : String(error),
        loud: true,
      });
    }
  }

  /** Shows what ails the trace, and offers what mends it. */
  async function examine() {
    const held = trace.get();
    if (held === null) return;
    const view = await part(() => import('./view/doctor.js'));
    await view?.doctorDialog(held.source.file.name, tables, async () =>
      (await startedExportWorker()).ask('diagnose', { trace: held.source }),
    );
  }

  /**
   * What the page shows of the answer, for a link; a note comes last, since it may hold anything.
   * @param {string} note
   */
  function viewed(note) {
    const off = [...hidden.get()].sort((one, other) => one - other);
    const parts = [
      facet.get() > 0 ? `y:${facet.get()}` : '',
      off.length > 0 ? `off:${off.join('+')}` : '',
      viewedRun(),
      note === '' ? '' : `${NOTE}${note}`,
    ];
    return parts.filter(Boolean).join(',');
  }

  /** Which run is looked into, where it is not the one that the page opens with. */
  function viewedRun() {
    const run = inspected.get();
    const last = (reading.get()?.x?.values.length ?? 1) - 1;
    if (run === null || reading.get()?.text !== answered) return '';
    const { policy, x, y, replication, beside } = run;
    if (policy === 0 && x === last && y === 0 && replication === 0 && beside === null) return '';
    return `run:${[policy, x, y, replication, ...(beside === null ? [] : [beside])].join('+')}`;
  }

  /**
   * The run that the link which was opened looks into.
   * @type {import('./state.js').Inspected | null}
   */
  let wantedRun = null;

  /** Shows of the answer what a link says. @param {string} view */
  function look(view) {
    const end = view.indexOf(NOTE);
    // A link made by hand may bring more than can be written.
    const note = end < 0 ? '' : [...view.slice(end + NOTE.length)].slice(0, LONGEST_NOTE).join('');
    if (note === '') unsay('note');
    else say('note', { title: texts.link.note, details: note });
    const said = new Map(
      view.split(',').map((part) => /** @type {[string, string]} */ (part.split(':', 2))),
    );
    const numbers = (/** @type {string} */ part) =>
      (said.get(part) ?? '')
        .split('+')
        .filter((text) => /^\d+$/.test(text))
        .map(Number);
    hidden.set(new Set(numbers('off')));
    const [policy, x, y, replication, beside = null] = numbers('run');
    wantedRun = replication === undefined ? null : { policy, x, y, replication, beside };
    wantedFacet = /^\d+$/.test(said.get('y') ?? '') ? Number(said.get('y')) : 0;
  }

  /** Ends the question that a link asks before its answer is shown. @type {(() => void) | null} */
  let predicted = null;

  /** Which value of the second swept key the link that was opened shows. */
  let wantedFacet = 0;

  /**
   * Hides parts of the page, as a link wants it, with a plain way to show them.
   * @param {string} hide
   */
  function conceal(hide) {
    for (const part of document.querySelectorAll('[data-hidden-by-link]'))
      part.removeAttribute('data-hidden-by-link');
    unsay('hides');
    predicted?.();
    predicted = null;
    const names = hide.split(',');
    const parts = names.filter((name) => PARTS.includes(name));
    const asks = names.includes(PREDICTION);
    if (parts.length === 0 && !asks) return;
    for (const part of parts) byId(part).setAttribute('data-hidden-by-link', '');
    if (asks) {
      predicted = () => {};
      const mine = predicted;
      void part(() => import('./view/predict.js')).then((view) => {
        if (view !== null && predicted === mine)
          predicted = view.askFirst((metric) => board?.compare(metric, facet.get()) ?? null);
      });
    }
    say('hides', {
      title: texts.link.hides,
      actions: [{ words: texts.link.showAll, act: () => conceal('') }],
    });
  }

  // The page, part by part, so that none of its tasks is long.

  const { styles } = tables;
  if (matchMedia('(max-width: 860px)').matches)
    /** @type {HTMLDetailsElement} */ (byId('scenario')).open = false;
  await breath();
  form(tables, {
    newSeed: core.new_seed,
    traceField: traceField(
      (file) => void takeFile(file),
      () => void examine(),
    ),
  });
  await breath();
  runControls(() => void run(), cancel, pauseOrResume);
  foresee(takes);
  warn(async (now) => {
    if (now.trace === null)
      return (await startedExportWorker()).ask('warning', {
        scenario: now.text,
        trace: null,
      });
    const mine = traceFor(now);
    return mine === null ? null : replayWorker.ask('warning', { scenario: now.text, trace: mine });
  });
  estimate.watch(() => void answerAtOnce());
  answerWords();
  legend(styles);
  facetChoice();
  table();
  /** @type {import('./view/charts.js').Draw} */
  const drawChart = (canvas, metric, hidden, isDark, width, height, last, seen) => {
    const look = new core.Look(hidden, isDark, width, height, last);
    try {
      look.see(seen);
      return board === null ? null : board.draw(canvas, metric, facet.get(), look);
    } finally {
      look.free();
    }
  };
  charts(styles, drawChart, (policy, x) => replay.look(policy, x, facet.get()));
  /**
   * The heatmaps are fetched for the first answer over two keys.
   * @type {(now: import('./pkg/backfill_web.js').Summary | null) => void}
   */
  const overTwoKeys = async (now) => {
    if (now === null || now.y.label === '') return;
    summary.ignore(overTwoKeys);
    const view = await part(() => import('./view/surface.js'));
    view?.surfaceView({
      compared: () => board?.compared() ?? '',
      draw: (canvas, metric, width) => {
        const look = new core.Look(Uint32Array.from(hidden.get()), dark.get(), width, 0, true);
        try {
          return board === null ? null : board.draw_surface(canvas, metric, facet.get(), look);
        } finally {
          look.free();
        }
      },
    });
  };
  summary.watch(overTwoKeys);
  whenAnswered(async () => {
    const view = await part(() => import('./view/compare.js'));
    const reference = tables.keys.find(({ kind }) => kind === 'reference')?.name ?? '';
    view?.compareView(styles, {
      compared: () => board?.compared() ?? '',
      compare: (metric) => board?.compare(metric, facet.get()) ?? null,
      draw: (canvas, metric, width, height) => {
        const look = new core.Look(Uint32Array.from(hidden.get()), dark.get(), width, height, true);
        try {
          return board === null ? null : board.draw_differences(canvas, metric, facet.get(), look);
        } finally {
          look.free();
        }
      },
      refer: (policy) => entries.set({ ...entries.get(), [reference]: policy }),
      settle: (key, value) => {
        entries.set({ ...entries.get(), [key]: value });
        runInstead();
      },
      replicate: (metric, percent) => void replicate(metric, percent),
    });
  });
  const replay = replayView(replayWorker, core, startedExportWorker);
  whenAnswered(async () => {
    const view = await part(() => import('./view/fairness.js'));
    view?.fairnessView(styles, {
      runs(x) {
        if (sizes === null || answered === null || digest.get() === '') return null;
        const { policies, replications } = sizes;
        const cells = [];
        for (let replication = 0; replication < replications; replication += 1) {
          for (let policy = 0; policy < policies; policy += 1)
            cells.push(cellAt(sizes, { y: facet.get(), x, policy, replication }));
        }
        return { scenario: answered, trace: source, cells };
      },
      look: (policy, x) => replay.look(policy, x, facet.get()),
    });
  });
  const shareButton = byId('share');
  shareButton.onclick = async () => {
    if (shared('', '') === null) return;
    const view = await part(() => import('./view/share.js'));
    if (view === null) return;
    const open = view.shareDialog(shared, () => void saveScenario());
    shareButton.onclick = open;
    open();
  };
  const exportButton = byId('export');
  exportButton.onclick = async () => {
    const view = await part(() => import('./view/export.js'));
    if (view === null) return;
    const open = view.exportDialog({
      write,
      paint(canvas, metric, width, height, ratio) {
        const look = core.Look.picture(width, height, ratio);
        board?.draw(canvas, metric, facet.get(), look);
        look.free();
      },
      async log(cell) {
        const exportWorker = await startedExportWorker();
        return exportWorker.ask('log', { scenario: answered ?? '', trace: source, cell });
      },
      trace: () => (source === null ? null : traceName),
    });
    exportButton.onclick = open;
    open();
  };
  whenAnswered(async () => {
    await remembering();
  });
  onDrop((file) => void takeFile(file));
  onPaste(
    (file) => void takeFile(file),
    (hash) => {
      location.hash = hash;
    },
  );
  exampleChoice(tables.examples);
  byId('open').onclick = () => byId('file').click();
  byId('version').textContent = texts.core.version(tables.version);
  byId('tools').hidden = false;
  byId('act').hidden = false;

  keepWhenUsed();
  keySheet();

  if (new URLSearchParams(location.search).get('fault') === 'panic') pool.panicOnce();
  // By now a run may have ended and written its own link into the address.
  addEventListener('hashchange', ({ newURL }) => openAddress(new URL(newURL).hash));
  await breath();
  openAddress();
  void takeNamed();

  /** @param {{label: string, pairs: [string, string][]}[]} examples */
  function exampleChoice(examples) {
    const select = /** @type {HTMLSelectElement} */ (byId('example'));
    select.append(
      new Option(texts.example.choose, ''),
      ...examples.map(({ label }, place) => new Option(label, String(place))),
    );
    select.onchange = () => {
      const example = examples[Number(select.value)];
      select.value = '';
      if (example === undefined) return;
      enterAll(example.pairs);
      runInstead();
    };
  }
}

/**
 * What the page needs only now; null where it cannot be fetched, as without a network, which is
 * said.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {Promise<T | null>}
 */
async function part(load) {
  unsay('part');
  try {
    return await load();
  } catch (error) {
    say('part', {
      title: texts.core.noPart,
      details: texts.core.noPartDetails(error instanceof Error ? error.message : String(error)),
      loud: true,
    });
    return null;
  }
}

/**
 * Has the page kept for when there is no network, as soon as somebody uses it or has done so
 * before.
 */
function keepWhenUsed() {
  let asked = false;
  const keep = async () => {
    if (asked) return;
    asked = true;
    // It cannot be fetched where the page is being left; the next one asks again.
    await import('./offline.js').then(
      (offline) => offline.keep(),
      () => {},
    );
  };
  if (navigator.serviceWorker?.controller) void keep();
  for (const use of ['pointerdown', 'keydown'])
    addEventListener(use, () => void keep(), { once: true });
}

/** Shows the keys when asked by button or key. */
function keySheet() {
  const show = async () => (await part(() => import('./view/keys.js')))?.showKeys();
  byId('keys').onclick = () => void show();
  document.addEventListener('keydown', (event) => {
    if (
      event.key.toLowerCase() !== 'k' ||
      !(event.ctrlKey || event.metaKey) ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    void part(() => import('./view/palette.js')).then((view) => view?.showPalette());
  });
  document.addEventListener('keydown', (event) => {
    const typing =
      event.target instanceof HTMLInputElement ||
      event.target instanceof HTMLTextAreaElement ||
      event.target instanceof HTMLSelectElement;
    if (event.key === '?' && !typing) void show();
  });
}
