import { whole } from '../format.ts';
import { plural } from './words.ts';

export const fairnessTexts = {
  open: 'How waits are spread over the jobs',
  help: 'A mean does not show which jobs wait. This is the distribution of wait times at one point, over all jobs and replications; its runs are repeated to compute it.',
  running: (done: number, all: number) => `${whole(done)} of ${whole(all)} runs analysed…`,
  done: (all: number) => `${plural(all, 'run', 'runs')} analysed`,
  failed: (why: string) => `The runs could not be analysed: ${why}`,
  policy: 'Policy',
  beside: 'The same waits in single numbers',
  besideRegion: 'Single numbers on the waits',
  table: 'The curve as a table',
  tableRegion: 'The curve by share of jobs',
  svg: 'SVG',
  png: 'PNG',
  csv: 'CSV',
};
