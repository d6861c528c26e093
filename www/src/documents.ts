/** Documents: what is stored in the browser, and files, which are opened on demand. */
import { onDemand, part } from './part.ts';
import { digest, reading, summary, trace } from './state.ts';
import { historyTexts } from './texts/history.ts';
import type { Answer } from './answer.ts';
import type { ExportWorker } from './export-worker.ts';
import type { KeptRuns } from './kept-runs.ts';
import type { Tables } from './state.ts';
import type { OnDemand } from './part.ts';
import type { Traces } from './trace.ts';
import type { Workbench } from './workbench.ts';

export interface DocumentsParts {
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
        restore: (run) => void this.#opening((view) => view.showKept(this.#parts, run)),
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

  /** Opens files that come together: scenarios and results, traces, topologies. */
  takeFiles(files: File[]) {
    return this.#opening((view) => view.takeFiles(this.#parts, files));
  }

  /** Opens any file of the user. */
  takeFile(file: File) {
    return this.#opening((view) => view.takeFile(this.#parts, file));
  }

  /** Opens the file in the address, if there is one. */
  async takeNamed() {
    const address = new URLSearchParams(location.search).get('trace');
    if (address !== null) await this.#opening((view) => view.takeNamed(this.#parts, address));
  }

  /** Does something with files, once that is fetched. */
  async #opening(act: (view: OnDemand) => Promise<void>) {
    const view = await onDemand();
    if (view !== null) await act(view);
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
