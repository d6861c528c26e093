/** The whole state of the page, one sentence each. */
import { Atom } from './atom.js';

/**
 * @typedef {import('./pkg/backfill_web.js').Tables} Tables
 * @typedef {Omit<import('./pkg/backfill_web.js').Reading, 'values'> & {values: Entries}} Reading
 *   a checked scenario, its values by key
 * @typedef {import('./pkg/backfill_web.js').Summary} Summary
 * @typedef {import('./worker/messages.d.ts').TraceReport} TraceReport
 * @typedef {import('./pkg/backfill_web.js').ReplayInfo} ReplayInfo
 * @typedef {import('./pkg/backfill_web.js').Spot} Spot
 * @typedef {import('./worker/messages.d.ts').TraceFile} TraceFile
 *
 * @typedef {{[key: string]: string}} Entries
 * @typedef {{phase: 'idle' | 'running' | 'paused' | 'cancelling', done: number, total: number,
 *   left: import('./forecast.js').Range | null, words: string, saturated?: Saturated | null}} Work
 * @typedef {{words: string, stop: () => void}} Saturated a point of the sweep whose queue only
 *   grows, in words, and a function that ends only its runs
 * @typedef {{tone: '' | 'good' | 'bad' | 'stale', words: string}} Badge
 */

/** The form: a text for every key that differs from its default. @type {Atom<Entries>} */
export const entries = new Atom({});

/** The entries as checked by the core. @type {Atom<Reading | null>} */
export const reading = new Atom(/** @type {Reading | null} */ (null));

/**
 * The numbers of values of x, policies and replications of a scenario.
 * @param {Pick<Reading, 'x' | 'policies' | 'replications'>} of
 */
export function sizesOf({ x, policies, replications }) {
  return { xs: x?.values.length ?? 1, policies: policies.length, replications };
}

/**
 * The position of a run among those of such a scenario.
 * @param {ReturnType<typeof sizesOf>} sizes
 * @param {{y: number, x: number, policy: number, replication: number}} run by positions
 */
export function cellAt({ xs, policies, replications }, { y, x, policy, replication }) {
  return ((y * xs + x) * policies + policy) * replications + replication;
}

/**
 * The trace that was read, if the user brought one.
 * @type {Atom<{source: TraceFile, report: TraceReport} | null>}
 */
export const trace = new Atom(
  /** @type {{source: TraceFile, report: TraceReport} | null} */ (null),
);

/**
 * The current trace, if it is the one that a scenario names.
 * @param {Reading} now
 */
export function traceOf(now) {
  const held = trace.get();
  return held !== null && now.trace !== null && ['', held.report.sha256].includes(now.trace.sha256)
    ? held
    : null;
}

/**
 * The user's file with the scenario's reading options.
 * @param {Reading} now
 * @returns {TraceFile | null}
 */
export function traceFor(now) {
  const held = traceOf(now);
  if (now.trace === null || held === null) return null;
  const { processors, cancelled, columns } = now.values;
  return { file: held.source.file, kind: now.trace.kind, processors, cancelled, columns };
}

/** Why the last file could not be read. @type {Atom<string>} */
export const traceProblem = new Atom('');

/** The file that is being read, in words. @type {Atom<string | null>} */
export const traceReading = new Atom(/** @type {string | null} */ (null));

/** The progress of the sweep. @type {Atom<Work>} */
export const work = new Atom(
  /** @type {Work} */ ({ phase: 'idle', done: 0, total: 0, left: null, words: '' }),
);

/**
 * The estimated run time of the scenario with this canonical text.
 * @type {Atom<{text: string, range: import('./forecast.js').Range} | null>}
 */
export const estimate = new Atom(
  /** @type {{text: string, range: import('./forecast.js').Range} | null} */ (null),
);

/**
 * The warning about the scenario with this canonical text that some of its jobs can never run.
 * @type {Atom<{text: string, words: string} | null>}
 */
export const warning = new Atom(/** @type {{text: string, words: string} | null} */ (null));

/**
 * The current numbers, null as long as the page shows those it was built with.
 * @type {Atom<Summary | null>}
 */
export const summary = new Atom(/** @type {Summary | null} */ (null));

/**
 * The most characters of a note in a link, which keeps links and the page readable.
 */
export const LONGEST_NOTE = 240;

/**
 * The requests of the opened link, besides its scenario.
 * @typedef {object} Asked
 * @property {boolean} read whether the address was read; before, it must not be written
 * @property {{text: string, digest: string, core: string} | null} promised the digest of its result
 * @property {{file: string, sha256: string} | null} trace the required contents of its trace
 * @property {Inspected | null} run the run to open
 * @property {number} facet the value of the second swept key to show
 * @property {{across: import('./pkg/backfill_web.js').Part | null, up: Heights} | null} zoom the
 *   visible part of the axes of charts; null once applied
 */

