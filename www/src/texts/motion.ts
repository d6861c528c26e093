import { span } from '../format.ts';
import { plural } from './words.ts';

export const motionTexts = {
  about: (servers: number, jobs: number) =>
    `${jobs} jobs on a fat-tree of ${servers} servers under two schedulers: they wait at the left, and hold slots of servers and bandwidth of their links at the right.`,
  waiting: (count: number) =>
    count === 0 ? 'no job waits' : `${plural(count, 'job waits', 'jobs wait')}`,
  saved: (policy: string, saved: number) =>
    saved > 0 ? `${policy} has saved ${span(saved)} of waiting so far.` : 'Nothing saved so far.',
  ends: (first: string, then: string, jobs: number, [before, after]: number[]) =>
    `These ${jobs} jobs wait ${span(before)} on average under ${first}, ${span(after)} under ${then}.`,
  pause: 'Pause',
  play: 'Play',
  again: 'Again',
  skip: 'To the end',
  step: 'Step through it',
};
