import { byId, inNextFrame, make } from '../dom.js';
import { across, dark, facet, hidden, inspected, pointed, summary } from '../state.js';
import { texts } from '../texts.js';
import { swatch } from './swatch.js';

/**
 * @typedef {import('../pkg/backfill_web.js').Curves} Curves
 * @typedef {import('../pkg/backfill_web.js').Geometry} Geometry
 * @typedef {import('../pkg/backfill_web.js').Part} Part
 * @typedef {import('../pkg/backfill_web.js').SeriesStyle} SeriesStyle
 * @typedef {import('../pkg/backfill_web.js').Summary} Summary
 * @typedef {(canvas: HTMLCanvasElement, metric: string, hidden: Uint32Array, dark: boolean, width:
 *   number, height: number, last: boolean, seen: import('../pkg/backfill_web.js').Seen) => Geometry
 *   | null} Draw
 * @typedef {{summary: import('../atom.js').Atom<Summary | null>, pointed:
 *   import('../atom.js').Atom<number | null>, inspected:
 *   import('../atom.js').Atom<import('../state.js').Inspected | null>, across:
 *   import('../atom.js').Atom<Part | null>}} ChartState the numbers that are drawn, which x is
 *   pointed at, the point whose run is looked into, and what is seen of the axis of x
 * @typedef {{x: number, y: number}} Spot a place on the canvas, in CSS pixels
 */

/** Height of the plot of a chart with and without its x axis' labels, in CSS pixels. */
const HEIGHT = 178;
const LAST_HEIGHT = 214;
/** A click this near to a point, in CSS pixels, opens its run. */
const REACH = 24;
/**
 * A pointer that moves so far while it is down drags, and a side that it drags that long is zoomed
 * into.
 */
const DRAG = 5;
const BRUSH = 12;
/** The zoom of one step, and of a pixel that a wheel turns. */
const ZOOM = 2;
const TURN = 1.0025;
/** Pixels of a line that a wheel turns, and the share of what is seen that a key moves it by. */
const LINE = 33;
const MOVE = 0.25;

/**
 * The stacked charts. They share the x axis: what is pointed at in one is marked in all. A click on
 * a point opens its run, and so does Enter on the curve that the up and down keys have chosen.
 * @param {SeriesStyle[]} styles
 * @param {Draw} draw
 * @param {(policy: number, x: number) => void} open opens the run behind a point
 */
export function charts(styles, draw, open) {
  const box = byId('charts');
  /** @type {Chart[]} */
  let all = [];
  /** The metrics they were opened with. @type {string[]} */
  let headline = [];
  const redraw = inNextFrame(() => {
    const now = summary.get();
    if (now === null) return;
    if (now.headline.join() !== headline.join()) [headline, all] = [now.headline, []];
    if (all.length < headline.length) {
      // The first drawing of each takes long: one a frame, and then all take the place of those
      // before.
      const chart = new Chart(
        headline[all.length],
        all.length === headline.length - 1,
        styles,
        draw,
        open,
      );
      all.push(chart);
      chart.show(box.clientWidth);
      if (all.length === headline.length) box.replaceChildren(...all.map(({ figure }) => figure));
      redraw();
      return;
    }
    for (const chart of all) chart.show();
  });
  summary.watch(redraw);
  hidden.watch(redraw);
  dark.watch(redraw);
  const mark = () => {
    for (const chart of all) chart.mark();
  };
  pointed.watch(mark);
  inspected.watch(mark);
  new ResizeObserver(redraw).observe(box);
  followPixelRatio(redraw);
}

