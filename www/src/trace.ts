/** Reads the user's traces and makes them the workload. */
import { messageOf } from './message.ts';
import { byId } from './dom.ts';
import { onDemand } from './part.ts';
import { asked, entries, reading, trace, traceOf, traceProblem, traceReading } from './state.ts';
import { formTexts } from './texts/form.ts';
import { traceTexts } from './texts/trace.ts';
import { namesSystem, scenarioAsking, withQuestion, withoutDefaults } from './trace-questions.ts';
import { say, unsay } from './view/banners.tsx';
import { insist } from './worker/insist.ts';
import { breath } from './worker/protocol.ts';
import { Cancelled } from './worker/worker-client.ts';
import type { OpenedTopology, Question } from '../pkg/backfill_web.js';
import type { Core } from './core.ts';
import type { Entries, ReadTrace, Reading, Tables } from './state.ts';
import type { TraceFile, TraceReport } from './worker/messages.ts';
import type { WorkerClient } from './worker/worker-client.ts';

/** The start of a file that is looked at for columns, in bytes. */
const START = 1 << 16;

interface TracesParts {
  core: Core;
  tables: Tables;
  /** Which reads them. */
  replayWorker: WorkerClient;
  /** Has those that simulate read a trace too. */
  hold: (source: TraceFile) => void;
  /** Called when the requested trace has arrived. */
  came: () => void;
  /** A trace in the browser's storage. */
  keptTrace: (sha256: string) => Promise<File | null>;
  /** Runs the scenario in the form, unless its answer is shown. */
  run: () => void;
}

/** How a file is taken. */
interface Given {
  /** Even if the link requires other contents. */
  anyway?: boolean;
  /** What its columns are, in place of what the form says. */
  columns?: string;
}

export class Traces {
  readonly #parts: TracesParts;
  /** The traces read so far, by the hashes of their contents. */
  readonly #known = new Map<string, ReadTrace>();
  /** The topology file that was opened last. */
  #topology: File | null = null;
  /** The number of traces requested. */
  #brought = 0;
  /** Until the trace that is read in another way is there. */
  #again: Promise<void> = Promise.resolve();

  constructor(parts: TracesParts) {
    this.#parts = parts;
    trace.subscribe((now) => {
      if (now !== null) this.#known.set(now.report.sha256, now);
    });
  }

  /** Reads a file of the user and makes it the workload. */
  async take(file: File, given: Given = {}) {
    traceProblem.value = '';
    traceReading.value = formTexts.reading(file.name);
    unsay('trace');
    const source = this.#sourceOf(file, given);
    try {
      const awaited = this.#read(source);
      const mine = this.#brought;
      const report = await awaited;
      if (this.#isRefused(file, report, given)) return;
      unsay('wanted');
      const isWanted = (asked.trace !== null && !given.anyway) || isMissing(report.sha256);
      asked.trace = null;
      if (mine !== this.#brought) return;
      const read = { ...source, kind: report.format };
      const onTree =
        this.#topology === null ? null : await this.#openTopology(this.#topology, read);
      if (mine !== this.#brought) return;
      await this.#use(read, report, onTree, isWanted);
    } catch (error) {
      if (error instanceof Cancelled || (await this.#askColumns(file, source.columns))) return;
      traceProblem.value = messageOf(error);
      say('trace', {
        title: traceTexts.failed(file.name),
        details: traceProblem.peek(),
        loud: true,
      });
    } finally {
      traceReading.value = null;
    }
  }

  /** A file with the options of the form, also while that is not a valid scenario. */
  #sourceOf(file: File, given: Given): TraceFile {
    const { core, tables } = this.#parts;
    const value = (name: string) =>
      entries.peek()[name] ?? tables.keys.find((key) => key.name === name)?.default ?? '';
    return {
      file,
      kind: core.trace_kind(file.name),
      processors: value('processors'),
      cancelled: value('cancelled'),
      columns: given.columns ?? columnsOf(file, value('columns')),
    };
  }

  /** Reads a trace. */
  async #read(source: TraceFile): Promise<TraceReport> {
    this.#brought += 1;
    this.#parts.hold(source);
    return this.insist(() =>
      this.#parts.replayWorker.ask('read', { trace: source }, (done, total) => {
        traceReading.value = formTexts.readingShare(source.file.name, done / total);
      }),
    );
  }

  /** Asks the replay worker, unless another trace is requested meanwhile. */
  insist<Told>(ask: () => Promise<Told>) {
    const mine = this.#brought;
    return insist(ask, () => mine === this.#brought);
  }

  /** Whether a link requires other contents, which is said. */
  #isRefused(file: File, { sha256 }: TraceReport, given: Given) {
    if (asked.trace === null || asked.trace.sha256 === '' || given.anyway) return false;
    if (asked.trace.sha256 === sha256) return false;
    say('trace', {
      title: traceTexts.otherFile(file.name),
      details: traceTexts.otherFileDetails(asked.trace.sha256, sha256),
      loud: true,
      actions: [
        {
          words: traceTexts.useAnyway,
          act: () => void this.take(file, { ...given, anyway: true }),
        },
      ],
    });
    return true;
  }

  /**
   * Makes a trace the workload, and answers a question about it.
   * @param isWanted whether the scenario in the form is about it
   */
  async #use(
    source: TraceFile,
    report: TraceReport,
    onTree: OpenedTopology | null,
    isWanted: boolean,
  ) {
    const held = trace.peek();
    const before = entries.peek();
    const answered = before.file === undefined ? null : this.answered(before);
    const { questions } = withQuestion(report, onTree);
    trace.value = { source, report: { ...report, questions } };
    // In parts, so that none of its tasks is long.
    await breath();
    if (isWanted) {
      this.#parts.came();
      return;
    }
    // Read again in another way, the log is asked the same.
    const isSame = held?.source.file === source.file;
    const first = onTree === null ? 0 : questions.length - 1;
    const question = questions[isSame ? (answered ?? -1) : first];
    const isOwn =
      answered === null && onTree === null && namesSystem(before, this.#parts.tables.keys);
    if (question === undefined || (!isSame && isOwn)) {
      const log = { ...before, workload: source.kind, file: source.file.name };
      entries.value = isSame ? log : { ...log, sha256: report.sha256 };
    } else {
      entries.value = this.#asking(question);
    }
    if (isSame) return;
    await breath();
    this.#parts.run();
  }

  /** Asks which column is what, if the file is a table that no reader knows. */
  async #askColumns(file: File, given: string) {
    const { core } = this.#parts;
    const readStart = () => file.slice(0, START).text();
    const start = given === '' ? await readStart().catch(() => '') : '';
    const columns = core.unknown_columns(start);
    if (columns === null) return false;
    const view = await onDemand();
    const use = (columns: string) => void this.take(file, { columns });
    view?.unknownTableDialog({ core, file, start, columns, use });
    return view !== null;
  }

