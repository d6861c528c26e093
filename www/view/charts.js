import { byId, make } from '../dom.js';
import { dark, facet, hidden, inspected, pointed, summary } from '../state.js';
import { texts } from '../texts.js';
import { swatch } from './swatch.js';

/**
 * @typedef {import('../pkg/backfill_web.js').Curves} Curves
 * @typedef {import('../pkg/backfill_web.js').Geometry} Geometry
 * @typedef {import('../pkg/backfill_web.js').SeriesStyle} SeriesStyle
 * @typedef {import('../pkg/backfill_web.js').Summary} Summary
 * @typedef {(canvas: HTMLCanvasElement, metric: string, hidden: Uint32Array, dark: boolean, width: number, height: number, last: boolean) => Geometry | null} Draw
 * @typedef {{summary: import('../atom.js').Atom<Summary | null>, pointed: import('../atom.js').Atom<number | null>, inspected: import('../atom.js').Atom<import('../state.js').Inspected | null>}} Told the numbers that are drawn, which x is pointed at, and the point whose run is looked into
 */

/** Height of the plot of a chart with and without its x axis' labels, in CSS pixels. */
const HEIGHT = 178;
const LAST_HEIGHT = 214;
/** A click this near to a point, in CSS pixels, opens its run. */
const REACH = 24;

/**
 * The stacked charts. They share the x axis: what is pointed at in one is marked in all. A click on a point
 * opens its run, and so does Enter on the curve that the up and down keys have chosen.
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
  let waiting = false;
  const redraw = () => {
    if (waiting || summary.get() === null) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      const wanted = summary.get()?.headline ?? headline;
      if (wanted.join() !== headline.join()) [headline, all] = [wanted, []];
      if (all.length < headline.length) {
        // The first drawing of each takes long: one a frame, and then all take the place of those before.
        const chart = new Chart(headline[all.length], all.length === headline.length - 1, styles, draw, open);
        all.push(chart);
        chart.show(box.clientWidth);
        if (all.length === headline.length) box.replaceChildren(...all.map(({ figure }) => figure));
        redraw();
        return;
      }
      for (const chart of all) chart.show();
    });
  };
  summary.watch(redraw);
  hidden.watch(redraw);
  dark.watch(redraw);
  pointed.watch(() => all.forEach((chart) => chart.mark()));
  inspected.watch(() => all.forEach((chart) => chart.mark()));
  new ResizeObserver(redraw).observe(box);
  followPixelRatio(redraw);
}

/** One chart: its heading with the choice of metric, the canvas, the crosshair and the read-out. */
export class Chart {
  /**
   * @param {string} metric
   * @param {boolean} last whether the x axis' labels stand under this one
   * @param {SeriesStyle[]} styles
   * @param {Draw} draw
   * @param {(policy: number, x: number) => void} open
   * @param {Told} told
   */
  constructor(metric, last, styles, draw, open, told = { summary, pointed, inspected }) {
    this.metric = metric;
    this.last = last;
    this.height = last ? LAST_HEIGHT : HEIGHT;
    this.styles = styles;
    this.draw = draw;
    this.open = open;
    this.told = told;
    /** The curve that the up and down keys have chosen, by its place among those shown. */
    this.curve = 0;
    /** @type {Geometry | null} */
    this.geometry = null;
    this.select = make('select', { 'aria-label': texts.answer.metric, onchange: () => this.choose() });
    this.better = make('span', { class: 'better' });
    this.canvas = make('canvas');
    this.cross = make('div', { class: 'cross', hidden: true });
    this.readout = make('div', { class: 'readout', hidden: true });
    this.chosen = make('div', { class: 'chosen', hidden: true });
    this.plot = make('div', { class: 'plot', tabIndex: 0, role: 'slider' }, this.canvas, this.cross, this.chosen, this.readout);
    this.plot.onpointermove = (event) => this.point(event.offsetX, event.offsetY);
    this.plot.onpointerdown = (event) => this.point(event.offsetX, event.offsetY);
    this.plot.onclick = (event) => {
      const point = this.nearest(event.offsetX, event.offsetY);
      if (point !== null) this.open(point.policy, point.x);
    };
    this.plot.onpointerleave = () => this.told.pointed.set(null);
    this.plot.onblur = () => this.told.pointed.set(null);
    this.plot.onkeydown = (event) => this.key(event);
    this.words = make('figcaption', { class: 'unseen', id: `chart-words-${metric}` });
    this.plot.setAttribute('aria-describedby', this.words.id);
    this.figure = make('figure', { class: 'chart' }, make('div', { class: 'head' }, this.select, this.better), this.plot, this.words);
  }

  choose() {
    this.metric = this.select.value;
    this.show();
  }

  /** @returns {Curves | undefined} */
  curves() {
    return this.told.summary.get()?.metrics.find((metric) => metric.name === this.metric);
  }

