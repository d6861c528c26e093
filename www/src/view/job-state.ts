/** What is known of the chosen job of a run; the components of job.tsx draw it. */
import { batch, signal } from '@preact/signals';
import { createRef } from 'preact';
import { messageOf } from '../message.ts';
import { latest, put } from '../dom.ts';
import { averaged, chosenJob, clock, dark, picture, pointedCell } from '../state.ts';
import { jobTexts } from '../texts/job.ts';
import { Cancelled } from '../worker/worker-client.ts';
import type { JobAt, NamedLink } from '../../pkg/backfill_web.js';
import type { WorkerClient } from '../worker/worker-client.ts';
import type { Look, Run } from './inspector.ts';

/** A piece of a sentence: text, an instant that a click shows, or such a link. */
export type Piece = string | number | NamedLink;

/** A job of a run as it is at an instant. */
export interface ShownJob {
  run: Run;
  job: number;
  at: JobAt;
  instant: number;
}

/** The chart of its share over its allocation, in CSS pixels. */
const STRIP = { width: 360, height: 46 };

export class JobState {
  /** The chosen job, if there is one. */
  readonly shown = signal<ShownJob | null>(null);
  /** Why it was rejected or waits. */
  readonly why = signal<Piece[]>([]);
  /** The periods in which it was slowed, as sentences. */
  readonly slowed = signal<Piece[][]>([]);
  /** The chart of its share over its allocation. */
  readonly strip = createRef<HTMLCanvasElement>();
  readonly #look: Look;
  readonly #startedExportWorker: () => WorkerClient;
  #run: Run | null = null;
  /** The job that was explained last, of this run. */
  #explained: number | null = null;
  /** The allocation of the current sentences. */
  #slowedOver = '';

  /** @param startedExportWorker returns the worker that explains */
  constructor(look: Look, startedExportWorker: () => WorkerClient) {
    this.#look = look;
    this.#startedExportWorker = startedExportWorker;
    for (const each of [chosenJob, clock]) each.subscribe(() => void this.show());
    dark.subscribe(() => void this.#paintShare());
  }

  open(run: Run) {
    this.#run = run;
    this.#explained = null;
    void this.show();
  }

  /** Shows the chosen job at the current instant. */
  readonly show = latest(async () => {
    const job = chosenJob.peek();
    const answers = job === null ? null : await this.#look(['job_details', job, clock.peek()]);
    if (job === null || answers === null || this.#run === null) {
      this.#explained = null;
      batch(() => {
        this.shown.value = null;
        this.why.value = [];
      });
      return;
    }
    const shown = { run: this.#run, job, at: answers[0], instant: clock.peek() };
    const isOther = this.#explained !== job;
    this.#explained = job;
    batch(() => {
      this.shown.value = shown;
      if (isOther) this.why.value = [];
    });
    void this.#paintShare();
    void this.#describeShare();
    if (!isOther) return;
    if (valuesOf(shown).wait === 0) this.why.value = [jobTexts.atOnce];
    else void this.explain(null);
  });

  /** Draws the job's share over its allocation. */
  readonly #paintShare = latest(async () => {
    const shown = this.shown.peek();
    if (shown === null || sharedAllocation(shown) === null) return;
    const [width, height] = [STRIP.width, STRIP.height].map((size) =>
      Math.round(size * devicePixelRatio),
    );
    const answers = await this.#look([
      'share_strip',
      shown.job,
      clock.peek(),
      width,
      height,
      dark.peek(),
    ]);
    const pixels = answers?.[0];
    const strip = this.strip.current;
    if (pixels === undefined || strip === null) return;
    strip.width = width;
    strip.height = height;
    put(strip, pixels);
  });

  /** Reports when the job is slowed over its allocation, by which links, and the jobs on them. */
  readonly #describeShare = latest(async () => {
    const shown = this.shown.peek();
    const start = shown === null ? undefined : sharedAllocation(shown)?.start;
    if (shown === null || start === undefined) return;
    const slowedOver = `${shown.run.kept.number} ${shown.job} ${start}`;
    // The sentences stay while time moves, and with them the focus.
    if (slowedOver === this.#slowedOver) return;
    const answers = await this.#look(['slowed_over', shown.job, start]);
    if (answers === null) return;
    this.#slowedOver = slowedOver;
    const [{ longest, more }] = answers;
    this.slowed.value = [
      ...(longest.length === 0 ? [[jobTexts.notSlowed]] : longest),
      ...(more > 0 ? [[jobTexts.slowedMore(more)]] : []),
    ];
  });

  /**
   * Explains why the job was rejected or waits.
   * @param at when; null for its arrival
   */
  async explain(at: number | null) {
    const shown = this.shown.peek();
    if (shown === null) return;
    const { job, run } = shown;
    const isShown = () => this.#explained === job && this.#run?.kept === run.kept;
    this.why.value = [jobTexts.looking];
    const { scenario, trace, cell, info } = run.kept;
    try {
      const given = { scenario, trace, cell, job, at, machine: info.machine };
      const pieces = await this.#startedExportWorker().ask('explain', given);
      if (isShown()) this.why.value = pieces;
    } catch (error) {
      if (error instanceof Cancelled || !isShown()) return;
      this.why.value = [jobTexts.unexplained(messageOf(error))];
    }
  }

  /** Shows a link in the picture, at the instant of its sentence. */
  async showLink({ part, at }: { part: number; at: number }) {
    const laid = picture.peek();
    if (laid === null) return;
    averaged.value = false;
    clock.value = at;
    const answers = await this.#look(['spot_of', part, laid.width]);
    const map =
      document.querySelector<HTMLElement>('#replay .drawing:not([hidden])') ??
      document.querySelector<HTMLElement>('#replay .map');
    if (answers === null || map === null) return;
    map.scrollIntoView({ block: 'center' });
    map.focus({ preventScroll: true });
    pointedCell.value = answers[0] ?? null;
  }
}

/** The values of a job by the names of their columns. */
export function valuesOf({ run, at }: ShownJob): { [column: string]: number | null } {
  return Object.fromEntries(run.about.columns.map(({ name }, column) => [name, at.row[column]]));
}

/** The allocation of a job that shares links. */
export function sharedAllocation({ at: { allocation } }: ShownJob) {
  return allocation === null || allocation.shared === null ? null : allocation;
}
