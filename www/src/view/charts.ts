import { byId, inNextFrame, make } from '../dom.ts';
import { across, dark, facet, hidden, inspected, pointed, summary, up } from '../state.ts';
import { answerTexts } from '../texts/answer.ts';
import { readOut } from './readout.tsx';
import type { Signal } from '@preact/signals';
import type {
  Curves,
  Geometry,
  Part,
  Seen,
  SeriesStyle,
  Span,
  Summary,
  Value,
} from '../../pkg/backfill_web.js';
import type { Heights, Inspected } from '../state.ts';

export type Draw = (
  canvas: HTMLCanvasElement,
  metric: string,
  hidden: Uint32Array,
  dark: boolean,
  width: number,
  height: number,
  seen: Seen,
) => Geometry | null;
/**
 * The drawn numbers, the x pointed at, the point whose run is open, and the visible part of the
 * axis of x and, by metric, of that of values.
 */
export type ChartState = {
  summary: Signal<Summary | null>;
  pointed: Signal<number | null>;
  inspected: Signal<Inspected | null>;
  across: Signal<Part | null>;
  up: Signal<Heights>;
};
/** A position on the canvas, in CSS pixels. */
type Spot = { x: number; y: number };

/** Height of a chart, in CSS pixels. */
const HEIGHT = 200;
/** A tap this near to a point, in CSS pixels, opens its run; a farther one only points at x. */
const REACH = 24;
/**
 * The distance from which a pressed pointer drags, and the length from which a side of the dragged
 * area is zoomed into.
 */
const DRAG = 5;
const BRUSH = 12;
/** The zoom of one step, and of a pixel of the wheel. */
const ZOOM = 2;
const TURN = 1.0025;
/** Pixels of a line of the wheel, and the part of the visible range that a key moves it by. */
const LINE = 33;
const MOVE = 0.25;

/**
 * The stacked charts. They share the x axis: the x pointed at in one is marked in all. A click on a
 * point opens its run, and so does Enter on the curve chosen by the up and down keys.
 * @param open opens the run behind a point
 */
export function charts(
  styles: SeriesStyle[],
  draw: Draw,
  open: (policy: number, x: number) => void,
) {
  const box = byId('charts');
  const values = readOut(styles);
  let all: Chart[] = [];
  /** The metrics at the start. */
  let headline: string[] = [];
  /** The width of their columns. */
  const columnWidth = () => Number.parseFloat(getComputedStyle(box).gridTemplateColumns);
  const redraw = inNextFrame(() => {
    const now = summary.peek();
    if (now === null) return;
    if (now.headline.join() !== headline.join()) [headline, all] = [now.headline, []];
    if (all.length < headline.length) {
      // The first drawing of each takes long: one a frame, and then all replace those before.
      const chart = new Chart(headline[all.length], styles, draw, open);
      chart.marked = () => values.show(all);
      all.push(chart);
      chart.show(columnWidth());
      if (all.length === headline.length)
        box.replaceChildren(...all.map(({ figure }) => figure), values.element);
      redraw();
      return;
    }
    for (const chart of all) chart.show();
  });
  summary.subscribe(redraw);
  hidden.subscribe(redraw);
  dark.subscribe(redraw);
  const mark = () => {
    for (const chart of all) chart.mark();
  };
  pointed.subscribe(mark);
  inspected.subscribe(mark);
  new ResizeObserver(redraw).observe(box);
  followPixelRatio(redraw);
}

/** One chart: its heading with the choice of metric, the canvas and the crosshair. */
export class Chart {
  metric: string;
  height: number;
  styles: SeriesStyle[];
  draw: Draw;
  open: (policy: number, x: number) => void;
  state: ChartState;
  /** What it is called, by the labels of its metric and of x. */
  label: (metric: string, x: string) => string;
  /** Called whenever the contents or the position pointed at change. */
  marked: () => void;
  /** The curve chosen by the up and down keys, by its position among those shown. */
  curve: number;
  geometry: Geometry | null;
  /** Its width, in CSS pixels. */
  width: number;
  /** The identity of the axes. */
  of: string;
  /** Draws it again in the next frame, as wide as before. */
  later: () => void;
  /** The fixed position during a zoom. */
  spot: Spot | null;
  /**
   * The position of the press, the visible part then, whether the pointer drags it, and whether
   * it moved.
   */
  held: (Spot & { seen: Geometry; drags: boolean; moved: boolean }) | null;
  /** How far a wheel turned since the last frame. */
  turned: number;
  turn: () => void;
  select: HTMLSelectElement;
  better: HTMLSpanElement;
  canvas: HTMLCanvasElement;
  cross: HTMLDivElement;
  aim: HTMLDivElement;
  chosen: HTMLDivElement;
  brush: HTMLDivElement;
  plot: HTMLDivElement;
  words: HTMLElement;
  zooms: HTMLDivElement;
  figure: HTMLElement;

