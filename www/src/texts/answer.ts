import { whole } from '../format.ts';
import { plural } from './words.ts';

export const answerTexts = {
  unswept: 'Scenario',
  asGiven: 'as given',
  better: { higher: 'higher is better', lower: 'lower is better', neither: '' },
  metric: 'Metric of this chart',
  tableOf: (label: string, unit: string) => (unit ? `${label} (${unit})` : label),
  otherMetrics: 'All other metrics',
  tableRegion: 'Numbers of the charts',
  chartLabel: (metric: string, x: string) =>
    `${metric} by ${x}. Left and right move along the values, up and down choose a curve, Enter looks into its run, + and − zoom; the table below holds the same numbers.`,
  zoom: {
    in: 'Zoom in',
    out: 'Zoom out',
    whole: 'Reset zoom',
    wholeHelp:
      'The whole chart. Drag over a part to zoom into it, with Shift to move it; Ctrl and the wheel zoom, too.',
    label: (metric: string) => `Zoom of the chart: ${metric}`,
    seen: (seen: number, all: number) =>
      ` Zoomed in: ${whole(seen)} of ${plural(all, 'point is', 'points are')} seen.`,
  },
  copy: 'Copy as',
  copyAs: (chart: string) => `Copy as: ${chart}`,
  opens: (policy: string) => `Enter looks into a run of ${policy}`,
  chartSummary: (x: string, values: string[], curves: string[]) =>
    values.length > 1
      ? `From ${`${x} ${values[0]}`.trim()} to ${values[values.length - 1]}: ${curves.join('; ')}.`
      : `${curves.join('; ')}.`,
  curve: (policy: string, first: string, last: string) =>
    first === last ? `${policy} ${first}` : `${policy} ${first} to ${last}`,
  none: 'no value',
  missing: '–',
  unpointed: 'nothing pointed at',
  noDigest: 'after all runs are done',
};
