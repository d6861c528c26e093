import { trace } from '../state.ts';
import { overTimeTexts } from '../texts/over-time.ts';
import { ticks } from '../ticks.ts';
import type { Run } from './inspector.ts';

/** In seconds. */
export interface Period {
  from: number;
  until: number;
}

export interface Axis {
  /** What it is of. */
  words: string;
  /** Its ticks, by their share of it. */
  marks: { share: number; label: string }[];
}

/** The axis of a period of a run, in seconds. */
export function axisOf({ about, kept }: Run, { from, until }: Period, fitting: number): Axis {
  const logged = about.logged ?? null;
  const ofLog = kept.trace === null ? null : (trace.peek()?.report.begins ?? null);
  // The time of the first submit, in seconds since 1970, if the log states it.
  const begins = logged === null || ofLog === null ? null : ofLog + logged;
  return {
    words: begins === null ? overTimeTexts.sinceFirst : overTimeTexts.dates,
    marks: ticks(from, until, Math.max(2, fitting), begins).map(({ at, label }) => ({
      share: (at - from) / (until - from),
      label,
    })),
  };
}
