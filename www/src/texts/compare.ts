import { whole } from '../format.ts';

export const compareTexts = {
  metric: 'Metric',
  reference: 'Compared with',
  chart: (metric: string, reference: string) => `${metric}: difference from ${reference}`,
  table: 'The differences as a table',
  tableRegion: 'Differences at every value',
  rankingRegion: 'Ranking',
  ranking: (metric: string, where: string) =>
    where ? `${metric}: ranking (${where})` : `${metric}: ranking`,
  differences: (metric: string, unit: string, reference: string, intervals: boolean) =>
    `${metric}${unit ? ` (${unit})` : ''}: difference from ${reference}${intervals ? ', 95 % CI of the pairs' : ''}`,
  columns: {
    rank: 'Rank',
    policy: 'Policy',
    value: 'Mean',
    difference: (unit: string) => (unit ? `Difference (${unit})` : 'Difference'),
    change: 'Change',
    verdict: 'Verdict',
    verdictByInterval: 'Verdict (95 % CI)',
  },
  isReference: 'compared with',
  verdict: {
    better: 'better',
    worse: 'worse',
    different: 'different',
    open: 'no significant difference',
    equal: 'equal',
    single: 'one replication, no CI',
  },
  unranked: 'No run has finished at this value yet.',
  apart: (points: string) => `not ranked: accept rate ${points} points`,
  mark: ' (not ranked)',
  within: 'Run more replications until every interval of this metric is within ±',
  replicate: 'Replicate',
  replications: (n: number) => `n = ${whole(n)} now`,
  reached: (n: number, percent: number) =>
    `Every interval is within ${percent} % of its mean: n = ${whole(n)}.`,
  tooMany: 'That takes more replications than one scenario may have',
};