  /** @param {number} [width] where it does not stand in the page yet */
  show(width = this.figure.clientWidth) {
    const now = this.told.summary.get();
    if (now === null) return;
    const curves = this.curves() ?? now.metrics[0];
    this.metric = curves.name;
    if (this.select.options.length !== now.metrics.length) {
      this.select.replaceChildren(
        ...now.metrics.map((metric) => make('option', { value: metric.name, title: metric.help }, metric.label)),
      );
    }
    this.select.value = curves.name;
    this.select.title = curves.help;
    this.better.textContent = texts.answer.better[curves.better];
    this.plot.setAttribute('aria-label', texts.answer.chartLabel(curves.label, now.x.label));
    this.words.textContent = this.inWords(curves, now);
    this.plot.setAttribute('aria-valuemin', '0');
    this.plot.setAttribute('aria-valuemax', String(now.x.values.length - 1));
    this.geometry = this.draw(this.canvas, this.metric, Uint32Array.from(hidden.get()), dark.get(), width, this.height, this.last);
    this.mark();
  }

  /**
   * Where each curve begins and ends, for those who do not see it.
   * @param {Curves} curves
   * @param {import('../pkg/backfill_web.js').Summary} all
   */
  inWords(curves, all) {
    const spoken = this.shown().map(({ policy, position }) => {
      const values = curves.curves[position];
      return texts.answer.curve(policy, printed(values[0], curves.unit), printed(values[values.length - 1], curves.unit));
    });
    return texts.answer.chartSummary(all.x.label, all.x.values, spoken);
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
      if (distance < least) [found, least] = [point, distance];
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
      if (nearest === null || Math.abs(xs[i] - at) < Math.abs(xs[nearest] - at)) nearest = i;
    }
    this.told.pointed.set(nearest);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const last = (this.told.summary.get()?.x.values.length ?? 0) - 1;
    const now = this.told.pointed.get();
    const shown = this.shown();
    const curve = { ArrowUp: this.curve - 1, ArrowDown: this.curve + 1 }[event.key];
    if (curve !== undefined || event.key === 'Enter') {
      event.preventDefault();
      if (shown.length === 0) return;
      this.curve = Math.min(Math.max(curve ?? this.curve, 0), shown.length - 1);
      if (now === null) this.told.pointed.set(0);
      else if (event.key === 'Enter') this.open(shown[this.curve].position, now);
      this.mark();
      return;
    }
    const next = { ArrowRight: now === null ? 0 : now + 1, ArrowLeft: now === null ? last : now - 1, Home: 0, End: last }[event.key];
    if (next === undefined && event.key !== 'Escape') return;
    event.preventDefault();
    this.told.pointed.set(next === undefined ? null : Math.min(Math.max(next, 0), last));
  }

  /** The policies whose curves are shown, with their positions. */
  shown() {
    const policies = this.told.summary.get()?.policies ?? [];
    return policies.map((policy, position) => ({ policy, position })).filter(({ position }) => !hidden.get().has(position));
  }

  /** Rings the point whose run is looked into. */
  ring() {
    const at = this.told.inspected.get();
    const point =
      at !== null && at.y === facet.get()
        ? this.geometry?.points.find(({ policy, x }) => policy === at.policy && x === at.x)
        : undefined;
    this.chosen.hidden = point === undefined;
    if (point === undefined) return;
    this.chosen.style.left = `${point.left}px`;
    this.chosen.style.top = `${point.top}px`;
  }

  /** Moves crosshair, ring and read-out to what is pointed at. */
  mark() {
    this.ring();
    const at = this.told.pointed.get();
    const now = this.told.summary.get();
    const curves = this.curves();
    const { geometry } = this;
    const shown = at !== null && now !== null && geometry !== null && curves !== undefined && at < geometry.xs.length;
    this.cross.hidden = !shown;
    this.readout.hidden = !shown;
    this.plot.setAttribute('aria-valuenow', String(at ?? 0));
    if (!shown) {
      this.plot.setAttribute('aria-valuetext', texts.answer.unpointed);
      return;
    }
    const rows = this.shown().map((row) => ({ ...row, value: printed(curves.curves[row.position][at], curves.unit) }));
    const chosen = rows[Math.min(this.curve, rows.length - 1)];
    const spoken = [
      `${now.x.label} ${now.x.values[at]}: ${rows.map((row) => `${row.policy} ${row.value}`).join('; ')}`,
      ...(chosen === undefined ? [] : [texts.answer.opens(chosen.policy)]),
    ];
    this.plot.setAttribute('aria-valuetext', spoken.join('. '));
    this.readout.replaceChildren(
      make('div', { class: 'soft' }, `${now.x.label} ${now.x.values[at]}`),
      ...rows.map((row) =>
        make('div', { class: row === chosen ? 'row on' : 'row' }, swatch(this.styles, row.position), make('span', {}, row.policy), make('span', {}, row.value)),
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
