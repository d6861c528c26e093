/** What the page and its workers say to each other: types alone, nothing of it reaches a browser. */

import type {
  Asked,
  Board,
  Composer,
  Diagnosis,
  Inspector,
  Instants,
  Judged,
  NamedLink,
  OpenedFile,
  OpenedTopology,
  OwnPolicy,
  CellOutcome,
  ReplayInfo,
  Spread,
  ToldPass,
  TraceFormat,
  TraceReport as ReaderReport,
} from '../../pkg/backfill_web.js';
import type { Rerun } from '../../pkg-claims/backfill_claims.js';
import type { Part } from '../forecast.ts';
import type { KeptResult } from '../store.ts';

/** A file of the user's, and how to read it. */
export interface TraceFile {
  file: File;
  kind: TraceFormat;
  /** The values of the keys that say how a log is read. */
  processors: string;
  cancelled: string;
  columns: string;
}

/** What a reader found, and how many bytes of memory the core then had. */
export type TraceReport = ReaderReport & { memory: number };

/** How much of a run's machine is in use. */
export interface Frame {
  /** The share of each part. */
  shares: Float32Array;
  /** The nodes that are held by jobs that pay for a migration. */
  paused: Uint32Array;
  /** Null where shares are averaged over the run. */
  jobs: [running: number, waiting: number, paused: number, migrations: number] | null;
}

/** Which run: a cell of a scenario, and the trace that the scenario reads, if it reads one. */
export interface Run {
  /** The canonical text of the scenario. */
  scenario: string;
  trace: TraceFile | null;
  cell: number;
  /** The text of the topology file that names the parts of its machine, if one was read. */
  topology?: string | undefined;
}

/** Outcomes of a scenario, by its canonical text, and the version of the core that made them. */
export interface Answered {
  scenario: string;
  maker: string;
  outcomes: CellOutcome[];
}

/** What a worker can be asked for: each method takes one object and gives what the worker answers. */
export interface Calls {
  /** Reads a trace. */
  read(given: { trace: TraceFile }): TraceReport;
  /** Reads a trace, which is then there for what is asked next. */
  hold(given: { trace: TraceFile }): void;
  /** Says what ails a trace. */
  diagnose(given: { trace: TraceFile }): Diagnosis;
  /** Says what a scenario over a trace is about, in one sentence. */
  about(given: { scenario: string; trace: TraceFile }): string;
  /** Says how many jobs of a scenario can never run, in words; null where all can. */
  warning(given: { scenario: string; trace: TraceFile | null }): string | null;
  /**
   * The positions of the first and the last job of a scenario's trace submitted in a period, in
   * seconds since time 0 of the log; null if there is none.
   */
  submitted(given: {
    scenario: string;
    trace: TraceFile;
    from: number;
    until: number;
  }): Uint32Array | null;
  /** Simulates a run, and may keep it for `replay`, which then needs not simulate it. */
  cell(given: Run & { isKept?: boolean }): CellOutcome;
  /** Simulates a run for a short while, and says how far it came; null where that says nothing. */
  estimate(given: Run): Part | null;
  /** Simulates a run, and says how its waits are spread. */
  spread(given: Run): Spread;
  /** Simulates a run and writes its jobs as a log. */
  log(given: Run): string;
  /** Keeps a run under a number; simulates it unless it is kept. */
  replay(given: Run & { number: number }): ReplayInfo;
  /** Simulates another run and puts it beside the one that is kept. */
  beside(given: Run): ReplayInfo;
  /**
   * Says how much of the kept run's machine is reserved at a second, or used where links are shared;
   * on average where there is no second. Null where another run is kept by now, or none.
   */
  frame(given: { at: number | null; used: boolean; number: number }): Frame | null;
  /** Calls methods of the inspector of the kept run; null where another one is kept, or none. */
  look(given: { calls: InspectorCall[]; number: number }): unknown[] | null;
  /**
   * Tells the last pass up to a second of another run of the kept run's scenario; null where there
   * is none, and where another run is kept by now, or none.
   */
  pass_of(given: Run & { at: number; number: number }): ToldPass | null;
  /** Says why a job was refused or waits at a second; when it arrived where that is null. */
  explain(
    given: Run & { job: number; at: number | null; machine: ReplayInfo['machine'] },
  ): (string | number | NamedLink)[];
  /** Gives what a user composes a policy from, who starts from one of a scenario's. */
  composer(given: { scenario: string; policy: number }): Composer;
  /** Says what a policy does that is being composed beside a scenario's, or what is wrong with it. */
  judge(given: { scenario: string; from: number; own: OwnPolicy }): Judged;
  /** Calls methods of a board that holds these outcomes of a scenario, made by that version. */
  write(given: Answered & { calls: BoardCall[] }): string[];
  /** Judges the claims of the published figures that a complete answer is. */
  claims(given: Answered): Rerun[];
  /** Writes the folder that runs a scenario, of so many jobs a run, on a cluster, as a .zip. */
  study(given: { scenario: string; engine: string; jobs: number }): Uint8Array<ArrayBuffer>;
  /** Reads a scenario file or a result. */
  open(given: { contents: string }): OpenedFile;
  /** Reads a result that was kept. */
  restore(given: { kept: KeptResult }): OpenedFile;
  /** Reads a topology file, for a trace if there is one. */
  topology(given: { text: string; trace: TraceFile | null }): OpenedTopology;
  /** Says at which instants of a log a forecast can be asked for. */
  instants(given: { scenario: string; trace: TraceFile | null }): Instants;
  /** Calls methods of a job that is asked about. */
  forecast(given: Question & { calls: AskedCall[] }): unknown[];
  /** Fault injection: the core panics. */
  panic(given: object): never;
}

