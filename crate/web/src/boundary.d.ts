/** What there is to look into in a kept run. */
export type About = {
  /** The columns of the table of jobs. */
  columns: Array<Column>,
  /** The position of the column that holds what an order gives. */
  order: number,
  /**
   * The positions of the columns that are not shown, since they say how jobs slow one another
   * down and none did.
   */
  left_out: Array<number>,
  /** The words of the column that holds words. */
  outcomes: Array<string>,
  /** What is drawn over time. */
  lines: Array<LineName>,
  /** The migrations of this run and of the run beside it. */
  moves: Array<Moves>,
  /** The columns by which the plan can be coloured. */
  colourings: Array<Colouring>,
  /** What the blocks of the plan stand for, from the top; none where there is one. */
  blocks: Array<string>,
  /** Whether decisions can be explained. */
  decisions: boolean,
  /**
   * Whether jobs share links, also in the run beside it, so that more of them may be in use than
   * is reserved.
   */
  shared: boolean,
  /** What the system is drawn with; null where it is too large, or has no network. */
  diagram: Drawing | null,
  /**
   * When the first job was submitted, in seconds of its log's time; null where submit times are
   * not those of a log.
   */
  logged: number | null,
};

/** One stay of a job on resources. Times are seconds since the first submit. */
export type Allocation = {
  /** When it begins. */
  start: number,
  /** When it ends. */
  end: number,
  /** From when on the job works; later than the start while it pays for a migration. */
  works_from: number,
  /** Whether it began with a migration. */
  migrated: boolean,
  /** The name of each server or node, and the slots held there. */
  parts: Array<[string, number]>,
  /** The links on which it reserves bandwidth. */
  links: Array<ReservedLink>,
  /** What the job gets of the bandwidth that it asks for; null where all of it is guaranteed. */
  shared: SharedAt | null,
};

/** A swept key and its values. */
export type Axis = {
  /** The key. */
  key: string,
  /** What a reader calls it. */
  label: string,
  /** Its values, as they are written. */
  values: Array<string>,
};

/** Which way a metric is better. */
export type Better = "higher" | "lower" | "neither";

/** One run of a scenario. */
export type Cell = {
  /** Its place in scenario order. */
  index: number,
  /** Position on the x axis; 0 where nothing is swept. */
  x: number,
  /** Position on the y axis; 0 where there is none. */
  y: number,
  /** Which of the scenario's policies. */
  policy: number,
  /** Which replication. */
  replication: number,
};

/** The result of one cell. Written down, it names its metrics; a [`StoredOutcome`] reads it back. */
export type CellOutcome = {
  /** Which cell. */
  cell: Cell,
  /** Fingerprint of the run's events, 16 hexadecimal digits. */
  digest: string,
  /** The value of each metric, in the order of [`METRICS`]; `None` where it is not defined. */
  metrics: { [name: string]: number | null },
  /** How many jobs were simulated. */
  jobs: number,
};

/** A cell of the picture of a run, and of the run beside it. */
export type CellRow = {
  /** What it stands for. */
  name: string,
  /** Its share in the run. */
  share: number,
  /** Its share in the run beside it; null where there is none. */
  beside: number | null,
};

/** Some of the cells that were asked for. */
export type CellRows = {
  /** How many there are in all. */
  found: number,
  /** Those that were asked for. */
  rows: Array<CellRow>,
};

/** The picture of a run in numbers. */
export type Cells = {
  /** The share in use, averaged over the parts. */
  mean: number,
  /** What is to be said of the run beside this one; null where none stands beside it. */
  beside: CellsBeside | null,
  /** How many parts there are. */
  parts: number,
  /** The part whose shares differ most, or with one run the part that is most in use. */
  furthest: CellRow | null,
};

export type CellsBeside = {
  /** The share in use, averaged over its parts. */
  mean: number,
  /** In how many parts the first run has more than this one. */
  more: number,
  /** In how many parts the first run has less than this one. */
  less: number,
  /**
   * How many jobs run, wait and are paused, and how many migrations there were so far; null
   * where shares are averaged over the run.
   */
  jobs: [number, number, number, number] | null,
};

