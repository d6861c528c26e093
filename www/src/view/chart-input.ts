/** Pointers and keys on the plot of a chart. */
import { brushed, columnAt, pointAt } from './chart-geometry.ts';
import { comeTo } from './tabs.ts';
import type { Geometry } from '../../pkg/backfill_web.js';
import type { Chart } from './chart.tsx';
import type { Spot } from './chart-geometry.ts';

/** A tap this near to a point, in CSS pixels, opens its run; a farther one only points at x. */
const REACH = 24;
/** The distance from which a pressed pointer drags. */
const DRAG = 5;

/**
 * The position of a press, the visible part then, whether the pointer drags it, and whether it
 * moved.
 */
type Held = Spot & { seen: Geometry; drags: boolean; moved: boolean };

/** Follows them from now on. */
export function followInput(chart: Chart) {
  const { plot, state, zoom } = chart;
  const input = new ChartInput(chart);
  plot.onpointerdown = (event) => input.hold(event);
  plot.onpointermove = (event) => input.move(event);
  plot.onpointerup = (event) => input.release(event);
  plot.onpointercancel = () => input.letGo();
  plot.onclick = (event) => input.click(event);
  plot.ondblclick = () => zoom.reset();
  plot.addEventListener('wheel', (event) => zoom.wheel(event), { passive: false });
  plot.onpointerleave = ({ pointerType }) => {
    // A finger that is lifted leaves what it read.
    if (pointerType === 'touch') return;
    chart.aim.value = null;
    state.pointed.value = null;
  };
  plot.onblur = () => {
    state.pointed.value = null;
  };
  plot.onkeydown = (event) => input.key(event);
}

class ChartInput {
  readonly #chart: Chart;
  #held: Held | null = null;

  constructor(chart: Chart) {
    this.#chart = chart;
  }

  hold(event: PointerEvent) {
    const { geometry, plot, zoom } = this.#chart;
    const spot = this.#chart.spotOf(event);
    zoom.spot = spot;
    this.#held = null;
    if (event.button !== 0 || geometry === null) return;
    const touched = event.pointerType === 'touch';
    const drags = event.shiftKey || (touched && geometry.zoomed);
    this.#held = { ...spot, seen: geometry, drags, moved: false };
    if (!touched) plot.setPointerCapture(event.pointerId);
    this.#point(spot);
  }

  move(event: PointerEvent) {
    const { state, zoom } = this.#chart;
    const spot = this.#chart.spotOf(event);
    const held = this.#held;
    const down = held !== null && event.buttons !== 0;
    if (down) held.moved ||= Math.hypot(spot.x - held.x, spot.y - held.y) > DRAG;
    if (!down || !held.moved || (event.pointerType === 'touch' && !held.drags)) {
      this.#point(spot);
    } else if (held.drags) {
      // A finger that moves up or down scrolls the page.
      zoom.shift(held.x - spot.x, event.pointerType === 'touch' ? 0 : held.y - spot.y, held.seen);
    } else {
      state.pointed.value = null;
      this.#showBrush(held, spot);
    }
  }

  release(event: PointerEvent) {
    const held = this.#held;
    const { brush, zoom } = this.#chart;
    if (held === null || brush.peek() === null) return;
    brush.value = null;
    const [one, other] = brushed(held, this.#chart.spotOf(event), held.seen);
    if (one.x !== other.x && one.y !== other.y) zoom.seePart(one, other, held.seen);
  }

  letGo() {
    this.#held = null;
    this.#chart.brush.value = null;
  }

  click(event: MouseEvent) {
    const touched = event instanceof PointerEvent && event.pointerType === 'touch';
    const spot = { x: event.offsetX, y: event.offsetY };
    const reach = touched ? REACH : Infinity;
    const point = this.#held?.moved ? null : pointAt(this.#chart.geometry, spot, reach);
    this.#held = null;
    if (point !== null) this.#chart.open(point.policy, point.x);
  }

  #showBrush(from: Held, to: Spot) {
    const [one, other] = brushed(from, to, from.seen);
    this.#chart.brush.value = {
      left: Math.min(one.x, other.x),
      top: Math.min(one.y, other.y),
      width: Math.abs(one.x - other.x),
      height: Math.abs(one.y - other.y),
    };
  }

  #point(spot: Spot) {
    const { aim, geometry, plot, state } = this.#chart;
    const point = pointAt(geometry, spot);
    plot.classList.toggle('opens', point !== null);
    state.pointed.value = columnAt(geometry, spot.x);
    aim.value = point === null ? null : { left: point.left, top: point.top };
  }

  key(event: KeyboardEvent) {
    const { state, zoom } = this.#chart;
    if (event.ctrlKey || event.metaKey || event.altKey || zoom.key(event)) return;
    if (this.#curveKey(event)) return;
    const last = (state.summary.peek()?.x.values.length ?? 0) - 1;
    const now = state.pointed.peek();
    const next = {
      ArrowRight: now === null ? 0 : now + 1,
      ArrowLeft: now === null ? last : now - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined && event.key !== 'Escape') return;
    event.preventDefault();
    this.letGo();
    state.pointed.value = next === undefined ? null : Math.min(Math.max(next, 0), last);
    zoom.follow();
  }

  /** Chooses a curve by a key, or opens its run; returns whether it is such a key. */
  #curveKey(event: KeyboardEvent) {
    const chart = this.#chart;
    const shown = chart.shown();
    const now = chart.state.pointed.peek();
    const curve = { ArrowUp: chart.curve - 1, ArrowDown: chart.curve + 1 }[event.key];
    if (curve === undefined && event.key !== 'Enter') return false;
    event.preventDefault();
    if (shown.length === 0) return true;
    chart.curve = Math.min(Math.max(curve ?? chart.curve, 0), shown.length - 1);
    if (now === null) chart.state.pointed.value = 0;
    else if (event.key === 'Enter') {
      chart.open(shown[chart.curve].position, now);
      comeTo('inside');
    }
    chart.mark();
    chart.zoom.follow();
    return true;
  }
}
