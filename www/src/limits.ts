/** The limits of simulations in a tab; larger ones are left to the command line. */
import { onDemand } from './part.ts';
import { trace } from './state.ts';
import { unsay } from './view/banners.tsx';
import type { Reading } from './state.ts';

/** The most jobs of one run, and of all runs together. */
export const MOST_JOBS = 2_500_000;
export const MOST_IN_ALL = 1_000_000_000;
/** Beyond this many jobs of a log, the workers that have read it end after a run. */
const LARGE_LOG = 500_000;

/** Saves the folder that runs a scenario, with this many jobs a run, on a cluster. */
export type SaveStudy = (now: Reading, engine: 'slurm' | 'hq', jobs: number) => void;

/** Whether a tab can simulate a scenario. */
export function fits(now: Reading) {
  return runFits(now) && jobsOf(now) * now.runs <= MOST_IN_ALL;
}

/** Whether a tab can simulate one run of a scenario. */
export function runFits(now: Reading) {
  return jobsOf(now) <= MOST_JOBS;
}

/** Whether the workers of a scenario take too much memory to keep them. */
export function isLarge(now: Reading) {
  return now.trace !== null && (trace.peek()?.report.jobs ?? 0) > LARGE_LOG;
}

/** Rejects a scenario that is too large for a tab. */
export function isTooBig(now: Reading, saveStudy: SaveStudy) {
  unsay('big');
  if (fits(now)) return false;
  void onDemand().then((view) => view?.sayTooBig(now, saveStudy));
  return true;
}

/** The most jobs of a run of a scenario. */
export function jobsOf(now: Reading) {
  return now.jobs ?? Math.min(Number(now.values.first) || Infinity, trace.peek()?.report.jobs ?? 0);
}
