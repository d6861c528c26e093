/** How much a tab simulates; what is more is left to the command line. */
import { command } from './command.js';
import { trace } from './state.js';
import { texts } from './texts.js';
import { say, unsay } from './view/banners.js';

/** The most jobs of one run, and of all runs together. */
const MOST_JOBS = 2_000_000;
const MOST_IN_ALL = 1_000_000_000;

/**
 * Whether a tab simulates a scenario.
 * @param {import('./state.js').Reading} now
 */
export function fits(now) {
  return runFits(now) && jobsOf(now) * now.runs <= MOST_IN_ALL;
}

/**
 * Whether a tab simulates one run of a scenario.
 * @param {import('./state.js').Reading} now
 */
export function runFits(now) {
  return jobsOf(now) <= MOST_JOBS;
}

/**
 * Refuses a scenario that is too big for a tab, with the numbers and what to type instead: on one
 * machine, on Slurm and on HyperQueue.
 * @param {import('./state.js').Reading} now
 */
export function isTooBig(now) {
  unsay('big');
  if (fits(now)) return false;
  const jobs = jobsOf(now);
  const ways = [
    `${command(now.changed)} --json result.json`,
    `${command(now.changed, 'slurm')} --out STUDY`,
    `${command(now.changed, 'hq')} --out STUDY`,
  ];
  say('big', {
    title: texts.run.tooBig(jobs, now.runs),
    details: texts.run.tooBigDetails(MOST_JOBS, MOST_IN_ALL),
    verbatim: ways.join('\n'),
    loud: true,
  });
  return true;
}

/** How many jobs a run of a scenario has at most. @param {import('./state.js').Reading} now */
function jobsOf(now) {
  return now.jobs ?? Math.min(Number(now.values.first) || Infinity, trace.get()?.report.jobs ?? 0);
}