  constructor(
    metric: string,
    styles: SeriesStyle[],
    draw: Draw,
    open: (policy: number, x: number) => void,
    state: ChartState = { summary, pointed, inspected, across, up },
  ) {
    this.metric = metric;
    this.height = HEIGHT;
    this.styles = styles;
    this.draw = draw;
    this.open = open;
    this.state = state;
    this.label = answerTexts.chartLabel;
    this.marked = () => {};
    this.curve = 0;
    this.geometry = null;
    this.width = 0;
    this.of = '';
    this.later = inNextFrame(() => {
      if (this.geometry !== null && this.width > 0) this.show(this.width);
    });
    this.spot = null;
    this.held = null;
    this.turned = 0;
    this.turn = inNextFrame(() => {
      this.zoom(TURN ** this.turned);
      this.turned = 0;
    });
    this.select = make('select', {
      'aria-label': answerTexts.metric,
      'data-term': 'metric:',
      onchange: () => this.choose(),
    });
    this.better = make('span', { class: 'better' });
    this.canvas = make('canvas');
    this.cross = make('div', { class: 'cross', hidden: true });
    this.aim = make('div', { class: 'aim', hidden: true });
    this.chosen = make('div', { class: 'chosen', hidden: true });
    this.brush = make('div', { class: 'brush', hidden: true });
    this.plot = make(
      'div',
      { class: 'plot', tabIndex: 0, role: 'slider' },
      this.canvas,
      this.brush,
      this.cross,
      this.chosen,
      this.aim,
    );
    this.listen();
    this.words = make('figcaption', { class: 'unseen', id: `chart-words-${metric}` });
    this.plot.setAttribute('aria-describedby', this.words.id);
    this.zooms = this.zoomButtons();
    this.figure = make(
      'figure',
      { class: 'chart' },
      make('div', { class: 'head' }, this.select, this.better, this.zooms),
      this.plot,
      this.words,
    );
    state.across.subscribe(() => this.later());
    state.up.subscribe(() => this.later());
  }

  /** Follows pointers and keys on the plot. */
  listen() {
    this.plot.onpointerdown = (event) => this.hold(event);
    this.plot.onpointermove = (event) => this.move(event);
    this.plot.onpointerup = (event) => this.release(event);
    this.plot.onpointercancel = () => this.letGo();
    this.plot.onclick = (event) => {
      const touched = event instanceof PointerEvent && event.pointerType === 'touch';
      const reach = touched ? REACH : Infinity;
      const point = this.held?.moved ? null : this.nearest(event.offsetX, event.offsetY, reach);
      this.held = null;
      if (point !== null) this.open(point.policy, point.x);
    };
    this.plot.ondblclick = () => this.whole();
    this.plot.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    this.plot.onpointerleave = () => {
      this.aim.hidden = true;
      this.state.pointed.value = null;
    };
    this.plot.onblur = () => {
      this.state.pointed.value = null;
    };
    this.plot.onkeydown = (event) => this.key(event);
  }

  zoomButtons() {
    const said = answerTexts.zoom;
    const button = (sign: string, words: string, onclick: () => void) =>
      make('button', { type: 'button', 'aria-label': words, 'data-hint': words, onclick }, sign);
    return make(
      'div',
      { class: 'zooms', role: 'group' },
      button('−', said.out, () => this.zoom(ZOOM)),
      button('+', said.in, () => this.zoom(1 / ZOOM)),
      make(
        'button',
        { type: 'button', 'data-hint': said.wholeHelp, onclick: () => this.whole() },
        said.whole,
      ),
    );
  }

  choose() {
    this.metric = this.select.value;
    this.show();
  }

  curves(): Curves | undefined {
    return this.state.summary.peek()?.metrics.find((metric) => metric.name === this.metric);
  }

