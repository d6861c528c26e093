/**
 * The distribution of waits over the jobs at one point of the answer: for each policy the
 * distribution behind its mean, as curves over the share of jobs. It is computed when it is opened,
 * on a worker of its own.
 */
import { signal } from '@preact/signals';
import { byId, make } from '../dom.ts';
import { Cancelled, type WorkerClient } from '../worker/worker-client.ts';
import { dark, digest, facet, hidden, summary } from '../state.ts';
import { fairnessTexts as said } from '../texts/fairness.ts';
import { Chart } from './charts.ts';
import { readOut } from './readout.tsx';
import { SCREEN, save, savePicture } from './export-file.ts';
import { besideTable, levelsTable } from './fairness-tables.tsx';
import type { Fairness, Part, SeriesStyle, Spreads, Summary } from '../../pkg/backfill_web.js';
import type { Core } from '../core.ts';
import type { Heights, Inspected } from '../state.ts';
import type { TraceFile } from '../worker/messages.ts';
import type { ChartState, Draw } from './charts.ts';

/** The runs at a value of x. */
interface Runs {
  scenario: string;
  trace: TraceFile | null;
  cells: number[];
}

/** What the view needs from the page. */
interface Spreading {
  /** The runs at a value of x; none while the answer is incomplete. */
  runs: (x: number) => Runs | null;
  /** Starts the worker that runs them. */
  startWorker: () => WorkerClient;
  /** Opens a run. */
  look: (policy: number, x: number) => void;
}

/** Height of the plot in CSS pixels. */
const HEIGHT = 320;

export function fairnessView(core: Core, styles: SeriesStyle[], asks: Spreading) {
  new FairnessView(core, styles, asks);
}

