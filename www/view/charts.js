import { byId, make } from '../dom.js';
import { dark, hidden, pointed, summary } from '../state.js';
import { texts } from '../texts.js';
import { swatch } from './swatch.js';

/**
 * @typedef {import('../pkg/backfill_web.js').Curves} Curves
 * @typedef {import('../pkg/backfill_web.js').Geometry} Geometry
 * @typedef {import('../pkg/backfill_web.js').SeriesStyle} SeriesStyle
 * @typedef {(canvas: HTMLCanvasElement, metric: string, hidden: Uint32Array, dark: boolean, width: number, height: number, last: boolean) => Geometry | null} Draw
 */

/** Height of the plot of a chart with and without its x axis' labels, in CSS pixels. */
const HEIGHT = 178;
const LAST_HEIGHT = 214;

/**
 * The stacked charts. They share the x axis: what is pointed at in one is marked in all.
 * @param {SeriesStyle[]} styles
 * @param {string[]} opening the metrics shown first
 * @param {Draw} draw
 */
export function charts(styles, opening, draw) {
  const box = byId('charts');
  /** @type {Chart[]} */
  let all = [];
  let waiting = false;
  const redraw = () => {
    if (waiting || summary.get() === null) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (all.length === 0) {
        all = opening.map((metric, place) => new Chart(metric, place === opening.length - 1, styles, draw));
        box.replaceChildren(...all.map((chart) => chart.figure));
      }
      for (const chart of all) chart.show();
    });
  };
  summary.watch(redraw);
  hidden.watch(redraw);
  dark.watch(redraw);
  pointed.watch(() => all.forEach((chart) => chart.mark()));
  new ResizeObserver(redraw).observe(box);
  followPixelRatio(redraw);
}

/** One chart: its heading with the choice of metric, the canvas, the crosshair and the read-out. */
class Chart {
  /**
   * @param {string} metric
   * @param {boolean} last whether the x axis' labels stand under this one
   * @param {SeriesStyle[]} styles
   * @param {Draw} draw
   */
  constructor(metric, last, styles, draw) {
    this.metric = metric;
    this.last = last;
    this.styles = styles;
    this.draw = draw;
    /** @type {Geometry | null} */
    this.geometry = null;
    this.select = make('select', { 'aria-label': texts.answer.metric, onchange: () => this.choose() });
    this.better = make('span', { class: 'better' });
    this.canvas = make('canvas');
    this.cross = make('div', { class: 'cross', hidden: true });
    this.readout = make('div', { class: 'readout', hidden: true });
    this.plot = make('div', { class: 'plot', tabIndex: 0, role: 'slider' }, this.canvas, this.cross, this.readout);
    this.plot.onpointermove = (event) => this.point(event.offsetX);
    this.plot.onpointerdown = (event) => this.point(event.offsetX);
    this.plot.onpointerleave = () => pointed.set(null);
    this.plot.onblur = () => pointed.set(null);
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
    return summary.get()?.metrics.find((metric) => metric.name === this.metric);
  }

  show() {
    const now = summary.get();
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
    const width = this.figure.clientWidth;
    const height = this.last ? LAST_HEIGHT : HEIGHT;
    this.geometry = this.draw(this.canvas, this.metric, Uint32Array.from(hidden.get()), dark.get(), width, height, this.last);
    this.mark();
  }

  /**
   * Where each curve begins and ends, for those who do not see it.
   * @param {Curves} curves
   * @param {import('../pkg/backfill_web.js').Summary} all
   */
  inWords(curves, all) {
    const shown = all.policies.map((policy, position) => ({ policy, values: curves.curves[position] })).filter((_, position) => !hidden.get().has(position));
    const spoken = shown.map(({ policy, values }) =>
      texts.answer.curve(policy, printed(values[0], curves.unit), printed(values[values.length - 1], curves.unit)),
    );
    return texts.answer.chartSummary(all.x.label, all.x.values, spoken);
  }

  /** @param {number} at */
  point(at) {
    const xs = this.geometry?.xs ?? [];
    let nearest = null;
    for (let i = 0; i < xs.length; i += 1) {
      if (nearest === null || Math.abs(xs[i] - at) < Math.abs(xs[nearest] - at)) nearest = i;
    }
    pointed.set(nearest);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const last = (summary.get()?.x.values.length ?? 0) - 1;
    const now = pointed.get();
    const next = { ArrowRight: now === null ? 0 : now + 1, ArrowLeft: now === null ? last : now - 1, Home: 0, End: last }[event.key];
    if (next === undefined && event.key !== 'Escape') return;
    event.preventDefault();
    pointed.set(next === undefined ? null : Math.min(Math.max(next, 0), last));
  }

  /** Moves crosshair and read-out to what is pointed at. */
  mark() {
    const at = pointed.get();
    const now = summary.get();
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
    const rows = now.policies
      .map((policy, position) => ({ policy, position, value: printed(curves.curves[position][at], curves.unit) }))
      .filter(({ position }) => !hidden.get().has(position));
    this.plot.setAttribute(
      'aria-valuetext',
      `${now.x.label} ${now.x.values[at]}: ${rows.map((row) => `${row.policy} ${row.value}`).join('; ')}`,
    );
    this.readout.replaceChildren(
      make('div', { class: 'soft' }, `${now.x.label} ${now.x.values[at]}`),
      ...rows.map((row) =>
        make('div', { class: 'row' }, swatch(this.styles, row.position), make('span', {}, row.policy), make('span', {}, row.value)),
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