/** One chart: its heading with the choice of metric, the canvas, the crosshair and the read-out. */
export class Chart {
  /**
   * @param {string} metric
   * @param {boolean} last whether the x axis' labels are under this one
   * @param {SeriesStyle[]} styles
   * @param {Draw} draw
   * @param {(policy: number, x: number) => void} open
   * @param {ChartState} state
   */
  constructor(metric, last, styles, draw, open, state = { summary, pointed, inspected, across }) {
    this.metric = metric;
    this.last = last;
    this.height = last ? LAST_HEIGHT : HEIGHT;
    this.styles = styles;
    this.draw = draw;
    this.open = open;
    this.state = state;
    /** The curve that the up and down keys have chosen, by its place among those shown. */
    this.curve = 0;
    /** @type {Geometry | null} */
    this.geometry = null;
    /** What is seen of the axis of values. @type {Part | null} */
    this.up = null;
    /** Whose values the axes are of. */
    this.of = '';
    /** Draws it in the next frame, unless it is nowhere on the page yet. */
    this.later = inNextFrame(() => {
      if (this.geometry !== null && this.figure.clientWidth > 0) this.show();
    });
    /** What stays where it is when it is zoomed. @type {Spot | null} */
    this.spot = null;
    /**
     * Where the pointer went down, what was seen then, whether it drags that along, and whether it
     * moved.
     * @type {(Spot & {seen: Geometry, drags: boolean, moved: boolean}) | null}
     */
    this.held = null;
    /** How far a wheel turned since the last frame. */
    this.turned = 0;
    this.turn = inNextFrame(() => {
      this.zoom(TURN ** this.turned);
      this.turned = 0;
    });
    this.select = make('select', {
      'aria-label': texts.answer.metric,
      onchange: () => this.choose(),
    });
    this.better = make('span', { class: 'better' });
    this.canvas = make('canvas');
    this.cross = make('div', { class: 'cross', hidden: true });
    this.readout = make('div', { class: 'readout', hidden: true });
    this.chosen = make('div', { class: 'chosen', hidden: true });
    this.brush = make('div', { class: 'brush', hidden: true });
    this.plot = make(
      'div',
      { class: 'plot', tabIndex: 0, role: 'slider' },
      this.canvas,
      this.brush,
      this.cross,
      this.chosen,
      this.readout,
    );
    this.plot.onpointerdown = (event) => this.hold(event);
    this.plot.onpointermove = (event) => this.move(event);
    this.plot.onpointerup = (event) => this.release(event);
    this.plot.onpointercancel = () => this.letGo();
    this.plot.onclick = (event) => {
      const point = this.held?.moved ? null : this.nearest(event.offsetX, event.offsetY);
      this.held = null;
      if (point !== null) this.open(point.policy, point.x);
    };
    this.plot.ondblclick = () => this.whole();
    this.plot.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    this.plot.onpointerleave = () => this.state.pointed.set(null);
    this.plot.onblur = () => this.state.pointed.set(null);
    this.plot.onkeydown = (event) => this.key(event);
    this.words = make('figcaption', { class: 'unseen', id: `chart-words-${metric}` });
    this.plot.setAttribute('aria-describedby', this.words.id);
    const said = texts.answer.zoom;
    const button = (
      /** @type {string} */ sign,
      /** @type {string} */ words,
      /** @type {() => void} */ onclick,
    ) => make('button', { type: 'button', 'aria-label': words, title: words, onclick }, sign);
    this.zooms = make(
      'div',
      { class: 'zooms', role: 'group' },
      button('−', said.out, () => this.zoom(ZOOM)),
      button('+', said.in, () => this.zoom(1 / ZOOM)),
      make(
        'button',
        { type: 'button', title: said.wholeHelp, onclick: () => this.whole() },
        said.whole,
      ),
    );
    this.figure = make(
      'figure',
      { class: 'chart' },
      make('div', { class: 'head' }, this.select, this.better, this.zooms),
      this.plot,
      this.words,
    );
    state.across.watch(() => this.later());
  }

  choose() {
    this.metric = this.select.value;
    this.up = null;
    this.show();
  }

  /** @returns {Curves | undefined} */
  curves() {
    return this.state.summary.get()?.metrics.find((metric) => metric.name === this.metric);
  }