/** One of the values that a key may have. What it means stands in the glossary. */
export type Choice = {
  /** How it is written in a scenario. */
  value: string,
  /** How it is shown to a reader. */
  label: string,
};

/** A column by which the plan can be coloured. */
export type Colouring = {
  /** The position of the column. */
  column: number,
  /** The end of its scale; null where each job has a colour of its own. */
  most: number | null,
};

/** A column of the table of jobs. */
export type Column = {
  /** Its name in filters. */
  name: string,
  /** What a person reads. */
  label: string,
  /** What its values are. */
  kind: ColumnKind,
  /** What it says, in one sentence. */
  help: string,
};

/** What the values of a column are. */
export type ColumnKind = "count" | "instant" | "span" | "rate" | "ratio" | "number" | "word";

/** One metric of all policies beside the reference's, at one value of the second axis. */
export type Comparison = {
  /** Which policy the others are compared with. */
  reference: number,
  /** What a reader calls the metric. */
  label: string,
  /** The unit of differences, as it is printed. */
  unit: string,
  /** For each value of x, what can be said there. */
  places: Array<ComparisonAt>,
  /** A sentence for each policy but the reference: where it is better and where worse. */
  overview: Array<string>,
  /** What is to be known of points that are set apart; empty where there are none. */
  warning: string,
  /** The setting by which policies are compared over the same jobs, or over their own again. */
  remedy: Remedy | null,
};

/** The policies at one value of x. */
export type ComparisonAt = {
  /** One for each policy that has numbers, the best first; those set apart at the end. */
  ranking: Array<Rank>,
  /** A sentence for each policy but the reference. */
  sentences: Array<string>,
};

/** What a user composes a policy from, and where this starts. */
export type Composer = {
  /** What the policy is called from which it starts. */
  label: string,
  /** The parts of that policy. */
  own: OwnPolicy,
  /** In which way the policy is more than these parts; null where it is nothing else. */
  remark: string | null,
  /** The keys of the parts. */
  fields: Array<PartField>,
  /** The orders that are known by name. */
  presets: Array<Preset>,
  /** What a formula may name. */
  names: Array<FormulaName>,
  /** The functions that a formula may call. */
  functions: Array<FunctionName>,
  /** The operators of a formula, from loose to tight. */
  operators: Array<string>,
};

/** A metric and its curves. */
export type Curves = {
  /** The metric's name. */
  name: string,
  /** What a reader calls it. */
  label: string,
  /** The unit of the numbers, as it is printed. */
  unit: string,
  /** Which way it is better. */
  better: Better,
  /** One curve for each policy, with one place for each value of x. */
  curves: Array<Array<Value | null>>,
};

/** What the last scheduling pass up to an instant decided. */
export type Decided = {
  /** When the pass was, in seconds since the first submit. */
  at: number,
  /** How many slots the system has. */
  slots: number,
  /** How many slots were free before it. */
  free: number,
  /** The wait, in seconds, that is worth as much as the slots of a job. */
  unit: number,
  /** How many jobs waited before it. */
  waiting: number,
  /** Whether it started what first fit would have started. */
  is_first_fit: boolean,
  /** What it started. */
  started: JobSet,
  /** What first fit in order of arrival would have started. */
  first_fit: JobSet,
  /** The jobs that waited, by arrival: all that are in one of the sets, and some of the others. */
  jobs: Array<WaitingJob>,
};

/** What a name means. */
export type Definition = {
  /** How it is shown to a reader. */
  label: string,
  /** What it does or how it is computed, in sentences. */
  meaning: string,
  /** Where it is defined: authors, title, year; empty where it is our own. */
  source: string,
};

