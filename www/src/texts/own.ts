import { plural } from './words.ts';

export const ownTexts = {
  title: 'A policy of your own',
  loading: 'Loading its parts…',
  from: (label: string) => `Starts from ${label}.`,
  more: (remark: string) => `${remark} Its closest parts are filled in.`,
  formula: 'Formula',
  ofOwn: 'your own formula',
  same: 'the order of the queue',
  names: 'Names',
  functions: 'Functions',
  operators: (signs: string[]) =>
    `Operators, the loosest first: ${signs.join(' ')}. To choose: if … then … else …`,
  insert: 'A click inserts one at the caret.',
  mistake: (column: number, why: string) => `Column ${column}: ${why}`,
  inRun: (policy: string, given: string) => `In the run that is open (${policy}): ${given}`,
  inSample: (jobs: string[], values: string[], first: number) =>
    `In an example of three waiting jobs (${jobs.join('; ')}): ${values.join(' · ')} → ${first} first`,
  sampleJob: (number: number, size: string, estimate: string, wait: string) =>
    `job ${number}: ${size}, estimate ${estimate}, wait ${wait}`,
  slots: (slots: number) => plural(slots, 'slot', 'slots'),
  name: 'Name',
  nameHelp: 'What it is called in charts, tables and links; empty: by what it does.',
  onlyReplaces:
    'It can only replace the policy that it starts from: the two have the same name, or differ in nothing else.',
  present: 'The scenario compares this policy already.',
  add: 'Add',
  replace: (label: string) => `Replace ${label}`,
  startOver: 'Start over',
  close: 'Close',
  failed: (why: string) => `The policy could not be checked: ${why}`,
};
