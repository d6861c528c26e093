/** Reads the user's traces and makes them the workload. */
import { byId } from './dom.js';
import {
  asked,
  entries,
  reading,
  trace,
  traceOf,
  traceProblem,
  traceReading,
  work,
} from './state.js';
import { texts } from './texts.js';
import { say, unsay } from './view/banners.js';
import { Cancelled } from './worker/worker-client.js';

/** The target time of the answer for the first jobs of a log, in milliseconds. */
const WITHIN = 1000;
/** The jobs of a trial run that estimates their number; also the number if it fails. */
const TRIAL = 200;
/** The least number of jobs, even if they take longer. */
const FEWEST = 100;

/**
 * @typedef {ReturnType<typeof createTraces>} Traces
 * @typedef {import('./state.js').Entries} Entries
 * @typedef {import('./pkg/backfill_web.js').FittingSystem} FittingSystem
 */

/**
 * @param {object} given
 * @param {typeof import('./pkg/backfill_web.js')} given.core
 * @param {import('./state.js').Tables} given.tables
 * @param {import('./worker/worker-client.js').WorkerClient} given.replayWorker which reads them
 * @param {() => void} given.came called when the requested trace has arrived
 * @param {(sha256: string) => Promise<File | null>} given.keptTrace a trace in the browser's
 *   storage
 * @param {ReturnType<typeof import('./estimate.js').estimates>['time']} given.time the estimated
 *   time of a scenario
 * @param {() => void} given.run runs the scenario in the form
 */