/** What ails the jobs of a trace. */
export type Diagnosis = {
  /** The rule by which flurries are found. */
  rule: string,
  /** Jobs of the trace. */
  jobs: number,
  /**
   * Load of the jobs submitted in each of equal intervals, from the first submit to the last:
   * their size · run time over processors · length, without jobs that may leave the queue. Empty
   * where all are submitted at once.
   */
  load: Array<LoadInterval>,
  /** Jobs by size, in powers of two. */
  sizes: Array<JobBin>,
  /** Jobs with an estimate by the share of it that they ran. */
  estimates: Array<JobBin>,
  /** How many jobs lack something or ended badly. */
  facts: Array<TraceFact>,
  /** The largest bursts of one user's similar jobs, in words. */
  flurries: Array<string>,
  /** What a scenario can do about it. */
  cures: Array<TraceCure>,
};

/** What is to be said of a difference, from its interval where it has one. */
export type DifferenceVerdict = "better" | "worse" | "different" | "open" | "equal" | "single";

/** A network as it is drawn. */
export type Drawing = {
  /** The levels of its nodes, from the top. */
  levels: Array<DrawnLevel>,
  /** What connects them. */
  wires: Array<Wire>,
  /** What each part is called. */
  names: Array<string>,
};

/** The nodes of a level. */
export type DrawnLevel = {
  /** What they are called together. */
  name: string,
  /** Where each of them stands, from 0 at the left edge to 1 at the right one. */
  places: Array<number>,
};

/** A point of a curve as it was drawn. */
export type DrawnPoint = {
  /** The position of its policy. */
  policy: number,
  /** The position of its value of x. */
  x: number,
  /** Its distance from the canvas's left edge. */
  left: number,
  /** Its distance from the canvas's upper edge. */
  top: number,
};

/** A whole scenario to begin from. */
export type Example = {
  /** What the choice of examples calls it. */
  label: string,
  /** Whether it asks the user to add a policy of their own. */
  own: boolean,
  /** The values that differ from their defaults, by key. */
  pairs: Array<[string, string]>,
};

/** What an order gives for some of the jobs that wait at an instant. */
export type Examples = {
  /** The instant, in seconds since the first submit. */
  at: number,
  /** How many jobs wait then. */
  waiting: number,
  /** Some of them, those that it tries first in front. */
  jobs: Array<OrderedJob>,
};

/** What the field of a key is: some need a field of their own kind, `Text` is everything else. */
export type FieldKind = "choice" | "text" | "policies" | "reference" | "sweep" | "file" | "sha256" | "metric";

/** What a finding did to its line. */
export type FindingVerdict = "reject" | "repair" | "remark";

/** A system as a scenario writes it. */
export type FittingSystem = {
  /** Its keys and their values. */
  pairs: Array<[string, string]>,
  /** What it is, in words. */
  text: string,
};

/** What a formula may name. */
export type FormulaName = {
  /** How it is written. */
  value: string,
  /** What it is. */
  help: string,
};

/** A function of a formula. */
export type FunctionName = {
  /** How it is written. */
  name: string,
  /** Whether it takes two or more values, not one. */
  many: boolean,
};

/** Where a chart and each point of its curves were drawn, in CSS pixels from the canvas's corner. */
export type Geometry = {
  /** Left edge of the plot. */
  left: number,
  /** Right edge of the plot. */
  right: number,
  /** Upper edge of the plot. */
  top: number,
  /** Lower edge of the plot. */
  bottom: number,
  /** What the x axis shows. */
  x: Span,
  /** What the y axis shows. */
  y: Span,
  /**
   * Whether there is more of the axes than is seen. Points that are not seen lie outside of the
   * plot.
   */
  zoomed: boolean,
  /** Where each value of x stands, from the canvas's left edge. */
  xs: Array<number>,
  /** The points of all curves. */
  points: Array<DrawnPoint>,
};

/** What every name means. */
export type Glossary = {
  /** Keys of a scenario, by name. */
  keys: { [key in string]: Definition },
  /** The values of keys that are chosen from a list, by key and value. */
  choices: { [key in string]: { [key in string]: Definition } },
  /** Scheduling policies without their placements, by name. */
  queues: { [key in string]: Definition },
  /** Placements, by name. */
  placements: { [key in string]: Definition },
  /** Metrics, by name. */
  metrics: { [key in string]: Definition },
};