class FairnessView {
  readonly #core: Core;
  readonly #styles: SeriesStyle[];
  readonly #asks: Spreading;
  readonly #at = make('select', { onchange: () => void this.#look() });
  readonly #xLabel = make('span');
  readonly #place = make('label', {}, this.#xLabel, this.#at);
  readonly #status = make('p', { class: 'soft', role: 'status' });
  readonly #sentence = make('p', { class: 'sentence' });
  readonly #sentences = make('ul', { class: 'said' });
  readonly #drawn = make('div', { class: 'charts' });
  readonly #meaning = make('p', { class: 'soft' });
  readonly #beside = region(said.besideRegion);
  readonly #levels = region(said.tableRegion);
  readonly #found = make(
    'div',
    { hidden: true },
    this.#sentence,
    this.#drawn,
    this.#meaning,
    this.#sentences,
    this.#beside,
    make('details', { class: 'numbers' }, make('summary', {}, said.table), this.#levels),
    make(
      'div',
      { class: 'files' },
      fileButton(said.svg, 'svg', () => this.#saveSvg()),
      fileButton(said.png, 'png', () => void this.#savePng()),
      fileButton(said.csv, 'csv', () => this.#saveCsv()),
    ),
  );
  readonly #details = make(
    'details',
    { class: 'spread' },
    make('summary', {}, said.open),
    make('p', { class: 'soft' }, said.help),
    make('div', { class: 'pick' }, this.#place),
    this.#status,
    this.#found,
  );
  readonly #state: ChartState = {
    summary: signal<Summary | null>(null),
    pointed: signal<number | null>(null),
    inspected: signal<Inspected | null>(null),
    across: signal<Part | null>(null),
    up: signal<Heights>({}),
  };
  #chart: Chart | null = null;
  #worker: WorkerClient | null = null;
  /** The distributions at the shown point so far. */
  #spreads: Fairness | null = null;
  /** The same in words. */
  #inWords: Spreads | null = null;
  /** The last request; results of any other are dropped. */
  #asked = '';

  constructor(core: Core, styles: SeriesStyle[], asks: Spreading) {
    this.#core = core;
    this.#styles = styles;
    this.#asks = asks;
    byId('spread').replaceChildren(this.#details);
    this.#details.addEventListener('toggle', () => {
      void this.#look();
      this.#redraw();
    });
    summary.subscribe(() => this.#offer());
    digest.subscribe(() => void this.#look());
    hidden.subscribe(() => this.#redraw());
    dark.subscribe(() => this.#redraw());
    this.#state.pointed.subscribe(() => this.#chart?.mark());
    new ResizeObserver(() => this.#redraw()).observe(this.#drawn);
  }

  /** Offers the values of x of the answer. */
  #offer() {
    const now = summary.peek();
    byId('fairness').hidden = now === null;
    if (now === null) return;
    const { label, values } = now.x;
    const at = this.#at;
    this.#place.hidden = label === '';
    this.#xLabel.textContent = label;
    if ([...at.options].map(({ text }) => text).join('\n') !== values.join('\n')) {
      at.replaceChildren(...values.map((value, position) => new Option(value, String(position))));
      at.value = String(values.length - 1);
    }
    void this.#look();
  }

  /** Runs what the chosen point needs, and shows the results after each run. */
  async #look() {
    const runs = this.#asks.runs(Number(this.#at.value));
    if (!this.#details.open || runs === null) return;
    const wanted = `${runs.scenario} ${this.#at.value} ${facet.peek()}`;
    if (wanted === this.#asked) return;
    this.#asked = wanted;
    try {
      await this.#run(runs, () => wanted === this.#asked);
    } catch (error) {
      if (wanted !== this.#asked) return;
      this.#asked = '';
      if (!(error instanceof Cancelled))
        this.#status.textContent = said.failed(
          error instanceof Error ? error.message : String(error),
        );
    }
  }

  /** @param isWanted whether nothing else is wanted by now */
  async #run({ scenario, trace, cells }: Runs, isWanted: () => boolean) {
    await this.#worker?.cancel();
    this.#worker ??= this.#asks.startWorker();
    if (!isWanted()) return;
    this.#spreads?.free();
    const coming = new this.#core.Fairness(scenario);
    this.#spreads = coming;
    for (const [done, cell] of cells.entries()) {
      this.#status.textContent = said.running(done, cells.length);
      const spread = await this.#worker.ask('spread', { scenario, trace, cell });
      if (!isWanted()) return;
      coming.add(spread);
      this.#show(coming);
    }
    this.#status.textContent = said.done(cells.length);
  }

  #show(spreads: Fairness) {
    const inWords = spreads.told();
    this.#inWords = inWords;
    this.#state.summary.value = inWords;
    this.#found.hidden = false;
    this.#chart ??= this.#makeChart(inWords.metrics[0].name);
    this.#redraw();
    this.#showWords(inWords);
    this.#showTable();
  }

  #makeChart(metric: string) {
    const open = (policy: number) => {
      if (policy < (summary.peek()?.policies.length ?? 0))
        this.#asks.look(policy, Number(this.#at.value));
    };
    const chart = new Chart(metric, this.#styles, this.#draw, open, this.#state);
    chart.height = HEIGHT;
    const values = readOut(this.#styles);
    const shown = [chart];
    chart.marked = () => values.show(shown);
    this.#drawn.replaceChildren(chart.figure, values.element);
    chart.select.addEventListener('change', () => this.#showTable());
    return chart;
  }

  readonly #draw: Draw = (canvas, curve, off, isDark, width, height, seen) => {
    if (this.#spreads === null || width === 0) return null;
    const look = new this.#core.Look(off, isDark, width, height);
    try {
      look.see(seen);
      return this.#spreads.draw(canvas, curve, look);
    } finally {
      look.free();
    }
  };

  #redraw() {
    if (this.#details.open && this.#state.summary.peek() !== null) this.#chart?.show();
  }

  #showWords({ sentence, sentences, beside }: Spreads) {
    const means = summary.peek();
    if (means === null) return;
    this.#sentence.textContent = sentence;
    this.#sentences.replaceChildren(...sentences.map((words) => make('li', {}, words)));
    besideTable(this.#beside, beside, means, Number(this.#at.value));
  }

  #showTable() {
    const now = this.#state.summary.peek();
    const place = now?.metrics.findIndex(({ name }) => name === this.#chart?.metric) ?? -1;
    const curve = now?.metrics[place];
    if (now === null || curve === undefined) return;
    this.#meaning.textContent = this.#inWords?.meanings[place] ?? '';
    levelsTable(this.#levels, curve, now);
  }

  /** The name of a file of the shown distribution. */
  #file(end: string) {
    return `waits-${this.#chart?.metric}.${end}`;
  }

  #saveSvg() {
    const text = this.#spreads?.svg(this.#chart?.metric ?? '') ?? '';
    save(this.#file('svg'), text, 'image/svg+xml');
  }

  #saveCsv() {
    const text = this.#spreads?.csv(this.#chart?.metric ?? '') ?? '';
    save(this.#file('csv'), text, 'text/csv');
  }

  async #savePng() {
    const [spreads, chart] = [this.#spreads, this.#chart];
    if (spreads === null || chart === null) return;
    const { metric } = chart;
    const look = this.#core.Look.picture(SCREEN.width, SCREEN.height, SCREEN.ratio);
    await savePicture(this.#file('png'), (canvas) => spreads.draw(canvas, metric, look));
    look.free();
  }
}

/** A place for a table that scrolls. */
function region(label: string) {
  return make('div', { class: 'table-scroll', tabIndex: 0, role: 'region', 'aria-label': label });
}

function fileButton(label: string, file: string, onclick: () => void) {
  return make('button', { type: 'button', 'data-file': file, onclick }, label);
}