/** @type {Asked} */
export const asked = { read: false, promised: null, trace: null, run: null, facet: 0, zoom: null };

/**
 * Enters the values of a scenario in the form.
 * @param {[string, string][]} pairs
 */
export function enterAll(pairs) {
  entries.set(Object.fromEntries(pairs));
}

/** The verdict on the numbers. @type {Atom<Badge>} */
export const badge = new Atom(/** @type {Badge} */ ({ tone: '', words: '' }));

/** The digest of the current numbers; empty while runs are missing. @type {Atom<string>} */
export const digest = new Atom('');

/** The series switched off in the legend, by position. @type {Atom<ReadonlySet<number>>} */
export const hidden = new Atom(/** @type {ReadonlySet<number>} */ (new Set()));

/** The shown value of the second swept key, by position. @type {Atom<number>} */
export const facet = new Atom(0);

/**
 * Whether a slider is being moved: the answer follows it, and is stored once it rests.
 */
export const moving = new Atom(false);

/**
 * The canonical text of the scenario that idle workers compute for the form, if any.
 * @type {Atom<string | null>}
 */
export const answering = new Atom(/** @type {string | null} */ (null));

/** The part of the page opened by a tab or link; empty for the first one. @type {Atom<string>} */
export const section = new Atom('');

/** The x position pointed at, by position among the swept values. @type {Atom<number | null>} */
export const pointed = new Atom(/** @type {number | null} */ (null));

/**
 * The visible part of the shared axis of charts, null for all of it.
 * @type {Atom<import('./pkg/backfill_web.js').Part | null>}
 */
export const across = new Atom(/** @type {import('./pkg/backfill_web.js').Part | null} */ (null));

/**
 * The visible parts of the axes of values, by metric; missing for a metric that is not zoomed.
 * @typedef {{[metric: string]: import('./pkg/backfill_web.js').Part}} Heights
 * @type {Atom<Heights>}
 */
export const up = new Atom(/** @type {Heights} */ ({}));

/**
 * The opened run, by the positions of its point of the curves and its replication, and the policy
 * to compare with, if any.
 * @typedef {{policy: number, x: number, y: number, replication: number, beside: number | null}}
 *   Inspected
 * @type {Atom<Inspected | null>}
 */
export const inspected = new Atom(/** @type {Inspected | null} */ (null));

/**
 * The run kept for inspection: its number among the kept runs, its identity, whether more than its
 * picture is available, and the label of the run compared with, if any. The span is that of the
 * longer of both.
 * @typedef {{number: number, scenario: string, trace: TraceFile | null, cell: number, info:
 *   ReplayInfo, deep: boolean, label: string, beside: string | null}} Kept
 * @type {Atom<Kept | null>}
 */
export const kept = new Atom(/** @type {Kept | null} */ (null));

/**
 * The current instant of that run, in seconds since its first submit.
 * @type {Atom<number>}
 */
export const clock = new Atom(0);

/** The chosen job of that run, by its index. @type {Atom<number | null>} */
export const chosenJob = new Atom(/** @type {number | null} */ (null));

/** The job pointed at, by its index. @type {Atom<number | null>} */
export const pointedJob = new Atom(/** @type {number | null} */ (null));

/** Whether the picture of that run shows it averaged over time. @type {Atom<boolean>} */
export const averaged = new Atom(false);

/** Whether shares of links are their use, not the reservations. */
export const used = new Atom(false);

/**
 * The visitor's choice of the two; null before, when the page shows the use if jobs share links.
 * @type {Atom<boolean | null>}
 */
export const usedChosen = new Atom(/** @type {boolean | null} */ (null));

/**
 * The use of that run's machine at the current instant.
 * @type {Atom<import('./worker/messages.d.ts').Frame | null>}
 */
export const frame = new Atom(/** @type {import('./worker/messages.d.ts').Frame | null} */ (null));

/**
 * The run's picture: its size in device pixels, the cell under one of them, the names of its
 * columns, and what a share is relative to, as worded by the core.
 * @typedef {{width: number, height: number, spot: (x: number, y: number) => Spot | undefined,
 *   columns: string[], words: string[]}} Laid
 * @type {Atom<Laid | null>}
 */
export const picture = new Atom(/** @type {Laid | null} */ (null));

/** The cell of the run's picture that is pointed at. @type {Atom<Spot | null>} */
export const pointedCell = new Atom(/** @type {Spot | null} */ (null));

/** The same cell in the run compared with, in words. @type {Atom<string>} */
export const saidBeside = new Atom('');

/** The chosen theme. @type {Atom<'system' | 'light' | 'dark'>} */
export const theme = new Atom(/** @type {'system' | 'light' | 'dark'} */ ('system'));

/** Whether the page is dark now. @type {Atom<boolean>} */
export const dark = new Atom(false);
