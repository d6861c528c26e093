import { byId, inNextFrame } from '../dom.ts';
import { dark, hidden, inspected, pointed, summary } from '../state.ts';
import { Chart } from './chart.tsx';
import { readOut } from './readout.tsx';
import type { SeriesStyle } from '../../pkg/backfill_web.js';
import type { Draw } from '../drawn.ts';

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
  const fit = () => {
    for (const chart of all) chart.soon();
  };
  const redraw = inNextFrame(() => {
    const now = summary.peek();
    if (now === null) return;
    const before = headline;
    headline = now.headline;
    if (headline.length !== before.length) all = [];
    // A chart of which another metric was chosen keeps that.
    all.forEach((chart, place) => {
      if (chart.metric === before[place]) chart.metric = headline[place];
    });
    if (all.length < headline.length) {
      // The first drawing of each takes long: one a frame, and then all replace those before.
      const chart = new Chart(headline[all.length], draw, open);
      chart.marked = () => values.show(all);
      all.push(chart);
      // As wide as their columns.
      chart.show(Number.parseFloat(getComputedStyle(box).gridTemplateColumns));
      if (all.length === headline.length) {
        box.replaceChildren(...all.map(({ figure }) => figure), values.element);
        fit();
      } else redraw();
      return;
    }
    for (const chart of all) chart.later();
  });
  summary.subscribe(redraw);
  hidden.subscribe(redraw);
  dark.subscribe(redraw);
  matchMedia('print').addEventListener('change', fit);
  const mark = () => {
    for (const chart of all) chart.mark();
  };
  pointed.subscribe(mark);
  inspected.subscribe(mark);
  new ResizeObserver(fit).observe(box);
  followPixelRatio(fit);
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