  /** The scenario that answers a question about the trace; how it is read stays. */
  #asking(question: Question): Entries {
    const held = trace.peek();
    return held === null ? {} : scenarioAsking(question, held, this.#parts.tables.keys);
  }

  /**
   * Reads a topology file and asks what its placement gains: for the trace of the form, else for
   * generated jobs.
   */
  async takeTopology(file: File) {
    unsay('topology');
    const now = reading.peek();
    const held = now === null ? null : traceOf(now);
    const opened = await this.#openTopology(file, held?.source ?? null);
    if (opened === null) return;
    this.#topology = file;
    if (held === null) {
      const { pairs } = opened.question;
      entries.value = withoutDefaults(Object.fromEntries(pairs), this.#parts.tables.keys);
    } else {
      trace.value = { ...held, report: withQuestion(held.report, opened) };
      entries.value = this.#asking(opened.question);
    }
    this.#parts.run();
  }

  /**
   * What a topology file describes; null if it cannot be read, with the mistake shown, or if another
   * trace has been requested.
   */
  async #openTopology(file: File, source: TraceFile | null) {
    const view = await onDemand();
    if (view === null) return null;
    const open = () => view.openTopology(this.#parts.replayWorker, file, source);
    return this.insist(open).catch((error) => {
      if (error instanceof Cancelled) return null;
      throw error;
    });
  }

  /**
   * Which question about the trace a scenario answers, by its position; null for another scenario.
   */
  answered(scenario: Entries) {
    const text = (of: Entries) => this.#parts.core.read_scenario(Object.entries(of)).text;
    const mine = text(scenario);
    const questions = trace.peek()?.report.questions ?? [];
    const found = questions.findIndex((question) => text(this.#asking(question)) === mine);
    return found < 0 ? null : found;
  }

  /** Answers a question about the trace. */
  async ask(question: Question) {
    entries.value = this.#asking(question);
    await breath();
    await this.#again;
    this.#parts.run();
  }

  /** Requests the trace of a scenario that was opened without it, unless the browser has it. */
  want(needed: NonNullable<Reading['trace']>, title: string, details: string) {
    asked.trace = needed;
    void this.#parts.keptTrace(needed.sha256).then((file) => {
      if (file !== null && asked.trace === needed) void this.take(file);
    });
    say('wanted', {
      title,
      details,
      actions: [{ words: traceTexts.choose, act: () => byId('file').click() }],
    });
  }

  /** Uses the trace that a scenario names, if it was read before. */
  recall(now: Reading) {
    const before = now.trace === null ? undefined : this.#known.get(now.trace.sha256);
    if (before !== undefined && traceOf(now) === null) trace.value = before;
  }

  /**
   * Reads the trace again if the scenario takes another column for the size of jobs, or treats
   * cancelled ones differently: the report of the reader depends on it.
   */
  readAgain(now: Reading) {
    const held = trace.peek()?.source;
    if (held === undefined || now.trace === null) return;
    const { processors, cancelled, columns } = now.values;
    const same =
      held.processors === processors && held.cancelled === cancelled && held.columns === columns;
    if (!same) this.#again = this.take(held.file);
  }
}

/** What the form says of columns, unless it is about those of another file. */
function columnsOf(file: File, inForm: string) {
  const held = trace.peek()?.source;
  const isOfOther = held !== undefined && held.file !== file && held.columns === inForm;
  return isOfOther && asked.trace === null ? '' : inForm;
}

/** Whether the form requires these missing contents. */
function isMissing(sha256: string) {
  const now = reading.peek();
  return now !== null && now.trace?.sha256 === sha256 && traceOf(now) === null;
}
