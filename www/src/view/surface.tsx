/**
 * A metric over both swept keys: a heatmap for each policy, with a frame around the row of the
 * charts, and the same numbers as tables.
 */
import { signal, useSignal } from '@preact/signals';
import { createRef } from 'preact';
import { byId, inNextFrame } from '../dom.ts';
import { mountInstead } from '../mount.ts';
import { dark, facet, hidden, summary } from '../state.ts';
import { answerTexts } from '../texts/answer.ts';
import { surfaceTexts } from '../texts/surface.ts';
import { CopyAs } from './copy-as-button.tsx';
import { SurfaceTables } from './surface-tables.tsx';
import { Region } from './table.tsx';
import type { RefObject } from 'preact';
import type { Summary, Surface } from '../../pkg/backfill_web.js';

/** What the heatmaps need from the page. */
interface Mapping {
  /** The default metric. */
  compared: () => string;
  draw: (canvas: HTMLCanvasElement, metric: string, width: number) => Surface | null;
}

/** The heatmaps as they are drawn, of this answer. */
interface Drawn {
  all: Summary;
  metric: string;
  surface: Surface | null;
}

export function surfaceView({ compared, draw }: Mapping) {
  const box = byId('surface');
  const canvas = createRef<HTMLCanvasElement>();
  /** The metric that the user chose; until then it follows the scenario. */
  let chosen: string | null = null;
  const drawn = signal<Drawn | null>(null);
  const show = () => {
    const all = summary.peek();
    box.hidden = all === null || all.y.label === '' || all.x.label === '';
    if (all === null || box.hidden || canvas.current === null) return;
    const metric = chosen ?? compared();
    drawn.value = { all, metric, surface: draw(canvas.current, metric, box.clientWidth) };
  };
  const choose = (metric: string) => {
    chosen = metric;
    show();
  };
  const Heatmaps = () => (
    <>
      <Figure drawn={drawn.value} canvas={canvas} choose={choose} />
      <SurfaceNumbers drawn={drawn.value} />
    </>
  );
  mountInstead(<Heatmaps />, box);
  const redraw = inNextFrame(show);
  for (const each of [summary, hidden, dark]) each.subscribe(redraw);
  new ResizeObserver(redraw).observe(byId('charts'));
}

interface FigureParts {
  drawn: Drawn | null;
  canvas: RefObject<HTMLCanvasElement | null>;
  choose: (metric: string) => void;
}

function Figure({ drawn, canvas, choose }: FigureParts) {
  const pointed = useSignal('');
  return (
    <>
      <figure class="chart">
        <div class="head">
          <select
            aria-label={surfaceTexts.metric}
            value={drawn?.metric}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          >
            {drawn?.all.metrics.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
          <span class="better">
            {drawn !== null && surfaceTexts.about(drawn.all.x.label, drawn.all.y.label)}
          </span>
          <CopyAs
            name={surfaceTexts.name}
            chart={() => ({ of: 'surface', metric: drawn?.metric ?? '' })}
          />
        </div>
        <div class="plot">
          <canvas
            ref={canvas}
            role="img"
            aria-label={drawn?.surface?.words ?? ''}
            onPointerMove={(event) => {
              pointed.value = drawn === null ? '' : inWords(drawn, cellAt(drawn, event));
            }}
            onPointerLeave={() => {
              pointed.value = '';
            }}
            onClick={(event) => {
              const cell = drawn === null ? null : cellAt(drawn, event);
              if (cell !== null) facet.value = cell.y;
            }}
          />
        </div>
      </figure>
      <p class="soft pointed">{pointed}</p>
    </>
  );
}

/** The same as tables, which are drawn while they are unfolded. */
function SurfaceNumbers({ drawn }: { drawn: Drawn | null }) {
  const isOpen = useSignal(false);
  return (
    <details
      class="numbers"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{surfaceTexts.numbers}</summary>
      <Region label={surfaceTexts.region}>
        {isOpen.value && drawn !== null && drawn.surface !== null && (
          <SurfaceTables drawn={drawn.surface} all={drawn.all} />
        )}
      </Region>
    </details>
  );
}

/** The cell under the pointer. */
function cellAt({ all, surface }: Drawn, event: MouseEvent) {
  for (const [place, { policy, left, top, width, height }] of surface?.cells.entries() ?? []) {
    const x = Math.floor((event.offsetX - left) / width);
    const row = Math.floor((event.offsetY - top) / height);
    const y = all.y.values.length - 1 - row;
    if (x in all.x.values && y in all.y.values)
      return { policy, x, y, value: surface?.panels[place][y][x] ?? null };
  }
  return null;
}

function inWords({ all, surface }: Drawn, cell: ReturnType<typeof cellAt>) {
  if (cell === null) return '';
  const { policy, x, y, value } = cell;
  const where = [`${all.x.label} ${all.x.values[x]}`, `${all.y.label} ${all.y.values[y]}`];
  const half = value === null || value.half === null ? '' : `± ${value.half}`;
  const words =
    value === null ? answerTexts.none : [value.mean, half, surface?.unit].filter(Boolean).join(' ');
  return surfaceTexts.cell(all.policies[policy], where, words);
}
