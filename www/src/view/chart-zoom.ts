/** Zooming a chart: it shows a part of the visible range. */
import { inNextFrame } from '../dom.ts';
import { isInside } from './chart-geometry.ts';
import type { Geometry, Span } from '../../pkg/backfill_web.js';
import type { Chart } from './chart.tsx';
import type { Spot } from './chart-geometry.ts';

/** The zoom of one step, and of a pixel of the wheel. */
const ZOOM = 2;
const TURN = 1.0025;
/** Pixels of a line of the wheel, and the part of the visible range that a key moves it by. */
const LINE = 33;
const MOVE = 0.25;

export class ChartZoom {
  /** The fixed position during a zoom. */
  spot: Spot | null = null;
  readonly #chart: Chart;
  /** How far a wheel turned since the last frame. */
  #turned = 0;

  constructor(chart: Chart) {
    this.#chart = chart;
  }

  /** Shows the part between these positions of the visible range, now or at a press. */
  seePart(one: Spot, other: Spot, seen: Geometry | null = this.#chart.geometry) {
    if (seen === null) return;
    const { state, metric } = this.#chart;
    const { left, right, top, bottom } = seen;
    const part = (of: Span, ...ends: number[]) => {
      const [from, to] = ends.sort((least, most) => least - most);
      return from === 0 && to === 1 ? null : { of, from, to };
    };
    const ends = [one, other];
    const x = part(seen.x, ...ends.map((spot) => (spot.x - left) / (right - left)));
    const y = part(seen.y, ...ends.map((spot) => (bottom - spot.y) / (bottom - top)));
    if (y !== null) state.up.value = { ...state.up.peek(), [metric]: y };
    if (x !== null) state.across.value = x;
    this.#chart.later();
  }

  in() {
    this.#by(1 / ZOOM);
  }

  out() {
    this.#by(ZOOM);
  }

  /** Zooms around the last position pointed at, else around the middle. */
  #by(factor: number) {
    const { geometry } = this.#chart;
    if (geometry === null) return;
    const { left, right, top, bottom } = geometry;
    const spot = this.spot ?? { x: (left + right) / 2, y: (top + bottom) / 2 };
    const x = Math.min(Math.max(spot.x, left), right);
    const y = Math.min(Math.max(spot.y, top), bottom);
    this.seePart(
      { x: x - (x - left) * factor, y: y - (y - top) * factor },
      { x: x + (right - x) * factor, y: y + (bottom - y) * factor },
    );
  }

  /**
   * Moves the visible part, now or from that at a press.
   * @param x to the right, in pixels
   * @param y downwards
   */
  shift(x: number, y: number, seen: Geometry | null = this.#chart.geometry) {
    if (seen !== null)
      this.seePart(
        { x: seen.left + x, y: seen.top + y },
        { x: seen.right + x, y: seen.bottom + y },
        seen,
      );
  }

  reset() {
    const { state, metric } = this.#chart;
    const { [metric]: _, ...others } = state.up.peek();
    state.up.value = others;
    this.spot = null;
    state.across.value = null;
    this.#chart.later();
  }

  wheel(event: WheelEvent) {
    // Without Ctrl it scrolls the page.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.spot = this.#chart.spotOf(event);
    this.#turned += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE);
    this.#turn();
  }

  readonly #turn = inNextFrame(() => {
    this.#by(TURN ** this.#turned);
    this.#turned = 0;
  });

  /**
   * Zooms by a key, around the point chosen by keys, or moves the visible part; returns whether it
   * is such a key.
   */
  key(event: KeyboardEvent) {
    const { plot, height } = this.#chart;
    const [x, y] = [plot.clientWidth * MOVE, height * MOVE];
    const keys: { [key: string]: () => void } = {
      '+': () => this.in(),
      '-': () => this.out(),
      0: () => this.reset(),
      ...(event.shiftKey && {
        ArrowLeft: () => this.shift(-x, 0),
        ArrowRight: () => this.shift(x, 0),
        ArrowUp: () => this.shift(0, -y),
        ArrowDown: () => this.shift(0, y),
      }),
    };
    const act = keys[event.key];
    if (act === undefined) return false;
    event.preventDefault();
    const point = this.#chart.chosenPoint();
    if (point !== undefined) this.spot = { x: point.left, y: point.top };
    act();
    return true;
  }

  /** Moves the visible part to the position reached by keys, if it is outside. */
  follow() {
    const { geometry, state } = this.#chart;
    const at = state.pointed.peek();
    if (geometry === null || at === null) return;
    const { left, right, top, bottom, xs } = geometry;
    const point = this.#chart.chosenPoint();
    const x = isInside(geometry, xs[at]) ? 0 : xs[at] - (left + right) / 2;
    const y =
      point === undefined || isInside(geometry, xs[at] - x, point.top)
        ? 0
        : point.top - (top + bottom) / 2;
    if (x !== 0 || y !== 0) this.shift(x, y);
  }
}