/** The name of something that a worker can be asked for. */
export type CallName = keyof Calls;
/** What it takes. */
export type Given<Name extends CallName> = Parameters<Calls[Name]>[0];
/** What the worker answers. */
export type Result<Name extends CallName> = ReturnType<Calls[Name]>;
/** What a worker does for each of them, by the number of the request. */
export type Handlers = {
  [Name in CallName]: (given: Given<Name>, id: number) => Result<Name> | Promise<Result<Name>>;
};

/** The methods of `Of` that give a `Made`. */
type Methods<Of, Made> = {
  [Name in keyof Of]: Of[Name] extends (...given: never) => Made ? Name : never;
}[Exclude<keyof Of, 'free' | symbol>];
/** A call of a method of `Of`, as it is sent. */
type Call<Of, Name extends keyof Of> = {
  [Each in Name]: Of[Each] extends (...given: infer Taken) => unknown
    ? [method: Each, ...given: Taken]
    : never;
}[Name];
/** What comes of such a call. */
type Answer<Of, Sent> = Sent extends [infer Name extends keyof Of, ...unknown[]]
  ? Of[Name] extends (...given: never) => infer Made
    ? Made
    : never
  : never;

/** A call of a method of the inspector. */
export type InspectorCall<Name extends Methods<Inspector, unknown> = Methods<Inspector, unknown>> =
  Call<Inspector, Name>;
/** What comes of such calls. */
export type InspectorAnswers<Sent extends InspectorCall[]> = {
  [Place in keyof Sent]: Answer<Inspector, Sent[Place]>;
};
/** Calls methods of the kept run's inspector; null where another run has taken its place. */
export type Look = <Sent extends InspectorCall[]>(
  ...calls: Sent
) => Promise<InspectorAnswers<Sent> | null>;
/** A call of a method of a board that writes a text. */
export type BoardCall = Call<Board, Methods<Board, string>>;

/** A call of a method of a job that is asked about. */
export type AskedCall = Call<Asked, Methods<Asked, unknown>>;

/** When would a job start? */
export interface Question {
  /** With a single run. */
  scenario: string;
  trace: TraceFile | null;
  /** As the user entered them. */
  size: string;
  limit: string;
  /** In Mbit/s; empty for a usual one. */
  bandwidth: string;
  /** The instant of the log. */
  at: string;
  /** What `squeue` printed, in place of an instant, and whether processors are counted. */
  queue: { text: string; processors: boolean } | null;
}

/** The compiled core, its rest once there is use for it, and the address of the script around it. */
export interface Build {
  module: WebAssembly.Module;
  rest: WebAssembly.Module | null;
  script: string;
}

/** A request, with the rest of the core if it is there. Its number is in every answer to it. */
export type Request = {
  [Name in CallName]: { id: number; type: Name; rest: Build['rest'] } & Given<Name>;
}[CallName];

/**
 * What the page says to a worker: first that it is to start, then requests, that it is to give up
 * every request so far or one alone, and that it is to rest between two slices or to go on.
 */
export type ToWorker =
  | ({ type: 'start' } & Build)
  | { type: 'cancel' }
  | { type: 'stop'; id: number }
  | { type: 'pause' }
  | { type: 'resume' }
  | Request;

/** How long simulating took so far, and how many jobs wait. */
export interface Effort {
  /** In milliseconds. */
  spent: number;
  /** Which share of the arrived jobs waits. */
  queued: number;
  waiting: number;
}

/**
 * What a worker says to the page. A request is answered by any number of `progress` and then by
 * exactly one of `done`, `refused` (the input is at fault, the words say how) and `cancelled`.
 * `ready` says that the core is loaded, `idle` answers `cancel`, and a `fault` ends the worker.
 */
export type FromWorker =
  | { id: number; type: 'progress'; done: number; total: number; effort?: Effort }
  | { id: number; type: 'done'; result: unknown }
  | { id: number; type: 'refused'; words: string }
  | { id: number; type: 'cancelled' }
  | { type: 'ready' }
  | { type: 'idle' }
  | { type: 'fault'; words: string };
