/**
 * The view of an answer as a link has it: parts by commas, each a name and a value by a colon; a note
 * comes last, since it may contain anything.
 */
import { LONGEST_NOTE } from './state.ts';
import type { Part } from '../pkg/backfill_web.js';
import type { Heights, Inspected, Stepped } from './state.ts';

/** Precedes the metric in the name of a part with the visible range of its values. */
const OF_METRIC = 'zoom-';
/** How much of an invalid part is quoted, in characters. */
const LONGEST_PART = 40;
/** The number of digits of visible ranges in a link. */
const DIGITS = 5;
/** The start of a note in the view of a link. */
const NOTE = 'note:';

/** What is shown of an answer. */
export interface View {
  /** The value of the second swept key, by position. */
  facet: number;
  /** The series switched off, by position. */
  hidden: ReadonlySet<number>;
  /** The opened run; null for the default one. */
  run: Inspected | null;
  /** The shown step of its passes; null where they are not stepped through. */
  step: Stepped | null;
  /** The visible ranges of the axes; null or missing where they are whole. */
  across: Part | null;
  up: Heights;
  section: string;
  note: string;
}

/** Writes a view. */
export function writeView({ facet, hidden, run, step, across, up, section, note }: View): string {
  const off = [...hidden].sort((one, other) => one - other);
  const parts = [
    facet > 0 ? `y:${facet}` : '',
    off.length > 0 ? `off:${off.join('+')}` : '',
    run === null ? '' : `run:${writeRun(run)}`,
    step === null ? '' : `step:${step.pass}+${step.done}${step.isAll ? '+1' : ''}`,
    across === null ? '' : `zoom:${ends(across)}`,
    ...Object.entries(up).map(([metric, part]) => `${OF_METRIC}${metric}:${ends(part)}`),
    section,
    note === '' ? '' : `${NOTE}${note}`,
  ];
  return parts.filter(Boolean).join(',');
}

function writeRun({ policy, x, y, replication, beside }: Inspected) {
  return [policy, x, y, replication, ...(beside === null ? [] : [beside])].join('+');
}

/** A view that was read, the last part of it that is no range, and the job that is asked about. */
export type ReadView = View & { invalid: string | null; forecast: string };

/**
 * Reads a view; what is invalid in it is left out.
 * @param sections the parts of the page that it may open
 */
export function readView(view: string, sections: readonly string[]): ReadView {
  const end = view.indexOf(NOTE);
  // A link made by hand may have a longer note than can be written.
  const note = end < 0 ? '' : [...view.slice(end + NOTE.length)].slice(0, LONGEST_NOTE).join('');
  const parts = new Map<string, string>();
  for (const part of (end < 0 ? view : view.slice(0, end)).split(',')) {
    const [name, text = ''] = part.split(':', 2);
    parts.set(name, text);
  }
  const numbers = (part: string) =>
    (parts.get(part) ?? '')
      .split('+')
      .filter((text) => /^\d+$/.test(text))
      .map(Number);
  const [policy, x, y, replication, beside = null] = numbers('run');
  const [pass, done = 0, all = 0] = numbers('step');
  return {
    facet: /^\d+$/.test(parts.get('y') ?? '') ? Number(parts.get('y')) : 0,
    hidden: new Set(numbers('off')),
    run: replication === undefined ? null : { policy, x, y, replication, beside },
    step: pass === undefined ? null : { pass, done, isAll: all > 0 },
    ...axesOf(parts),
    section: sections.find((name) => parts.has(name)) ?? '',
    forecast: parts.get('when') ?? '',
    note,
  };
}

/** The visible ranges in the parts of a view. */
function axesOf(parts: Map<string, string>) {
  let across: Part | null = null;
  let invalid: string | null = null;
  const up: Heights = {};
  for (const [name, text] of parts) {
    if (name !== 'zoom' && !name.startsWith(OF_METRIC)) continue;
    const part = between(text);
    if (part === null) invalid = `${name}:${text.slice(0, LONGEST_PART)}`;
    else if (name === 'zoom') across = part;
    else up[name.slice(OF_METRIC.length)] = part;
  }
  return { across, up, invalid };
}

/** The values at the ends of a part of an axis. */
function ends({ of: { low, high, logarithmic }, from, to }: Part) {
  const value = (at: number) => (logarithmic ? low * (high / low) ** at : low + (high - low) * at);
  return [from, to].map((at) => Number(value(at).toPrecision(DIGITS))).join('+');
}

/** The part of an axis between two values; null if they are invalid. */
function between(text: string): Part | null {
  const [low, high, ...more] = text.split('+').map((end) => (end === '' ? NaN : Number(end)));
  return more.length === 0 && Number.isFinite(low) && high > low && high < Infinity
    ? { of: { low, high, logarithmic: false }, from: 0, to: 1 }
    : null;
}