/** A job at an instant. */
export type JobAt = {
  /** Its value in each column. */
  row: Array<number | null>,
  /** The allocation that it is in then, or was or will be in nearest to it. */
  allocation: Allocation | null,
  /** How many allocations it has. */
  allocations: number,
};

/** Jobs that are alike. */
export type JobBin = {
  /** In what. */
  label: string,
  /** How many. */
  jobs: number,
};

/** A set of jobs in numbers. */
export type JobSet = {
  /** How many jobs. */
  jobs: number,
  /** What they ask for together. */
  slots: number,
  /** Σ ½·pl + ½·pl·wt over them. */
  worth: number,
};

/** What the core makes of a policy that is being composed. */
export type Judged = {
  /** How it is written in a scenario; empty where something is wrong with it. */
  value: string,
  /** What it does, in plain words; empty where something is wrong with it. */
  told: string,
  /** Whether the scenario compares it already. */
  present: boolean,
  /** The keys of its parts that have an effect beside the others. */
  relevant: Array<string>,
  /** What is wrong with its parts. */
  mistakes: Array<PartMistake>,
  /** What is wrong with the parts beside each other. */
  problems: Array<string>,
  /**
   * Three waiting jobs in its order, the one that is tried first in front; empty where the order
   * is wrong.
   */
  sample: Array<SampleJob>,
};

/** A key of a scenario, as its field in the form needs it. */
export type Key = {
  /** How it is written in a scenario. */
  name: string,
  /** What the form calls it. */
  label: string,
  /** The name of the group of fields in which it stands. */
  group: string,
  /** What its field is. */
  kind: FieldKind,
  /** The values from which one is chosen; empty for other kinds of fields. */
  choices: Array<Choice>,
  /** The value of a scenario that does not name the key. */
  default: string,
  /** The unit of its values; empty where they have none. */
  unit: string,
  /** Whether it can be swept. */
  sweep: boolean,
  /** Whether most people change it. */
  essential: boolean,
};

/** A group of fields of the form. */
export type KeyGroup = {
  /** What keys call it. */
  name: string,
  /** Its heading. */
  label: string,
};

/** A plan as it was laid out, in pixels. */
export type Laid = {
  /** Its height. */
  height: number,
  /** Where each block begins. */
  tops: Array<number>,
  /** The height of each block. */
  block: number,
  /**
   * Whether a slot is lower than a pixel, so that jobs are not told apart by colours of their
   * own: the pixels then show how many of their slots are held.
   */
  dense: boolean,
};

/** A link that slows a job down. */
export type LimitAt = {
  /** Which part it is. */
  part: number,
  /** What it is called. */
  name: string,
  /** The numbers of the other jobs on it. */
  with: Array<number>,
};

/** A line over time. */
export type LineName = {
  /** What it shows. */
  label: string,
  /** Its unit; empty for a share. */
  unit: string,
  /** The upper end of its scale. */
  most: number,
};

/** An interval of time and the load that arrives in it. */
export type LoadInterval = {
  /** Its middle in seconds since the first submit. */
  middle_s: number,
  /** The load. */
  load: number,
};

export type MetricName = { name: string, };

/** The migrations of a run. */
export type Moves = {
  /** How many jobs migrated. */
  jobs: number,
  /** How many migrations there were. */
  migrations: number,
  /** How many seconds jobs held places for migrations without working, added up. */
  paused: number,
};

/** A link that a sentence names. */
export type NamedLink = {
  /** Which part it is. */
  part: number,
  /** What it is called. */
  name: string,
  /** The instant of which this is said, in seconds since the first submit. */
  at: number,
};

/** The trace that a scenario needs. */
export type NeededTrace = {
  /** What its file holds. */
  kind: TraceFormat,
  /** The name of its file. */
  file: string,
  /** The SHA-256 of its contents; empty where any contents will do. */
  sha256: string,
};

/** A scenario that was in a file or was kept, with the runs that were with it. */
export type OpenedFile = {
  /** The values of the scenario that differ from their defaults, by key. */
  pairs: Array<[string, string]>,
  /** The version of the core that made the runs; empty where there are none. */
  core: string,
  /** The runs. */
  outcomes: Array<CellOutcome>,
  /** What the metrics are called of which the runs have no value. */
  lacks: Array<string>,
};

