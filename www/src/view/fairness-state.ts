/**
 * What is known of the distribution of waits at one point of the answer. Its runs are made again, on
 * a worker of its own, while it is looked at.
 */
import { signal } from '@preact/signals';
import { createRef } from 'preact';
import { messageOf } from '../message.ts';
import { Cancelled } from '../worker/worker-client.ts';
import { dark, digest, facet, hidden, summary } from '../state.ts';
import { distributionTexts as said } from '../texts/fairness-distribution.ts';
import { Chart } from './chart.tsx';
import { readOut } from './readout.tsx';
import { SCREEN, pictureOf } from './export-file.ts';
import type { Fairness, Part, SeriesStyle, Spreads, Summary } from '../../pkg/backfill_web.js';
import type { Core } from '../core.ts';
import type { Heights, Inspected } from '../state.ts';
import type { TraceFile } from '../worker/messages.ts';
import type { WorkerClient } from '../worker/worker-client.ts';
import type { ChartState } from './chart.tsx';
import type { Draw } from '../drawn.ts';

/** The runs at a value of x. */
interface Runs {
  scenario: string;
  trace: TraceFile | null;
  cells: number[];
}

/** What the distribution needs from the page. */
export interface FairnessParts {
  core: Core;
  styles: SeriesStyle[];
  /** The runs at a value of x; none while the answer is incomplete. */
  runs: (x: number) => Runs | null;
  /** Starts the worker that runs them. */
  startWorker: () => WorkerClient;
  /** Opens a run. */
  look: (policy: number, x: number) => void;
}

/** Height of the plot in CSS pixels. */
const HEIGHT = 320;

export class FairnessState {
  /** The value of x, by its position, and all of them. */
  readonly x = signal(0);
  readonly status = signal('');
  /** The distributions so far, in words, and the metric shown of them. */
  readonly inWords = signal<Spreads | null>(null);
  readonly metric = signal('');
  /** Where the chart is. */
  readonly drawn = createRef<HTMLDivElement>();
  readonly #parts: FairnessParts;
  readonly #isOpen: () => boolean;
  readonly #ofChart: ChartState = {
    summary: signal<Summary | null>(null),
    pointed: signal<number | null>(null),
    inspected: signal<Inspected | null>(null),
    across: signal<Part | null>(null),
    up: signal<Heights>({}),
  };
  #chart: Chart | null = null;
  #worker: WorkerClient | null = null;
  #spreads: Fairness | null = null;
  /** The values of x of the answer before. */
  #values = '';
  /** The last request; results of any other are dropped. */
  #asked = '';

  constructor(parts: FairnessParts, isOpen: () => boolean) {
    this.#parts = parts;
    this.#isOpen = isOpen;
  }

  /** Follows the page, once there is a place for the chart. */
  follow() {
    summary.subscribe((now) => {
      const values = now?.x.values ?? [];
      if (values.join('\n') !== this.#values) this.x.value = values.length - 1;
      this.#values = values.join('\n');
      this.show();
    });
    digest.subscribe(() => this.show());
    for (const look of [hidden, dark]) look.subscribe(() => this.redraw());
    this.#ofChart.pointed.subscribe(() => this.#chart?.mark());
    if (this.drawn.current !== null)
      new ResizeObserver(() => this.redraw()).observe(this.drawn.current);
  }

  readonly choose = (x: number) => {
    this.x.value = x;
    this.show();
  };

  /** Runs what the chosen point needs, and shows the results after each run. */
  show() {
    const runs = this.#parts.runs(this.x.peek());
    if (!this.#isOpen() || runs === null) return;
    const wanted = `${runs.scenario} ${this.x.peek()} ${facet.peek()}`;
    if (wanted === this.#asked) return;
    this.#asked = wanted;
    this.#run(runs, () => wanted === this.#asked).catch((error: unknown) => {
      if (wanted !== this.#asked) return;
      this.#asked = '';
      if (!(error instanceof Cancelled)) this.status.value = said.failed(messageOf(error));
    });
  }

  /** @param isWanted whether nothing else is wanted by now */
  async #run({ scenario, trace, cells }: Runs, isWanted: () => boolean) {
    const { core, startWorker } = this.#parts;
    await this.#worker?.cancel();
    this.#worker ??= startWorker();
    if (!isWanted()) return;
    this.#spreads?.free();
    const coming = new core.Fairness(scenario);
    this.#spreads = coming;
    for (const [done, cell] of cells.entries()) {
      this.status.value = said.running(done, cells.length);
      const spread = await this.#worker.ask('spread', { scenario, trace, cell });
      if (!isWanted()) return;
      coming.add(spread);
      const inWords = coming.told();
      this.inWords.value = inWords;
      this.#ofChart.summary.value = inWords;
      this.#chart ??= this.#makeChart(inWords.metrics[0].name);
      this.redraw();
    }
    this.status.value = said.done(cells.length);
  }

  #makeChart(name: string) {
    const { styles, look } = this.#parts;
    const open = (policy: number) => {
      if (policy < (summary.peek()?.policies.length ?? 0)) look(policy, this.x.peek());
    };
    const chart = new Chart(name, this.#draw, open, this.#ofChart);
    chart.height = HEIGHT;
    chart.copied = () => ({ of: 'waits', files: this.files });
    const values = readOut(styles);
    chart.marked = () => {
      this.metric.value = chart.metric;
      values.show([chart]);
    };
    this.drawn.current?.replaceChildren(chart.figure, values.element);
    return chart;
  }

  readonly #draw: Draw = (canvas, curve, off, isDark, width, height, seen) => {
    if (this.#spreads === null || width === 0) return null;
    const look = new this.#parts.core.Look(off, isDark, width, height);
    try {
      look.see(seen);
      return this.#spreads.draw(canvas, curve, look);
    } finally {
      look.free();
    }
  };

  redraw() {
    if (this.#isOpen() && this.inWords.peek() !== null) this.#chart?.show();
  }

  /** Writes the shown distribution as files. */
  readonly files = {
    png: () => {
      const look = this.#parts.core.Look.picture(SCREEN.width, SCREEN.height, SCREEN.ratio);
      try {
        return pictureOf(this.#file('png'), (canvas) =>
          this.#spreads?.draw(canvas, this.metric.peek(), look),
        );
      } finally {
        look.free();
      }
    },
    svg: () => ({
      name: this.#file('svg'),
      contents: this.#spreads?.svg(this.metric.peek()) ?? '',
      type: 'image/svg+xml',
    }),
    csv: () => ({
      name: this.#file('csv'),
      contents: this.#spreads?.csv(this.metric.peek()) ?? '',
      type: 'text/csv',
    }),
  };

  /** The name of a file of the shown distribution. */
  #file(end: string) {
    return `waits-${this.metric.peek()}.${end}`;
  }
}
