/**
 * The values of charts of one state at the x pointed at, else at the last: a table beside the
 * charts, so that it covers no curve.
 */
import { signal } from '@preact/signals';
import { inNextFrame } from '../dom.ts';
import { mounted } from '../mount.ts';
import { hidden } from '../state.ts';
import { answerTexts } from '../texts/answer.ts';
import { Swatch } from './swatch.tsx';
import { Cell } from './table.tsx';
import type { Curves, SeriesStyle, Summary } from '../../pkg/backfill_web.js';
import type { Chart } from './chart.tsx';

/** What it shows. */
interface Shown {
  all: Summary;
  /** The value of x, and the curve chosen by keys, by position. */
  at: number;
  chosen: number | undefined;
  off: ReadonlySet<number>;
  metrics: Curves[];
}

export function readOut(styles: SeriesStyle[]) {
  const shown = signal<Shown | null>(null);
  let charts: Chart[] = [];
  const draw = inNextFrame(() => {
    const [{ state }] = charts;
    const all = state.summary.peek();
    const metrics = charts.flatMap((chart) => chart.curves() ?? []);
    if (all === null || metrics.length < charts.length) return;
    const last = all.x.values.length - 1;
    const at = Math.min(state.pointed.peek() ?? last, last);
    const chosen = charts.find(({ plot }) => plot.matches(':focus-visible'))?.chosenCurve();
    const next = { all, at, chosen, off: hidden.peek(), metrics };
    if (!isSame(next, shown.peek())) shown.value = next;
  });
  const Drawn = () => (
    <div class="readout">
      <table>{shown.value !== null && <Values styles={styles} {...shown.value} />}</table>
    </div>
  );
  return {
    element: mounted(<Drawn />),

    show(all: Chart[]) {
      charts = all;
      draw();
    },
  };
}

function isSame(one: Shown, other: Shown | null) {
  return (
    other !== null &&
    one.all === other.all &&
    one.at === other.at &&
    one.chosen === other.chosen &&
    one.off === other.off &&
    one.metrics.length === other.metrics.length &&
    one.metrics.every((metric, place) => metric === other.metrics[place])
  );
}

function Values({ styles, all, at, chosen, off, metrics }: Shown & { styles: SeriesStyle[] }) {
  return (
    <>
      <caption>{`${all.x.label} ${all.x.values[at]}`.trim()}</caption>
      {metrics.map(({ name, label, unit, curves }) => (
        <tbody key={name}>
          <tr>
            <th scope="rowgroup" colSpan={2}>
              {answerTexts.tableOf(label, unit)}
            </th>
          </tr>
          {all.policies.map(
            (policy, position) =>
              !off.has(position) && (
                <tr key={position} class={position === chosen ? 'on' : ''}>
                  <th scope="row">
                    <Swatch styles={styles} position={position} />
                    {policy}
                  </th>
                  <Cell value={curves[position][at]} />
                </tr>
              ),
          )}
        </tbody>
      ))}
    </>
  );
}
