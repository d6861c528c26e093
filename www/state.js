/** The whole state of the page, one sentence each. */
import { Atom } from './atom.js';

/**
 * @typedef {import('./pkg/backfill_web.js').Tables} Tables
 * @typedef {Omit<import('./pkg/backfill_web.js').Reading, 'values'> & {values: Entries}} Reading
 *   what the core makes of a scenario, its values by key
 * @typedef {import('./pkg/backfill_web.js').Summary} Summary
 * @typedef {import('./worker/messages.d.ts').TraceReport} TraceReport
 * @typedef {import('./pkg/backfill_web.js').ReplayInfo} ReplayInfo
 * @typedef {import('./pkg/backfill_web.js').Spot} Spot
 * @typedef {import('./worker/messages.d.ts').TraceFile} TraceFile
 *
 * @typedef {{[key: string]: string}} Entries
 * @typedef {{phase: 'idle' | 'running' | 'paused' | 'cancelling', done: number, total: number,
 *   left: import('./forecast.js').Range | null, words: string, saturated?: Saturated | null}} Work
 * @typedef {{words: string, stop: () => void}} Saturated a point of the sweep whose queue only grows,
 *   in words, and what ends its runs alone
 * @typedef {{tone: '' | 'good' | 'bad' | 'stale', words: string}} Badge
 */

/** What the form says: a text for every key that differs from its default. @type {Atom<Entries>} */
export const entries = new Atom({});

/** What the core makes of the entries. @type {Atom<Reading | null>} */
export const reading = new Atom(/** @type {Reading | null} */ (null));

/**
 * How many values of x, policies and replications a scenario has.
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
 * The trace at hand, if it is the one that a scenario names.
 * @param {Reading} now
 */
export function traceOf(now) {
  const held = trace.get();
  return held !== null && now.trace !== null && ['', held.report.sha256].includes(now.trace.sha256)
    ? held
    : null;
}

/**
 * The user's file as a scenario wants it read.
 * @param {Reading} now
 * @returns {TraceFile | null}
 */
export function traceFor(now) {
  const held = traceOf(now);
  if (now.trace === null || held === null) return null;
  const { processors, cancelled } = now.values;
  return { file: held.source.file, kind: now.trace.kind, processors, cancelled };
}

/** Why the file brought last could not be read. @type {Atom<string>} */
export const traceProblem = new Atom('');

/** Which file is being read now, in words. @type {Atom<string | null>} */
export const traceReading = new Atom(/** @type {string | null} */ (null));

/** What the workers are doing for the sweep. @type {Atom<Work>} */
export const work = new Atom(
  /** @type {Work} */ ({ phase: 'idle', done: 0, total: 0, left: null, words: '' }),
);

/**
 * How long the scenario with this canonical text would take to run, about.
 * @type {Atom<{text: string, range: import('./forecast.js').Range} | null>}
 */
export const estimate = new Atom(
  /** @type {{text: string, range: import('./forecast.js').Range} | null} */ (null),
);

/**
 * What is to be known before the scenario with this canonical text is run: that some of its jobs
 * can never run.
 * @type {Atom<{text: string, words: string} | null>}
 */
export const warning = new Atom(/** @type {{text: string, words: string} | null} */ (null));

/**
 * The numbers shown, null as long as the page shows those it was built with.
 * @type {Atom<Summary | null>}
 */
export const summary = new Atom(/** @type {Summary | null} */ (null));

/**
 * The most characters of a note that a link brings, so that the link stays one and the page stays a
 * page.
 */
export const LONGEST_NOTE = 240;

/**
 * What the link that was opened asks for, besides its scenario.
 * @typedef {object} Asked
 * @property {boolean} read whether the address was read; before, it must not be written
 * @property {{text: string, digest: string, core: string} | null} promised what it says of its
 *   result
 * @property {{file: string, sha256: string} | null} trace the contents that its trace must have
 * @property {Inspected | null} run the run that it looks into
 * @property {number} facet the value of the second swept key that it shows
 * @property {{across: import('./pkg/backfill_web.js').Part | null, up: Heights} | null} zoom what it
 *   shows of the axes of charts; null once that is shown
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

/** What is known about how far the numbers can be trusted. @type {Atom<Badge>} */
export const badge = new Atom(/** @type {Badge} */ ({ tone: '', words: '' }));

/** The digest of the numbers shown; empty while runs are missing. @type {Atom<string>} */
export const digest = new Atom('');

