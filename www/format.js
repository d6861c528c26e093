/** Numbers and times as people read them. */

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/**
 * A whole number with thousands apart.
 * @param {number} value
 */
export function whole(value) {
  return WHOLE.format(value);
}

/**
 * A share as a percentage.
 * @param {number} share
 */
export function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}

/**
 * An instant of a simulated run: days, hours, minutes, seconds.
 * @param {number} seconds
 */
export function instant(seconds) {
  const total = Math.round(seconds);
  const days = Math.floor(total / 86400);
  const clock = [Math.floor(total / 3600) % 24, Math.floor(total / 60) % 60, total % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  return days > 0 ? `day ${days + 1}, ${clock}` : clock;
}

/**
 * How long something took or will take, in real time.
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds < 3_600_000) return `${Math.round(milliseconds / 60_000)} min`;
  return `${(milliseconds / 3_600_000).toFixed(1)} h`;
}
