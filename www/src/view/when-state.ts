/**
 * What is asked about a job, and what the futures say of it. Workers that have nothing else to do
 * simulate a few futures at a time, so that the answer appears early and a run can take their place.
 */
import { computed, signal } from '@preact/signals';
import { messageOf } from '../message.ts';
import { once } from '../once.ts';
import { entries, forecastJob, moving, trace, traceFor, validReading, work } from '../state.ts';
import { whenTexts as said } from '../texts/when.ts';
import { Cancelled } from '../worker/worker-client.ts';
import { FIRST, Futures, inOrder } from './when-futures.ts';
import {
  CLUSTER,
  instantOf,
  isUsual,
  nodesBy,
  policiesWithForecasts,
  singleRun,
  written,
} from './when-scenario.ts';
import type { ForecastUsual, Instants } from '../../pkg/backfill_web.js';
import type { PageParts } from '../compose.ts';
import type { Entries, Work } from '../state.ts';
import type { Question } from '../worker/messages.ts';
import type { Answered } from './when-futures.ts';

export type WhenParts = Pick<PageParts, 'core' | 'links' | 'pool' | 'replayWorker'>;

export class WhenState {
  /** What is asked about where the scenario has no policy with forecasts. */
  readonly usual: ForecastUsual;
  readonly size = signal('1');
  readonly limit = signal('6');
  /** In Mbit/s, where the system has a network; a usual one while it is empty. */
  readonly bandwidth = signal('');
  readonly at = signal('');
  readonly queue = signal('');
  readonly nodes = signal('');
  readonly processors = signal(false);
  readonly usesHistory = signal(true);
  /** Whether the user asks about a pasted queue although a log is open. */
  readonly wantsQueue = signal(false);
  /** The instants of the open log; null as long as none can be asked about. */
  readonly instants = signal<Instants | null>(null);
  readonly isQueue = computed(() => this.wantsQueue.value || this.instants.value === null);
  /** The chosen policy, and those that have forecasts. */
  readonly chosen = signal('');
  readonly policies = computed(() =>
    policiesWithForecasts(this.#parts.core, this.usual, this.isQueue.value),
  );
  readonly policy = computed(() => {
    const values = this.policies.value.map(({ value }) => value);
    if (values.includes(this.chosen.value)) return this.chosen.value;
    return values.find((value) => isUsual(this.usual, value)) ?? values[0];
  });
  readonly wrong = signal('');
  /** How far the futures are; null when none are being simulated. */
  readonly progress = signal<string | null>(null);
  readonly answered = signal<Answered | null>(null);
  readonly #parts: WhenParts;
  readonly #futures: Futures;
  /** The job that was proposed last. */
  #proposal = { at: '', size: '1' };
  /** The number of the last request; results of any other are dropped. */
  #turn = 0;
  #isStopped = false;

  constructor(parts: WhenParts) {
    this.#parts = parts;
    this.#futures = new Futures(parts.pool);
    this.usual = parts.core.forecast_usual();
  }

  /** How many futures are simulated. */
  futures() {
    return Number(validReading.value.values.futures);
  }

  /** Follows the log that is open, and answers what a link asks. */
  follow() {
    const opened = computed(() => {
      const held = trace.value;
      const now = validReading.value;
      return held === null || traceFor(now) === null ? '' : now.simulated + held.report.sha256;
    });
    let last = '';
    const open = () => {
      if (moving.peek() || opened.peek() === last) return;
      last = opened.peek();
      void this.#open(() => last);
    };
    for (const each of [opened, moving]) each.subscribe(open);
    computed(() => trace.value?.report.sha256).subscribe(() => {
      this.answered.value = null;
      this.instants.value = null;
      this.at.value = this.#proposal.at;
    });
  }

  /**
   * Finds out which instants of the log can be asked about.
   * @param opened identifies the log and the scenario
   */
  async #open(opened: () => string) {
    const of = opened();
    this.wrong.value = '';
    const [scenario, held] = [this.#scenario(), traceFor(validReading.peek())];
    if (held === null || scenario === null) this.instants.value = null;
    while (of === opened() && held !== null && scenario !== null) {
      try {
        const given = { scenario, trace: held };
        const found = await this.#parts.replayWorker.ask('instants', given);
        if (of !== opened()) return;
        this.instants.value = found;
        this.#begin(found);
        return;
      } catch (error) {
        // A run took the worker's time.
        if (error instanceof Cancelled) continue;
        this.instants.value = null;
        this.wrong.value = messageOf(error);
        return;
      }
    }
  }

  /** Asks what a link asks, or proposes a job at the end of the log. */
  #begin(found: Instants) {
    const [at, size, limit, policy, bandwidth] = forecastJob.peek().split('+').map(Number);
    if (at >= found.from_s && at <= found.until_s && size > 0 && limit > 0) {
      this.setAt(at);
      this.size.value = String(size);
      this.limit.value = String(limit / 3600);
      if (found.network && bandwidth >= 0) this.bandwidth.value = String(bandwidth);
      this.chosen.value = this.policies.peek()[policy]?.value ?? '';
      void this.ask();
      return;
    }
    const power = Math.floor(Math.log2(Math.max(1, found.nodes / 4)));
    const proposal = { at: written(found.until_s, found.begins), size: String(2 ** power) };
    // What the user has entered stays.
    for (const field of ['at', 'size'] as const)
      if (this[field].peek() === this.#proposal[field]) this[field].value = proposal[field];
    this.#proposal = proposal;
  }

  /** @param seconds since time 0 of the log */
  setAt(seconds: number) {
    this.at.value = written(seconds, this.instants.peek()?.begins ?? null);
  }

  /** The scenario under the chosen policy, as a text; null, with a message, if it is none. */
  #scenario(values: Entries = entries.peek()) {
    const policy = this.policy.peek();
    const { text, problems } = singleRun(this.#parts.core, { ...values, policy });
    if (problems.length === 0) return text;
    this.wrong.value = problems.map(({ key, message }) => `${key} = ${message}`).join(' ');
    return null;
  }

  /** What is asked; null, with a message, if it is nothing that can be asked. */
  #question(): Question | null {
    const [size, limit] = [this.size.peek(), this.limit.peek()];
    if (!this.isQueue.peek()) {
      const [scenario, held] = [this.#scenario(), traceFor(validReading.peek())];
      if (scenario === null || held === null) return null;
      const [at, bandwidth] = [this.at.peek(), this.bandwidth.peek()];
      return { scenario, trace: held, size, limit, bandwidth, at, queue: null };
    }
    const queue = { text: this.queue.peek(), processors: this.processors.peek() };
    const nodes = this.#nodes();
    if (nodes === null) return null;
    const held = this.usesHistory.peek() ? traceFor(validReading.peek()) : null;
    const others = held === null ? {} : entries.peek();
    const scenario = this.#scenario({ ...others, ...CLUSTER, nodes });
    if (scenario === null) return null;
    return { scenario, trace: held, size, limit, bandwidth: '', at: '', queue };
  }

  /** How many nodes the cluster has. */
  #nodes() {
    const text = this.nodes.peek().trim();
    this.wrong.value = text === '' ? said.noNodes : '';
    if (text === '') return null;
    try {
      return nodesBy(this.#parts.core, text);
    } catch (error) {
      this.wrong.value = `sinfo: ${messageOf(error)}`;
      return null;
    }
  }

  /** Forecasts the start of the job that is entered. */
  async ask() {
    this.wrong.value = '';
    const question = this.#question();
    if (question !== null) await this.#working((turn) => this.#simulate(question, turn));
  }

  async #simulate(question: Question, turn: number) {
    this.#inLink('');
    const last = this.answered.peek();
    const isSame = last !== null && instantOf(last.question) === instantOf(question);
    let now: Answered = {
      question,
      starts: [],
      holds: [],
      cells: isSame ? last.cells : [],
      told: null,
      before: isSame ? (last.told ?? last.before) : null,
    };
    const show = (more: Partial<Answered>) => {
      now = { ...now, ...more };
      if (turn === this.#turn) this.answered.value = now;
    };
    try {
      await this.#futures.simulate(question, 'starts', [0, this.futures()], (starts, futures) => {
        if (turn === this.#turn) this.progress.value = said.progress(futures, this.futures());
        if (futures >= Math.min(FIRST, this.futures())) show({ starts: inOrder(starts) });
      });
    } catch (error) {
      // Who stops has an answer from the futures so far.
      if (!this.#isStopped || now.starts.length === 0) throw error;
    }
    show({ told: await this.#tell(now) });
    if (now.told === null || turn !== this.#turn) return;
    const { p50, at_s, size, limit_s, bandwidth_mbit } = now.told.forecast;
    const policy = this.policies.peek().findIndex(({ value }) => value === this.policy.peek());
    const job = [at_s, size, limit_s, policy, bandwidth_mbit ?? []].flat();
    if (question.queue === null) this.#inLink(job.join('+'));
    if (this.#isStopped || p50.start_s === null || p50.wait_s === 0) return;
    show({ holds: await this.#futures.holds(question, now.starts.length, p50.start_s) });
    show({ told: await this.#tell(now) });
  }

  /** Forecasts other sizes and time limits at the instant that was asked about. */
  async map() {
    const now = this.answered.peek();
    if (now === null || now.told === null) return;
    await this.#working(async (turn) => {
      let before: number[] = [];
      const first = Math.min(FIRST, this.futures());
      for (const range of [
        [0, first],
        [first, this.futures()],
      ] as const) {
        let cells = before;
        await this.#futures.simulate(now.question, 'cells', range, (found, futures) => {
          if (turn === this.#turn) this.progress.value = said.progress(futures, this.futures());
          cells = [...before, ...found];
        });
        before = cells;
        const told = await this.#tell({ ...now, cells });
        if (turn === this.#turn) this.answered.value = { ...now, cells, told };
      }
    });
  }

  #tell({ question, starts, holds, cells }: Answered) {
    return this.#futures.tell(question, starts, holds, cells);
  }

  /** Writes the job into the address. */
  #inLink(job: string) {
    forecastJob.value = job;
    this.#parts.links.showAddress();
  }

  /** Gives up what is being simulated. */
  stop() {
    this.#isStopped = true;
    if (isIdle(work.peek())) void this.#parts.pool.cancel();
  }

  /** Does something when no run needs the workers, and anew if one takes them meanwhile. */
  async #working(act: (turn: number) => Promise<void>) {
    this.#turn += 1;
    const turn = this.#turn;
    const isLast = () => turn === this.#turn;
    this.#isStopped = false;
    this.progress.value = said.preparing;
    let isTaken = true;
    while (isTaken && isLast()) {
      await new Promise((resolve) => once(work, isIdle, () => resolve(undefined)));
      try {
        if (this.#isStopped) throw new Cancelled();
        await act(turn);
        isTaken = false;
      } catch (error) {
        isTaken = error instanceof Cancelled && !this.#isStopped;
        const words = error instanceof Cancelled ? said.stopped : messageOf(error);
        if (isLast() && !isTaken) this.wrong.value = words;
      }
    }
    if (isLast()) this.progress.value = null;
  }
}

const isIdle = ({ phase }: Work) => phase === 'idle';
