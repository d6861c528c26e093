/** The contents of a kept run. */
export type About = {
  /** The columns of the table of jobs. */
  columns: Array<Column>,
  /** The position of the column with the values of an order. */
  order: number,
  /** The positions of hidden columns: those on how jobs slow one another down, if none did. */
  left_out: Array<number>,
  /** The words of the column of outcomes. */
  outcomes: Array<string>,
  /** The charts over time. */
  lines: Array<LineName>,
  /** The migrations of this run and of the run beside it. */
  moves: Array<Moves>,
  /** The columns by which the plan can be coloured. */
  colourings: Array<Colouring>,
  /** The names of the blocks of the plan, from the top; empty if there is only one. */
  blocks: Array<string>,
  /** Whether decisions can be explained. */
  decisions: boolean,
  /** Whether jobs share links, in either run, so that the use of links may exceed reservations. */
  shared: boolean,
  /** The diagram of the system; null if it is too large, or has no network. */
  diagram: Drawing | null,
  /** The first submit, in seconds of its log's time; null if submit times are not those of a log. */
  logged: number | null,
};

/** One stay of a job on resources. Times are seconds since the first submit. */
export type Allocation = {
  /** When it begins. */
  start: number,
  /** When it ends. */
  end: number,
  /** The instant from which the job works; later than the start if it pays for a migration. */
  works_from: number,
  /** Whether it started with a migration. */
  migrated: boolean,
  /** The name of each server or node, and the slots held there. */
  parts: Array<[string, number]>,
  /** The links on which it reserves bandwidth. */
  links: Array<ReservedLink>,
  /** The job's share of the bandwidth that it requests; null if all of it is guaranteed. */
  shared: SharedAt | null,
};

/** What a job asks for. */
export type AskedJob = {
  /** Its index. */
  job: number,
  /** Its number in the input. */
  number: number,
  /** The slots that it requests. */
  size: number,
  /** The bandwidth of each of its virtual machines, in Mbit/s; null where none is reserved. */
  bandwidth: number | null,
  /** Its estimated run time, in seconds. */
  estimate: number,
  /** When it is submitted. */
  submit: number,
};

/** A swept key and its values. */
export type Axis = {
  /** The key. */
  key: string,
  /** Its label. */
  label: string,
  /** Its values, as written. */
  values: Array<string>,
};

/** The direction in which a metric is better. */
export type Better = "higher" | "lower" | "neither";

/** The policies of a point by day. */
export type ByDay = {
  /** The first day, in days since 1 January 1970; null where it is unknown. */
  first_day: number | null,
  /** When it begins, in seconds since time 0 of the log. */
  from_s: number,
  /** The number of days. */
  days: number,
  /** For each policy the slots in use and the jobs waiting by day; null where it has not run. */
  policies: Array<[Array<number>, Array<number>] | null>,
};

/** One run of a scenario. */
export type Cell = {
  /** Its position in scenario order. */
  index: number,
  /** Position on the x axis; 0 if nothing is swept. */
  x: number,
  /** Position on the y axis; 0 if there is none. */
  y: number,
  /** The position of its policy in the scenario. */
  policy: number,
  /** The replication. */
  replication: number,
};

/** The result of one cell. Serialised, it names its metrics; a [`StoredOutcome`] reads it back. */
export type CellOutcome = {
  /** The cell. */
  cell: Cell,
  /** Fingerprint of the run's events, 16 hexadecimal digits. */
  digest: string,
  /** The value of each metric, in the order of [`METRICS`]; `None` if not defined. */
  metrics: { [name: string]: number | null },
  /** The number of jobs simulated. */
  jobs: number,
  /**
   * The run over the calendar: of a log whose submit times are as logged, where nothing is
   * random.
   */
  over_time?: OverTime,
};

/** A cell of the picture of a run, and of the run compared with. */
export type CellRow = {
  /** The name of its part. */
  name: string,
  /** Its share in the run. */
  share: number,
  /** Its share in the run compared with; null if there is none. */
  beside: number | null,
};

/** Some of the cells that match a search. */
export type CellRows = {
  /** The number of all that match. */
  found: number,
  /** The requested ones. */
  rows: Array<CellRow>,
};

/** The picture of a run as numbers. */
export type Cells = {
  /** The share in use, averaged over the parts. */
  mean: number,
  /** The run compared with; null if there is none. */
  beside: CellsBeside | null,
  /** The number of parts. */
  parts: number,
  /** The part whose shares differ most, or for one run the part that is most in use. */
  furthest: CellRow | null,
};

export type CellsBeside = {
  /** The share in use, averaged over its parts. */
  mean: number,
  /** The number of parts of which the first run uses more than this one. */
  more: number,
  /** The number of parts of which the first run uses less than this one. */
  less: number,
  /**
   * The numbers of running, waiting and paused jobs, and of migrations so far; null if shares
   * are averaged over the run.
   */
  jobs: [number, number, number, number] | null,
};

/** The chance to have started. */
export type Chance = {
  /** Within how many seconds. */
  within_s: number,
  /** The share of the futures. */
  share: number,
};

/** A value of a key. Its meaning is in the glossary. */
export type Choice = {
  /** Its notation in a scenario. */
  value: string,
  /** Its label. */
  label: string,
};

/** A column by which the plan can be coloured. */
export type Colouring = {
  /** The position of the column. */
  column: number,
  /** The end of its scale; null if each job has its own colour. */
  most: number | null,
};

