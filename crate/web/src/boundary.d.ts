/** One of the values that a key may have. */
export interface Choice { value: string; label: string; help: string; source: string }

/** A key of a scenario, as the core defines it. */
export interface Key {
  name: string;
  label: string;
  group: string;
  /** What its field is: some need a field of their own kind, `text` is everything else. */
  kind: 'choice' | 'text' | 'policies' | 'reference' | 'sweep' | 'file' | 'sha256' | 'metric';
  choices: Choice[];
  default: string;
  unit: string;
  /** What is allowed, in words. */
  allowed: string;
  help: string;
  source: string;
  /** Whether it can be swept. */
  sweep: boolean;
  /** Whether most people change it. */
  essential: boolean;
}

/** Everything the page draws its form and its choices from. */
export interface Tables {
  version: string;
  /** The form in which results are kept and written. */
  schema: number;
  groups: { name: string; label: string; help: string }[];
  keys: Key[];
  queues: Choice[];
  placements: (Choice & { systems: string[] })[];
  /** Whole scenarios to begin from. */
  examples: { label: string; pairs: [string, string][] }[];
  styles: SeriesStyle[];
}

/** How a series is told apart, besides by its colour. */
export interface SeriesStyle {
  /** Lengths of ink and gap; none is a solid line. */
  dash: number[];
  /** The outline of the marker in radii around its point; none is a circle. */
  corners: [number, number][];
  filled: boolean;
}

/** What is wrong with a scenario, and at which key. */
export interface Problem { key: string | null; message: string }

/** A swept key and its values. */
export interface Axis { key: string; label: string; values: string[] }

/** What the core makes of a scenario. */
export interface Reading {
  /** What is wrong; while there is anything, everything below is empty. */
  problems: Problem[];
  /** The canonical text, which workers take. */
  text: string;
  /** The part of it that says what is run; scenarios that agree in this have the same runs. */
  simulated: string;
  /** The values that differ from their defaults, in canonical form. */
  changed: [string, string][];
  /** The value of every key; that of a swept key is its default. */
  values: [string, string][];
  /** The keys that have an effect. */
  relevant: string[];
  policies: { value: string; label: string }[];
  x: Axis | null;
  y: Axis | null;
  replications: number;
  runs: number;
  /** The trace that is needed, if one is. */
  trace: { kind: 'swf' | 'csv'; file: string; sha256: string } | null;
  /** Whether running it takes the complete module; this one does not read traces, nor simulate every system. */
  complete: boolean;
  /** Whether generated jobs may be larger than the system; the complete module says how many, and counts those of a trace. */
  mayExceed: boolean;
}

/** What a link says: the pairs of its scenario, what its result was, what is shown of it and which parts of the page are not. */
export interface OpenedLink { pairs: [string, string][]; digest: string; core: string; view: string; hide: string }

/**
 * A scenario that was in a file or was kept, with the runs that were with it, the version of the core that made them, and what
 * the metrics are called of which they have no value.
 */
export interface OpenedFile { pairs: [string, string][]; core: string; outcomes: Outcome[]; lacks: string[] }

/** A whole result as it is kept: the parts of a file that are needed to show it again. */
export interface KeptResult { schema: number; core: string; scenario: { [key: string]: string }; digest: string; outcomes: Outcome[] }

/** One finished cell, its metrics by name; only the board looks inside. */
export interface Outcome { cell: { y: number; x: number; policy: number; replication: number } }

/** A mean over replications as it is printed, with half the width of its 95 % interval. */
export interface Value { mean: string; half: string | null; n: number }

/** A metric and its curves: one per policy, with one place per value of x. */
export interface Curves {
  name: string;
  label: string;
  unit: string;
  help: string;
  better: 'higher' | 'lower' | 'neither';
  curves: (Value | null)[][];
}

/** The finished runs of a scenario put together, at one value of the second axis. */
export interface Summary {
  /** What is swept; where nothing is, it has no name and one empty value. */
  x: { label: string; values: string[] };
  y: { label: string; values: string[] };
  policies: string[];
  /** What has to be known of the numbers. */
  notes: string[];
  metrics: Curves[];
  /** The names of those that are shown where nobody chose. */
  headline: string[];
  /** What the numbers say; empty while some are missing. */
  sentence: string;
}

/** A policy beside the reference at one value of x; `policy` is its position. */
export interface Rank {
  policy: number;
  /** Its place, from 1; none where it runs other jobs than the reference, and where no way is better. */
  rank: number | null;
  value: Value;
  /** What it has more than the reference, which itself has none. */
  difference: Value | null;
  /** The same in per cent. */
  change: Value | null;
  /** What is to be said of the difference: open where its interval holds zero, single where it has none. */
  verdict: 'better' | 'worse' | 'different' | 'open' | 'equal' | 'single' | null;
  /** How many points its accept rate is away from the reference's, if that is too far. */
  apart: string | null;
}

/** A metric of all policies compared with the reference. */
export interface Comparison {
  reference: number;
  label: string;
  /** The unit of differences. */
  unit: string;
  /** By value of x. */
  places: { ranking: Rank[]; sentences: string[] }[];
  /** Where each policy is better and where worse. */
  overview: string[];
  /** What is to be known of the points set apart. */
  warning: string;
  /** The setting by which policies are compared over the same jobs, or over their own again. */
  remedy: { key: string; value: string; words: string } | null;
}

/** How the waits of one run are spread; only what puts them together looks inside. */
export interface Spread { length: 2 }

/** How waits are spread at one point of a scenario: curves over the share of jobs in the place of swept values. */
export interface Spreads extends Summary {
  /** The metrics that say the same in one number. */
  beside: string[];
  sentences: string[];
}

