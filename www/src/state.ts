/** The whole state of the page, one sentence each. */
import { computed, signal } from '@preact/signals';
import type {
  Part,
  Reading as CheckedReading,
  ReplayInfo,
  Spot,
  Summary,
  Tables,
} from '../pkg/backfill_web.js';
import type { Range } from './forecast.ts';
import type { Write } from './view/export-file.ts';
import type { Frame, TraceFile, TraceReport } from './worker/messages.ts';

export type { Tables };

/** A checked scenario, its values by key. */
export type Reading = Omit<CheckedReading, 'values'> & { values: Entries };
export type Entries = { [key: string]: string };
export type Work = {
  phase: 'idle' | 'running' | 'paused' | 'cancelling';
  done: number;
  total: number;
  left: Range | null;
  words: string;
  saturated?: Saturated | null;
};
/**
 * A point of the sweep whose queue only grows, in words, and a function that ends only its runs.
 */
export type Saturated = { words: string; stop: () => void };
export type Badge = { tone: '' | 'good' | 'bad' | 'stale'; words: string };

/** The form: a text for every key that differs from its default. */
export const entries = signal<Entries>({});

/** The entries as checked by the core. */
export const reading = signal<Reading | null>(null);

let lastValid: Reading | null = null;
/** The last entries that were a scenario. */
export const validReading = computed(() => {
  const now = reading.value;
  if (now !== null && now.problems.length === 0) lastValid = now;
  if (lastValid === null) throw new Error('no entries were checked yet');
  return lastValid;
});

/** The numbers of values of x, policies and replications of a scenario. */
export function sizesOf({
  x,
  policies,
  replications,
}: Pick<Reading, 'x' | 'policies' | 'replications'>) {
  return { xs: x?.values.length ?? 1, policies: policies.length, replications };
}

/**
 * The position of a run among those of such a scenario.
 * @param run by positions
 */
export function cellAt(
  { xs, policies, replications }: ReturnType<typeof sizesOf>,
  { y, x, policy, replication }: { y: number; x: number; policy: number; replication: number },
) {
  return ((y * xs + x) * policies + policy) * replications + replication;
}

/** The trace that was read, if the user brought one. */
export type ReadTrace = { source: TraceFile; report: TraceReport };
export const trace = signal<ReadTrace | null>(null);

/** The text of the topology file that was read last: it names the parts of machines. */
export const topology = signal<string>();

/** The current trace, if it is the one that a scenario names. */
export function traceOf(now: Reading) {
  const held = trace.peek();
  return held !== null && now.trace !== null && ['', held.report.sha256].includes(now.trace.sha256)
    ? held
    : null;
}

/** The user's file with the scenario's reading options. */
export function traceFor(now: Reading): TraceFile | null {
  const held = traceOf(now);
  if (now.trace === null || held === null) return null;
  const { processors, cancelled, columns } = now.values;
  return { file: held.source.file, kind: now.trace.kind, processors, cancelled, columns };
}

/** Why the last file could not be read. */
export const traceProblem = signal<string>('');

/** The file that is being read, in words. */
export const traceReading = signal<string | null>(null);

/** The progress of the sweep. */
export const work = signal<Work>({ phase: 'idle', done: 0, total: 0, left: null, words: '' });

/** The estimated run time of the scenario with this canonical text. */
export const estimate = signal<{ text: string; range: Range } | null>(null);

/** The warning about the scenario with this canonical text that some of its jobs can never run. */
export const warning = signal<{ text: string; words: string } | null>(null);

/** The current numbers, null as long as the page shows those it was built with. */
export const summary = signal<Summary | null>(null);

/**
 * The most characters of a note in a link, which keeps links and the page readable.
 */
export const LONGEST_NOTE = 240;

/** The requests of the opened link, besides its scenario. */
export interface Asked {
  /** Whether the address was read; before, it must not be written. */
  read: boolean;
  /** The digest of its result. */
  promised: { text: string; digest: string; core: string } | null;
  /** The required contents of its trace. */
  trace: { file: string; sha256: string } | null;
  /** The run to open. */
  run: Inspected | null;
  /** The step of its passes to show. */
  step: Stepped | null;
  /** The value of the second swept key to show. */
  facet: number;
  /** The visible part of the axes of charts; null once applied. */
  zoom: { across: Part | null; up: Heights } | null;
}

export const asked: Asked = {
  read: false,
  promised: null,
  trace: null,
  run: null,
  step: null,
  facet: 0,
  zoom: null,
};

/** Enters the values of a scenario in the form. */
export function enterAll(pairs: [string, string][]) {
  entries.value = Object.fromEntries(pairs);
}

