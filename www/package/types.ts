/** The types that others see. */
import type { CellOutcome, Summary, TraceReport } from '../pkg/backfill_web.js';

/** A compiled module of the core, or its bytes. */
export type Source = WebAssembly.Module | BufferSource;

/** A value of a key; on and off are `true` and `false`, and a list is joined by commas. */
export type Value = string | number | boolean | readonly (string | number)[];

/**
 * A scenario: an object of keys; or a text with a line `key = value` for each key, the text of a
 * scenario's file (TOML) or of a result (JSON), or a link. A key that is not given has its default;
 * the command line's `backfill keys` lists every key with its unit and its default.
 */
export type Scenario = string | { readonly [key: string]: Value };

/** Keys and their values as text. */
export type Entries = { [key: string]: string };

/**
 * A log in any form that the page reads, plain or gzipped: the name of its file, and its bytes. It
 * is the workload of the scenario: its keys `workload`, `file` and `sha256` follow from it.
 */
export interface Log {
  name: string;
  bytes: Uint8Array;
}

/** What all that takes time can be given. */
export interface Options {
  /** The log that the scenario is of. */
  log?: Log;
  /** Ends it with the reason of the signal, within about 20 ms. */
  signal?: AbortSignal;
}

/** The same, where how far it is can be said. */
export interface ProgressOptions extends Options {
  /** Is told how many runs, or futures, are done, and how many there are. */
  onProgress?: (done: number, total: number) => void;
}

/** What became of a scenario. */
export interface Result {
  /** The fingerprint of all runs, 16 hexadecimal digits: the same on every machine. */
  digest: string;
  /** The link to the scenario with this digest, from its `#` on: put it behind a page's address. */
  link: string;
  /** The keys that differ from their defaults. */
  scenario: Entries;
  /**
   * The answer in a sentence, and every metric with 95 % intervals: `metrics[i].curves[policy][x]`,
   * printed in `metrics[i].unit`, null where a metric is not defined. One for each value of the
   * second swept key; a single one where there is none.
   */
  summaries: Summary[];
  /**
   * Each run by itself, ordered by y, x, policy and replication: its metrics as numbers in seconds
   * and shares of 1, its digest and the number of its jobs.
   */
  outcomes: CellOutcome[];
  /** What was found in the lines of the log; null without a log. */
  log: TraceReport | null;
}

/** What a link holds. */
export interface OpenedLink {
  /** The keys that differ from their defaults. */
  scenario: Entries;
  /** The digest of its result; empty if it has none. */
  digest: string;
  /** The version of the core that made the digest; empty if it has none. */
  core: string;
  /** Whether it has no checksum: somebody typed it, or its end is missing. */
  typed: boolean;
}

/** Which job is explained, and when. */
export interface ExplainOptions extends Options {
  /** The run, by its position in `outcomes`; the first by default. */
  run?: number;
  /** When, in seconds since the first submit; when the job arrived by default. */
  at?: number;
}

/** A job that is asked about. */
export interface AskedJob {
  /** The slots, nodes or machines that it asks for. */
  size: number;
  /** Its time limit in hours, or as `[days-]hours:minutes:seconds`. */
  limit: number | string;
  /** The bandwidth that it requests, in Mbit/s; a usual one by default. */
  bandwidth?: number;
}

/** When the job is submitted: at an instant of the log, or now, to a queue. */
export type Instant =
  /** In seconds since time 0 of the log, or a date such as `1997-05-13T09:00`. */
  | { at: number | string }
  /**
   * What `squeue` printed in the form that `backfill forecast --help` names; `processors` where it
   * counts processors in place of nodes.
   */
  | { squeue: string; processors?: boolean };
