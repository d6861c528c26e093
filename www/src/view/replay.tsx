/**
 * Inside a run: the reserved part of every link at an instant, or averaged over the run, or its use
 * if jobs share links. The replay worker keeps the run, which it simulates unless it has it already,
 * and gives the shares; the page paints them.
 */
import { signal } from '@preact/signals';
import { messageOf } from '../message.ts';
import { byId, latest } from '../dom.ts';
import { mounted } from '../mount.ts';
import { part } from '../part.ts';
import {
  asked,
  averaged,
  cellAt,
  chosenJob,
  clock,
  frame,
  inspected,
  kept,
  pointedJob,
  sizesOf,
  topology,
  used,
  usedChosen,
} from '../state.ts';
import { replayTexts } from '../texts/replay.ts';
import { Cancelled } from '../worker/worker-client.ts';
import { say, unsay } from './banners.tsx';
import { openedRun, withOther } from './run-choice.ts';
import { Instant, RunFields } from './run-fields.tsx';
import { Shares } from './shares.tsx';
import type { ReplayInfo } from '../../pkg/backfill_web.js';
import type { Core } from '../core.ts';
import type { Inspected, Reading } from '../state.ts';
import type { Run, TraceFile } from '../worker/messages.ts';
import type { WorkerClient } from '../worker/worker-client.ts';
import type { ChosenRun } from './run-fields.tsx';

/** A run that the replay worker holds. */
type Held = Run & {
  number: number;
  worker: Worker | null;
  info: ReplayInfo;
  /** Whether it holds a second one beside it. */
  hasBeside: boolean;
};

/** The run of a policy to compare with. */
interface Beside {
  label: string;
  info: ReplayInfo;
}

interface ReplayParts {
  replayWorker: WorkerClient;
  core: Core;
  /** Returns the worker that explains. */
  startedExportWorker: () => WorkerClient;
}

export class Replay {
  readonly #parts: ReplayParts;
  readonly #section = byId('inside');
  readonly #shares: Shares;
  readonly #chosen = signal<ChosenRun | null>(null);
  readonly #info = signal<ReplayInfo | null>(null);
  #trace: TraceFile | null = null;
  /** Whether the scenario's runs can be opened. */
  #isOpen = false;
  /**
   * The run that the worker holds: to show its details, or to compare it with another one, it need
   * not be run again.
   */
  #held: Held | null = null;
  /** The number of the last run that was asked for. */
  #asked = 0;
  /** Whether the worker is still simulating what was asked for last. */
  #isBusy = false;
  /** Whether more than the picture is shown. */
  #isDeep = false;

