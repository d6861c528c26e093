/** How much a tab simulates; what is more is left to the command line. */
import { command } from './command.js';
import { trace } from './state.js';
import { texts } from './texts.js';
import { say, unsay } from './view/banners.js';

/** The most jobs of one run, and of all runs together. */
const MOST_JOBS = 2_500_000;
const MOST_IN_ALL = 1_000_000_000;
/** Beyond so many jobs of a log, the workers that have read it end once a run is over. */
const LARGE_LOG = 500_000;

/**
 * @typedef {(now: import('./state.js').Reading, engine: 'slurm' | 'hq', jobs: number) => void}
 *   SaveStudy saves the folder that runs a scenario, of so many jobs a run, on a cluster
 */

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
 * Whether the workers of a scenario take so much memory that they are not to keep it.
 * @param {import('./state.js').Reading} now
 */
export function isLarge(now) {
  return now.trace !== null && (trace.get()?.report.jobs ?? 0) > LARGE_LOG;
}

/**
 * Refuses a scenario that is too big for a tab, with the numbers and what to do instead: what to
 * type, on one machine, on Slurm and on HyperQueue, and folders for the latter two.
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

/** How many jobs a run of a scenario has at most. @param {import('./state.js').Reading} now */
function jobsOf(now) {
  return now.jobs ?? Math.min(Number(now.values.first) || Infinity, trace.get()?.report.jobs ?? 0);
}
