import { duration, roughly, whole } from '../format.ts';
import { plural } from './words.ts';
import type { Range } from '../forecast.ts';

export const runTexts = {
  run: 'Run',
  cells: (cells: number, takes: Range | null) =>
    `${plural(cells, 'run', 'runs')}${takes === null ? '' : `, ${roughly(takes)} here`}`,
  unsure: ': it depends on how long the queue grows',
  progress: (done: number, all: number, left: Range | null) =>
    `${whole(done)} of ${whole(all)} runs${left === null ? '' : `, ${roughly(left)} left`}`,
  done: (cells: number, took: number) => `${plural(cells, 'run', 'runs')} in ${duration(took)}`,
  pause: 'Pause',
  resume: 'Resume',
  paused: (done: number, all: number) => `Paused: ${whole(done)} of ${whole(all)} runs`,
  point: (policy: string, values: string[]) =>
    values.length === 0 ? policy : `${policy} at ${values.join(', ')}`,
  saturated: (point: string, waiting: number) =>
    `${point} is saturated: ${plural(waiting, 'job waits', 'jobs wait')}.`,
  stopPoint: 'Stop these runs, keep the others',
  stopped: (done: number, all: number, points: string[]) =>
    `${whole(done)} of ${whole(all)} runs; stopped: ${points.join('; ')}.`,
  cancelling: 'Cancelling…',
  cancelled: (done: number, all: number) =>
    `Cancelled: ${whole(done)} of ${whole(all)} runs are kept.`,
  failed: 'The run stopped',
  fault: 'The simulator failed with an internal error',
  faultDetails:
    'Finished runs are kept and a new worker is ready. The failed run is not repeated automatically. Message:',
  silent: (seconds: number) =>
    `A worker said nothing for ${whole(seconds)} s, twice over the same run: the browser may have ended it.`,
  needsTrace: 'Choose the trace first.',
  broke: 'This scenario was not started automatically',
  brokeDetails:
    'Its last run in this browser crashed the simulator or the tab. Change it in the form, or run it anyway.',
  runAnyway: 'Run anyway',
  tooBig: (jobs: number, runs: number) =>
    `This is too big for a tab: ${plural(runs, 'run', 'runs')} of ${plural(jobs, 'job', 'jobs')}`,
  tooBigDetails: (most: number, all: number) =>
    `A tab takes at most ${whole(most)} jobs a run and ${whole(all)} in all. The command line has no such limit and gives the same digest, on one machine or in parts on Slurm or HyperQueue.`,
  tooBigTrace: (name: string, sha: string) =>
    `The folders do not contain the trace. Copy ${name} into each${sha === '' ? '' : `; every part checks its SHA-256 (${sha})`}.`,
  tooBigWays: 'This page opens the result.json that each of these writes:',
  folder: (engine: string) => `${engine} folder (.zip)`,
};