  /** @param width if it is not on the page yet, or known */
  show(width: number = this.figure.clientWidth) {
    const now = this.state.summary.peek();
    if (now === null) return;
    this.width = width;
    const curves = this.curves() ?? now.metrics[0];
    this.metric = curves.name;
    if (this.select.options.length !== now.metrics.length) {
      this.select.replaceChildren(...now.metrics.map(({ label, name }) => new Option(label, name)));
    }
    this.select.value = curves.name;
    this.select.hidden = now.metrics.length === 1;
    const better = this.select.hidden ? curves.label : answerTexts.better[curves.better];
    if (this.better.textContent !== better) this.better.textContent = better;
    this.plot.setAttribute('aria-label', this.label(curves.label, now.x.label));
    this.zooms.setAttribute('aria-label', answerTexts.zoom.label(curves.label));
    this.plot.setAttribute('aria-valuemin', '0');
    this.plot.setAttribute('aria-valuemax', String(now.x.values.length - 1));
    // The zoom of other axes does not apply to these; the answer keeps its own.
    const of = JSON.stringify([now.x, now.policies]);
    if (this.of !== '' && this.of !== of) {
      if (this.state.up !== up) this.state.up.value = {};
      if (this.state.across !== across) this.state.across.value = null;
    }
    this.of = of;
    const seen = { x: this.state.across.peek(), y: this.state.up.peek()[this.metric] ?? null };
    this.geometry = this.draw(
      this.canvas,
      this.metric,
      Uint32Array.from(hidden.peek()),
      dark.peek(),
      width,
      this.height,
      seen,
    );
    if (this.geometry?.zoomed === false && (seen.x !== null || seen.y !== null)) this.whole();
    this.words.textContent = this.inWords(curves, now);
    this.plot.classList.toggle('zoomed', this.geometry?.zoomed ?? false);
    this.mark();
  }

  // Zooming: shows a part of the visible range.

  /** Shows the part between these positions of the visible range, now or at a press. */
  seePart(one: Spot, other: Spot, seen: Geometry | null = this.geometry) {
    if (seen === null) return;
    const { left, right, top, bottom } = seen;
    const part = (of: Span, ...ends: number[]) => {
      const [from, to] = ends.sort((least, most) => least - most);
      return from === 0 && to === 1 ? null : { of, from, to };
    };
    const ends = [one, other];
    const x = part(seen.x, ...ends.map((spot) => (spot.x - left) / (right - left)));
    const y = part(seen.y, ...ends.map((spot) => (bottom - spot.y) / (bottom - top)));
    if (y !== null) this.state.up.value = { ...this.state.up.peek(), [this.metric]: y };
    if (x !== null) this.state.across.value = x;
    this.later();
  }

  /** Zooms around the last position pointed at, else around the middle. */
  zoom(factor: number) {
    if (this.geometry === null) return;
    const { left, right, top, bottom } = this.geometry;
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
  shift(x: number, y: number, seen: Geometry | null = this.geometry) {
    if (seen !== null)
      this.seePart(
        { x: seen.left + x, y: seen.top + y },
        { x: seen.right + x, y: seen.bottom + y },
        seen,
      );
  }

  whole() {
    const { [this.metric]: _, ...others } = this.state.up.peek();
    this.state.up.value = others;
    this.spot = null;
    this.state.across.value = null;
    this.later();
  }

  wheel(event: WheelEvent) {
    // Without Ctrl it scrolls the page.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.spot = this.spotOf(event);
    this.turned += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE);
    this.turn();
  }

