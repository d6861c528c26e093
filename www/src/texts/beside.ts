import { whole } from '../format.ts';
import { differenceOf } from './words.ts';

export const besideTexts = {
  first: (label: string) => `A: ${label}`,
  second: (label: string) => `B: ${label}`,
  difference: 'A − B',
  differenceOf: (what: string) => `What A has more than B. ${what}`,
  ofSecond: (what: string, label: string) => `${what}: ${label}`,
  cell: (other: string, points: number) =>
    `; ${other} in B: ${differenceOf(points, (size, way) => `${size} points ${way} in A`, 'the same')}`,
  mark: (points: number) => `${points > 0 ? '+' : ''}${points < 0 ? '−' : ''}${Math.abs(points)}`,
  scale: ['points: B has more (hollow)', 'A has more', 'more than 100 points apart'],
  summary: (mean: string, what: string, parts: number) =>
    `On average over ${whole(parts)} cells ${mean} ${what}.`,
  summaryOfBoth: (
    first: string,
    second: string,
    what: string,
    more: number,
    less: number,
    parts: number,
    furthest: string,
  ) =>
    `On average ${first} ${what} in A and ${second} in B. Of ${whole(parts)} cells ${whole(more)} have more in A, ${whole(less)} in B${furthest}.`,
  furthest: (name: string, points: number) =>
    `; furthest apart: ${name}, ${differenceOf(points, (size, way) => `${size} points ${way} in A`, '')}`,
  asTable: 'The cells as a table',
  region: 'Cells of the picture',
  caption: (from: number, until: number, all: number, both: boolean) =>
    all === 0
      ? 'No cell is called that'
      : `Cells ${whole(from)} to ${whole(until)} of ${whole(all)}, ${both ? 'those furthest apart' : 'those with the most'} first`,
  called: 'Only cells called',
  back: 'Cells before',
  ahead: 'Next cells',
  columns: ['Cell', 'A', 'B', 'A − B (points)'],
  points: (points: number) =>
    differenceOf(points, (size, way) => `${way === 'more' ? '+' : '−'}${size}`, '0.0'),
};