/** What a link says. */
export type OpenedLink = {
  /** The values of its scenario that differ from their defaults, by key. */
  pairs: Array<[string, string]>,
  /** The digest of its result; empty where it has none. */
  digest: string,
  /** The version of the core that made the link. */
  core: string,
  /** What the page shows of the answer. */
  view: string,
  /** Which parts of the page are hidden. */
  hide: string,
};

/** A job that waits, in an order. */
export type OrderedJob = {
  /** Its number in the input. */
  number: number,
  /** What the order gives for it; null where that is not finite. */
  value: number | null,
};

/** A policy that is being composed. */
export type OwnPolicy = {
  /** The name of its placement. */
  placement: string,
  /** The value of each of its parts, in the order of their fields. */
  parts: Array<string>,
  /** The other keys that have another value for it alone. */
  further: Array<[string, string]>,
};

/** A part of what an axis showed, in shares of it from its lower end; it may reach beyond both. */
export type Part = {
  /** What the axis showed. */
  of: Span,
  /** Where the part begins. */
  from: number,
  /** Where it ends. */
  to: number,
};

/** The key of a part. */
export type PartField = {
  /** What the part decides. */
  help: string,
  /** How it is written in a scenario. */
  name: string,
  /** What the form calls it. */
  label: string,
  /** The name of the group of fields in which it stands. */
  group: string,
  /** What its field is. */
  kind: FieldKind,
  /** The values from which one is chosen; empty for other kinds of fields. */
  choices: Array<Choice>,
  /** The value of a scenario that does not name the key. */
  default: string,
  /** The unit of its values; empty where they have none. */
  unit: string,
  /** Whether it can be swept. */
  sweep: boolean,
  /** Whether most people change it. */
  essential: boolean,
};

/** What is wrong with a part. */
export type PartMistake = {
  /** The key of the part. */
  key: string,
  /** The character at which it begins, from 1. */
  column: number,
  /** The character behind its end, from 1; `column` itself where something is missing. */
  end: number,
  /** What is wrong there and what is allowed. */
  why: string,
};

/** A placement and the systems on which it can place jobs. */
export type PlacementChoice = {
  /** The values of the key `system` with which it can be used. */
  systems: Array<string>,
  /** How it is written in a scenario. */
  value: string,
  /** How it is shown to a reader. */
  label: string,
};

/** A policy of a scenario. */
export type PolicyName = {
  /** How it is written in a scenario. */
  value: string,
  /** What a reader calls it. */
  label: string,
};

/** An order that is known by name. */
export type Preset = {
  /** Its name, which may stand in place of its formula. */
  name: string,
  /** What a reader calls it. */
  label: string,
  /** The expression; the smallest value is first. */
  formula: string,
  /** Where it was published: authors, title, year; `textbook` where every textbook has it. */
  source: string,
};

/** What is wrong with a scenario, and at which key. */
export type Problem = {
  /** The key; empty where the form itself is wrong. */
  key: string,
  /** The value and what is wrong with it. */
  message: string,
};

/** A policy at one value of x. */
export type Rank = {
  /** Which policy. */
  policy: number,
  /**
   * Its place among those that run about the same jobs, from 1; none for one that does not, and
   * where no way is better.
   */
  rank: number | null,
  /** Its mean. */
  value: Value,
  /** What it has more than the reference; none for the reference. */
  difference: Value | null,
  /** The same in per cent of the reference's mean, where that is above zero. */
  change: Value | null,
  /** What is to be said of the difference; none for the reference. */
  verdict: DifferenceVerdict | null,
  /** How many points its accept rate is above or below the reference's, if it is too far away. */
  apart: string | null,
};