/** What an axis shows. */
export interface Span {
  low: number;
  high: number;
  logarithmic: boolean;
}

/** A part of what an axis showed, in shares of it from its lower end; what reaches beyond the whole axis is moved onto it. */
export interface Part {
  of: Span;
  from: number;
  to: number;
}

/** What is seen of both axes of a chart, null for all of one. */
export interface Seen {
  x: Part | null;
  y: Part | null;
}

/** Where a chart and each point of its curves were drawn, in CSS pixels from the canvas's corner. */
export interface Geometry {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: Span;
  y: Span;
  /** Whether there is more of the axes than is seen; points that are not seen lie outside of the plot. */
  zoomed: boolean;
  xs: number[];
  points: { policy: number; x: number; left: number; top: number }[];
}

/** A metric over two swept keys: in numbers, and how it was drawn, in CSS pixels from the canvas's corner. */
export interface Surface {
  unit: string;
  /** Where the numbers are least and greatest. */
  words: string;
  /** The numbers of each policy shown, by value of y and of x. */
  panels: (Value | null)[][][];
  /** The cells of the same policies; rows stand on each other from below. */
  cells: { policy: number; left: number; top: number; width: number; height: number }[];
}

/** What a reader found in a trace. Lines are counted from 1. */
export interface TraceReport {
  jobs: number;
  /** Seconds from the first submit to the last. */
  span: number;
  /** Processors of the largest job. */
  widest: number;
  sha256: string;
  accepted: number;
  repaired: number;
  rejected: number;
  /** Comments, blank lines, and lines folded into others. */
  other: number;
  findings: { text: string; verdict: 'reject' | 'repair' | 'remark'; count: number; lines: number[] }[];
  warnings: string[];
}

/** What ails the jobs of a trace. */
export interface Diagnosis {
  jobs: number;
  /** The load that arrives in equal intervals of time; none where all are submitted at once. */
  load: { middle_s: number; load: number }[];
  sizes: { label: string; jobs: number }[];
  /** Jobs by the share of their estimate that they ran. */
  estimates: { label: string; jobs: number }[];
  facts: { text: string; jobs: number }[];
  flurries: string[];
  /** Values of keys that mend something. */
  cures: { key: string; value: string; text: string }[];
  /** The rule by which flurries are found. */
  rule: string;
}

/** What a kept run holds; times are seconds since the first submit. */
export interface ReplayInfo {
  /** What the jobs ran on; only a picture looks inside. */
  machine: object;
  span: number;
  busiest: number;
  jobs: number;
}

/** A cell of a picture: what it stands for, which of the shares it shows, and where it is. */
export interface Spot { name: string; part: number; left: number; top: number; size: number }

/** What there is to look into in a kept run. */
export interface About {
  columns: Column[];
  /** The words of the column that holds words. */
  outcomes: string[];
  /** What is drawn over time; a share has no unit. */
  lines: { label: string; unit: string; most: number }[];
  /** How many jobs migrated how often, and how many seconds they held places for that without working, added up; also in the run beside it. */
  moves: { jobs: number; migrations: number; paused: number }[];
  /** The columns by which the plan can be coloured, and the end of their scale; by one without, jobs are told apart. */
  colourings: { column: number; most: number | null }[];
  /** What the blocks of the plan stand for, from the top; none where there are too many, or one. */
  blocks: string[];
  /** Whether decisions can be told. */
  decisions: boolean;
}

/** A column of the table of jobs. */
export interface Column { name: string; label: string; kind: 'count' | 'instant' | 'span' | 'rate' | 'ratio' | 'word'; help: string }

/** A plan as it was laid out, in pixels: where each block begins, and how high it is. */
export interface Laid { height: number; tops: number[]; block: number }

/** A job at an instant: its row, and the stint it is in, or was in nearest to it. */
export interface JobAt {
  row: (number | null)[];
  /** It works from an instant on that is later than its start while it pays for a migration. */
  stint: { start: number; end: number; works_from: number; migrated: boolean; parts: [name: string, slots: number][]; links: [name: string, mbps: number][] } | null;
  stints: number;
}

/** A set of jobs in numbers: how many, what they ask for together, and what the set is worth. */
export interface JobSet { jobs: number; slots: number; worth: number }

/**
 * What the last scheduling pass up to an instant decided: how many slots were free and how many jobs waited before it, what was
 * started, and what first fit in order of arrival would have started. `unit` is the wait, in seconds, that is worth as much as the
 * slots. Of the jobs that waited all are there that are in one of the sets, by arrival.
 */
export interface Decided {
  at: number;
  slots: number;
  free: number;
  unit: number;
  waiting: number;
  is_first_fit: boolean;
  started: JobSet;
  first_fit: JobSet;
  /** `got` is how many slots it was started on. */
  jobs: { job: number; number: number; size: number; waited: number; worth: number; got: number | null; by_first_fit: boolean }[];
}

/**
 * The picture of a run in numbers: what is in use on average over its parts, and some of these, each with its share; with
 * a run beside it also that one's, and in how many parts this one has more and less.
 */
export interface Cells {
  mean: number;
  beside: { mean: number; more: number; less: number; jobs: [running: number, waiting: number, paused: number, migrations: number] | null } | null;
  parts: number;
  /** The cell that is furthest apart, or with one run most in use. */
  furthest: CellRow | null;
}

/** A cell of the picture of a run, and of the run beside it if there is one. */
export interface CellRow { name: string; share: number; beside: number | null }

/** Some of the cells that were asked for, and how many of them there are. */
export interface CellRows { found: number; rows: CellRow[] }