/** A column of the table of jobs. */
export type Column = {
  /** Its name in filters. */
  name: string,
  /** Its label. */
  label: string,
  /** The kind of its values. */
  kind: ColumnKind,
  /** Its meaning, in one sentence. */
  help: string,
};

/** The kind of a column's values. */
export type ColumnKind = "count" | "instant" | "span" | "rate" | "ratio" | "number" | "word";

/** One metric of all policies against the reference, at one value of the second axis. */
export type Comparison = {
  /** The position of the reference. */
  reference: number,
  /** The metric's label. */
  label: string,
  /** The printed unit of differences. */
  unit: string,
  /** The comparison for each value of x. */
  places: Array<ComparisonAt>,
  /** A sentence for each policy but the reference: where it is better and where worse. */
  overview: Array<string>,
  /** A warning about excluded points; empty if there are none. */
  warning: string,
  /** The setting that compares policies over the same jobs, or over their own again. */
  remedy: Remedy | null,
};

/** The policies at one value of x. */
export type ComparisonAt = {
  /** The policies that have numbers, best first; excluded ones at the end. */
  ranking: Array<Rank>,
  /** A sentence for each policy but the reference. */
  sentences: Array<string>,
};

/** The choices for composing a policy, and the start. */
export type Composer = {
  /** The label of the policy from which it starts. */
  label: string,
  /** The parts of that policy. */
  own: OwnPolicy,
  /** How the policy is more than these parts; null if it is not. */
  remark: string | null,
  /** The keys of the parts. */
  fields: Array<PartField>,
  /** The named orders. */
  presets: Array<Preset>,
  /** The names of a formula. */
  names: Array<FormulaName>,
  /** The functions of a formula. */
  functions: Array<FunctionName>,
  /** The operators of a formula, from loose to tight. */
  operators: Array<string>,
};

/** A metric and its curves. */
export type Curves = {
  /** The metric's name. */
  name: string,
  /** The metric's label. */
  label: string,
  /** The printed unit of the numbers. */
  unit: string,
  /** The direction in which it is better. */
  better: Better,
  /** One curve for each policy, with one entry for each value of x. */
  curves: Array<Array<Value | null>>,
};

/** The decision of the last scheduling pass up to an instant. */
export type Decided = {
  /** The instant of the pass, in seconds since the first submit. */
  at: number,
  /** The slots of the system. */
  slots: number,
  /** The free slots before the pass. */
  free: number,
  /** The wait, in seconds, that is worth as much as the slots of a job. */
  unit: number,
  /** The number of jobs that waited before it. */
  waiting: number,
  /** Whether it started what first fit would have started. */
  is_first_fit: boolean,
  /** The jobs that it started. */
  started: JobSet,
  /** The jobs that first fit in order of arrival would have started. */
  first_fit: JobSet,
  /** Jobs that waited, by arrival: all that are in one of the sets, and some others. */
  jobs: Array<WaitingJob>,
};

/** The meaning of a name. */
export type Definition = {
  /** Its label. */
  label: string,
  /** What it does or how it is computed, in sentences. */
  meaning: string,
  /** Its source: authors, title, year; empty if it is our own. */
  source: string,
};

/** Problems in the jobs of a trace. */
export type Diagnosis = {
  /** The rule that finds flurries. */
  rule: string,
  /** Jobs of the trace. */
  jobs: number,
  /**
   * Load of the jobs submitted in each of equal intervals, from the first submit to the last:
   * their size · run time over processors · length, without jobs that may leave the queue. Empty
   * if all are submitted at once.
   */
  load: Array<LoadInterval>,
  /** Jobs by size, in powers of two. */
  sizes: Array<JobBin>,
  /** Jobs with an estimate by the share of it that they ran. */
  estimates: Array<JobBin>,
  /** Counts of jobs that lack something or ended badly. */
  facts: Array<TraceFact>,
  /** How many queues, partitions, users and accounts there are, and the largest of each, in words. */
  groups: Array<string>,
  /** The largest bursts of one user's similar jobs, in words. */
  flurries: Array<string>,
  /** How a scenario can handle it. */
  cures: Array<TraceCure>,
};

/** The verdict on a difference, by its interval if it has one. */
export type DifferenceVerdict = "better" | "worse" | "different" | "open" | "equal" | "single";

/** A diagram of a network. */
export type Drawing = {
  /** The levels of its nodes, from the top. */
  levels: Array<DrawnLevel>,
  /** What connects them. */
  wires: Array<Wire>,
  /** The name of each part. */
  names: Array<string>,
};