/** What the core makes of a scenario. While there are problems, everything else is empty. */
export type Reading = {
  /** What is wrong with it. */
  problems: Array<Problem>,
  /** The canonical text, which workers take. */
  text: string,
  /** The part of the text that says what is run. Scenarios with equal parts have the same runs. */
  simulated: string,
  /** The values that differ from their defaults, by key, in canonical form. */
  changed: Array<[string, string]>,
  /** The value of every key. That of a swept key is its default. */
  values: Array<[string, string]>,
  /** The keys that have an effect. */
  relevant: Array<string>,
  /** Its policies. */
  policies: Array<PolicyName>,
  /** The first swept key; null where none is swept. */
  x: Axis | null,
  /** The second swept key; null where at most one is swept. */
  y: Axis | null,
  /** How often each point is run. */
  replications: number,
  /** How many runs it has in all. */
  runs: number,
  /** The trace that it needs; null where its jobs are generated. */
  trace: NeededTrace | null,
  /** The most jobs that a run of it generates; null where they come from a trace. */
  jobs: number | null,
  /** Whether generated jobs may be larger than the system. */
  mayExceed: boolean,
};

/** A value to give a key of the scenario. */
export type Remedy = {
  /** Which key. */
  key: string,
  /** Its value. */
  value: string,
  /** What it does. */
  words: string,
};

/** What a kept run holds. Times are seconds since the first submit. */
export type ReplayInfo = {
  /** What the jobs ran on; only a picture looks inside. */
  machine: Shown,
  /** The length of the run. */
  span: number,
  /** The first instant at which most is in use. */
  busiest: number,
  /** How many jobs it has. */
  jobs: number,
  /** Whether they share links, so that more of these may be in use than is reserved. */
  shared: boolean,
};

/** A link on which bandwidth is reserved. */
export type ReservedLink = {
  /** Which part it is. */
  part: number,
  /** What it is called. */
  name: string,
  /** How many Mbit/s. */
  reserved: number,
};

/**
 * Which form a result has and which release made it: what is read of a [`Document`] first, as the
 * rest of a form that is not known may be anything.
 */
export type ResultForm = { schema: number,
/** The release of the simulator that made it. */
core: string, };

/** A job of the [`SAMPLE`], in an order. */
export type SampleJob = {
  /** Its number. */
  number: number,
  /** Slots asked for. */
  size: number,
  /** The user's estimate of its run time, in seconds. */
  estimate: number,
  /** Seconds waited so far. */
  wait: number,
  /** What the order gives for it; null where that is not finite. */
  value: number | null,
};

/** What is seen of both axes of a chart. */
export type Seen = {
  /** What is seen of the x axis; null for all of it. */
  x: Part | null,
  /** What is seen of the y axis; null for all of it. */
  y: Part | null,
};

/** How curves of a style look, besides their colour. */
export type SeriesStyle = {
  /** Lengths of ink and gap along the curve in CSS pixels; none is a solid line. */
  dash: Array<number>,
  /** Corners of the marker in radii around its point; none is a circle. */
  corners: Array<[number, number]>,
  /** Whether the marker is filled. */
  filled: boolean,
};

/** What a job gets of the bandwidth that it asks for. */
export type SharedAt = {
  /** The share that it gets at the instant. */
  share: number,
  /** The least that it gets over its stay. */
  least: number,
  /** The most that it gets over its stay. */
  most: number,
  /** How fast it goes at the instant beside its undisturbed speed. */
  speed: number,
  /**
   * The full link for which it gets less than it asks for at the instant; null where it gets
   * all.
   */
  limit: LimitAt | null,
};

/** A system as it is shown: it may leave the program that simulated it, to be drawn by another. */
export type Shown = { "FatTree": ShownTree } | { "Nodes": ShownNodes } | { "MultiCluster": ShownClusters } | { "Pool": ShownPool };

/** Clusters as they are shown. */
export type ShownClusters = {
  /** How many nodes each cluster has. */
  nodes: Array<number>,
  /** The share of its rate that the scheduler wants a link loaded with at most. */
  threshold: number,
  /** Whether links slow down jobs that ask for more than they carry. */
  shared: boolean,
};

/** Nodes as they are shown. */
export type ShownNodes = {
  /** How many nodes there are. */
  nodes: number,
  /** Whether each has a background. */
  background: boolean,
};

/** A pool as it is shown. */
export type ShownPool = {
  /** Machines of each centre. */
  vms: number,
  /** How many centres there are. */
  centres: number,
};