/** The verdict on the numbers. */
export const badge = signal<Badge>({ tone: '', words: '' });

/** The digest of the current numbers; empty while runs are missing. */
export const digest = signal<string>('');

/** A chart by its kind, and what else it is of, as it is copied. */
export type Copyable =
  | { of: 'metric' | 'differences' | 'surface'; metric: string }
  | { of: 'days'; metric: string; x: number }
  | { of: 'numbers' | 'forecast'; csv: Write }
  | { of: 'waits'; files: { png: Write; svg: Write; csv: Write } }
  | { of: 'run' | 'step' };

/** A chart that is to be copied, and its button. */
export interface Copying {
  button: HTMLButtonElement;
  chart: () => Copyable;
}

/** The chart whose button was pressed last. */
export const copying = signal<Copying | null>(null);

/** The series switched off in the legend, by position. */
export const hidden = signal<ReadonlySet<number>>(new Set());

/** The shown value of the second swept key, by position. */
export const facet = signal<number>(0);

/**
 * Whether a slider is being moved: the answer follows it, and is stored once it rests.
 */
export const moving = signal(false);

/** The canonical text of the scenario that idle workers compute for the form, if any. */
export const answering = signal<string | null>(null);

/**
 * What the opened link says to the visitor and hides: its note, whether that stands beside the steps
 * of a pass, and the names of the hidden parts by commas.
 */
export const lesson = signal({ note: '', isBeside: false, hide: '' });

/** The part of the page opened by a tab or link; empty for the first one. */
export const section = signal<string>('');

/**
 * The job whose start was forecast last, for a link: the second of its submit, its nodes, its time
 * limit in seconds and the position of the policy, separated by +; empty if there is none, or it is of
 * a pasted queue.
 */
export const forecastJob = signal('');

/** The x position pointed at, by position among the swept values. */
export const pointed = signal<number | null>(null);

/** The visible part of the shared axis of charts, null for all of it. */
export const across = signal<Part | null>(null);

/** The visible parts of the axes of values, by metric; missing for a metric that is not zoomed. */
export type Heights = { [metric: string]: Part };
export const up = signal<Heights>({});

/**
 * The opened run, by the positions of its point of the curves and its replication, and the policy
 * to compare with, if any.
 */
export type Inspected = {
  policy: number;
  x: number;
  y: number;
  replication: number;
  beside: number | null;
};
export const inspected = signal<Inspected | null>(null);

/**
 * The run kept for inspection: its number among the kept runs, its identity, what it was chosen from
 * and by which positions, whether more than its picture is available, and the label of the run
 * compared with, if any. The span is that of the longer of both.
 */
export type Kept = {
  number: number;
  scenario: string;
  trace: TraceFile | null;
  cell: number;
  reading: Reading;
  run: Inspected;
  info: ReplayInfo;
  deep: boolean;
  beside: string | null;
};
export const kept = signal<Kept | null>(null);

/** The current instant of that run, in seconds since its first submit. */
export const clock = signal<number>(0);

/** The chosen job of that run, by its index. */
export const chosenJob = signal<number | null>(null);

/**
 * A pass of that run, by position, how many of its steps are done, and whether those of all policies
 * stand beside it.
 */
export type Stepped = { pass: number; done: number; isAll: boolean };
/** The step that is shown, or soon will be, if passes are stepped through. */
export const stepped = signal<Stepped | null>(null);

/** The job pointed at, by its index. */
export const pointedJob = signal<number | null>(null);

/** Whether the picture of that run shows it averaged over time. */
export const averaged = signal<boolean>(false);

/** Whether shares of links are their use, not the reservations. */
export const used = signal(false);

/**
 * The visitor's choice of the two; null before, when the page shows the use if jobs share links.
 */
export const usedChosen = signal<boolean | null>(null);

/** The use of that run's machine at the current instant. */
export const frame = signal<Frame | null>(null);

/**
 * The run's picture: its size in device pixels, the cell under one of them, the names of its
 * columns, and what a share is relative to, as worded by the core.
 */
export type Laid = {
  width: number;
  height: number;
  spot: (x: number, y: number) => Spot | undefined;
  columns: string[];
  words: string[];
};
export const picture = signal<Laid | null>(null);

/** The cell of the run's picture that is pointed at. */
export const pointedCell = signal<Spot | null>(null);

/** The same cell in the run compared with, in words. */
export const saidBeside = signal<string>('');

/** The chosen theme. */
export const theme = signal<'system' | 'light' | 'dark'>('system');

/** Whether the page is dark now. */
export const dark = signal<boolean>(false);
