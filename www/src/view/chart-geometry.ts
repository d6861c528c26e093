/** Where things are on the canvas of a chart, in CSS pixels. */
import type { Geometry } from '../../pkg/backfill_web.js';

/** A position on the canvas. */
export type Spot = { x: number; y: number };

/** A point of a curve: the positions of its policy and of its value of x, and where it is drawn. */
type Point = { policy: number; x: number; left: number; top: number };

/** The numbers that a drawing gives of each point. */
export const NUMBERS = 4;
/** The length from which a side of the dragged area is zoomed into. */
const BRUSH = 12;

/** Whether a position is in the plot. */
export function isInside(geometry: Geometry | null, x: number, y?: number) {
  if (geometry === null) return false;
  const { left, right, top, bottom } = geometry;
  return x >= left - 1 && x <= right + 1 && (y === undefined || (y >= top - 1 && y <= bottom + 1));
}

/** The position of the visible value of x nearest to a pixel. */
export function columnAt(geometry: Geometry | null, at: number) {
  const xs = geometry?.xs ?? [];
  let nearest = null;
  for (const [place, x] of xs.entries()) {
    const isNearer = nearest === null || Math.abs(x - at) < Math.abs(xs[nearest] - at);
    if (isNearer && isInside(geometry, x)) nearest = place;
  }
  return nearest;
}

/** The points at a value of x, by its position. */
export function pointsOn(geometry: Geometry | null, x: number | null): Point[] {
  const points: Point[] = [];
  const numbers = geometry?.points ?? [];
  for (let at = 0; at < numbers.length; at += NUMBERS)
    if (numbers[at + 1] === x)
      points.push({ policy: numbers[at], x, left: numbers[at + 2], top: numbers[at + 3] });
  return points;
}

/**
 * The point nearest to a position, among those at the value of x marked there.
 * @param reach the largest distance
 */
export function pointAt(geometry: Geometry | null, { x, y }: Spot, reach: number = Infinity) {
  let found = null;
  let least = reach;
  for (const point of pointsOn(geometry, columnAt(geometry, x))) {
    const distance = Math.hypot(point.left - x, point.top - y);
    if (distance < least && isInside(geometry, point.left, point.top))
      [found, least] = [point, distance];
  }
  return found;
}

/**
 * The corners of a dragged area: the whole visible range along an axis on which it hardly moved,
 * nothing if that is both.
 */
export function brushed(from: Spot, to: Spot, geometry: Geometry): [Spot, Spot] {
  const { left, right, top, bottom } = geometry;
  const wide = Math.abs(from.x - to.x) >= BRUSH;
  const high = Math.abs(from.y - to.y) >= BRUSH;
  if (!wide && !high) return [from, from];
  const x = (at: number) => Math.min(Math.max(at, left), right);
  const y = (at: number) => Math.min(Math.max(at, top), bottom);
  return [
    { x: wide ? x(from.x) : left, y: high ? y(from.y) : top },
    { x: wide ? x(to.x) : right, y: high ? y(to.y) : bottom },
  ];
}
