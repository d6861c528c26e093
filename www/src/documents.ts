/** Documents: scenarios, results and traces in files and storage, opened, written and stored. */
import { fetched } from './files.ts';
import { part } from './part.ts';
import {
  asked,
  badge,
  digest,
  enterAll,
  facet,
  reading,
  summary,
  trace,
  traceFor,
  work,
} from './state.ts';
import { badgeTexts } from './texts/badge.ts';
import { filesTexts } from './texts/files.ts';
import { historyTexts } from './texts/history.ts';
import { traceTexts } from './texts/trace.ts';
import { say, unsay } from './view/banners.ts';
import { WorkerClient } from './worker/worker-client.ts';
import type { OpenedFile } from '../pkg/backfill_web.js';
import type { Answer } from './answer.ts';
import type { Reading, Tables } from './state.ts';
import type { KeptRun, UnnamedRun } from './store.ts';
import type { Traces } from './trace.ts';
import type { historyView } from './view/history.tsx';
import type { Workbench } from './workbench.ts';
import type { BoardCall, Build } from './worker/messages.ts';

interface CreateDocumentsParts {
  /** The core, for the export worker. */
  build: Build;
  tables: Tables;
  answer: Answer;
  workbench: Workbench;
  takeTrace: (file: File) => Promise<void>;
  wantTrace: Traces['want'];
  /** The view of the answer, as in links. */
  viewed: () => string;
  /** Applies the view of a link. */
  look: (view: string) => void;
}

export type Documents = ReturnType<typeof createDocuments>;

