/** The limits of simulations in a tab; larger ones are left to the command line. */
import { trace } from './state.ts';
import type { Reading } from './state.ts';

/** The most jobs of one run, and of all runs together. */
export const MOST_JOBS = 2_500_000;
export const MOST_IN_ALL = 1_000_000_000;
/** Beyond this many jobs, the workers that have read them or kept a run of them end after a run. */
const LARGE = 500_000;

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
  return (now.jobs ?? trace.peek()?.report.jobs ?? 0) > LARGE;
}

/** The most jobs of a run of a scenario. */
export function jobsOf(now: Reading) {
  return now.jobs ?? Math.min(Number(now.values.first) || Infinity, trace.peek()?.report.jobs ?? 0);
}
