import { whole } from '../format.ts';
import { plural } from './words.ts';

export const tooBigTexts = {
  title: (jobs: number, runs: number) =>
    `This is too big for a tab: ${plural(runs, 'run', 'runs')} of ${plural(jobs, 'job', 'jobs')}`,
  details: (most: number, all: number) =>
    `A tab takes at most ${whole(most)} jobs a run and ${whole(all)} in all. The command line has no such limit and gives the same digest, on one machine or in parts on Slurm or HyperQueue.`,
  trace: (name: string, sha: string) =>
    `The folders do not contain the trace. Copy ${name} into each${sha === '' ? '' : `; every part checks its SHA-256 (${sha})`}.`,
  ways: 'This page opens the result.json that each of these writes:',
  folder: (engine: string) => `${engine} folder (.zip)`,
};
