/** Numbers and times in readable form. */

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** A whole number with its thousands separated. */
export function whole(value: number) {
  return WHOLE.format(value);
}

const TENTHS = new Intl.NumberFormat('en', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** A number to one decimal with its thousands separated. */
export function tenths(value: number) {
  return TENTHS.format(value);
}

const SIGNIFICANT = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

/** A number of any size to four digits. */
export function significant(value: number) {
  const size = Math.abs(value);
  const plain = size === 0 || (size >= 1e-4 && size < 1e9);
  return plain ? SIGNIFICANT.format(value) : value.toExponential(3);
}

/** A share as a percentage. */
export function percent(share: number) {
  return `${(share * 100).toFixed(1)} %`;
}

/** An instant of a simulated run: days, hours, minutes, seconds. */
export function instant(seconds: number) {
  const total = Math.round(seconds);
  const days = Math.floor(total / 86400);
  const clock = [Math.floor(total / 3600) % 24, Math.floor(total / 60) % 60, total % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  return days > 0 ? `day ${days + 1}, ${clock}` : clock;
}

/** A length of simulated time: hours, minutes and seconds, to the second if it has minutes. */
export function span(seconds: number) {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const total = Math.round(seconds);
  const [minutes, rest] = [Math.floor(total / 60) % 60, total % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${WHOLE.format(Math.floor(total / 3600))}:${minutes}:${rest}`;
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/**
 * A time of day, with its date if it is not today.
 * @param time in milliseconds since 1970
 */
export function timeOfDay(time: number, now: number = Date.now()) {
  const [clock, day] = [CLOCK.format(time), DAY.format(time)];
  return day === DAY.format(now) ? clock : `${day}, ${clock}`;
}

/** The milliseconds of units of time, and the largest count of each that is written. */
const LENGTHS: [unit: string, size: number, most: number][] = [
  ['s', 1000, 90],
  ['min', 60_000, 90],
  ['h', 3_600_000, 48],
  ['days', 86_400_000, Infinity],
];

/**
 * A duration known to be between two lengths, no finer than that justifies: "about 5 s", "1 to 4
 * min".
 * @param range in milliseconds
 */
export function roughly({ low, high }: { low: number; high: number }) {
  if (high < 1000) return 'less than a second';
  if (high <= 1.6 * low) return `about ${rounded(Math.sqrt(low * high)).join(' ')}`;
  const [from, to] = [rounded(low), rounded(high)];
  if (low < 1000) return `up to ${to.join(' ')}`;
  if (from.join() === to.join()) return `about ${to.join(' ')}`;
  return from[1] === to[1]
    ? `${from[0]} to ${to.join(' ')}`
    : `${from.join(' ')} to ${to.join(' ')}`;
}

/** A length of time to one digit, or to the next five. */
function rounded(milliseconds: number): [count: string, unit: string] {
  const [unit, size] = LENGTHS.find(([, size, most]) => milliseconds < size * most) ?? LENGTHS[3];
  const count = milliseconds / size;
  return [
    WHOLE.format(Math.max(1, count < 10 ? Math.round(count) : 5 * Math.round(count / 5))),
    unit,
  ];
}

/** A duration in real time. */
export function duration(milliseconds: number) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds < 60_000) return `${Math.round(milliseconds / 1000)} s`;
  if (milliseconds < 600_000) return `${(milliseconds / 60_000).toFixed(1)} min`;
  if (milliseconds < 3_600_000) return `${Math.round(milliseconds / 60_000)} min`;
  return `${(milliseconds / 3_600_000).toFixed(1)} h`;
}
