/** The limits of simulations in a tab; larger ones are left to the command line. */
import { command } from './command.js';
import { trace } from './state.js';
import { texts } from './texts.js';
import { say, unsay } from './view/banners.js';

/** The most jobs of one run, and of all runs together. */
const MOST_JOBS = 2_500_000;
const MOST_IN_ALL = 1_000_000_000;
/** Beyond this many jobs of a log, the workers that have read it end after a run. */
const LARGE_LOG = 500_000;

/**
 * @typedef {(now: import('./state.js').Reading, engine: 'slurm' | 'hq', jobs: number) => void}
 *   SaveStudy saves the folder that runs a scenario, with this many jobs a run, on a cluster
 */

/**
 * Whether a tab can simulate a scenario.
 * @param {import('./state.js').Reading} now
 */
export function fits(now) {
  return runFits(now) && jobsOf(now) * now.runs <= MOST_IN_ALL;
}

/**
 * Whether a tab can simulate one run of a scenario.
 * @param {import('./state.js').Reading} now
 */
export function runFits(now) {
  return jobsOf(now) <= MOST_JOBS;
}

/**
 * Whether the workers of a scenario take too much memory to keep them.
 * @param {import('./state.js').Reading} now
 */
export function isLarge(now) {
  return now.trace !== null && (trace.get()?.report.jobs ?? 0) > LARGE_LOG;
}

/**
 * Rejects a scenario that is too large for a tab, with the numbers and alternatives: commands for
 * one machine, Slurm and HyperQueue, and folders for the latter two.
 * @param {import('./state.js').Reading} now
 * @param {SaveStudy} saveStudy
 */
export function isTooBig(now, saveStudy) {
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
    details: [
      texts.run.tooBigDetails(MOST_JOBS, MOST_IN_ALL),
      ...(now.trace === null ? [] : [texts.run.tooBigTrace(now.trace.file, now.trace.sha256)]),
      texts.run.tooBigWays,
    ].join(' '),
    verbatim: ways.join('\n'),
    loud: true,
    actions: [
      { words: texts.run.folder('Slurm'), act: () => saveStudy(now, 'slurm', jobs) },
      { words: texts.run.folder('HyperQueue'), act: () => saveStudy(now, 'hq', jobs) },
    ],
  });
  return true;
}

/** The most jobs of a run of a scenario. @param {import('./state.js').Reading} now */
function jobsOf(now) {
  return now.jobs ?? Math.min(Number(now.values.first) || Infinity, trace.get()?.report.jobs ?? 0);
}
