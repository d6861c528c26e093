/**
 * The comparison: every policy against the reference, pair by pair. A chart of the differences with
 * the same numbers as a table, the ranking at one value of x, and sentences.
 */
import { batch, computed, signal } from '@preact/signals';
import { byId, inNextFrame } from '../dom.ts';
import { across, dark, hidden, inspected, pointed, reading, summary, work } from '../state.ts';
import { compareTexts } from '../texts/compare.ts';
import { Chart } from './chart.tsx';
import { drawComparison } from './comparison.tsx';
import type { Comparison, Curves, SeriesStyle, Summary } from '../../pkg/backfill_web.js';
import type { Heights, Reading } from '../state.ts';
import type { Draw } from '../drawn.ts';

/** What the comparison needs from the page. */
export interface Comparing {
  /** The default metric. */
  compared: () => string;
  compare: (metric: string) => Comparison | null;
  /** Draws the differences in a metric. */
  draw: Draw;
  /** Opens the run behind a point. */
  look: (policy: number, x: number) => void;
  /** Makes a policy the reference. */
  refer: (policy: string) => void;
  /** Sets a key and runs the scenario again. */
  settle: (key: string, value: string) => void;
  /** Runs more replications until the intervals are within this percentage of their means. */
  replicate: (metric: string, percent: number) => void;
}

/** What is compared: the answer, the policies as the form writes them, and the result. */
export interface Compared {
  all: Summary;
  names: string[];
  metric: string;
  comparison: Comparison;
}

const HEIGHT = 230;

export class ComparisonState {
  readonly asks: Comparing;
  /** Null until there is something to compare. */
  readonly compared = signal<Compared | null>(null);
  /** The scenario in the form at the last change of the answer or of the run. */
  readonly read = signal<Reading | null>(null);
  /** The described value of x, by position: the one pointed at last, else the last. */
  readonly place = signal(0);
  /** The metric that the user chose; until then it follows the scenario. */
  #chosen: string | null = null;
  /** What is to be shown. */
  #next: Compared | null = null;
  /** Whether it is on the screen. */
  #isSeen = false;

  constructor(asks: Comparing) {
    this.asks = asks;
    this.#show();
    // To compare takes long beside the charts, and so do the tables.
    const tell = inNextFrame(() => this.#tell());
    const follow = inNextFrame(() => {
      this.#compare();
      tell();
    });
    summary.subscribe(follow);
    computed(() => work.value.phase).subscribe(follow);
    new IntersectionObserver((seen) => {
      this.#isSeen = seen.at(-1)?.isIntersecting ?? false;
      if (work.peek().phase === 'running') follow();
    }).observe(byId('compare'));
    work.subscribe(() => this.readAgain());
    pointed.subscribe((now) => {
      if (now !== null) this.place.value = Math.min(now, this.#last());
    });
  }

  choose(metric: string) {
    this.#chosen = metric;
    this.#show();
  }

  readAgain() {
    this.read.value = reading.peek();
  }

  /** The position of the last value of x. */
  #last() {
    return (summary.peek()?.x.values.length ?? 1) - 1;
  }

  #show() {
    this.#compare();
    this.#tell();
  }

  #compare() {
    const all = summary.peek();
    const read = reading.peek();
    const isAlone = all === null || all.policies.length < 2;
    byId('compare').hidden = isAlone;
    // While curves grow, what nobody sees waits until they rest.
    const waits = work.peek().phase === 'running' && !this.#isSeen;
    if (isAlone || waits || read === null) return;
    const metric = this.#chosen ?? this.asks.compared();
    const comparison = this.asks.compare(metric);
    if (comparison === null) return;
    const names =
      read.policies.length === all.policies.length
        ? read.policies.map(({ value }) => value)
        : all.policies;
    this.#next = { all, names, metric, comparison };
  }

  #tell() {
    const next = this.#next;
    if (next === null) return;
    this.#next = null;
    const before = this.compared.peek() === null ? Infinity : this.place.peek();
    batch(() => {
      this.compared.value = next;
      this.place.value = Math.min(pointed.peek() ?? before, next.all.x.values.length - 1);
    });
    this.readAgain();
  }
}

export function compareView(styles: SeriesStyle[], asks: Comparing) {
  /** The differences as one metric, for the chart. */
  const state = {
    summary: signal<Summary | null>(null),
    pointed,
    inspected,
    across,
    up: signal<Heights>({}),
  };
  const comparison = new ComparisonState(asks);
  const draw: Draw = (target, of, off, isDark, width, height, seen) =>
    width === 0 ? null : asks.draw(target, of, off, isDark, width, height, seen);
  const chart = new Chart('', draw, asks.look, state);
  chart.height = HEIGHT;
  chart.copied = () => ({ of: 'differences', metric: chart.metric });
  chart.figure.classList.add('differences');
  byId('comparison').replaceChildren(...drawComparison(comparison, styles, chart.figure));

  comparison.compared.subscribe((now) => {
    if (now === null) return;
    const { all, metric, comparison } = now;
    state.summary.value = { ...all, metrics: [curvesOf(comparison, all, metric)] };
    chart.later();
  });
  dark.subscribe(chart.later);
  hidden.subscribe(chart.later);
  pointed.subscribe(() => chart.mark());
  inspected.subscribe(() => chart.mark());
  new ResizeObserver(chart.soon).observe(chart.plot);
}

/**
 * The differences to the reference as the curves of a metric; those of the reference are zero.
 * @param name of the metric
 */
function curvesOf(
  { places, reference, label, unit }: Comparison,
  { policies }: Summary,
  name: string,
): Curves {
  const zero = { mean: '0', half: null, n: 0 };
  const curves = policies.map((_, position) =>
    places.map(({ ranking }) =>
      position === reference
        ? zero
        : (ranking.find(({ policy }) => policy === position)?.difference ?? null),
    ),
  );
  const differing = compareTexts.chart(label, policies[reference]);
  return { name, label: differing, unit, better: 'neither', curves };
}
