import { whole } from '../format.ts';

export const logReportTexts = {
  begins: 'Start of the log',
  utc: (seconds: number) =>
    `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  memory: 'Memory used to read it',
  megabytes: (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`,
  read: 'Lines read',
  accepted: 'Accepted unchanged',
  repaired: 'Repaired',
  rejected: 'Rejected',
  folded: 'Merged into another job',
  comments: 'Comments and headings',
  blank: 'Blank',
  clean: 'Every line conforms to the format.',
  whole: 'The file as a whole',
  head: {
    found: 'Found',
    lines: 'Lines',
    field: 'Field',
    done: 'What was done',
    remedy: 'What to do',
  },
  mend: 'mend these lines',
  lines: (count: number, first: number[]) =>
    `${whole(count)} (${count === 1 ? 'line' : 'lines'} ${first.join(', ')}${count > first.length ? ', …' : ''})`,
  example: (line: number) => `Line ${line}: `,
  copy: 'Copy as text',
  names: 'The lines are copied as they are, with any names of users.',
  questions: 'Questions about this log',
};
