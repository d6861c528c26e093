import { whole } from '../format.ts';
import { datesTexts } from './dates.ts';

export const byDayTexts = {
  title: 'By day',
  place: (place: string) => ['Means of each day', place].filter(Boolean).join(', '),
  quantities: ['Slots in use', 'Jobs waiting'],
  chart: (quantity: string) =>
    `${quantity} by day. Left and right move along the days, up and down choose a curve, Enter looks into its run, + and − zoom.`,
  weekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  date: (weekday: number, day: number, month: number, year: number) =>
    `${byDayTexts.weekdays[weekday]} ${day} ${datesTexts.months[month]} ${year}`,
  day: (day: number) => `Day ${whole(day)}`,
  use: 'Use these jobs',
  useHelp: (from: string, to: string) =>
    `Runs the scenario over the jobs that were submitted from ${from} to ${to}.`,
  none: 'No job was submitted in this period.',
};
