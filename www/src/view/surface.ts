/**
 * A metric over both swept keys: a heatmap for each policy, with a frame around the row of the
 * charts, and the same numbers as tables.
 */
import { byId, inNextFrame, make } from '../dom.ts';
import { dark, facet, hidden, summary } from '../state.ts';
import { answerTexts } from '../texts/answer.ts';
import { surfaceTexts } from '../texts/surface.ts';
import { surfaceTables } from './surface-tables.tsx';
import type { Surface } from '../../pkg/backfill_web.js';

/** What the heatmaps need from the page. */
interface Mapping {
  /** The default metric. */
  compared: () => string;
  draw: (canvas: HTMLCanvasElement, metric: string, width: number) => Surface | null;
}

export function surfaceView(asks: Mapping) {
  const box = byId('surface');
  /** Whether the user chose the metric; until then it follows the scenario. */
  let chose = false;
  const metric = make('select', {
    'aria-label': surfaceTexts.metric,
    onchange: () => {
      chose = true;
      draw();
    },
  });
  const about = make('span', { class: 'better' });
  const canvas = make('canvas', { role: 'img' });
  const pointed = make('p', { class: 'soft pointed' });
  const region = make('div', {
    class: 'table-scroll',
    tabIndex: 0,
    role: 'region',
    'aria-label': surfaceTexts.region,
  });
  const tables = make(
    'details',
    { class: 'numbers', ontoggle: () => fillTables() },
    make('summary', {}, surfaceTexts.numbers),
    region,
  );
  box.replaceChildren(
    make(
      'figure',
      { class: 'chart' },
      make('div', { class: 'head' }, metric, about),
      make('div', { class: 'plot' }, canvas),
    ),
    pointed,
    tables,
  );

  let drawn: Surface | null = null;

  const draw = () => {
    const now = summary.peek();
    box.hidden = now === null || now.y.label === '' || now.x.label === '';
    if (now === null || box.hidden) return;
    const wanted = chose ? metric.value : asks.compared();
    if (metric.options.length !== now.metrics.length)
      metric.replaceChildren(...now.metrics.map(({ name, label }) => new Option(label, name)));
    metric.value = wanted;
    about.textContent = surfaceTexts.about(now.x.label, now.y.label);
    drawn = asks.draw(canvas, wanted, box.clientWidth);
    canvas.setAttribute('aria-label', drawn?.words ?? '');
    fillTables();
  };

  /**
   * Fills the tables if they are open: one for each policy, values of the second key from the
   * greatest down.
   */
  const fillTables = () => {
    const now = summary.peek();
    if (!tables.open || drawn === null || now === null) return;
    surfaceTables(region, drawn, now);
  };

  /** The cell under the pointer. */
  const at = (event: PointerEvent | MouseEvent) => {
    const now = summary.peek();
    if (drawn === null || now === null) return null;
    for (const [place, { policy, left, top, width, height }] of drawn.cells.entries()) {
      const x = Math.floor((event.offsetX - left) / width);
      const row = Math.floor((event.offsetY - top) / height);
      const y = now.y.values.length - 1 - row;
      if (x in now.x.values && y in now.y.values)
        return { policy, x, y, value: drawn.panels[place][y][x] };
    }
    return null;
  };

  canvas.onpointermove = (event) => {
    const [now, found] = [summary.peek(), at(event)];
    if (now === null || found === null) {
      pointed.textContent = '';
      return;
    }
    const { policy, x, y, value } = found;
    const where = [`${now.x.label} ${now.x.values[x]}`, `${now.y.label} ${now.y.values[y]}`];
    const half = value === null || value.half === null ? '' : `± ${value.half}`;
    const words =
      value === null ? answerTexts.none : [value.mean, half, drawn?.unit].filter(Boolean).join(' ');
    pointed.textContent = surfaceTexts.cell(now.policies[policy], where, words);
  };
  canvas.onpointerleave = () => (pointed.textContent = '');
  canvas.onclick = (event) => {
    const found = at(event);
    if (found !== null) facet.value = found.y;
  };

  const redraw = inNextFrame(draw);
  summary.subscribe(redraw);
  hidden.subscribe(redraw);
  dark.subscribe(redraw);
  new ResizeObserver(redraw).observe(byId('charts'));
}
