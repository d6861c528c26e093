/** What is said of a chart to those who do not see it. */
import { answerTexts } from '../texts/answer.ts';
import { NUMBERS } from './chart-geometry.ts';
import type { Curves, Summary, Value } from '../../pkg/backfill_web.js';
import type { Chart } from './chart.tsx';

/** The first and last value of each curve, and how much of them is visible. */
export function inWords(chart: Chart, { curves, unit }: Curves, { x }: Summary) {
  const { geometry } = chart;
  const spoken = chart.shown().map(({ policy, position }) => {
    const values = curves[position];
    const ends = [values[0], values[values.length - 1]];
    const [first, last] = ends.map((value) => printed(value, unit));
    return answerTexts.curve(policy, first, last);
  });
  const zoomed = geometry?.zoomed
    ? answerTexts.zoom.seen(geometry.seen, geometry.points.length / NUMBERS)
    : '';
  const whole = answerTexts.chartSummary(x.label, x.values, spoken) + zoomed;
  return `${whole} ${geometry?.behind ?? ''}`.trim();
}

/** The values at a value of x, and what a key opens. */
export function pointedInWords(chart: Chart, { curves, unit }: Curves, { x }: Summary, at: number) {
  const shown = chart.shown();
  const chosen = shown.find(({ position }) => position === chart.chosenCurve());
  const values = shown.map(
    ({ policy, position }) => `${policy} ${printed(curves[position][at], unit)}`,
  );
  const spoken = `${`${x.label} ${x.values[at]}`.trim()}: ${values.join('; ')}`;
  return chosen === undefined ? spoken : `${spoken}. ${answerTexts.opens(chosen.policy)}`;
}

function printed(value: Value | null, unit: string) {
  if (value === null) return answerTexts.none;
  return [value.mean, value.half === null ? '' : `± ${value.half}`, unit].filter(Boolean).join(' ');
}
