import { whole } from '../format.ts';
import { plural } from './words.ts';

export const distributionTexts = {
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
