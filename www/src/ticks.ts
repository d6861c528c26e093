/** The ticks of a time axis and their labels. */
import { datesTexts } from './texts/dates.ts';

type Tick = { at: number; label: string };

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The steps between two ticks that divide a day, in seconds. */
const WITHIN_A_DAY = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
];

/**
 * The ticks of a period, up to `most`: round clock times and days, counted from the first submit
 * or, if its time is known, by the calendar (UTC).
 * @param from in seconds since the first submit
 * @param begins the time of the first submit, in seconds since 1970
 */
export function ticks(
  from: number,
  until: number,
  most: number,
  begins: number | null = null,
): Tick[] {
  const length = until - from;
  const fits = (step: number) => length / step <= most;
  const step = WITHIN_A_DAY.find(fits);
  if (step !== undefined) {
    return every(step, from, until, begins ?? 0).map((at) => ({
      at,
      label: ofClock(at + (begins ?? 0), step, begins !== null),
    }));
  }
  if (begins !== null) return ofCalendar(from, until, most, begins);
  const days = roundFrom(length / DAY / most);
  return every(days * DAY, from, until, 0).map((at) => ({ at, label: ofDay(at, false) }));
}

/** The multiples of a step, counted from `begins` before zero, within a period. */
function every(step: number, from: number, until: number, begins: number) {
  const first = Math.ceil((from + begins) / step);
  const last = Math.floor((until + begins) / step);
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step - begins);
}

/** The least of 1, 2 and 5 times a power of ten that is at least `least`. */
function roundFrom(least: number) {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? 10 * power;
}

function ofClock(time: number, step: number, byCalendar: boolean) {
  const seconds = Math.round(time);
  const ofDayNow = seconds % DAY;
  if (ofDayNow === 0 && (seconds > 0 || byCalendar)) return ofDay(seconds, byCalendar);
  const parts = [Math.floor(ofDayNow / HOUR), Math.floor(ofDayNow / MINUTE) % 60, ofDayNow % 60];
  return parts
    .slice(0, step < MINUTE ? 3 : 2)
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

function ofDay(time: number, byCalendar: boolean) {
  if (!byCalendar) return datesTexts.day(Math.round(time / DAY) + 1);
  const date = new Date(time * 1000);
  return `${date.getUTCDate()} ${datesTexts.months[date.getUTCMonth()]}`;
}

/** Ticks at days, weeks, months and years. */
function ofCalendar(from: number, until: number, most: number, begins: number) {
  const fits = (step: number) => (until - from) / step <= most;
  const days = [1, 2, 7, 14].find((days) => fits(days * DAY));
  if (days !== undefined) {
    return every(days * DAY, from, until, begins).map((at) => ({
      at,
      label: ofDay(Math.round(at + begins), true),
    }));
  }
  const [month, year] = [30.4 * DAY, 365.2 * DAY];
  const months = [1, 2, 3, 6].find((months) => fits(months * month));
  const step = months ?? 12 * roundFrom((until - from) / year / most);
  const start = new Date((from + begins) * 1000);
  const marks: Tick[] = [];
  const first = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth()) / step) * step;
  for (let count = first; ; count += step) {
    const at = Date.UTC(Math.floor(count / 12), count % 12) / 1000 - begins;
    if (at > until) return marks;
    const named = datesTexts.months[count % 12];
    const called = months === undefined ? '' : `${named} `;
    if (at >= from) marks.push({ at, label: `${called}${Math.floor(count / 12)}` });
  }
}
