import { command } from './command.ts';
import { MOST_IN_ALL, MOST_JOBS, jobsOf } from './limits.ts';
import { reading } from './state.ts';
import { tooBigTexts } from './texts/too-big.ts';
import { say } from './view/banners.tsx';
import { saveStudy } from './view/export-file.ts';
import type { ExportWorker } from './export-worker.ts';
import type { Reading } from './state.ts';

/**
 * Says that a scenario is too large for a tab, with the numbers and alternatives: commands for one
 * machine, Slurm and HyperQueue, and folders for the latter two.
 */
export function sayTooBig(now: Reading, exportWorker: ExportWorker) {
  if (reading.peek() !== now) return;
  const jobs = jobsOf(now);
  const folder = (engine: string, name: string) => ({
    words: tooBigTexts.folder(name),
    act: () => void saveStudy(exportWorker.started(), { scenario: now.text, engine, jobs }),
  });
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
    actions: [folder('slurm', 'Slurm'), folder('hq', 'HyperQueue')],
  });
}