  constructor(parts: ReplayParts) {
    this.#parts = parts;
    this.#shares = new Shares(parts.core);
    byId('replay').append(
      mounted(<RunFields chosen={this.#chosen} choose={(run) => this.#choose(run)} />),
      mounted(<Instant info={this.#info} />),
      ...this.#shares.elements,
    );
    new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) void this.deepen();
    }).observe(this.#shares.map.element);
    averaged.subscribe(() => void this.#show());
    clock.subscribe(() => void this.#show());
    used.subscribe(() => {
      this.#shares.fit();
      void this.#show();
    });
  }

  /**
   * Offers the runs of a scenario, and opens the wanted one, else the first policy's at the last x.
   */
  open(reading: Reading, trace: TraceFile | null, wanted: Inspected | null) {
    const beside = this.#chosen.peek()?.run.beside ?? null;
    this.#isOpen = true;
    this.#trace = trace;
    this.#enter({ reading, run: openedRun(reading, wanted, beside) });
    void this.#load();
    if (asked.step !== null) void this.deepen();
  }

  /** Closes the run until another one is opened. */
  close() {
    this.#isOpen = false;
    this.#asked += 1;
    this.#section.hidden = true;
    inspected.value = null;
  }

  /** Opens the first replication at a point of the curves; its tab says that there is news. */
  look(policy: number, x: number, y: number) {
    const before = this.#chosen.peek();
    if (before === null || !this.#isOpen) return;
    const { reading, run } = before;
    this.#enter({ reading, run: withOther(reading, { ...run, policy, x, y, replication: 0 }) });
    void this.#load();
    void this.deepen();
    byId('tabs').querySelector('[href="#inside"]')?.classList.add('news');
  }

  /** Shows all details of the run. */
  async deepen() {
    if (this.#isDeep) return;
    this.#isDeep = true;
    const view = await part(() => import('./inspector.ts'));
    // The next occasion tries again.
    this.#isDeep = view !== null;
    if (view === null) return;
    view.inspector(this.#parts);
    void this.#load();
  }

  /** Opens another run of the scenario. */
  #choose(run: Inspected) {
    const before = this.#chosen.peek();
    if (before === null || !this.#isOpen) return;
    this.#enter({ ...before, run });
    // To compare two runs shows all details.
    if (run.beside !== before.run.beside && run.policy === before.run.policy && !this.#isDeep)
      void this.deepen();
    else void this.#load();
  }

  #enter(chosen: ChosenRun) {
    this.#chosen.value = chosen;
    inspected.value = chosen.run;
  }

  /** Opens the chosen run, which is simulated unless the worker keeps it, at its busiest instant. */
  async #load() {
    const chosen = this.#chosen.peek();
    if (chosen === null || !this.#isOpen) return;
    this.#asked += 1;
    const mine = this.#asked;
    const trace = this.#trace;
    const { replayWorker } = this.#parts;
    const { reading, run } = chosen;
    const cell = cellOf(reading, run, run.policy);
    const before = kept.peek();
    const isSame = before?.scenario === reading.text && before.cell === cell && this.#isDeep;
    if (!isSame) this.#shares.report(replayTexts.running);
    const given = { scenario: reading.text, trace, cell };
    // A run that is kept needs no idle worker, and would be lost with one that does not stop.
    if (this.#isBusy || !this.#holds(given, run)) await replayWorker.cancel();
    if (mine !== this.#asked) return;
    try {
      this.#isBusy = true;
      // More may be wanted by the time this has run.
      const deep = this.#isDeep;
      if (!this.#holds(given, run)) {
        const asking = { ...given, number: mine };
        const info = await replayWorker.ask('replay', { ...asking, topology: topology.peek() });
        this.#held = { ...asking, worker: replayWorker.worker, info, hasBeside: false };
      }
      if (mine !== this.#asked || this.#held === null) return;
      const held = this.#held;
      const second = deep ? await this.#runBeside(chosen, trace) : null;
      if (second !== null) held.hasBeside = true;
      if (mine !== this.#asked) return;
      this.#isBusy = false;
      this.#keep(chosen, held, second, { isSame, deep });
      await this.#show();
    } catch (error) {
      if (!(error instanceof Cancelled)) this.#fail(error);
    } finally {
      if (mine === this.#asked) this.#isBusy = false;
    }
  }

  /** Whether the worker holds a run, and none beside it unless one is wanted. */
  #holds({ scenario, trace, cell }: Run, { beside }: Inspected) {
    const held = this.#held;
    return (
      held !== null &&
      held.worker === this.#parts.replayWorker.worker &&
      held.scenario === scenario &&
      held.trace === trace &&
      held.cell === cell &&
      (!held.hasBeside || beside !== null)
    );
  }

  /** Runs the policy chosen to compare with, if any. */
  async #runBeside({ reading, run }: ChosenRun, trace: TraceFile | null): Promise<Beside | null> {
    if (run.beside === null) return null;
    const { label } = reading.policies[run.beside];
    this.#shares.report(replayTexts.runningBeside(label));
    const cell = cellOf(reading, run, run.beside);
    const given = { scenario: reading.text, trace, cell, topology: topology.peek() };
    return { label, info: await this.#parts.replayWorker.ask('beside', given) };
  }

  /** Shows a run that the worker holds, at its busiest instant unless it is the same as before. */
  #keep(
    { reading, run }: ChosenRun,
    { number, scenario, trace, cell, info: found }: Held,
    second: Beside | null,
    { isSame, deep }: { isSame: boolean; deep: boolean },
  ) {
    const info = { ...found, span: Math.max(found.span, second?.info.span ?? 0) };
    this.#info.value = info;
    unsay('replay');
    this.#section.hidden = false;
    frame.value = null;
    this.#shares.show(info.machine);
    used.value = (found.shared || !!second?.info.shared) && usedChosen.peek() !== false;
    if (!isSame) {
      chosenJob.value = null;
      pointedJob.value = null;
      clock.value = found.busiest;
    }
    kept.value = {
      number,
      scenario,
      trace,
      cell,
      reading,
      run,
      info,
      deep,
      beside: second?.label ?? null,
    };
    this.#shares.fit();
  }

  #fail(error: unknown) {
    this.#section.hidden = this.#info.peek() === null;
    this.#shares.report('');
    say('replay', {
      title: replayTexts.failed,
      details: messageOf(error),
      loud: true,
    });
  }

  /** Requests the shares of the instant; while one request is open, only the last one counts. */
  readonly #show = latest(async () => {
    const run = kept.peek();
    if (this.#info.peek() === null || run === null) return;
    const at = averaged.peek() ? null : clock.peek();
    try {
      const given = { at, used: used.peek(), number: run.number };
      const found = await this.#parts.replayWorker.ask('frame', given);
      // Shares of another run than the current one are dropped.
      if (found !== null && run === kept.peek()) frame.value = found;
    } catch (error) {
      if (error instanceof Cancelled) return;
      throw error;
    }
    this.#shares.paint();
  });
}

/** The position of a run of a policy among those of the scenario. */
function cellOf(reading: Reading, { x, y, replication }: Inspected, policy: number) {
  return cellAt(sizesOf(reading), { y, x, policy, replication });
}
