import { whole } from '../format.ts';
import { plural } from './words.ts';

export const decisionTexts = {
  title: 'The decision at this instant',
  back: 'The decision before',
  ahead: 'The next decision',
  stepHelp: 'Where jobs start while more than one waits',
  now: (when: string, free: number, slots: number, waiting: number) =>
    `At ${when}, ${whole(free)} of ${plural(slots, 'slot', 'slots')} ${free === 1 ? 'was' : 'were'} free and ${waiting === 0 ? 'no job' : plural(waiting, 'job', 'jobs')} waited.`,
  same: (started: string) =>
    ` Started: ${started}. First fit in order of arrival would have started the same.`,
  apart: (started: string, firstFit: string) =>
    ` Started: ${started}. First fit in order of arrival would have started ${firstFit}.`,
  set: (jobs: number, slots: number, worth: string) =>
    jobs === 0
      ? 'none'
      : `${plural(jobs, 'job', 'jobs')} for ${plural(slots, 'slot', 'slots')}, value ${worth}`,
  caption: (shown: number, all: number) =>
    shown < all
      ? `${whole(shown)} of ${whole(all)} waiting jobs: those of the two sets, and the first to arrive`
      : 'The waiting jobs, in order of arrival',
  columns: ['Job', 'Slots requested', 'Waited', 'Value', 'Started on', 'First fit'],
  sums: { jobs: 'Jobs in total', slots: 'Slots requested in total', worth: 'Value in total' },
  region: 'The waiting jobs',
  meaning: (unit: string) =>
    `The value of a job in the 0-1 program is half its slots, plus as much again per ${unit} of waiting, so that large and long-waiting jobs come first. First fit tries the jobs in order of arrival and starts each that fits.`,
  look: (number: number) => `Look into job ${number}`,
};