  /** The position of an event on the canvas, also while the pointer is outside of it. */
  spotOf(event: MouseEvent) {
    const { left, top } = this.canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  hold(event: PointerEvent) {
    const spot = this.spotOf(event);
    this.spot = spot;
    this.held = null;
    if (event.button !== 0 || this.geometry === null) return;
    const touched = event.pointerType === 'touch';
    this.held = {
      ...spot,
      seen: this.geometry,
      drags: event.shiftKey || (touched && this.geometry.zoomed),
      moved: false,
    };
    if (!touched) this.plot.setPointerCapture(event.pointerId);
    this.point(spot.x, spot.y);
  }

  move(event: PointerEvent) {
    const spot = this.spotOf(event);
    const { held } = this;
    const down = held !== null && event.buttons !== 0;
    if (down) held.moved ||= Math.hypot(spot.x - held.x, spot.y - held.y) > DRAG;
    if (!down || !held.moved || (event.pointerType === 'touch' && !held.drags)) {
      this.point(spot.x, spot.y);
    } else if (held.drags) {
      // A finger that moves up or down scrolls the page.
      this.shift(held.x - spot.x, event.pointerType === 'touch' ? 0 : held.y - spot.y, held.seen);
    } else {
      this.state.pointed.value = null;
      this.showBrush(held, spot);
    }
  }

  release(event: PointerEvent) {
    const { held } = this;
    if (held === null || this.brush.hidden) return;
    this.brush.hidden = true;
    const [one, other] = this.brushed(held, this.spotOf(event), held.seen);
    if (one.x !== other.x && one.y !== other.y) this.seePart(one, other, held.seen);
  }

  letGo() {
    this.held = null;
    this.brush.hidden = true;
  }

  /**
   * The corners of the dragged area: the whole visible range along an axis on which it hardly
   * moved, nothing if that is both.
   */
  brushed(from: Spot, to: Spot, { left, right, top, bottom }: Geometry): [Spot, Spot] {
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

  showBrush(from: Spot & { seen: Geometry }, to: Spot) {
    const [one, other] = this.brushed(from, to, from.seen);
    this.brush.hidden = false;
    this.brush.style.left = `${Math.min(one.x, other.x)}px`;
    this.brush.style.top = `${Math.min(one.y, other.y)}px`;
    this.brush.style.width = `${Math.abs(one.x - other.x)}px`;
    this.brush.style.height = `${Math.abs(one.y - other.y)}px`;
  }

  /** Whether a position is in the plot. */
  inside(x: number, y?: number) {
    if (this.geometry === null) return false;
    const { left, right, top, bottom } = this.geometry;
    return (
      x >= left - 1 && x <= right + 1 && (y === undefined || (y >= top - 1 && y <= bottom + 1))
    );
  }

  /** The position of the chosen curve at the x pointed at, visible or not. */
  place() {
    const chosen = this.chosenCurve();
    return this.geometry?.points.find(
      ({ policy, x }) => policy === chosen && x === this.state.pointed.peek(),
    );
  }

  /** Moves the visible part to the position reached by keys, if it is outside. */
  follow() {
    const { geometry } = this;
    const at = this.state.pointed.peek();
    if (geometry === null || at === null) return;
    const { left, right, top, bottom, xs } = geometry;
    const place = this.place();
    const x = this.inside(xs[at]) ? 0 : xs[at] - (left + right) / 2;
    const y =
      place === undefined || this.inside(xs[at] - x, place.top)
        ? 0
        : place.top - (top + bottom) / 2;
    if (x !== 0 || y !== 0) this.shift(x, y);
  }

  /** The first and last value of each curve, for screen readers. */
  inWords(curves: Curves, all: Summary) {
    const spoken = this.shown().map(({ policy, position }) => {
      const values = curves.curves[position];
      return answerTexts.curve(
        policy,
        printed(values[0], curves.unit),
        printed(values[values.length - 1], curves.unit),
      );
    });
    const points = this.geometry?.points ?? [];
    const seen = points.filter(({ left, top }) => this.inside(left, top)).length;
    const zoomed = this.geometry?.zoomed ? answerTexts.zoom.seen(seen, points.length) : '';
    return answerTexts.chartSummary(all.x.label, all.x.values, spoken) + zoomed;
  }

  /**
   * The point that a click opens: the nearest one at the marked value of x.
   * @param reach the largest distance, in CSS pixels
   */
  nearest(x: number, y: number, reach: number = Infinity) {
    const at = this.column(x);
    let found = null;
    let least = reach;
    for (const point of this.geometry?.points ?? []) {
      const distance = Math.hypot(point.left - x, point.top - y);
      if (point.x === at && distance < least && this.inside(point.left, point.top))
        [found, least] = [point, distance];
    }
    return found;
  }

  /** The position of the value of x nearest to a pixel. */
  column(at: number) {
    const xs = this.geometry?.xs ?? [];
    let nearest = null;
    for (let i = 0; i < xs.length; i += 1) {
      if (
        this.inside(xs[i]) &&
        (nearest === null || Math.abs(xs[i] - at) < Math.abs(xs[nearest] - at))
      )
        nearest = i;
    }
    return nearest;
  }

  point(x: number, y: number) {
    const point = this.nearest(x, y);
    this.plot.classList.toggle('opens', point !== null);
    this.state.pointed.value = this.column(x);
    this.aim.hidden = point === null;
    if (point === null) return;
    this.aim.style.left = `${point.left}px`;
    this.aim.style.top = `${point.top}px`;
  }

  key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.zoomKey(event)) return;
    const last = (this.state.summary.peek()?.x.values.length ?? 0) - 1;
    const now = this.state.pointed.peek();
    const shown = this.shown();
    const curve = { ArrowUp: this.curve - 1, ArrowDown: this.curve + 1 }[event.key];
    if (curve !== undefined || event.key === 'Enter') {
      event.preventDefault();
      if (shown.length === 0) return;
      this.curve = Math.min(Math.max(curve ?? this.curve, 0), shown.length - 1);
      if (now === null) this.state.pointed.value = 0;
      else if (event.key === 'Enter') this.open(shown[this.curve].position, now);
      this.mark();
      this.follow();
      return;
    }
    const next = {
      ArrowRight: now === null ? 0 : now + 1,
      ArrowLeft: now === null ? last : now - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined && event.key !== 'Escape') return;
    event.preventDefault();
    this.letGo();
    this.state.pointed.value = next === undefined ? null : Math.min(Math.max(next, 0), last);
    this.follow();
  }

