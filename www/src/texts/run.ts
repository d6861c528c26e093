import { duration, roughly, whole } from '../format.ts';
import { plural } from './words.ts';
import type { Range } from '../forecast.ts';

export const runTexts = {
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
};
