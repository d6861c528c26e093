/**
 * A run over time: the visible period, what the worker draws of it, and what is said of the instant
 * and of the job pointed at. The components of over-time.tsx draw it.
 */
import { signal } from '@preact/signals';
import { createRef } from 'preact';
import { latest, put } from '../dom.ts';
import { instant, percent, whole } from '../format.ts';
import { chosenJob, clock, dark, pointedJob } from '../state.ts';
import { overTimeTexts } from '../texts/over-time.ts';
import { cell } from './cell.ts';
import { axisOf } from './time-axis.ts';
import { Playback } from './playback.ts';
import type { InspectorCall } from '../worker/messages.ts';
import type { Look, Run } from './inspector.ts';
import type { Axis, Period } from './time-axis.ts';

type DrawCall = InspectorCall<'plan' | 'plan_beside'>;
type StripCall = InspectorCall<'strip'>;
type ValuesCall = InspectorCall<'values' | 'values_beside'>;

/** The height of a chart and of the plan, in CSS pixels. */
const STRIP = 46;
const PLAN = 300;
/** The height of each of two plans. */
const PLAN_OF_TWO = 200;
/** The zoom of one step, and the least visible part of a run. */
export const ZOOM = 2;
const CLOSEST = 1 / 4096;
/** The room in CSS pixels for a tick of the time axis, and for the name of a block of the plan. */
const MARK = 76;
const NAME = 15;

/** The plan of a run, and the methods of the inspector for it. */
function planOf<Suffix extends '' | '_beside'>(run: Suffix) {
  return {
    canvas: createRef<HTMLCanvasElement>(),
    draws: `plan${run}` as const,
    reads: `job_at${run}` as const,
    details: `job_details${run}` as const,
  };
}

/** The middle of a block of a plan, in CSS pixels, and whether there is room for its name. */
interface Block {
  middle: number;
  isNamed: boolean;
}

/** A position on a plan. */
interface Pointer {
  x: number;
  y: number;
  on: TimeState['own'] | TimeState['other'];
}

export class TimeState {
  readonly run = signal<Run | null>(null);
  /** The column by which slots are coloured, by its position. */
  readonly colouring = signal('');
  readonly blocks = signal<Block[]>([]);
  /** Whether a slot of the plan is lower than a pixel. */
  readonly isDense = signal(false);
  readonly axis = signal<Axis>({ words: '', marks: [] });
  /** The values of each line at the instant, one for each run. */
  readonly values = signal<string[][]>([]);
  /** The instant and its values in words. */
  readonly described = signal({ now: 0, words: '' });
  /** What is said of the job pointed at. */
  readonly pointed = signal('');
  readonly playback = new Playback(() => this.run.peek()?.kept.info.span ?? null);
  readonly stack = createRef<HTMLDivElement>();
  readonly cursor = createRef<HTMLDivElement>();
  /** The plan of the run and of the one compared with, if any; jobs are the same in both. */
  readonly own = planOf('');
  readonly other = planOf('_beside');
  /** The canvases of the lines. */
  readonly strips: (HTMLCanvasElement | null)[] = [];
  /** Whether the pointer drags the cursor. */
  isDragged = false;
  readonly #look: Look;
  /** The visible period, in seconds. */
  #seen: Period = { from: 0, until: 1 };
  /** The position of the pointer, and its plan. */
  #pointer: Pointer | null = null;

  constructor(look: Look) {
    this.#look = look;
    clock.subscribe((now) => {
      if (this.run.peek() === null) return;
      const { from, until } = this.#seen;
      if (now < from || now > until) this.#centre(until - from, now);
      this.#placeCursor();
      void this.#read();
    });
    for (const each of [chosenJob, pointedJob]) each.subscribe(() => void this.paint());
    pointedJob.subscribe(() => void this.#describePointed());
  }

  open(run: Run) {
    const { about, kept } = run;
    this.#seen = { from: 0, until: Math.max(kept.info.span, 1e-6) };
    this.strips.length = about.lines.length;
    const columns = about.colourings.map(({ column }) => String(column));
    if (!columns.includes(this.colouring.peek())) this.colouring.value = columns[0] ?? '';
    this.run.value = run;
    void this.paint();
    void this.#read();
  }

  colourBy(column: string) {
    this.colouring.value = column;
    void this.paint();
  }

  /** The plans of a run. */
  plans(run: Run) {
    return run.kept.beside === null ? [this.own] : [this.own, this.other];
  }

  /** Has the worker draw the period, and shows it. */
  readonly paint = latest(async () => {
    const run = this.run.peek();
    if (run === null || (this.stack.current?.clientWidth ?? 0) === 0) return;
    const ratio = devicePixelRatio;
    const width = Math.floor(this.#room() * ratio);
    const height = Math.round(STRIP * ratio);
    const { from, until } = this.#seen;
    const column = Number(this.colouring.peek());
    const plans = this.plans(run);
    const high = Math.round((plans.length === 1 ? PLAN : PLAN_OF_TWO) * ratio);
    const job = pointedJob.peek() ?? chosenJob.peek() ?? undefined;
    const answers = await this.#look(
      ['lay_out', width, high, from, until],
      ...plans.map(({ draws }): DrawCall => [draws, column, job, dark.peek()]),
      ...run.about.lines.map(
        (_, line): StripCall => ['strip', line, width, height, from, until, dark.peek()],
      ),
    );
    if (answers === null) return;
    const [laid, ...pictures] = answers;
    plans.forEach(({ canvas }, place) => {
      show(canvas.current, width, laid.height, pictures[place]);
    });
    pictures.slice(plans.length).forEach((strip, line) => {
      show(this.strips[line], width, height, strip);
    });
    let free = 0;
    this.blocks.value = laid.blocks.map(([top, height]) => {
      const middle = (top + height / 2) / ratio;
      const isNamed = middle >= free;
      if (isNamed) free = middle + NAME;
      return { middle, isNamed };
    });
    this.isDense.value = laid.dense;
    this.axis.value = axisOf(run, this.#seen, Math.floor(this.#room() / MARK));
    this.#placeCursor();
  });

  /** Shows the values at the current instant. */
  readonly #read = latest(async () => {
    const run = this.run.peek();
    if (run === null) return;
    const calls: ValuesCall[] = [['values', clock.peek()]];
    if (run.kept.beside !== null) calls.push(['values_beside', clock.peek()]);
    const answers = await this.#look(...calls);
    if (answers === null) return;
    const { lines } = run.about;
    this.values.value = lines.map(({ unit }, line) => {
      const values = answers.map((each) => (unit === '' ? percent(each[line]) : whole(each[line])));
      return values.length === 1
        ? values
        : values.map((value, place) => overTimeTexts.ofRun(place, value));
    });
    const described = lines.map(
      ({ label }, line) => `${label} ${this.values.peek()[line].join(', ')}`,
    );
    const now = clock.peek();
    this.described.value = { now, words: `${instant(now)}: ${described.join(', ')}` };
  });