  /** @param {number} [width] where it is not on the page yet */
  show(width = this.figure.clientWidth) {
    const now = this.state.summary.get();
    if (now === null) return;
    const curves = this.curves() ?? now.metrics[0];
    this.metric = curves.name;
    if (this.select.options.length !== now.metrics.length) {
      this.select.replaceChildren(
        ...now.metrics.map((metric) =>
          make('option', { value: metric.name, title: metric.help }, metric.label),
        ),
      );
    }
    this.select.value = curves.name;
    this.select.title = curves.help;
    this.better.textContent = texts.answer.better[curves.better];
    this.plot.setAttribute('aria-label', texts.answer.chartLabel(curves.label, now.x.label));
    this.zooms.setAttribute('aria-label', texts.answer.zoom.label(curves.label));
    this.plot.setAttribute('aria-valuemin', '0');
    this.plot.setAttribute('aria-valuemax', String(now.x.values.length - 1));
    // What was seen of other axes says nothing of these.
    const of = JSON.stringify([now.x, now.policies]);
    if (this.of !== '' && this.of !== of) {
      this.up = null;
      this.state.across.set(null);
    }
    this.of = of;
    const seen = { x: this.state.across.get(), y: this.up };
    this.geometry = this.draw(
      this.canvas,
      this.metric,
      Uint32Array.from(hidden.get()),
      dark.get(),
      width,
      this.height,
      this.last,
      seen,
    );
    this.words.textContent = this.inWords(curves, now);
    this.plot.classList.toggle('zoomed', this.geometry?.zoomed ?? false);
    this.mark();
  }

  // Zooming: a part of what is seen takes the place of all of it.

  /**
   * Shows the part between these places, of what is or was seen.
   * @param {Spot} one
   * @param {Spot} other
   * @param {Geometry | null} [seen]
   */
  seePart(one, other, seen = this.geometry) {
    if (seen === null) return;
    const { left, right, top, bottom } = seen;
    const part = (
      /** @type {import('../pkg/backfill_web.js').Span} */ of,
      /** @type {number[]} */ ...ends
    ) => {
      const [from, to] = ends.sort((least, most) => least - most);
      return from === 0 && to === 1 ? null : { of, from, to };
    };
    const ends = [one, other];
    const x = part(seen.x, ...ends.map((spot) => (spot.x - left) / (right - left)));
    const y = part(seen.y, ...ends.map((spot) => (bottom - spot.y) / (bottom - top)));
    if (y !== null) this.up = y;
    if (x !== null) this.state.across.set(x);
    this.later();
  }

  /**
   * Zooms around the spot that was pointed at last, else around the middle.
   * @param {number} factor
   */
  zoom(factor) {
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
   * Shows what lies beside what is, or was, seen.
   * @param {number} x to the right, in pixels
   * @param {number} y downwards
   * @param {Geometry | null} [seen]
   */
  shift(x, y, seen = this.geometry) {
    if (seen !== null)
      this.seePart(
        { x: seen.left + x, y: seen.top + y },
        { x: seen.right + x, y: seen.bottom + y },
        seen,
      );
  }

  whole() {
    this.up = null;
    this.spot = null;
    this.state.across.set(null);
    this.later();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    // Without Ctrl it scrolls the page.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.spot = this.spotOf(event);
    this.turned += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE);
    this.turn();
  }

