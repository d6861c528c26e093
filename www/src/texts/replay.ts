import { whole } from '../format.ts';
import { plural } from './words.ts';

export const replayTexts = {
  policy: 'Policy',
  beside: 'Beside it',
  alone: 'nothing',
  runningBeside: (label: string) => `Running ${label} to stand beside it…`,
  replication: 'Replication',
  average: 'Averaged over time',
  time: 'Time',
  machine: 'The machine at an instant',
  cell: (name: string, share: string, of: string, paused: boolean) =>
    `${name}: ${share} ${of}${paused ? ', paused' : ''}`,
  hint: 'Point at the picture, or move with the arrow keys, to read it.',
  upTo: (share: number) => `${whole(100 * share)} %`,
  over: 'more than 100 %',
  inUse: (reserved: string) => reserved.replace('reserved', 'in use'),
  busiest: 'Busiest instant',
  running: 'Running it again to look inside…',
  averaged: 'whole run',
  failed: 'That run cannot be looked into',
  jobs: (running: number, waiting: number, paused: number, migrations: number) =>
    `${plural(running, 'job', 'jobs')} running${paused > 0 ? ` (${whole(paused)} paused)` : ''}, ${whole(waiting)} waiting${migrations > 0 ? `; ${plural(migrations, 'migration', 'migrations')} so far` : ''}`,
};
