/** Reads the user's traces and makes them the workload. */
import { completeBuild } from './core.js';
import { byId } from './dom.js';
import { asked, entries, trace, traceOf, traceProblem, traceReading } from './state.js';
import { texts } from './texts.js';
import { say, unsay } from './view/banners.js';
import { Cancelled } from './worker/worker-client.js';

/** Traces with more jobs than this begin with their first ones only. */
const FIRST = 1000;

/** @typedef {ReturnType<typeof createTraces>} Traces */

/**
 * @param {object} given
 * @param {typeof import('./pkg/backfill_web.js')} given.core
 * @param {import('./state.js').Tables} given.tables
 * @param {import('./worker/worker-client.js').WorkerClient} given.replayWorker which reads them
 * @param {() => void} given.came does what waited for the trace that was wanted
 * @param {(sha256: string) => Promise<File | null>} given.keptTrace a trace that the browser keeps
 */
export function createTraces({ core, tables, replayWorker, came, keptTrace }) {
  /**
   * The traces that were read here, by the hashes of their contents.
   * @type {Map<string, NonNullable<ReturnType<typeof trace.get>>>}
   */
  const known = new Map();
  /** How many traces have been asked for. */
  let brought = 0;

  trace.watch((now) => {
    if (now !== null) known.set(now.report.sha256, now);
  });

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
  async function take(file, anyway = false) {
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
      const asWanted = asked.trace !== null && !anyway;
      const same = trace.get()?.source.file === file;
      asked.trace = null;
      trace.set({ source: { file, kind, processors }, report });
      if (asWanted) {
        came();
        return;
      }
      /** @type {import('./state.js').Entries} */
      const next = { ...entries.get(), workload: kind, file: file.name, sha256: report.sha256 };
      if (!same && report.jobs > 2 * FIRST && next.first === undefined) {
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

  /**
   * Asks for the trace of a scenario that was opened without it, unless the browser keeps it.
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
   * Takes the trace that a scenario names, if it was read before.
   * @param {import('./state.js').Reading} now
   */
  function recall(now) {
    if (now.trace === null || now.values.first !== String(FIRST)) unsay('shortened');
    const before = now.trace === null ? undefined : known.get(now.trace.sha256);
    if (before !== undefined && traceOf(now) === null) trace.set(before);
  }

  /**
   * Reads the trace again where the scenario takes another column for the size of jobs: what the
   * reader found depends on it.
   * @param {import('./state.js').Reading} now
   */
  function readAgain(now) {
    const held = trace.get()?.source;
    if (held && now.trace && held.processors !== now.values.processors) void take(held.file);
  }

  return { take, want, recall, readAgain };
}