export function createTraces({ core, tables, replayWorker, came, keptTrace, time, run }) {
  /**
   * The traces read so far, by the hashes of their contents.
   * @type {Map<string, NonNullable<ReturnType<typeof trace.get>>>}
   */
  const known = new Map();
  /** The number of traces requested. */
  let brought = 0;

  trace.watch((now) => {
    if (now !== null) known.set(now.report.sha256, now);
  });

  /**
   * Reads a trace. If a run takes its place in the replay worker meanwhile, it is read again
   * afterwards, unless another one has been requested.
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
   * Reads a file of the user and makes it the workload.
   * @param {File} file
   * @param {boolean} [anyway] even if the link requires other contents
   */
  async function take(file, anyway = false) {
    traceProblem.set('');
    traceReading.set(texts.form.reading(file.name));
    unsay('trace');
    // Also while the form is not a valid scenario.
    const value = (/** @type {string} */ name) =>
      entries.get()[name] ?? tables.keys.find((key) => key.name === name)?.default ?? '';
    const processors = value('processors');
    const cancelled = value('cancelled');
    try {
      const named = core.trace_kind(file.name);
      const asking = readTrace({ file, kind: named, processors, cancelled });
      const mine = brought;
      const report = await asking;
      if (
        asked.trace !== null &&
        asked.trace.sha256 !== '' &&
        asked.trace.sha256 !== report.sha256 &&
        !anyway
      ) {
        say('trace', {
          title: texts.trace.otherFile(file.name),
          details: texts.trace.otherFileDetails(asked.trace.sha256, report.sha256),
          loud: true,
          actions: [{ words: texts.trace.useAnyway, act: () => void take(file, true) }],
        });
        return;
      }
      unsay('wanted');
      const isWanted = (asked.trace !== null && !anyway) || isMissing(report.sha256);
      const same = trace.get()?.source.file === file;
      asked.trace = null;
      const kind = report.format;
      const source = { file, kind, processors, cancelled };
      if (isWanted || same) {
        const needed = trace.get()?.report.processors;
        trace.set({ source, report });
        if (isWanted) came();
        else {
          entries.set({ ...entries.get(), workload: kind, file: file.name });
          // Other sizes may fit another system.
          if (report.processors !== needed)
            offer({ before: entries.get(), system: null, first: null });
        }
        return;
      }
      const before = entries.get();
      const system = namesSystem(before, report.systems) ? null : (report.systems[0] ?? null);
      const log = { workload: kind, file: file.name, sha256: report.sha256 };
      const next = on(system, { ...before, ...log });
      const first = 'first' in before ? null : await firstJobs(next, source, report.jobs);
      if (mine !== brought) return;
      trace.set({ source, report });
      entries.set(first === null ? next : { ...next, first: String(first) });
      offer({ before, system, first });
      run();
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

  /** Whether the form requires these missing contents. @param {string} sha256 */
  function isMissing(sha256) {
    const now = reading.get();
    return (
      now !== null && now.trace !== null && now.trace.sha256 === sha256 && traceOf(now) === null
    );
  }

  /**
   * The keys of these systems.
   * @param {FittingSystem[]} systems
   */
  function keysOf(systems) {
    return new Set(systems.flatMap(({ pairs }) => pairs.map(([key]) => key)));
  }

  /**
   * Whether a scenario itself sets the system, by a value or by sweeping one.
   * @param {Entries} scenario
   * @param {FittingSystem[]} systems
   */
  function namesSystem(scenario, systems) {
    const sweeps = tables.keys.filter(({ kind }) => kind === 'sweep');
    const swept = sweeps.map(({ name }) => scenario[name]?.split(':')[0] ?? '');
    return [...keysOf(systems)].some((key) => key in scenario || swept.includes(key));
  }

  /**
   * A scenario on another system, with that system's policies.
   * @param {FittingSystem | null} system null for the current one
   * @param {Entries} scenario
   * @returns {Entries}
   */
  function on(system, scenario) {
    const next = { ...scenario };
    for (const [key, value] of system?.pairs ?? []) {
      const { default: usual } = tables.keys.find(({ name }) => name === key) ?? {};
      if (value === usual) delete next[key];
      else next[key] = value;
    }
    if (next.system !== scenario.system)
      for (const { name, kind } of tables.keys)
        if (kind === 'policies' || kind === 'reference') delete next[name];
    return next;
  }

  /**
   * How many of the first jobs of a trace a scenario simulates within about a second; null for all.
   * @param {Entries} scenario
   * @param {import('./worker/messages.d.ts').TraceFile} source
   * @param {number} jobs
   */
  async function firstJobs(scenario, source, jobs) {
    if (jobs <= TRIAL) return null;
    const trial = { ...scenario, first: String(TRIAL) };
    const read = core.read_scenario(Object.entries(trial));
    if (read.problems.length > 0 || work.get().phase !== 'idle') return TRIAL;
    const took = await time(read, source).catch(() => null);
    // The cost of a job grows with the queue before it.
    const middle = took === null ? WITHIN : Math.sqrt(took.low * took.high);
    const count = TRIAL * (WITHIN / Math.max(1, middle)) ** (2 / 3);
    const first = Math.max(FEWEST, roundedDown(count));
    return first < jobs ? first : null;
  }

  /**
   * Reports how a new log is used, and offers alternatives.
   * @param {object} made
   * @param {Entries} made.before the scenario before
   * @param {FittingSystem | null} made.system null if the scenario keeps its own
   * @param {number | null} made.first the number of its jobs that are run; null if the user set it
   */
  function offer({ before, system, first }) {
    const held = trace.get();
    if (held === null) return;
    const { report, source } = held;
    /** @param {FittingSystem | null} chosen */
    const choose = (chosen) => {
      const now = { ...entries.get() };
      for (const key of keysOf(report.systems)) {
        if (key in before) now[key] = before[key];
        else delete now[key];
      }
      const policies = tables.keys.filter(({ kind }) => kind === 'policies');
      if (now.system !== entries.get().system)
        for (const { name } of policies)
          if (name in before) now[name] = before[name];
          else delete now[name];
      entries.set(on(chosen, now));
      offer({ before, system: chosen, first });
      run();
    };
    const runWhole = () => {
      const { first: _, ...all } = entries.get();
      entries.set(all);
      offer({ before, system, first: null });
      run();
    };
    const said = texts.trace.arrived;
    const others = report.systems.filter((each) => each !== system);
    say('log', {
      title: said.title(
        source.file.name,
        report.processors,
        source.processors === 'nodes',
        system?.text ?? '',
      ),
      details: first === null ? '' : said.first(first, report.jobs),
      actions: [
        ...others.map((other) => ({ words: said.use(other.text), act: () => choose(other) })),
        ...(system === null ? [] : [{ words: said.leave, act: () => choose(null) }]),
        ...(first === null ? [] : [{ words: said.whole, act: runWhole }]),
      ],
    });
  }

  /**
   * Requests the trace of a scenario that was opened without it, unless the browser has it.
   * @param {NonNullable<import('./state.js').Reading['trace']>} needed
   * @param {string} title
   * @param {string} details
   */
  function want(needed, title, details) {
    asked.trace = needed;
    void keptTrace(needed.sha256).then((file) => {
      if (file !== null && asked.trace === needed) void take(file);
    });
    say('wanted', {
      title,
      details,
      actions: [{ words: texts.trace.choose, act: () => byId('file').click() }],
    });
  }

  /**
   * Uses the trace that a scenario names, if it was read before.
   * @param {import('./state.js').Reading} now
   */
  function recall(now) {
    if (now.trace === null) unsay('log');
    const before = now.trace === null ? undefined : known.get(now.trace.sha256);
    if (before !== undefined && traceOf(now) === null) trace.set(before);
  }

  /**
   * Reads the trace again if the scenario takes another column for the size of jobs, or treats
   * cancelled ones differently: the report of the reader depends on it.
   * @param {import('./state.js').Reading} now
   */
  function readAgain(now) {
    const held = trace.get()?.source;
    if (held === undefined || now.trace === null) return;
    const { processors, cancelled } = now.values;
    if (held.processors !== processors || held.cancelled !== cancelled) void take(held.file);
  }

  return { take, want, recall, readAgain };
}

/** The next number below with one digit other than zero: 1, 2 or 5. @param {number} count */
function roundedDown(count) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  return [5, 2, 1].map((digit) => digit * power).find((round) => round <= count) ?? 1;
}