/** The nodes of a level. */
export type DrawnLevel = {
  /** Their common name. */
  name: string,
  /** The position of each, from 0 at the left edge to 1 at the right one. */
  places: Array<number>,
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

/** The text of a line with a finding. */
export type ExampleLine = {
  /** The line, counted from 1. */
  line: number,
  /** Its first 120 characters; "…" follows where there are more. */
  text: string,
};

/** The values of an order for some of the jobs that wait at an instant. */
export type Examples = {
  /** The instant, in seconds since the first submit. */
  at: number,
  /** The number of jobs that wait then. */
  waiting: number,
  /** Some of them, in the order in which they are tried. */
  jobs: Array<OrderedJob>,
};

/** The kind of a field; `Text` is every kind without a field of its own. */
export type FieldKind = "choice" | "text" | "policies" | "reference" | "sweep" | "file" | "sha256" | "metric";

/** What a finding did to its line. */
export type FindingVerdict = "reject" | "repair" | "remark";

/** One of the first jobs of a table. */
export type FirstJob = {
  /** Its number. */
  number: number,
  /** Seconds from the first submit to its own. */
  submit: number,
  /** How long it waited, in seconds; null if the table does not say. */
  wait: number | null,
  /** How long it ran, in seconds. */
  run: number,
  /** Its processors. */
  size: number,
};

/** A forecast. */
export type Forecast = {
  /** [`SCHEMA`]. */
  schema: string,
  /** The version that made it. */
  core: string,
  /** The policy. */
  policy: string,
  /** Slots of the system. */
  nodes: number,
  /** What jobs ask for: a slot, a node or a machine. */
  unit: string,
  /** When the job is submitted, in seconds since time 0 of the log. */
  at_s: number,
  /** The same as a date; `None` where the log has none. */
  at: string | null,
  /** Slots of the job. */
  size: number,
  /** The bandwidth that it requests, in Mbit/s; `None` where the system has no network. */
  bandwidth_mbit: number | null,
  /** Its time limit in seconds. */
  limit_s: number,
  /** Jobs that run then. */
  running: number,
  /** Jobs that wait then. */
  waiting: number,
  /** Weeks of history from which arrivals are drawn. */
  weeks: number,
  /** How many futures were simulated. */
  futures: number,
  /** The start that one future in ten does not exceed. */
  p10: ForecastStart,
  /** The start that half of the futures do not exceed. */
  p50: ForecastStart,
  /** The start that nine futures in ten do not exceed. */
  p90: ForecastStart,
  /** The start if every job runs for its time limit and none arrives. */
  optimist: ForecastStart,
  /** The start if every job runs for its time limit and the busiest week comes again and again. */
  pessimist: ForecastStart,
  /** The chance to have started by some instants. */
  chances: Array<Chance>,
  /** What holds the job back just before P50, the most frequent first; empty if it starts at once. */
  held_back: Array<HeldBack>,
  /** Other sizes and time limits; `None` where they were not asked for. */
  map: ForecastMap | null,
};

/**
 * The answers for other sizes and time limits; waits by size and then by limit, in seconds, `None` for
 * the longest.
 */
export type ForecastMap = {
  /** The sizes in slots. */
  sizes: Array<number>,
  /** The time limits in seconds. */
  limits_s: Array<number>,
  /** P50. */
  p50_wait_s: Array<Array<number | null>>,
  /** P90. */
  p90_wait_s: Array<Array<number | null>>,
};

/** When a job starts; every field is `None` if it does not within the longest wait. */
export type ForecastStart = {
  /** How long it waits, in seconds. */
  wait_s: number | null,
  /** When it starts, in seconds since time 0 of the log. */
  start_s: number | null,
  /** The same as a date; `None` also where the log has no dates. */
  date: string | null,
};

/** What a forecast begins with. */
export type ForecastUsual = {
  /** What prints the queue that is pasted. */
  command: string,
  /** The policy that is asked about where none is chosen, and its label. */
  policy: string, label: string,
};

/** A name in a formula. */
export type FormulaName = {
  /** Its notation. */
  value: string,
  /** Its meaning. */
  help: string,
};

/** A function of a formula. */
export type FunctionName = {
  /** Its notation. */
  name: string,
  /** Whether it takes two or more values, not one. */
  many: boolean,
};

/** The geometry of a chart and of each point of its curves, in CSS pixels from the canvas's corner. */
export type Geometry = {
  /** Left edge of the plot. */
  left: number,
  /** Right edge of the plot. */
  right: number,
  /** Upper edge of the plot. */
  top: number,
  /** Lower edge of the plot. */
  bottom: number,
  /** The range of the x axis. */
  x: Span,
  /** The range of the y axis. */
  y: Span,
  /** Whether only a part of the axes is visible. Other points are outside the plot. */
  zoomed: boolean,
  /** What is said of the curves of the last answer behind the others; empty if there are none. */
  behind: string,
  /** Whether curves are still on their way from there. */
  moving: boolean,
  /** The position of each value of x, from the canvas's left edge. */
  xs: Array<number>,
  /**
   * The points of all curves, four numbers each: the positions of its policy and of its value of x,
   * and its distances from the canvas's left and upper edges. A log has a point a day, and a
   * drawing that is zoomed has to be ready within a frame.
   */
  points: Float64Array,
  /** How many of them are in the plot. */
  seen: number,
};

/** The meaning of every name. */
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

/** What holds the job back just before P50. */
export type HeldBack = {
  /** What it is. */
  by: Hold,
  /** The share of the futures in which the job still waits then. */
  share: number,
};

/** What holds a job back at an instant. */
export type Hold = "nodes" | "queue" | "policy" | "place";

/** The instants of a log at which a forecast can be asked for. */
export type Instants = {
  /** The first, in seconds since time 0 of the log. */
  from_s: number,
  /** The last. */
  until_s: number,
  /** The last as a date; null where the log has none. */
  until: string | null,
  /** When time 0 was, in seconds since 1970 by the log's own zone; null where that is not known. */
  begins: number | null,
  /** The slots of the system. */
  nodes: number,
  /** What jobs ask for: a slot, a node or a machine. */
  unit: string,
  /** Whether the bandwidth that a job requests matters. */
  network: boolean,
};

/** A job at an instant. */
export type JobAt = {
  /** Its value in each column. */
  row: Array<number | null>,
  /** Its allocation at that instant, or the nearest one. */
  allocation: Allocation | null,
  /** The number of its allocations. */
  allocations: number,
};

/** A bin of similar jobs. */
export type JobBin = {
  /** The label of the bin. */
  label: string,
  /** The number of jobs. */
  jobs: number,
};

/** Totals of a set of jobs. */
export type JobSet = {
  /** The number of jobs. */
  jobs: number,
  /** Their total request. */
  slots: number,
  /** Σ ½·pl + ½·pl·wt over them. */
  worth: number,
};

/** The check of a policy that is being composed. */
export type Judged = {
  /** Its notation in a scenario; empty if it has a mistake. */
  value: string,
  /** Its description in plain words; empty if it has a mistake. */
  told: string,
  /** Whether the scenario compares it already. */
  present: boolean,
  /**
   * Whether it can be compared with all policies of the scenario, not only in the place of the
   * one that it starts from.
   */
  can_add: boolean,
  /** The keys of its parts that have an effect. */
  relevant: Array<string>,
  /** Mistakes in single parts. */
  mistakes: Array<PartMistake>,
  /** Problems of the parts in combination. */
  problems: Array<string>,
  /**
   * Three waiting jobs in its order, the first one tried first; empty if the order has a
   * mistake.
   */
  sample: Array<SampleJob>,
};

/** A key of a scenario, as its field in the form needs it. */
export type Key = {
  /** Its notation in a scenario. */
  name: string,
  /** Its label in the form. */
  label: string,
  /** The name of its group of fields. */
  group: string,
  /** The kind of its field. */
  kind: FieldKind,
  /** The values to choose from; empty for other kinds of fields. */
  choices: Array<Choice>,
  /** The default value. */
  default: string,
  /** The unit of its values; empty if they have none. */
  unit: string,
  /** Whether it can be swept. */
  sweep: boolean,
  /** Whether most people change it. */
  essential: boolean,
};

/** A group of fields of the form. */
export type KeyGroup = {
  /** Its name in keys. */
  name: string,
  /** Its heading. */
  label: string,
};

/** The layout of a plan, in pixels. */
export type Laid = {
  /** Its height. */
  height: number,
  /** The top and the height of each block. */
  blocks: Array<[number, number]>,
  /**
   * Whether a slot is lower than a pixel, so that small jobs cannot have their own colours: the
   * pixels then show how many of their slots are held.
   */
  dense: boolean,
};

/** A leaf, or a block. */
export type Leaf = {
  /** Its name in the topology file, else its number. */
  name: string,
  /** The same of the switch above it; empty for a root. */
  above: string,
  /** How many nodes it has. */
  nodes: number,
};

/** A tree and its leaves. */
export type Leaves = {
  /** The tree as its key has it. */
  tree: string, leaves: Array<Leaf>,
};

/** A lesson: a scenario, and what to look at in it. */
export type Lesson = {
  /** What the choice of lessons calls it. */
  label: string,
  /** The values of its keys. */
  pairs: Array<[string, string]>,
  /** The view of its link. */
  view: string,
};

/** A link that slows a job down. */
export type LimitAt = {
  /** The index of the part. */
  part: number,
  /** Its name. */
  name: string,
  /** The numbers of the other jobs on it. */
  with: Array<number>,
};

/** A chart over time. */
export type LineName = {
  /** Its label. */
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
  /** The number of jobs that migrated. */
  jobs: number,
  /** The number of migrations. */
  migrations: number,
  /** The total seconds for which jobs held slots for migrations without working. */
  paused: number,
};

/** A link named in a sentence. */
export type NamedLink = {
  /** The index of the part. */
  part: number,
  /** Its name. */
  name: string,
  /** The instant of the sentence, in seconds since the first submit. */
  at: number,
};

/** The trace that a scenario needs. */
export type NeededTrace = {
  /** The format of its file. */
  kind: TraceFormat,
  /** The name of its file. */
  file: string,
  /** The SHA-256 of its contents; empty if any contents will do. */
  sha256: string,
};

/** A scenario from a file or the browser's storage, with its runs. */
export type OpenedFile = {
  /** The values of the scenario that differ from their defaults, by key. */
  pairs: Array<[string, string]>,
  /** The version of the core that made the runs; empty if there are none. */
  core: string,
  /** The runs. */
  outcomes: Array<CellOutcome>,
  /** The labels of the metrics for which the runs have no value. */
  lacks: Array<string>,
};

/** The contents of a link. */
export type OpenedLink = {
  /** The values of its scenario that differ from their defaults, by key. */
  pairs: Array<[string, string]>,
  /** The digest of its result; empty if it has none. */
  digest: string,
  /** The version of the core that made the link. */
  core: string,
  /** The view of the answer on the page. */
  view: string,
  /** The hidden parts of the page. */
  hide: string,
  /** Whether it has no checksum: somebody typed it, or its end is missing. */
  typed: boolean,
};

/** A topology that was read. */
export type OpenedTopology = {
  /** Its nodes. */
  nodes: number,
  /** Its leaves, or its blocks. */
  leaves: number,
  /** Whether they are blocks. */
  blocks: boolean,
  /** What is worth knowing of it, in sentences. */
  notes: Array<string>,
  /** What its owner asks of it. */
  question: Question,
};

/** A waiting job in an order. */
export type OrderedJob = {
  /** Its number in the input. */
  number: number,
  /** The value of the order for it; null if not finite. */
  value: number | null,
};

/** A run over the calendar. */
export type OverTime = {
  /** When the first day begins, in seconds since time 0 of the log. */
  from_s: number,
  /**
   * The first day, in days since 1 January 1970 by the log's own clock; null where the log does
   * not say when it began.
   */
  first_day: number | null,
  /** Mean number of slots in use, by day. */
  in_use: Array<number>,
  /** Mean number of waiting jobs, by day. */
  waiting: Array<number>,
  /** The jobs submitted in each week, from the week of the first day on. */
  weeks: Array<WeekOfJobs>,
};

/** A policy that is being composed. */
export type OwnPolicy = {
  /** What it is called; empty if it has no name. */
  name: string,
  /** The name of its placement. */
  placement: string,
  /** The value of each of its parts, in the order of their fields. */
  parts: Array<string>,
  /** The other keys that are set for it alone. */
  further: Array<[string, string]>,
};

/** A part of an axis, in shares of its range from its lower end; it may reach beyond both ends. */
export type Part = {
  /** The range of the axis then. */
  of: Span,
  /** The start of the part. */
  from: number,
  /** The end of the part. */
  to: number,
};

/** The key of a part. */
export type PartField = {
  /** The meaning of the part. */
  help: string,
  /** Its notation in a scenario. */
  name: string,
  /** Its label in the form. */
  label: string,
  /** The name of its group of fields. */
  group: string,
  /** The kind of its field. */
  kind: FieldKind,
  /** The values to choose from; empty for other kinds of fields. */
  choices: Array<Choice>,
  /** The default value. */
  default: string,
  /** The unit of its values; empty if they have none. */
  unit: string,
  /** Whether it can be swept. */
  sweep: boolean,
  /** Whether most people change it. */
  essential: boolean,
};

/** A mistake in a part. */
export type PartMistake = {
  /** The key of the part. */
  key: string,
  /** The first character of the mistake, from 1. */
  column: number,
  /** The character after its end, from 1; `column` itself if something is missing. */
  end: number,
  /** What is wrong there and what is allowed. */
  why: string,
};

/** A policy of a scenario. */
export type PolicyName = {
  /** Its notation in a scenario. */
  value: string,
  /** Its label. */
  label: string,
};

/** A scheduling policy or a placement, and the systems on which it runs. */
export type PolicyPart = {
  /** The values of the key `system` with which it can be used. */
  systems: Array<string>,
  /** Its notation in a scenario. */
  value: string,
  /** Its label. */
  label: string,
};

/** A named order. */
export type Preset = {
  /** Its name, which may replace its formula. */
  name: string,
  /** Its label. */
  label: string,
  /** The expression; the smallest value is first. */
  formula: string,
  /** Its source: authors, title, year; `textbook` if every textbook has it. */
  source: string,
};

/** A problem of a scenario, and its key. */
export type Problem = {
  /** The key; empty if the text itself is malformed. */
  key: string,
  /** The value and the problem. */
  message: string,
};

/** A question about a log. */
export type Question = {
  /** The question. */
  title: string,
  /** What is done to answer it, in one sentence. */
  does: string,
  /** The keys of the scenario that answers it, beside those that name the log. */
  pairs: Array<[string, string]>,
};

/** A policy at one value of x. */
export type Rank = {
  /** The position of the policy. */
  policy: number,
  /**
   * Its rank among those that run about the same jobs, from 1; null if excluded, or if neither
   * direction is better.
   */
  rank: number | null,
  /** Its mean. */
  value: Value,
  /** Its difference to the reference; null for the reference. */
  difference: Value | null,
  /** The same in per cent of the reference's mean, if that is above zero. */
  change: Value | null,
  /** The verdict on the difference; null for the reference. */
  verdict: DifferenceVerdict | null,
  /** The difference of its accept rate to the reference's, in points, if it is excluded. */
  apart: string | null,
};

/** A checked scenario. If there are problems, everything else is empty. */
export type Reading = {
  /** The problems. */
  problems: Array<Problem>,
  /** The canonical text, for workers. */
  text: string,
  /**
   * The part of the text that determines the runs. Scenarios with equal parts have the same
   * runs.
   */
  simulated: string,
  /** The values that differ from their defaults, by key, in canonical form. */
  changed: Array<[string, string]>,
  /** The value of every key. That of a swept key is its default. */
  values: Array<[string, string]>,
  /** The keys that have an effect. */
  relevant: Array<string>,
  /** Its policies. */
  policies: Array<PolicyName>,
  /** The first swept key; null if none is swept. */
  x: Axis | null,
  /** The second swept key; null if at most one is swept. */
  y: Axis | null,
  /** The number of replications of each point. */
  replications: number,
  /** The total number of runs. */
  runs: number,
  /** The trace that it needs; null if its jobs are generated. */
  trace: NeededTrace | null,
  /** The most jobs that a run of it generates; null if they come from a trace. */
  jobs: number | null,
  /** Whether generated jobs may be larger than the system. */
  mayExceed: boolean,
};

/** A value to set for a key of the scenario. */
export type Remedy = {
  /** The key. */
  key: string,
  /** Its value. */
  value: string,
  /** What it does, in words. */
  words: string,
};

/** A summary of a kept run. Times are seconds since the first submit. */
export type ReplayInfo = {
  /** The machine of the run; only a picture reads it. */
  machine: Shown,
  /** The length of the run. */
  span: number,
  /** The first instant at which most is in use. */
  busiest: number,
  /** The number of jobs. */
  jobs: number,
  /** Whether jobs share links, so that the use of links may exceed reservations. */
  shared: boolean,
};

/** A link on which bandwidth is reserved. */
export type ReservedLink = {
  /** The index of the part. */
  part: number,
  /** Its name. */
  name: string,
  /** The bandwidth, in Mbit/s. */
  reserved: number,
};

/**
 * The schema version of a result and the release that made it: read first of a [`Document`], as
 * the rest of an unknown version may be anything.
 */
export type ResultForm = { schema: number,
/** The release of the simulator that made it. */
core: string, };

/** A job of the [`SAMPLE`], in an order. */
export type SampleJob = {
  /** Its number. */
  number: number,
  /** The requested slots. */
  size: number,
  /** The user's estimate of its run time, in seconds. */
  estimate: number,
  /** Seconds waited so far. */
  wait: number,
  /** The value of the order for it; null if not finite. */
  value: number | null,
};

/** The visible parts of both axes of a chart. */
export type Seen = {
  /** The visible part of the x axis; null for all of it. */
  x: Part | null,
  /** The visible part of the y axis; null for all of it. */
  y: Part | null,
};

/** The look of curves of a style, apart from their colour. */
export type SeriesStyle = {
  /** Lengths of ink and gap along the curve in CSS pixels; empty for a solid line. */
  dash: Array<number>,
  /** Corners of the marker in radii around its point; empty for a circle. */
  corners: Array<[number, number]>,
  /** Whether the marker is filled. */
  filled: boolean,
};

/** A job's share of the bandwidth that it requests. */
export type SharedAt = {
  /** The share at the instant. */
  share: number,
  /** The least share over the allocation. */
  least: number,
  /** The greatest share over the allocation. */
  most: number,
  /** Its speed at the instant relative to its undisturbed speed. */
  speed: number,
  /** The full link that limits its share at the instant; null if it gets its full request. */
  limit: LimitAt | null,
};

/** A system as it is shown: it may leave the program that simulated it, to be drawn by another. */
export type Shown = { "FatTree": ShownTree } | { "Nodes": ShownNodes } | { "MultiCluster": ShownClusters } | { "Pool": ShownPool } | { "Tree": ShownTopology };

/** Clusters in pictures. */
export type ShownClusters = {
  /** The nodes of each cluster. */
  nodes: Array<number>,
  /** The share of its rate that the scheduler wants a link loaded with at most. */
  threshold: number,
  /** Whether overloaded links slow jobs down. */
  shared: boolean,
};

/** Nodes in pictures. */
export type ShownNodes = {
  /** The number of nodes. */
  nodes: number,
  /** Whether each has a background. */
  background: boolean,
};

/** A pool in pictures. */
export type ShownPool = {
  /** Machines of each centre. */
  vms: number,
  /** The number of centres. */
  centres: number,
};

/** A tree in pictures. */
export type ShownTopology = {
  /** Slots of each node. */
  slots: number,
  /** By node: its leaf. */
  leaf_of: Array<number | null>,
  /** By switch, leaves first: the one above it. */
  parents: Array<number | null>,
  /** By switch: its level. */
  levels: Array<number>,
  /**
   * What its nodes, and after them its switches, are called in its topology file; empty where no
   * file is at hand.
   */
  names: Array<string>,
};

/** A fat-tree in pictures. */
export type ShownTree = {
  /** The number of pods. */
  pods: number,
  /** Slots of each server. */
  slots: number,
  /** Whether parallel links act as one. */
  aggregated: boolean,
};

/** What slows a job down over an allocation. */
export type SlowedOver = {
  /**
   * A sentence for each of the longest periods in which it is slowed, in order of time: pieces
   * of text, with instants and links in between.
   */
  longest: (string | number | NamedLink)[][],
  /** The number of further periods. */
  more: number,
};

/** The range of an axis. */
export type Span = {
  /** Value at the left or lower end. */
  low: number,
  /** Value at the right or upper end, above `low`. */
  high: number,
  /** Whether the scale is logarithmic; `low` is above zero then. */
  logarithmic: boolean,
};

/** A cell of a picture. */
export type Spot = {
  /** The name of its part. */
  name: string,
  /** The index of its part. */
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

/** The distribution of the waits of one run. */
export type Spread = {
  /**
   * For each of [`LEVELS`] the wait in seconds that this share of jobs does not exceed; `None`
   * if no job ran.
   */
  waits: Array<number | null>,
  /**
   * For each of [`LEVELS`] the share of all waiting by this share of jobs, 0 to 1; `None` if no
   * job waited.
   */
  lorenz: Array<number | null>,
  /** The Gini coefficient of the waits; `None` if no job waited. */
  gini: number | null,
};

/** The distributions in words and numbers. */
export type Spreads = {
  /** The meaning of each, in one sentence. */
  meanings: Array<string>,
  /** The metrics that summarise them in one number. */
  beside: Array<string>,
  /** A sentence on the waits of each policy with data. */
  sentences: Array<string>,
  /** The first axis. */
  x: Values,
  /** The second axis; one value without a name if there is none. */
  y: Values,
  /** The labels of the curves. */
  policies: Array<string>,
  /** Notes on the numbers. */
  notes: Array<string>,
  /** Every metric. */
  metrics: Array<Curves>,
  /**
   * The names of those shown by default: once all numbers are there, first that in which the
   * policies differ most; the accept rate last if all policies run all jobs.
   */
  headline: Array<string>,
  /** The summary of the numbers; empty while some are missing. */
  sentence: string,
};

/** The result of a run, made by this version or another. */
export type StoredOutcome = { cell: Cell, digest: string, metrics: { [name: string]: number | null } | (number | null)[], jobs: number, over_time?: OverTime, };

/** A result that was written as a [`Document`], as far as needed to show it again. */
export type StoredResult = { core: string, scenario: { [key in string]: string }, trace?: TraceName, digest: string | null, metrics?: Array<MetricName>, outcomes: Array<StoredOutcome>, };

/** The answer at one value of the second axis, in words and numbers. */
export type Summary = {
  /** The first axis. */
  x: Values,
  /** The second axis; one value without a name if there is none. */
  y: Values,
  /** The labels of the curves. */
  policies: Array<string>,
  /** Notes on the numbers. */
  notes: Array<string>,
  /** Every metric. */
  metrics: Array<Curves>,
  /**
   * The names of those shown by default: once all numbers are there, first that in which the
   * policies differ most; the accept rate last if all policies run all jobs.
   */
  headline: Array<string>,
  /** The summary of the numbers; empty while some are missing. */
  sentence: string,
};

/** A metric over two swept keys: its numbers and its geometry. */
export type Surface = {
  /** The cells of the same policies, in CSS pixels from the canvas's corner. */
  cells: Array<SurfaceCells>,
  /** The printed unit of the numbers. */
  unit: string,
  /** Where the numbers are least and greatest; empty if there are none. */
  words: string,
  /** The numbers by policy, value of y and value of x. */
  panels: Array<Array<Array<Value | null>>>,
};

/** The cells of a policy in the drawing: rows from bottom to top. */
export type SurfaceCells = {
  /** The position of the policy. */
  policy: number,
  /** Left edge of all cells. */
  left: number,
  /** Upper edge of all cells. */
  top: number,
  /** Width of a cell. */
  width: number,
  /** Height of a cell. */
  height: number,
};

/** The tables from which the page draws its form and its choices. */
export type Tables = {
  /** The version of the core. */
  version: string,
  /** The schema version of stored results. */
  schema: number,
  /** The groups of the form, in the order in which they are shown. */
  groups: Array<KeyGroup>,
  /** Every key. */
  keys: Array<Key>,
  /** Every scheduling policy, without its placement. */
  queues: Array<PolicyPart>,
  /** Every placement. */
  placements: Array<PolicyPart>,
  /** Complete scenarios to start from. */
  examples: Array<Example>,
  /** Decisions to look at, in the order in which they build on one another. */
  lessons: Array<Lesson>,
  /** The style of each series, by position. */
  styles: Array<SeriesStyle>,
};

/** A forecast, and what is said of it. */
export type Told = {
  /** The forecast. */
  forecast: Forecast,
  /** What is asked, and what is known. */
  premise: string,
  /** What holds the job back just before P50; null if that was not asked or it starts at once. */
  cause: string | null,
  /** What would start sooner. */
  gains: Array<string>,
  /** When time 0 was, in seconds since 1970; null where that is not known. */
  begins: number | null,
};

/** A pass, told. */
export type ToldPass = {
  /** Its position among the passes. */
  position: number,
  /** How many passes the run has. */
  passes: number,
  /** Its instant. */
  at: number,
  /** The slots of the system, those in the background left out. */
  slots: number,
  /** The slots that are free before it. */
  free: number,
  /** The jobs that run before it, by index. */
  running: Array<ToldRunning>,
  /** The jobs in the queue as it begins, in the order of the queue. */
  queue: Array<ToldQueued>,
  /** The jobs that are tried as they arrive, and those that join the queue in the pass. */
  others: Array<AskedJob>,
  /** What happens, in order. */
  steps: Array<ToldStep>,
};

/** Why a job was placed where it was, and not elsewhere. */
export type ToldPlacement = {
  /** By which rule, in one or more sentences. */
  rule: string,
  /** The subtrees, or other parts, in the order in which they were considered. */
  subtrees: Array<ToldSubtree>,
  /** The others, counted; empty where all are listed. */
  more: string,
};

/** A job that waits as a pass begins. */
export type ToldQueued = {
  /** What it asks for. */
  asked: AskedJob,
  /** The value by which a formula orders the queue; null where none does, or if not finite. */
  value: number | null,
};

/** A job that runs as a pass begins. */
export type ToldRunning = {
  /** What it asks for. */
  asked: AskedJob,
  /** When it began to hold its placement. */
  start: number,
  /** When it ends by its estimate, now at the earliest. */
  estimated_end: number,
  /** When it really ends at its present speed; null while it stands still. */
  end: number | null,
  /** Servers or nodes, and the slots held on each; the background of a node follows behind all. */
  shares: Array<[number, number]>,
};

/** A step of a pass. What a kind of step has no use for is null or empty. */
export type ToldStep = {
  /** What happens. */
  kind: 'poweredOn' | 'admitted' | 'deferred' | 'dismissed' | 'tried' | 'passedOver' | 'declined' | 'stopped' | 'renewed' | 'reserved' | 'compared' | 'preempts' | 'crowded' | 'suspended' | 'waitedLong' | 'chosen' | 'shared' | 'matched' | 'started' | 'moved',
  /** The index of the job that it is about; of `passedOver` that which does not fit. */
  job: number | null,
  /** Of `tried`: why the job is looked at. */
  turn: 'arrival' | 'head' | 'next' | 'behind' | 'background' | 'recorded' | null,
  /**
   * Of `tried`: the value by which a formula orders this turn. Of `poweredOn`: the slots that may
   * be held.
   */
  value: number | null,
  /** Of `tried`: whether the job fits now. */
  fits: boolean | null,
  /** Of `compared`: what the job means to the reservation. */
  effect: 'endsBefore' | 'fitsBeside' | 'delays' | null,
  /** Of `compared`: the index of the job with the reservation. */
  reserved: number | null,
  /** Of `reserved` and `compared`: when the reservation starts. */
  start: number | null,
  /** Of `compared`, `started` and `moved`: when the job ends by its estimate. */
  end: number | null,
  /**
   * Of `started` and `moved`: when the job really ends at its speed after the pass; null where it
   * stands still.
   */
  real_end: number | null,
  /**
   * The indices of other jobs: of `passedOver` those that do not fit either; of `reserved` those
   * whose ends are the last that it waits for; of `preempts` those that give way; of `chosen`
   * the set.
   */
  jobs: Array<number>,
  /** Of `preempts`: the indices of the running jobs that may have to give way. */
  candidates: Array<number>,
  /** Of `started` and `moved`: servers or nodes, and the slots held on each, as of a job that runs. */
  shares: Array<[number, number]>,
  /** The sentence: pieces of text, with instants in between. */
  sentence: (string | number)[],
  /** Of `started`: why there and not elsewhere; null where that is not known. */
  placement: ToldPlacement | null,
};

/** A subtree, or another part, before the job started. */
export type ToldSubtree = {
  /** What it is called. */
  name: string,
  /** The slots that were free, or the nodes, where whole nodes are taken. */
  free: number,
  /** What of the job it could take at most. */
  most: number,
  /** What of the job it took. */
  taken: number,
  /** Why, without its name. */
  sentence: string,
};

/** A value of a scenario's key that repairs something. */
export type TraceCure = {
  /** The key. */
  key: string,
  /** The value. */
  value: string,
  /** Its effect on this trace. */
  text: string,
};

/** A fact about some jobs. */
export type TraceFact = {
  /** The fact in words. */
  text: string,
  /** The number of jobs. */
  jobs: number,
};

/** A finding in lines of a trace. */
export type TraceFinding = {
  /** The finding in words. */
  text: string,
  /** What happened to its lines. */
  verdict: FindingVerdict,
  /** The number of lines. */
  count: number,
  /** The first of these lines, counted from 1. */
  lines: Array<number>,
  /** The field of each of them; null if it is about the whole line. */
  fields: Array<string | null>,
  /** What was done about it. */
  done: string,
  /** What to do about it, where that is more than to mend the lines. */
  remedy: string | null,
  /** One of these lines, for a reject or repair; null if none was at hand. */
  example: ExampleLine | null,
};

/** What a file holds. */
export type TraceFormat = "swf" | "csv";

/** A trace's name: enough to identify it, without its contents. */
export type TraceName = {
  /** Its file's name. */
  name: string,
  /** SHA-256 of its decompressed bytes. */
  sha256: string,
  /** The number of its jobs. */
  jobs: number,
};

/** The report of a reader on a trace. */
export type TraceReport = {
  /** The format, by its contents if the name does not say. */
  format: TraceFormat,
  /** The number of jobs. */
  jobs: number,
  /** Seconds from the first submit to the last. */
  span: number,
  /** Processors of the largest job. */
  widest: number,
  /**
   * The start of its time, in seconds since 1970 (UTC); null if its header does not name a
   * date.
   */
  begins: number | null,
  /** Processors of the log's own machine, or of the largest job where that has more. */
  processors: number,
  /**
   * The questions about it, the one that is answered first in front; none where it gives
   * bandwidths.
   */
  questions: Array<Question>,
  /** The SHA-256 of its contents. */
  sha256: string,
  /** The number of lines. */
  read: number,
  /** The number of lines accepted unchanged. */
  accepted: number,
  /** The number of lines that gave a job with a repaired value. */
  repaired: number,
  /** The number of lines that gave no job. */
  rejected: number,
  /** The number of lines folded into the job of another. */
  folded: number,
  /** The number of comments and headings. */
  comments: number,
  /** The number of blank lines. */
  blank: number,
  /** The findings in its lines. */
  findings: Array<TraceFinding>,
  /** Warnings about the whole trace. */
  warnings: Array<string>,
};

/** A column of a table. */
export type UnknownColumn = {
  /** Its name in the heading. */
  name: string,
  /** Its first values. */
  values: Array<string>,
  /** What it may be, a name of [`Target`]. */
  guess: string | null,
};

/** The printed mean over replications. */
export type Value = {
  /** The mean. */
  mean: string,
  /** Half the width of its 95 % interval, to the same place. */
  half: string | null,
  /** The number of replications. */
  n: number,
};

/** A swept key and its values. */
export type Values = {
  /** The label of the key, with its unit; empty if nothing is swept. */
  label: string,
  /** Its values; one empty value if nothing is swept. */
  values: Array<string>,
};

/** A job that waited before a scheduling pass. */
export type WaitingJob = {
  /** Its index. */
  job: number,
  /** Its number in the input. */
  number: number,
  /** The slots that it requests. */
  size: number,
  /** The seconds that it had waited. */
  waited: number,
  /** The value of starting it. */
  worth: number,
  /** The slots that it was started on; null if it was not. */
  got: number | null,
  /** Whether first fit would have started it. */
  by_first_fit: boolean,
};

/** The jobs submitted in a week that ran. */
export type WeekOfJobs = {
  /** Their number. */
  jobs: number,
  /** The sum of their waits, in seconds. */
  wait_s: number,
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