export function createDocuments({
  build,
  tables,
  answer,
  workbench,
  takeTrace,
  wantTrace,
  viewed,
  look,
}: CreateDocumentsParts) {
  type Past = ReturnType<typeof historyView>;
  /**
   * Runs and traces stored in the browser, once they are requested and as far as they could be
   * read.
   */
  let past: Promise<Past | null> | null = null;
  /** The export worker. */
  let exportWorker: WorkerClient | null = null;

  function remembering() {
    past ??= part(() => import('./view/after-answer.ts')).then((view) => {
      if (view === null) {
        past = null;
        return null;
      }
      return view.historyView({
        keys: tables.keys,
        restore: (run) => void showKept(run),
        view: () => (reading.get()?.text === answer.text ? viewed() : null),
      });
    });
    return past;
  }

  function startedExportWorker() {
    exportWorker ??= new WorkerClient(build);
    return exportWorker;
  }

  async function write(calls: BoardCall[]) {
    return startedExportWorker().ask('write', {
      scenario: answer.text ?? '',
      maker: answer.maker,
      outcomes: answer.outcomes,
      calls,
    });
  }

  /** The module that saves a file; null if it cannot be fetched. */
  function saving() {
    return part(() => import('./view/on-demand.ts'));
  }

  /** Saves the scenario in the form as a file. */
  async function saveScenario() {
    const now = reading.get();
    if (now === null || now.problems.length > 0) return;
    const found = await saving();
    if (found === null) return;
    const [text] = await startedExportWorker().ask('write', {
      scenario: now.text,
      maker: answer.version,
      outcomes: [],
      calls: [['toml']],
    });
    found.save('scenario.toml', text, 'application/toml');
  }

  /** Saves the folder that runs a scenario on a cluster. */
  async function saveStudy(now: Reading, engine: string, jobs: number) {
    const found = await saving();
    if (found === null) return;
    const archive = await startedExportWorker().ask('study', { scenario: now.text, engine, jobs });
    const type = 'application/zip';
    found.save(`${engine}-study.zip`, new Blob([archive], { type }), type);
  }

  /** Stores the answer in the browser, if it is complete. */
  function keepRun() {
    const now = reading.get();
    const shown = summary.get();
    if (
      past === null ||
      now === null ||
      shown === null ||
      now.text !== answer.text ||
      digest.get() === ''
    )
      return;
    const about = historyTexts.about(
      now.policies.map(({ label }) => label).join(', '),
      shown.x.label,
    );
    // Every key, so that a default may change; a swept one only has the values of its axis.
    const swept = [now.x?.key, now.y?.key];
    const scenario = Object.fromEntries(
      Object.entries(now.values).filter(([key]) => !swept.includes(key)),
    );
    const kept = {
      schema: tables.schema,
      core: answer.maker,
      scenario,
      digest: digest.get(),
      sentence: shown.sentence,
      about,
      policies: now.policies,
      view: viewed(),
      outcomes: answer.outcomes,
    };
    void past.then((history) => history?.add(kept));
  }

  /** Shows a stored run, as far as this version understands it. */
  async function showKept(run: KeptRun | UnnamedRun) {
    unsay('file');
    try {
      if ('pairs' in run) {
        enterAll(run.pairs);
        say('file', {
          title: historyTexts.unnamed(run.core),
          details: historyTexts.unnamedDetails,
          loud: true,
        });
        return;
      }
      const opened = await startedExportWorker().ask('restore', { kept: run });
      showResult(opened, historyTexts.restored, run.view);
    } catch (error) {
      say('file', {
        title: historyTexts.keptFailed,
        details: error instanceof Error ? error.message : String(error),
        loud: true,
      });
    }
  }

  /**
   * Shows a scenario, and its result if it has runs; those of another version are marked as such.
   * @param words the source of the runs
   * @param view the view of it, as in a link
   */
  function showResult(opened: OpenedFile, words: string, view: string = '') {
    const { pairs, outcomes: found, core: by, lacks } = opened;
    // A scenario can be entered at any time; a result replaces the current run.
    if (found.length > 0 && work.get().phase !== 'idle') {
      workbench.instead(() => showResult(opened, words, view));
      return;
    }
    enterAll(pairs);
    const now = reading.get();
    if (now === null || now.problems.length > 0) return;
    if (found.length === 0) {
      badge.set({ tone: 'stale', words: badgeTexts.stale });
      return;
    }
    unsay('wanted');
    asked.trace = null;
    look(view);
    facet.set(asked.facet);
    const verdict = { tone: '' as '', words };
    workbench.present(now, { outcomes: found, verdict, maker: by, spent: Infinity }, asked.run);
    asked.facet = 0;
    asked.run = null;
    if (now.trace !== null && traceFor(now) === null) {
      const { file, sha256 } = now.trace;
      wantTrace(now.trace, traceTexts.ofResult(file), traceTexts.ofResultDetails(sha256));
    }
    if (by !== answer.version || lacks.length > 0) {
      say('file', {
        title: historyTexts.otherCore(by, answer.version),
        details: historyTexts.lacks(lacks),
      });
    }
    // The messages about the run before no longer apply.
    work.set({ ...work.get(), words: '' });
  }

  /**
   * Opens files that come together: one scenario or result and one trace, which it may use. Other
   * files are reported as unused.
   */
  async function takeFiles(files: File[]) {
    const are = await Promise.all(files.map(isScenario));
    const used = [files[are.indexOf(true)], files[are.indexOf(false)]];
    const [opened, ...more] = used.flatMap((file) => (file === undefined ? [] : [file]));
    if (opened === undefined) return;
    await takeFile(opened);
    for (const file of more) await takeFile(file);
    const unused = files.filter((file) => !used.includes(file));
    if (unused.length > 0)
      say('unused', {
        title: filesTexts.unused(
          [opened, ...more].map(({ name }) => name),
          unused.map(({ name }) => name),
        ),
      });
  }

  /**
   * Whether a file is a scenario or a result, by its name; of JSON, what `sacct --json` prints is
   * neither.
   */
  async function isScenario(file: File) {
    if (!/\.json$/i.test(file.name)) return /\.toml$/i.test(file.name);
    const start = await file.slice(0, 1 << 16).text();
    return !/"jobs"\s*:\s*\[|"meta"\s*:\s*\{/.test(start);
  }

  /** Opens any file of the user: a scenario or a result, else a trace. */
  async function takeFile(file: File) {
    unsay('unused');
    if (!(await isScenario(file))) {
      await takeTrace(file);
      return;
    }
    unsay('file');
    try {
      const opened = await startedExportWorker().ask('open', { contents: await file.text() });
      showResult(opened, historyTexts.opened(file.name));
    } catch (error) {
      say('file', {
        title: historyTexts.fileFailed(file.name),
        details: error instanceof Error ? error.message : String(error),
        loud: true,
      });
    }
  }

  /** Opens the file in the address, if there is one. */
  async function takeNamed() {
    const address = new URLSearchParams(location.search).get('trace');
    if (address === null) return;
    try {
      await takeFile(await fetched(address));
    } catch (error) {
      say('file', {
        title: filesTexts.failed(address),
        details: error instanceof Error ? error.message : String(error),
        loud: true,
      });
    }
  }

  /** Shows the report on the trace, with its diagnosis and remedies. */
  async function examine() {
    const held = trace.get();
    if (held === null) return;
    const view = await part(() => import('./view/on-demand.ts'));
    await view?.doctorDialog(held, tables, async () =>
      startedExportWorker().ask('diagnose', { trace: held.source }),
    );
  }

  /** A trace in the browser's storage. */
  async function keptTrace(sha256: string) {
    return (await remembering())?.trace(sha256) ?? null;
  }

  return {
    remembering,
    startedExportWorker,
    write,
    saveScenario,
    saveStudy,
    keepRun,
    takeFile,
    takeFiles,
    takeNamed,
    examine,
    keptTrace,
  };
}