/** A fat-tree as it is shown. */
export type ShownTree = {
  /** How many pods it has. */
  pods: number,
  /** Slots of each server. */
  slots: number,
  /** Whether parallel links act as one. */
  aggregated: boolean,
};

/** What slows a job over a stay. */
export type SlowedOver = {
  /**
   * A sentence for each of the longest stretches of time over which it is slowed, in the order of
   * time: pieces of text, and between them instants and links.
   */
  longest: (string | number | NamedLink)[][],
  /** How many more there are. */
  more: number,
};

/** The stretch of values an axis shows. */
export type Span = {
  /** Value at the left or lower end. */
  low: number,
  /** Value at the right or upper end, above `low`. */
  high: number,
  /** Whether positions follow the logarithm of values; `low` is above zero then. */
  logarithmic: boolean,
};

/** A cell of a picture. */
export type Spot = {
  /** What it stands for. */
  name: string,
  /** Which of the shares it shows. */
  part: number,
  /** Its distance from the left edge, in pixels. */
  left: number,
  /** Its distance from the upper edge, in pixels. */
  top: number,
  /** Its width, in pixels. */
  width: number,
  /** Its height, in pixels. */
  height: number,
};

/** How the waits of one run are spread. */
export type Spread = {
  /**
   * For each of [`LEVELS`] the wait in seconds that so many jobs do not exceed; `None` where no
   * job ran.
   */
  waits: Array<number | null>,
  /**
   * For each of [`LEVELS`] the share of all waiting that falls to so many jobs, 0 to 1; `None`
   * where no job waited.
   */
  lorenz: Array<number | null>,
  /** The Gini coefficient of the waits; `None` where no job waited. */
  gini: number | null,
};

/** The spreads in plain words and numbers. */
export type Spreads = {
  /** What each of them shows, in one sentence. */
  meanings: Array<string>,
  /** The metrics that say the same in one number. */
  beside: Array<string>,
  /** For each policy of which anything is known, how its waits are spread. */
  sentences: Array<string>,
  /** The first axis. */
  x: Values,
  /** The second axis; one nameless value where there is none. */
  y: Values,
  /** What each curve is called. */
  policies: Array<string>,
  /** What has to be known of the numbers. */
  notes: Array<string>,
  /** Every metric. */
  metrics: Array<Curves>,
  /** The names of those that are shown where nobody chose. */
  headline: Array<string>,
  /** What the numbers say; empty while some are missing. */
  sentence: string,
};

/** The result of a run, made by this version or another. */
export type StoredOutcome = { cell: Cell, digest: string, metrics: { [name: string]: number | null } | (number | null)[], jobs: number, };

/** A result that was written as a [`Document`], as far as it is needed to show it again. */
export type StoredResult = { core: string, scenario: { [key in string]: string }, trace?: TraceName, digest: string | null, metrics?: Array<MetricName>, outcomes: Array<StoredOutcome>, };

/** The answer at one value of the second axis, in plain words and numbers. */
export type Summary = {
  /** The first axis. */
  x: Values,
  /** The second axis; one nameless value where there is none. */
  y: Values,
  /** What each curve is called. */
  policies: Array<string>,
  /** What has to be known of the numbers. */
  notes: Array<string>,
  /** Every metric. */
  metrics: Array<Curves>,
  /** The names of those that are shown where nobody chose. */
  headline: Array<string>,
  /** What the numbers say; empty while some are missing. */
  sentence: string,
};

/** A metric over two swept keys: its numbers, and how it was drawn. */
export type Surface = {
  /** The cells of the same policies, in CSS pixels from the canvas's corner. */
  cells: Array<SurfaceCells>,
  /** The unit of the numbers, as it is printed. */
  unit: string,
  /** Where the numbers are least and greatest; empty where there is none. */
  words: string,
  /** The numbers by policy, value of y and value of x. */
  panels: Array<Array<Array<Value | null>>>,
};

