import { instant, whole } from '../format.ts';
import { byDayTexts } from './by-day.ts';
import { plural } from './words.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A wait in two units: "2 d 3 h", "3 h 20 min", "12 min", "5 s". */
function wait(seconds: number) {
  const total = Math.round(seconds);
  const [days, hours, minutes] = [total / DAY, (total % DAY) / HOUR, (total % HOUR) / MINUTE];
  const [d, h, min] = [days, hours, minutes].map(Math.floor);
  if (d > 0) return `${d} d ${h} h`;
  if (h > 0) return `${h} h ${String(min).padStart(2, '0')} min`;
  return min > 0 ? `${min} min` : `${total} s`;
}

/** An instant of a log: its date if that is known, else the day and time since time 0. */
function at(seconds: number, begins: number | null) {
  if (begins === null) return instant(seconds);
  const date = new Date((begins + seconds) * 1000);
  const day = byDayTexts.date(
    date.getUTCDay(),
    date.getUTCDate(),
    date.getUTCMonth(),
    date.getUTCFullYear(),
  );
  return `${day}, ${date.toISOString().slice(11, 16)}`;
}

const percent = (share: number) => `${Math.round(100 * share)} %`;

export const whenTexts = {
  about: (futures: number) =>
    `Nobody knows how long jobs run and which come next. So ${futures} futures are simulated: run times and arrivals are drawn from the past of the log, and the policy decides as always.`,
  calibration: 'How often such forecasts came true',
  from: 'Ask about',
  fromLog: 'an instant of the log',
  fromQueue: 'the queue of a cluster, pasted',
  noLog: 'Open a log to ask about an instant of it. A pasted queue needs none.',
  size: (unit: string) => `${unit[0].toUpperCase()}${unit.slice(1)}s`,
  bandwidth: 'Bandwidth',
  bandwidthUnit: '(Mbit/s each; empty: the median of the log)',
  limit: 'Time limit',
  limitUnit: '(hours, or [d-]h:m:s)',
  policy: 'Policy',
  submit: 'Submitted',
  submitUnit: (isDated: boolean) => (isDated ? '(a date, or seconds)' : '(seconds since time 0)'),
  slider: 'When the job is submitted',
  queue: 'What this command prints on the cluster',
  queueStays: 'It stays in this tab. User names become numbers at once.',
  nodes: 'Nodes of the cluster, or what sinfo -p PARTITION prints',
  noNodes: 'Say how many nodes the cluster has, or paste what sinfo -p PARTITION prints.',
  processors: 'Jobs share nodes: count processors in place of nodes',
  history: (name: string) => `${name} is its history`,
  noHistory:
    'Without a history every job is taken to run for its limit, and none arrives: that is the answer of sbatch --test-only.',
  ask: 'Forecast',
  stop: 'Stop',
  preparing: 'Simulating the log …',
  progress: (done: number, all: number) => `${whole(done)} of ${plural(all, 'future', 'futures')}`,
  stopped: 'Stopped: ask again.',
  wait,
  at,
  atOnce: 'It starts at once in at least nine of ten futures.',
  half: (instant: string, wait: string) =>
    `Half of the futures start it by ${instant}: it waits ${wait}`,
  most: (from: string, until: string) => `, in eight of ten between ${from} and ${until}.`,
  mostAndNow: (until: string) => `, in nine of ten at most ${until}.`,
  certain: (instant: string, wait: string) =>
    `It starts ${instant} in at least eight of ten futures: it waits ${wait}.`,
  byLimits: (instant: string, wait: string) =>
    `If every job runs for its limit and none arrives, it starts ${instant}: it waits ${wait}.`,
  nowByLimits: 'If every job runs for its limit, it starts at once.',
  halfNow: 'Half of the futures start it at once',
  never: 'More than half of the futures do not start it within 26 weeks.',
  open: 'later than 26 weeks',
  some: (share: number) => `${percent(share)} of the futures do not start it within 26 weeks.`,
  strip: 'When the futures start it',
  marks: { p10: 'P10', p50: 'P50', p90: 'P90' },
  band: 'eight of ten futures',
  optimist: 'if every job runs for its limit and none arrives (sbatch --test-only)',
  pessimist: 'if every job runs for its limit and the busiest week comes',
  by: (instant: string, share: number) => `By ${instant}: ${percent(share)}`,
  later: (share: number) => `${percent(share)} start later than shown.`,
  chances: 'Chance to have started',
  ofFutures: (count: number) => `of ${plural(count, 'future', 'futures')}`,
  within: (seconds: number) =>
    seconds === 0
      ? 'at once'
      : seconds < DAY
        ? `${seconds / HOUR} h`
        : plural(seconds / DAY, 'day', 'days'),
  percent,
  map: 'Other sizes and time limits',
  mapAsk: 'Forecast other sizes and time limits',
  mapAbout: 'The wait, with the same futures for all. A click asks about that job.',
  quantiles: { p50: 'P50: half of the futures', p90: 'P90: nine of ten' },
  quantile: 'Wait',
  corner: (unit: string) => `${unit}s \\ limit`,
  cell: (size: number, unit: string, limit: number, seconds: number | null) =>
    `${plural(size, unit, `${unit}s`)} for ${wait(limit)}: ${seconds === null ? whenTexts.open : wait(seconds)}`,
  limitOf: (seconds: number) =>
    seconds < HOUR ? `${seconds / MINUTE} min` : `${seconds / HOUR} h`,
  short: (seconds: number | null) => {
    if (seconds === null) return '> 26 wk';
    if (seconds < MINUTE) return 'now';
    if (seconds < HOUR) return `${Math.round(seconds / MINUTE)} min`;
    return seconds < 2 * DAY ? `${Math.round(seconds / HOUR)} h` : `${Math.round(seconds / DAY)} d`;
  },
};