/** The series switched off in the legend, by position. @type {Atom<ReadonlySet<number>>} */
export const hidden = new Atom(/** @type {ReadonlySet<number>} */ (new Set()));

/** Which value of the second swept key is shown, by position. @type {Atom<number>} */
export const facet = new Atom(0);

/**
 * Whether a slider is being moved: the answer follows it, and what comes of it is kept once it
 * rests.
 */
export const moving = new Atom(false);

/**
 * The canonical text of the scenario whose answer idle workers compute for the form, if they do.
 * @type {Atom<string | null>}
 */
export const answering = new Atom(/** @type {string | null} */ (null));

/** The part of the page that a tab or a link has opened; empty for the first one. @type {Atom<string>} */
export const section = new Atom('');

/** The x position pointed at, by position among the swept values. @type {Atom<number | null>} */
export const pointed = new Atom(/** @type {number | null} */ (null));

/**
 * What the charts show of the axis that they share, null for all of it.
 * @type {Atom<import('./pkg/backfill_web.js').Part | null>}
 */
export const across = new Atom(/** @type {import('./pkg/backfill_web.js').Part | null} */ (null));

/**
 * What the charts show of the axes of values, by metric; nothing for a metric all of which is seen.
 * @typedef {{[metric: string]: import('./pkg/backfill_web.js').Part}} Heights
 * @type {Atom<Heights>}
 */
export const up = new Atom(/** @type {Heights} */ ({}));

/**
 * The run that is looked into, by the positions of its point of the curves and its replication, and
 * the policy that is shown beside it, if one is.
 * @typedef {{policy: number, x: number, y: number, replication: number, beside: number | null}}
 *   Inspected
 * @type {Atom<Inspected | null>}
 */
export const inspected = new Atom(/** @type {Inspected | null} */ (null));

/**
 * The run that is kept to be looked into: its number among those that were, what it is, whether
 * there is more to see of it than its picture, and what the run is called that is shown beside it, if
 * one does. The span is that of the longer of both.
 * @typedef {{number: number, scenario: string, trace: TraceFile | null, cell: number, info:
 *   ReplayInfo, deep: boolean, label: string, beside: string | null}} Kept
 * @type {Atom<Kept | null>}
 */
export const kept = new Atom(/** @type {Kept | null} */ (null));

/**
 * The instant of that run that is shown, in seconds since its first submit.
 * @type {Atom<number>}
 */
export const clock = new Atom(0);

/** The job of that run that is chosen, by its index. @type {Atom<number | null>} */
export const chosenJob = new Atom(/** @type {number | null} */ (null));

/** The job pointed at, by its index. @type {Atom<number | null>} */
export const pointedJob = new Atom(/** @type {number | null} */ (null));

/** Whether the picture of that run shows it averaged over time. @type {Atom<boolean>} */
export const averaged = new Atom(false);

/** Whether shares of links are what jobs use of them rather than what they reserve. */
export const used = new Atom(false);

/**
 * Which of the two the visitor chose; null before, when the page shows what is in use where jobs
 * share links.
 * @type {Atom<boolean | null>}
 */
export const usedChosen = new Atom(/** @type {boolean | null} */ (null));

/**
 * How much of that run's machine is in use at the instant shown.
 * @type {Atom<import('./worker/messages.d.ts').Frame | null>}
 */
export const frame = new Atom(/** @type {import('./worker/messages.d.ts').Frame | null} */ (null));

/**
 * The run's picture: its size in device pixels, what lies under one of them, what its columns are
 * called, and what a share is a share of, as the core says it.
 * @typedef {{width: number, height: number, spot: (x: number, y: number) => Spot | undefined,
 *   columns: string[], words: string[]}} Laid
 * @type {Atom<Laid | null>}
 */
export const picture = new Atom(/** @type {Laid | null} */ (null));

/** The cell of the run's picture that is pointed at. @type {Atom<Spot | null>} */
export const pointedCell = new Atom(/** @type {Spot | null} */ (null));

/** What the run beside it says of that cell. @type {Atom<string>} */
export const saidBeside = new Atom('');

/** The chosen theme. @type {Atom<'system' | 'light' | 'dark'>} */
export const theme = new Atom(/** @type {'system' | 'light' | 'dark'} */ ('system'));

/** Whether the page is dark now. @type {Atom<boolean>} */
export const dark = new Atom(false);
