import { whole } from '../format.ts';
import { plural } from './words.ts';

export const jobsTexts = {
  title: 'Jobs',
  outcome: 'Outcome',
  any: 'any',
  filter: 'Only those with',
  example: (one: string, other: string) => `${one}>60 ${other}>=8, or a number`,
  found: (found: number, all: number) =>
    found === all
      ? `${plural(all, 'job', 'jobs')}. Click a row, or press Enter, to look into one.`
      : `${whole(found)} of ${plural(all, 'job', 'jobs')}`,
  order: 'Sort those that wait by a formula, smallest first',
  orderExample: 'wait/estimate*size',
  mistake: (why: string) => `Formula, ${why}`,
  value: (job: number, value: string) => `job ${job}: ${value}`,
  notFinite: 'no finite number, so last',
  examples: (at: string, waiting: number, values: string[], first: number) =>
    `At ${at}, of ${plural(waiting, 'waiting job', 'waiting jobs')}: ${values.join(' · ')} → ${first} first`,
  nobodyWaits: 'Nobody ever waits in this run.',
};