  /**
   * Where an event is on the canvas, also while the pointer is held outside of it.
   * @param {MouseEvent} event
   */
  spotOf(event) {
    const { left, top } = this.canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  /** @param {PointerEvent} event */
  hold(event) {
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

  /** @param {PointerEvent} event */
  move(event) {
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
      this.state.pointed.set(null);
      this.showBrush(held, spot);
    }
  }

  /** @param {PointerEvent} event */
  release(event) {
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
   * The corners of what is dragged over: all that is seen along an axis on which it hardly moved,
   * nothing if that is both.
   * @param {Spot} from
   * @param {Spot} to
   * @param {Geometry} seen
   * @returns {[Spot, Spot]}
   */
  brushed(from, to, { left, right, top, bottom }) {
    const wide = Math.abs(from.x - to.x) >= BRUSH;
    const high = Math.abs(from.y - to.y) >= BRUSH;
    if (!wide && !high) return [from, from];
    const x = (/** @type {number} */ at) => Math.min(Math.max(at, left), right);
    const y = (/** @type {number} */ at) => Math.min(Math.max(at, top), bottom);
    return [
      { x: wide ? x(from.x) : left, y: high ? y(from.y) : top },
      { x: wide ? x(to.x) : right, y: high ? y(to.y) : bottom },
    ];
  }

  /**
   * @param {Spot & {seen: Geometry}} from
   * @param {Spot} to
   */
  showBrush(from, to) {
    const [one, other] = this.brushed(from, to, from.seen);
    this.brush.hidden = false;
    this.brush.style.left = `${Math.min(one.x, other.x)}px`;
    this.brush.style.top = `${Math.min(one.y, other.y)}px`;
    this.brush.style.width = `${Math.abs(one.x - other.x)}px`;
    this.brush.style.height = `${Math.abs(one.y - other.y)}px`;
  }

  /**
   * Whether a place is in the plot.
   * @param {number} x
   * @param {number} [y]
   */
  inside(x, y) {
    if (this.geometry === null) return false;
    const { left, right, top, bottom } = this.geometry;
    return (
      x >= left - 1 && x <= right + 1 && (y === undefined || (y >= top - 1 && y <= bottom + 1))
    );
  }

  /** Where the chosen curve has the value that is pointed at, seen or not. */
  place() {
    const chosen = this.shown()[Math.min(this.curve, this.shown().length - 1)]?.position;
    return this.geometry?.points.find(
      ({ policy, x }) => policy === chosen && x === this.state.pointed.get(),
    );
  }

  /** Moves what is seen to what the keys went to, where that lies beside it. */
  follow() {
    const { geometry } = this;
    const at = this.state.pointed.get();
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

  /**
   * Where each curve begins and ends, for those who do not see it.
   * @param {Curves} curves
   * @param {import('../pkg/backfill_web.js').Summary} all
   */
  inWords(curves, all) {
    const spoken = this.shown().map(({ policy, position }) => {
      const values = curves.curves[position];
      return texts.answer.curve(
        policy,
        printed(values[0], curves.unit),
        printed(values[values.length - 1], curves.unit),
      );
    });
    const points = this.geometry?.points ?? [];
    const seen = points.filter(({ left, top }) => this.inside(left, top)).length;
    const zoomed = this.geometry?.zoomed ? texts.answer.zoom.seen(seen, points.length) : '';
    return texts.answer.chartSummary(all.x.label, all.x.values, spoken) + zoomed;
  }

  /**
   * The point under the pointer.
   * @param {number} x
   * @param {number} y
   */
  nearest(x, y) {
    let found = null;
    let least = REACH;
    for (const point of this.geometry?.points ?? []) {
      const distance = Math.hypot(point.left - x, point.top - y);
      if (distance < least && this.inside(point.left, point.top))
        [found, least] = [point, distance];
    }
    return found;
  }

  /**
   * @param {number} at
   * @param {number} y
   */
  point(at, y) {
    this.plot.classList.toggle('opens', this.nearest(at, y) !== null);
    const xs = this.geometry?.xs ?? [];
    let nearest = null;
    for (let i = 0; i < xs.length; i += 1) {
      if (
        this.inside(xs[i]) &&
        (nearest === null || Math.abs(xs[i] - at) < Math.abs(xs[nearest] - at))
      )
        nearest = i;
    }
    this.state.pointed.set(nearest);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.zoomKey(event)) return;
    const last = (this.state.summary.get()?.x.values.length ?? 0) - 1;
    const now = this.state.pointed.get();
    const shown = this.shown();
    const curve = { ArrowUp: this.curve - 1, ArrowDown: this.curve + 1 }[event.key];
    if (curve !== undefined || event.key === 'Enter') {
      event.preventDefault();
      if (shown.length === 0) return;
      this.curve = Math.min(Math.max(curve ?? this.curve, 0), shown.length - 1);
      if (now === null) this.state.pointed.set(0);
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
    this.state.pointed.set(next === undefined ? null : Math.min(Math.max(next, 0), last));
    this.follow();
  }

  /**
   * Zooms by a key, around the point that the keys have chosen, or moves what is seen; whether it
   * is such a key.
   * @param {KeyboardEvent} event
   */
  zoomKey(event) {
    const [x, y] = [
      event.shiftKey ? this.plot.clientWidth * MOVE : 0,
      event.shiftKey ? this.height * MOVE : 0,
    ];
    /** @type {{[key: string]: () => void}} */
    const keys = {
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
    const policies = this.state.summary.get()?.policies ?? [];
    return policies
      .map((policy, position) => ({ policy, position }))
      .filter(({ position }) => !hidden.get().has(position));
  }

  /** Rings the point whose run is looked into. */
  ring() {
    const at = this.state.inspected.get();
    const point =
      at !== null && at.y === facet.get()
        ? this.geometry?.points.find(({ policy, x }) => policy === at.policy && x === at.x)
        : undefined;
    this.chosen.hidden = point === undefined || !this.inside(point.left, point.top);
    if (point === undefined) return;
    this.chosen.style.left = `${point.left}px`;
    this.chosen.style.top = `${point.top}px`;
  }

  /** Moves crosshair, ring and read-out to what is pointed at. */
  mark() {
    this.ring();
    const at = this.state.pointed.get();
    const now = this.state.summary.get();
    const curves = this.curves();
    const { geometry } = this;
    const shown =
      at !== null &&
      now !== null &&
      geometry !== null &&
      curves !== undefined &&
      at < geometry.xs.length;
    this.cross.hidden = this.readout.hidden = !shown || !this.inside(geometry.xs[at]);
    this.plot.setAttribute('aria-valuenow', String(at ?? 0));
    if (!shown) {
      this.plot.setAttribute('aria-valuetext', texts.answer.unpointed);
      return;
    }
    const rows = this.shown().map((row) => ({
      ...row,
      value: printed(curves.curves[row.position][at], curves.unit),
    }));
    const chosen = rows[Math.min(this.curve, rows.length - 1)];
    const spoken = [
      `${now.x.label} ${now.x.values[at]}: ${rows.map((row) => `${row.policy} ${row.value}`).join('; ')}`,
      ...(chosen === undefined ? [] : [texts.answer.opens(chosen.policy)]),
    ];
    this.plot.setAttribute('aria-valuetext', spoken.join('. '));
    this.readout.replaceChildren(
      make('div', { class: 'soft' }, `${now.x.label} ${now.x.values[at]}`),
      ...rows.map((row) =>
        make(
          'div',
          { class: row === chosen ? 'row on' : 'row' },
          swatch(this.styles, row.position),
          make('span', {}, row.policy),
          make('span', {}, row.value),
        ),
      ),
    );
    const x = geometry.xs[at];
    this.cross.style.left = `${x}px`;
    this.cross.style.top = `${geometry.top}px`;
    this.cross.style.height = `${geometry.bottom - geometry.top}px`;
    // To the side with more room.
    const width = this.figure.clientWidth;
    const right = x < width / 2;
    this.readout.style.top = `${geometry.top + 4}px`;
    this.readout.style.left = right ? `${x + 12}px` : 'auto';
    this.readout.style.right = right ? 'auto' : `${width - x + 12}px`;
  }
}

/**
 * @param {import('../pkg/backfill_web.js').Value | null} value
 * @param {string} unit
 */
function printed(value, unit) {
  if (value === null) return texts.answer.none;
  return [value.mean, value.half === null ? '' : `± ${value.half}`, unit].filter(Boolean).join(' ');
}

/**
 * Calls `redraw` when the page moves to a screen of other pixels, or is zoomed.
 * @param {() => void} redraw
 */
function followPixelRatio(redraw) {
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