/** Where the cells of a policy were drawn: its rows stand on each other from below. */
export type SurfaceCells = {
  /** Which policy. */
  policy: number,
  /** Left edge of all. */
  left: number,
  /** Upper edge of all. */
  top: number,
  /** Width of one. */
  width: number,
  /** Height of one. */
  height: number,
};

/** Everything the page draws its form and its choices from. */
export type Tables = {
  /** The version of the core. */
  version: string,
  /** The form in which results are kept and written. */
  schema: number,
  /** The groups of the form, in the order in which they are shown. */
  groups: Array<KeyGroup>,
  /** Every key. */
  keys: Array<Key>,
  /** Every scheduling policy, without its placement. */
  queues: Array<Choice>,
  /** Every placement. */
  placements: Array<PlacementChoice>,
  /** Whole scenarios to begin from. */
  examples: Array<Example>,
  /** The style of each series, by position. */
  styles: Array<SeriesStyle>,
};

/** A value of a scenario's key that mends something. */
export type TraceCure = {
  /** The key. */
  key: string,
  /** The value. */
  value: string,
  /** What it does to this trace. */
  text: string,
};

/** Something that holds of some jobs. */
export type TraceFact = {
  /** What. */
  text: string,
  /** Of how many jobs. */
  jobs: number,
};

/** Something that a reader found in lines of a trace. */
export type TraceFinding = {
  /** What it is. */
  text: string,
  /** What it did to its lines. */
  verdict: FindingVerdict,
  /** In how many lines. */
  count: number,
  /** The first of these lines, counted from 1. */
  lines: Array<number>,
};

/** What a file holds. */
export type TraceFormat = "swf" | "csv";

/** Which trace was read: enough to recognise it, nothing of what it holds. */
export type TraceName = {
  /** Its file's name. */
  name: string,
  /** SHA-256 of its decompressed bytes. */
  sha256: string,
  /** How many jobs it holds. */
  jobs: number,
};

/** What a reader found in a trace. */
export type TraceReport = {
  /** What it is, as its contents tell where its name does not. */
  format: TraceFormat,
  /** How many jobs it holds. */
  jobs: number,
  /** Seconds from the first submit to the last. */
  span: number,
  /** Processors of the largest job. */
  widest: number,
  /** When its time begins, in seconds since 1970 (UTC); null where its header does not say. */
  begins: number | null,
  /** Processors of the log's own machine, or of the largest job where that has more. */
  processors: number,
  /** Systems with that many processors. */
  systems: Array<FittingSystem>,
  /** The SHA-256 of its contents. */
  sha256: string,
  /** How many lines were taken as they stand. */
  accepted: number,
  /** How many lines gave a job in which a value was mended. */
  repaired: number,
  /** How many lines gave no job. */
  rejected: number,
  /** How many lines are comments, blank, or folded into others. */
  other: number,
  /** What was found in its lines. */
  findings: Array<TraceFinding>,
  /** What is to be known of all of it. */
  warnings: Array<string>,
};

/** A mean over replications, as it is printed. */
export type Value = {
  /** The mean. */
  mean: string,
  /** Half the width of its 95 % interval, to the same place. */
  half: string | null,
  /** Over how many replications. */
  n: number,
};

/** A swept key and its values. */
export type Values = {
  /** The key as a reader knows it, with its unit; empty where nothing is swept. */
  label: string,
  /** Its values; one empty one where nothing is swept. */
  values: Array<string>,
};

/** A job that waited before a scheduling pass. */
export type WaitingJob = {
  /** Its index. */
  job: number,
  /** Its number in the input. */
  number: number,
  /** How many slots it asks for. */
  size: number,
  /** How many seconds it had waited. */
  waited: number,
  /** What starting it was worth. */
  worth: number,
  /** On how many slots it was started; null where it was not. */
  got: number | null,
  /** Whether first fit would have started it. */
  by_first_fit: boolean,
};

/** A wire of a diagram. Nodes are counted over their level. */
export type Wire = {
  /** The part that it is, or is one of. */
  part: number,
  /** The level of its upper node. */
  level: number,
  /** Its upper node. */
  upper: number,
  /** Its lower node, one level below. */
  lower: number,
};
