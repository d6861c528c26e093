/** The worker that checks, writes and explains beside the page, started when it is first needed. */
import { onDemand } from './part.ts';
import { WorkerClient } from './worker/worker-client.ts';
import type { Answer } from './answer.ts';
import type { BoardCall, Build } from './worker/messages.ts';

export class ExportWorker {
  readonly #build: Build;
  readonly #answer: Answer;
  #worker: WorkerClient | null = null;

  /** @param build the core, for the worker */
  constructor(build: Build, answer: Answer) {
    this.#build = build;
    this.#answer = answer;
  }

  /** The worker, which now is started. */
  readonly started = () => {
    this.#worker ??= new WorkerClient(this.#build);
    return this.#worker;
  };

  /** Writes texts of the answer. */
  readonly write = (calls: BoardCall[]) => {
    const { text, maker, outcomes } = this.#answer;
    return this.started().ask('write', { scenario: text ?? '', maker, outcomes, calls });
  };

  /** Saves the scenario in the form as a file. */
  async saveScenario() {
    const view = await onDemand();
    await view?.saveScenario(this.started(), this.#answer.version);
  }
}
