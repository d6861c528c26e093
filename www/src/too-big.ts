import { command } from './command.ts';
import { MOST_IN_ALL, MOST_JOBS, jobsOf } from './limits.ts';
import { tooBigTexts } from './texts/too-big.ts';
import { say } from './view/banners.tsx';
import type { SaveStudy } from './limits.ts';
import type { Reading } from './state.ts';

/**
 * Says that a scenario is too large for a tab, with the numbers and alternatives: commands for one
 * machine, Slurm and HyperQueue, and folders for the latter two.
 */
export function sayTooBig(now: Reading, saveStudy: SaveStudy) {
  const jobs = jobsOf(now);
  const ways = [
    `${command(now.changed)} --json result.json`,
    `${command(now.changed, 'slurm')} --out STUDY`,
    `${command(now.changed, 'hq')} --out STUDY`,
  ];
  say('big', {
    title: tooBigTexts.title(jobs, now.runs),
    details: [
      tooBigTexts.details(MOST_JOBS, MOST_IN_ALL),
      ...(now.trace === null ? [] : [tooBigTexts.trace(now.trace.file, now.trace.sha256)]),
      tooBigTexts.ways,
    ].join(' '),
    verbatim: ways.join('\n'),
    loud: true,
    actions: [
      { words: tooBigTexts.folder('Slurm'), act: () => saveStudy(now, 'slurm', jobs) },
      { words: tooBigTexts.folder('HyperQueue'), act: () => saveStudy(now, 'hq', jobs) },
    ],
  });
}
