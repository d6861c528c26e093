import { whole } from '../format.ts';

export const bySizeTexts = {
  label: 'In use, by size of job',
  held: (held: number, all: number, words: string) =>
    `${whole(held)} of ${whole(all)} nodes ${words}, by size of job`,
  sizes: (least: number, most: number, held: number) =>
    `jobs of ${least === most ? whole(least) : `${whole(least)}–${whole(most)}`}: ${whole(held)}`,
  idle: (count: number) => `idle: ${whole(count)}`,
  byNode: 'Node by node',
};
