/** Documents: scenarios, results and traces in files and storage, opened and stored. */
import { messageOf } from './message.ts';
import { fetched, kindOf } from './files.ts';
import { onDemand, part } from './part.ts';
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
import { say, unsay } from './view/banners.tsx';
import type { OpenedFile } from '../pkg/backfill_web.js';
import type { Answer } from './answer.ts';
import type { ExportWorker } from './export-worker.ts';
import type { KeptRuns } from './kept-runs.ts';
import type { Tables } from './state.ts';
import type { KeptRun, UnnamedRun } from './store.ts';
import type { Traces } from './trace.ts';
import type { Workbench } from './workbench.ts';

interface DocumentsParts {
  exportWorker: ExportWorker;
  tables: Tables;
  answer: Answer;
  workbench: Workbench;
  traces: Traces;
  /** The view of the answer, as in links. */
  viewed: () => string;
  /** Applies the view of a link. */
  look: (view: string) => void;
}

export class Documents {
  readonly #parts: DocumentsParts;
  /**
   * Runs and traces stored in the browser, once they are requested and as far as they could be
   * read.
   */
  #past: Promise<KeptRuns | null> | null = null;

  constructor(parts: DocumentsParts) {
    this.#parts = parts;
  }

  /** The history, fetched when it is first needed; null if it cannot be. */
  remembering(): Promise<KeptRuns | null> {
    const { tables, answer, viewed } = this.#parts;
    this.#past ??= part(() => import('./view/after-answer.ts')).then((view) => {
      if (view === null) {
        this.#past = null;
        return null;
      }
      return view.historyView({
        keys: tables.keys,
        restore: (run) => void this.#showKept(run),
        view: () => (reading.peek()?.text === answer.text ? viewed() : null),
      });
    });
    return this.#past;
  }

  /** Stores the answer in the browser, if it is complete. */
  keepRun() {
    const { answer, tables, viewed } = this.#parts;
    const now = reading.peek();
    const shown = summary.peek();
    if (this.#past === null || now === null || shown === null) return;
    if (now.text !== answer.text || digest.peek() === '') return;
    const labels = now.policies.map(({ label }) => label).join(', ');
    // Every key, so that a default may change; a swept one only has the values of its axis.
    const swept = [now.x?.key, now.y?.key];
    const values = Object.entries(now.values).filter(([key]) => !swept.includes(key));
    const kept = {
      schema: tables.schema,
      core: answer.maker,
      scenario: Object.fromEntries(values),
      digest: digest.peek(),
      sentence: shown.sentence,
      about: historyTexts.about(labels, shown.x.label),
      policies: now.policies,
      view: viewed(),
      outcomes: answer.outcomes,
    };
    void this.#past.then((history) => history?.add(kept));
  }

  /** Shows a stored run, as far as this version understands it. */
  async #showKept(run: KeptRun | UnnamedRun) {
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
      const opened = await this.#parts.exportWorker.started().ask('restore', { kept: run });
      this.#showResult(opened, historyTexts.restored, run.view);
    } catch (error) {
      sayFailed(historyTexts.keptFailed, error);
    }
  }

  /**
   * Shows a scenario, and its result if it has runs; those of another version are marked as such.
   * @param words the source of the runs
   * @param view the view of it, as in a link
   */
  #showResult(opened: OpenedFile, words: string, view: string = '') {
    const { answer, workbench, traces, look } = this.#parts;
    const { pairs, outcomes, core: by, lacks } = opened;
    // A scenario can be entered at any time; a result replaces the current run.
    if (outcomes.length > 0 && work.peek().phase !== 'idle') {
      workbench.instead(() => this.#showResult(opened, words, view));
      return;
    }
    enterAll(pairs);
    const now = reading.peek();
    if (now === null || now.problems.length > 0) return;
    if (outcomes.length === 0) {
      badge.value = { tone: 'stale', words: badgeTexts.stale };
      return;
    }
    unsay('wanted');
    asked.trace = null;
    look(view);
    facet.value = asked.facet;
    const known = { outcomes, verdict: { tone: '', words }, maker: by, spent: Infinity } as const;
    workbench.present(now, known, asked.run);
    asked.facet = 0;
    asked.run = null;
    if (now.trace !== null && traceFor(now) === null) {
      const { file, sha256 } = now.trace;
      traces.want(now.trace, traceTexts.ofResult(file), traceTexts.ofResultDetails(sha256));
    }
    if (by !== answer.version || lacks.length > 0) {
      say('file', {
        title: historyTexts.otherCore(by, answer.version),
        details: historyTexts.lacks(lacks),
      });
    }
    // The messages about the run before no longer apply.
    work.value = { ...work.peek(), words: '' };
  }

  /**
   * Opens files that come together: one scenario or result, one trace, which it may use, and one
   * topology. Other files are reported as unused.
   */
  async takeFiles(files: File[]) {
    const are = await Promise.all(files.map(kindOf));
    const kinds = ['scenario', 'trace', 'topology'] as const;
    const used = kinds.flatMap((kind) => files[are.indexOf(kind)] ?? []);
    for (const file of used) await this.takeFile(file);
    const unused = files.filter((file) => !used.includes(file));
    if (unused.length === 0) return;
    const [names, others] = [used, unused].map((all) => all.map(({ name }) => name));
    say('unused', { title: filesTexts.unused(names, others) });
  }

  /** Opens any file of the user. */
  async takeFile(file: File) {
    unsay('unused');
    const { traces } = this.#parts;
    const kind = await kindOf(file);
    if (kind === 'trace') return traces.take(file);
    if (kind === 'topology') return traces.takeTopology(file);
    unsay('file');
    try {
      const contents = await file.text();
      const opened = await this.#parts.exportWorker.started().ask('open', { contents });
      this.#showResult(opened, historyTexts.opened(file.name));
    } catch (error) {
      sayFailed(historyTexts.fileFailed(file.name), error);
    }
  }

  /** Opens the file in the address, if there is one. */
  async takeNamed() {
    const address = new URLSearchParams(location.search).get('trace');
    if (address === null) return;
    try {
      await this.takeFile(await fetched(address));
    } catch (error) {
      sayFailed(filesTexts.failed(address), error);
    }
  }

  /** Shows the report on the trace, with its diagnosis and remedies. */
  async examine() {
    const { tables, exportWorker } = this.#parts;
    const held = trace.peek();
    if (held === null) return;
    const view = await onDemand();
    await view?.doctorDialog(held, tables, async () =>
      exportWorker.started().ask('diagnose', { trace: held.source }),
    );
  }

  /** A trace in the browser's storage. */
  async keptTrace(sha256: string) {
    return (await this.remembering())?.trace(sha256) ?? null;
  }
}

function sayFailed(title: string, error: unknown) {
  const details = messageOf(error);
  say('file', { title, details, loud: true });
}
