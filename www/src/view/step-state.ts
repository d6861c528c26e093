/** What a scheduler believes after some steps of a pass: plain data for the drawing. */
import { instant } from '../format.ts';
import type { AskedJob, ToldPass, ToldStep } from '../../pkg/backfill_web.js';

/** A job that holds slots, or will, until an instant. */
export interface Bar {
  job: number;
  number: number;
  size: number;
  from: number;
  until: number;
  /** When it really ends, which no scheduler knows; null where that is not known here either. */
  end: number | null;
  /** Whether it has what other jobs leave over. */
  isBehind: boolean;
}

/** What became of a waiting job. */
export type JobState = 'started' | 'reserved' | 'passed';

export interface Believed {
  /** The job that the last step is about, by its index. */
  job: number | null;
  /** Those that run, the one that ends last first: stacked, their ends are a staircase. */
  running: Bar[];
  /** The reservations. */
  reserved: Bar[];
  /** Where the job of the last step would run, and whether that would delay a reservation. */
  candidate: (Bar & { delays: boolean }) | null;
  /** The slots that may be held, where the others are off. */
  on: number;
  states: Map<number, JobState>;
}

/** What is believed after so many steps of a pass. */
export function believed(pass: ToldPass, done: number): Believed {
  const asked = new Map<number, AskedJob>();
  for (const each of [...pass.queue, ...pass.running]) asked.set(each.asked.job, each.asked);
  for (const each of pass.others) asked.set(each.job, each);
  const running = new Map<number, Bar>();
  for (const { asked, start, estimated_end: until, end, shares } of pass.running)
    running.set(asked.job, holding(barOf(asked, start, until), end, shares, pass));
  let on = slotsOn(pass, running);
  const reserved = new Map<number, Bar>();
  const states = new Map<number, JobState>();
  const steps = pass.steps.slice(0, done);
  for (const step of steps) {
    const { kind, job, jobs, fits, start, end } = step;
    const of = job === null ? undefined : asked.get(job);
    if (kind === 'poweredOn') on = step.value ?? on;
    if (kind === 'passedOver') for (const each of jobs) states.set(each, 'passed');
    if (kind === 'renewed') reserved.clear();
    if (job === null || of === undefined) continue;
    if (kind === 'started' || kind === 'moved') {
      const bar = barOf(of, pass.at, end ?? pass.at + of.estimate);
      running.set(job, holding(bar, step.real_end, step.shares, pass));
      reserved.delete(job);
      states.set(job, 'started');
    } else if (kind === 'suspended') {
      running.delete(job);
    } else if (kind === 'reserved' && start !== null) {
      reserved.set(job, barOf(of, start, start + of.estimate));
      states.set(job, 'reserved');
    } else if (kind === 'passedOver' || kind === 'declined' || (kind === 'tried' && !fits)) {
      states.set(job, 'passed');
    }
  }
  const last = steps.at(-1);
  return {
    job: last?.job ?? null,
    running: [...running.values()].sort((a, b) => b.until - a.until || a.job - b.job),
    reserved: [...reserved.values()],
    candidate: last === undefined ? null : candidateOf(pass, last, asked),
    on,
    states,
  };
}

/** The slots that may be held as a pass begins: all, unless it says how many from now on. */
function slotsOn({ slots, free, steps }: ToldPass, running: Map<number, Bar>) {
  if (steps.every(({ kind }) => kind !== 'poweredOn')) return slots;
  return [...running.values()].reduce((sum, { size }) => sum + size, free);
}

/** A job with what it really holds, behind all nodes if in their background, and its real end. */
function holding(
  bar: Bar,
  end: number | null,
  shares: ToldStep['shares'],
  { slots }: ToldPass,
): Bar {
  const size = shares.reduce((sum, [, held]) => sum + held, 0);
  return { ...bar, size, end, isBehind: shares.some(([node]) => node >= slots) };
}

function candidateOf(pass: ToldPass, step: ToldStep, asked: Map<number, AskedJob>) {
  const { kind, job, turn, fits, effect, end } = step;
  const of = job === null ? undefined : asked.get(job);
  const isTried = (kind === 'tried' && fits === true) || kind === 'compared';
  if (of === undefined || !isTried) return null;
  const bar = barOf(of, pass.at, end ?? pass.at + of.estimate);
  return { ...bar, isBehind: turn === 'background', delays: effect === 'delays' };
}

function barOf(of: AskedJob, from: number, until: number): Bar {
  const { job, number, size } = of;
  return { job, number, size, from, until, end: null, isBehind: false };
}

/** The slots that running jobs hold at an instant, by their estimates, of their own or of others. */
export function heldAt(running: Bar[], time: number, isBehind: boolean = false) {
  const there = running.filter((bar) => bar.isBehind === isBehind && bar.until > time);
  return there.reduce((sum, { size }) => sum + size, 0);
}

/** Slots that stay free from one instant to another, above those that are held. */
export interface Room {
  held: number;
  from: number;
  until: number;
}

/** What is free until the first reservation starts: jobs behind it may run there. */
export function gap({ running, reserved, on }: Believed, { at }: ToldPass): Room[] {
  const start = reserved[0]?.from ?? at;
  const ends = running.map(({ until }) => until).filter((until) => until > at && until < start);
  const instants = [...new Set([at, ...ends, start])].sort((a, b) => a - b);
  return instants
    .slice(1)
    .map((until, place) => ({ from: instants[place] ?? at, until }))
    .map(({ from, until }) => ({ held: heldAt(running, from), from, until }))
    .filter(({ held }) => held < on);
}

/** A step in words. */
export function sentenceOf({ steps }: ToldPass, position: number) {
  const pieces = steps[position]?.sentence ?? [];
  return pieces.map((piece) => (typeof piece === 'number' ? instant(piece) : piece)).join('');
}
