/** Reads the user's traces and makes them the workload. */
import { byId } from './dom.ts';
import { asked, entries, reading, trace, traceOf, traceProblem, traceReading } from './state.ts';
import { filesTexts } from './texts/files.ts';
import { formTexts } from './texts/form.ts';
import { traceTexts } from './texts/trace.ts';
import { say, unsay } from './view/banners.ts';
import { startOf, unknownTableDialog } from './view/unknown-table.ts';
import { Cancelled } from './worker/worker-client.ts';
import type { OpenedTopology, Question } from '../pkg/backfill_web.js';
import type { Core } from './core.ts';
import type { Entries, Reading, Tables } from './state.ts';
import type { TraceFile, TraceReport } from './worker/messages.ts';
import type { WorkerClient } from './worker/worker-client.ts';

interface CreateTracesParts {
  core: Core;
  tables: Tables;
  /** Which reads them. */
  replayWorker: WorkerClient;
  /** Called when the requested trace has arrived. */
  came: () => void;
  /** A trace in the browser's storage. */
  keptTrace: (sha256: string) => Promise<File | null>;
  /** Runs the scenario in the form. */
  run: () => void;
}

export type Traces = ReturnType<typeof createTraces>;

export function createTraces({
  core,
  tables,
  replayWorker,
  came,
  keptTrace,
  run,
}: CreateTracesParts) {
  /** The traces read so far, by the hashes of their contents. */
  const known = new Map<string, NonNullable<ReturnType<typeof trace.get>>>();
  /** The topology file that was opened last. */
  let topology: File | null = null;
  /** The number of traces requested. */
  let brought = 0;
  /** Until the trace that is read in another way is there. */
  let again: Promise<void> = Promise.resolve();

  trace.watch((now) => {
    if (now !== null) known.set(now.report.sha256, now);
  });

  /**
   * Reads a trace. If a run takes its place in the replay worker meanwhile, it is read again
   * afterwards, unless another one has been requested.
   */
  async function readTrace(source: TraceFile): Promise<TraceReport> {
    brought += 1;
    const mine = brought;
    for (;;) {
      try {
        return await replayWorker.ask('read', { trace: source }, (done, total) => {
          traceReading.set(formTexts.readingShare(source.file.name, done / total));
        });
      } catch (error) {
        if (!(error instanceof Cancelled) || mine !== brought) throw error;
      }
    }
  }

  /**
   * Reads a file of the user and makes it the workload.
   * @param given `anyway`: even if the link requires other contents; `columns`: what its columns
   *   are, in place of what the form says
   */
  async function take(file: File, given: { anyway?: boolean; columns?: string } = {}) {
    const { anyway = false } = given;
    traceProblem.set('');
    traceReading.set(formTexts.reading(file.name));
    unsay('trace');
    // Also while the form is not a valid scenario.
    const value = (name: string) =>
      entries.get()[name] ?? tables.keys.find((key) => key.name === name)?.default ?? '';
    const processors = value('processors');
    const cancelled = value('cancelled');
    const columns = given.columns ?? columnsOf(file, value('columns'));
    try {
      const named = core.trace_kind(file.name);
      const awaited = readTrace({ file, kind: named, processors, cancelled, columns });
      const mine = brought;
      const report = await awaited;
      if (
        asked.trace !== null &&
        asked.trace.sha256 !== '' &&
        asked.trace.sha256 !== report.sha256 &&
        !anyway
      ) {
        say('trace', {
          title: traceTexts.otherFile(file.name),
          details: traceTexts.otherFileDetails(asked.trace.sha256, report.sha256),
          loud: true,
          actions: [
            { words: traceTexts.useAnyway, act: () => void take(file, { ...given, anyway: true }) },
          ],
        });
        return;
      }
      unsay('wanted');
      const isWanted = (asked.trace !== null && !anyway) || isMissing(report.sha256);
      const held = trace.get();
      asked.trace = null;
      const kind = report.format;
      const source = { file, kind, processors, cancelled, columns };
      if (mine !== brought) return;
      const before = entries.get();
      const asks = before.file === undefined ? null : answered(before);
      const onTree = topology === null ? null : await openTopology(topology, source);
      if (mine !== brought) return;
      trace.set({ source, report: withQuestion(report, onTree) });
      if (isWanted) {
        came();
        return;
      }
      // Read again in another way, the log is asked the same.
      const same = held?.source.file === file;
      const { questions } = trace.get()?.report ?? report;
      const first = onTree === null ? 0 : questions.length - 1;
      const question = questions[same ? (asks ?? -1) : first];
      const log = { workload: kind, file: file.name };
      if (question === undefined || (!same && asks === null && namesSystem(before)))
        entries.set({ ...before, ...log, ...(same ? {} : { sha256: report.sha256 }) });
      else entries.set(asking(question));
      if (!same) run();
    } catch (error) {
      if (error instanceof Cancelled || (await askColumns(file, columns))) return;
      traceProblem.set(error instanceof Error ? error.message : String(error));
      say('trace', {
        title: traceTexts.failed(file.name),
        details: traceProblem.get(),
        loud: true,
      });
    } finally {
      traceReading.set(null);
    }
  }

  /**
   * Reads a topology file and asks what its placement gains: for the trace of the form, else for
   * generated jobs.
   */
  async function takeTopology(file: File) {
    unsay('topology');
    const now = reading.get();
    const held = now === null ? null : traceOf(now);
    const opened = await openTopology(file, held?.source ?? null);
    if (opened === null) return;
    topology = file;
    if (held === null) {
      entries.set(withoutDefaults(Object.fromEntries(opened.question.pairs)));
    } else {
      trace.set({ ...held, report: withQuestion(held.report, opened) });
      entries.set(asking(opened.question));
    }
    run();
  }

  /** What a topology file describes; null, with the mistake shown, if it cannot be read. */
  async function openTopology(file: File, source: TraceFile | null) {
    try {
      const opened = await replayWorker.ask('topology', { text: await file.text(), trace: source });
      say('topology', {
        title: filesTexts.topology(file.name, opened.nodes, opened.leaves, opened.blocks),
        details: opened.notes.join(' '),
      });
      return opened;
    } catch (error) {
      say('topology', {
        title: filesTexts.topologyFailed(file.name),
        details: error instanceof Error ? error.message : String(error),
        loud: true,
      });
      return null;
    }
  }

  /** A report with the question about a topology behind its own. */
  function withQuestion(report: TraceReport, opened: OpenedTopology | null): TraceReport {
    if (opened === null) return report;
    const { title } = opened.question;
    const own = report.questions.filter((question) => question.title !== title);
    return { ...report, questions: [...own, opened.question] };
  }

  /** What the form says of columns, unless it is about those of another file. */
  function columnsOf(file: File, inForm: string) {
    const held = trace.get()?.source;
    const isOfOther = held !== undefined && held.file !== file && held.columns === inForm;
    return isOfOther && asked.trace === null ? '' : inForm;
  }

  /** Asks which column is what, if the file is a table that no reader knows. */
  async function askColumns(file: File, columns: string) {
    const start = columns === '' ? await startOf(file).catch(() => '') : '';
    const found = core.unknown_columns(start);
    if (found === null) return false;
    const use = (columns: string) => void take(file, { columns });
    unknownTableDialog({ core, file, start, columns: found, use });
    return true;
  }

  /** Whether the form requires these missing contents. */
  function isMissing(sha256: string) {
    const now = reading.get();
    return (
      now !== null && now.trace !== null && now.trace.sha256 === sha256 && traceOf(now) === null
    );
  }

  /** Whether a scenario itself sets the system, by a value or by sweeping one. */
  function namesSystem(scenario: Entries) {
    const sweeps = tables.keys.filter(({ kind }) => kind === 'sweep');
    const swept = sweeps.map(({ name }) => scenario[name]?.split(':')[0] ?? '');
    const ofSystem = tables.keys.filter(({ group }) => group === 'system');
    return ofSystem.some(({ name }) => name in scenario || swept.includes(name));
  }

  /** The scenario that answers a question about the trace; how it is read stays. */
  function asking({ pairs }: Question): Entries {
    const held = trace.get();
    if (held === null) return {};
    const { source, report } = held;
    const { processors, cancelled, columns } = source;
    return {
      ...withoutDefaults({ processors, cancelled, columns, ...Object.fromEntries(pairs) }),
      workload: source.kind,
      file: source.file.name,
      sha256: report.sha256,
    };
  }

  function withoutDefaults(all: Entries): Entries {
    const changed = Object.entries(all).filter(
      ([key, value]) => tables.keys.find(({ name }) => name === key)?.default !== value,
    );
    return Object.fromEntries(changed);
  }

  /**
   * Which question about the trace a scenario answers, by its position; null for another scenario.
   */
  function answered(scenario: Entries) {
    const text = (of: Entries) => core.read_scenario(Object.entries(of)).text;
    const mine = text(scenario);
    const questions = trace.get()?.report.questions ?? [];
    const found = questions.findIndex((question) => text(asking(question)) === mine);
    return found < 0 ? null : found;
  }

  /** Answers a question about the trace. */
  async function ask(question: Question) {
    entries.set(asking(question));
    await again;
    run();
  }

  /** Requests the trace of a scenario that was opened without it, unless the browser has it. */
  function want(needed: NonNullable<Reading['trace']>, title: string, details: string) {
    asked.trace = needed;
    void keptTrace(needed.sha256).then((file) => {
      if (file !== null && asked.trace === needed) void take(file);
    });
    say('wanted', {
      title,
      details,
      actions: [{ words: traceTexts.choose, act: () => byId('file').click() }],
    });
  }

  /** Uses the trace that a scenario names, if it was read before. */
  function recall(now: Reading) {
    const before = now.trace === null ? undefined : known.get(now.trace.sha256);
    if (before !== undefined && traceOf(now) === null) trace.set(before);
  }

  /**
   * Reads the trace again if the scenario takes another column for the size of jobs, or treats
   * cancelled ones differently: the report of the reader depends on it.
   */
  function readAgain(now: Reading) {
    const held = trace.get()?.source;
    if (held === undefined || now.trace === null) return;
    const { processors, cancelled, columns } = now.values;
    const same =
      held.processors === processors && held.cancelled === cancelled && held.columns === columns;
    if (!same) again = take(held.file);
  }

  return { take, takeTopology, want, recall, readAgain, ask, answered };
}