  /**
   * Zooms by a key, around the point chosen by keys, or moves the visible part; returns whether it
   * is such a key.
   */
  zoomKey(event: KeyboardEvent) {
    const [x, y] = [
      event.shiftKey ? this.plot.clientWidth * MOVE : 0,
      event.shiftKey ? this.height * MOVE : 0,
    ];
    const keys: { [key: string]: () => void } = {
      '+': () => this.zoom(1 / ZOOM),
      '-': () => this.zoom(ZOOM),
      0: () => this.whole(),
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
    const place = this.place();
    if (place !== undefined) this.spot = { x: place.left, y: place.top };
    act();
    return true;
  }

  /** The policies whose curves are shown, with their positions. */
  shown() {
    const policies = this.state.summary.peek()?.policies ?? [];
    return policies
      .map((policy, position) => ({ policy, position }))
      .filter(({ position }) => !hidden.peek().has(position));
  }

  /** Rings the point whose run is open. */
  ring() {
    const at = this.state.inspected.peek();
    const point =
      at !== null && at.y === facet.peek()
        ? this.geometry?.points.find(({ policy, x }) => policy === at.policy && x === at.x)
        : undefined;
    this.chosen.hidden = point === undefined || !this.inside(point.left, point.top);
    if (point === undefined) return;
    this.chosen.style.left = `${point.left}px`;
    this.chosen.style.top = `${point.top}px`;
  }

  /** The position of the policy of the chosen curve. */
  chosenCurve() {
    const shown = this.shown();
    return shown[Math.min(this.curve, shown.length - 1)]?.position;
  }

  /** Moves crosshair and ring to the position pointed at, and reads it out. */
  mark() {
    this.ring();
    this.marked();
    const at = this.state.pointed.peek();
    const now = this.state.summary.peek();
    const curves = this.curves();
    const { geometry } = this;
    const shown =
      at !== null &&
      now !== null &&
      geometry !== null &&
      curves !== undefined &&
      // The drawing follows the numbers in the next frame: it may still have more values of x.
      at < Math.min(geometry.xs.length, now.x.values.length);
    this.cross.hidden = !shown || !this.inside(geometry.xs[at]);
    if (this.cross.hidden) this.aim.hidden = true;
    this.plot.setAttribute('aria-valuenow', String(at ?? 0));
    if (!shown) {
      this.plot.setAttribute('aria-valuetext', answerTexts.unpointed);
      return;
    }
    const rows = this.shown().map((row) => ({
      ...row,
      value: printed(curves.curves[row.position][at], curves.unit),
    }));
    const chosen = rows.find(({ position }) => position === this.chosenCurve());
    const spoken = [
      `${`${now.x.label} ${now.x.values[at]}`.trim()}: ${rows.map((row) => `${row.policy} ${row.value}`).join('; ')}`,
      ...(chosen === undefined ? [] : [answerTexts.opens(chosen.policy)]),
    ];
    this.plot.setAttribute('aria-valuetext', spoken.join('. '));
    this.cross.style.left = `${geometry.xs[at]}px`;
    this.cross.style.top = `${geometry.top}px`;
    this.cross.style.height = `${geometry.bottom - geometry.top}px`;
  }
}

function printed(value: Value | null, unit: string) {
  if (value === null) return answerTexts.none;
  return [value.mean, value.half === null ? '' : `± ${value.half}`, unit].filter(Boolean).join(' ');
}

/** Calls `redraw` when the page moves to a screen with another pixel ratio, or is zoomed. */
export function followPixelRatio(redraw: () => void) {
  const ratio = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
  ratio.addEventListener(
    'change',
    () => {
      redraw();
      followPixelRatio(redraw);
    },
    { once: true },
  );
}