  /** The width of the canvases in CSS pixels. */
  #room() {
    return Math.max(1, Math.floor(this.own.canvas.current?.parentElement?.clientWidth ?? 1));
  }

  #placeCursor() {
    const [cursor, box] = [this.cursor.current, this.own.canvas.current?.parentElement];
    if (cursor === null || !box) return;
    const share = (clock.peek() - this.#seen.from) / (this.#seen.until - this.#seen.from);
    cursor.hidden = share < 0 || share > 1;
    cursor.style.left = `${box.offsetLeft + share * this.#room()}px`;
  }

  zoom(factor: number) {
    const span = this.run.peek()?.kept.info.span;
    if (span === undefined) return;
    const length = (this.#seen.until - this.#seen.from) * factor;
    this.#centre(Math.min(span, Math.max(length, span * CLOSEST)), clock.peek());
  }

  /** Shows a period of that length around an instant, within the run. */
  #centre(length: number, middle: number) {
    const span = this.run.peek()?.kept.info.span;
    if (span === undefined) return;
    const from = Math.min(Math.max(0, middle - length / 2), Math.max(0, span - length));
    this.#seen = { from, until: from + Math.max(length, 1e-6) };
    void this.paint();
  }

  /** Goes by so many events. */
  async step(by: number) {
    this.playback.stop();
    const answers = await this.#look(['step', clock.peek(), by]);
    if (answers !== null) clock.value = answers[0];
  }

  /** The instant at a position of the pointer. */
  timeAt({ clientX }: PointerEvent) {
    const { left = 0, width = 1 } = this.own.canvas.current?.getBoundingClientRect() ?? {};
    const share = Math.min(1, Math.max(0, (clientX - left) / width));
    return this.#seen.from + share * (this.#seen.until - this.#seen.from);
  }

  letGo() {
    this.isDragged = false;
  }

  /** Points at the job at a position of a plan, or at none. */
  pointAt(pointer: Pointer | null) {
    this.#pointer = pointer;
    void this.#point();
  }

  readonly #point = latest(async () => {
    if (this.#pointer === null) {
      pointedJob.value = null;
      return;
    }
    const { on, x, y } = this.#pointer;
    const answers = await this.#look([on.reads, x, y]);
    if (answers !== null && this.#pointer !== null) pointedJob.value = answers[0] ?? null;
  });

  /** Chooses the job at a position of a plan. */
  async chooseAt({ on, x, y }: Pointer) {
    const answers = await this.#look([on.reads, x, y]);
    if (answers !== null) chosenJob.value = answers[0] ?? null;
  }

  readonly #describePointed = latest(async () => {
    const job = pointedJob.peek();
    const on = this.#pointer?.on ?? this.own;
    const answers = job === null ? null : await this.#look([on.details, job, clock.peek()]);
    const run = this.run.peek();
    if (answers === null || run === null) {
      this.pointed.value = overTimeTexts.hint;
      return;
    }
    const { columns, left_out: leftOut, outcomes } = run.about;
    const shown = columns.flatMap(({ label, kind }, column) =>
      leftOut.includes(column) ? [] : `${label} ${cell(kind, answers[0].row[column], outcomes)}`,
    );
    const words = shown.join(' · ');
    this.pointed.value =
      this.plans(run).length === 1 ? words : overTimeTexts.ofRun(on === this.own ? 0 : 1, words);
  });
}

/** Shows pixels on a canvas of so many device pixels. */
function show(
  canvas: HTMLCanvasElement | null,
  width: number,
  height: number,
  pixels: Uint8ClampedArray,
) {
  if (canvas === null) return;
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.style.height = `${height / devicePixelRatio}px`;
  put(canvas, pixels);
}
