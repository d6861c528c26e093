/**
 * The distribution of waits over the jobs at one point of the answer: for each policy the
 * distribution behind its mean, as curves over the share of jobs. It is computed when it is opened,
 * on a worker of its own.
 */
import { Atom } from '../atom.ts';
import { byId, make } from '../dom.ts';
import { Cancelled, type WorkerClient } from '../worker/worker-client.ts';
import { dark, digest, facet, hidden, summary } from '../state.ts';
import { answerTexts } from '../texts/answer.ts';
import { fairnessTexts } from '../texts/fairness.ts';
import { Chart, readOut } from './charts.ts';
import { SCREEN, save, savePicture } from './export-file.ts';
import { cell, oneTable } from './table.ts';
import { term } from './term.ts';
import type { Fairness, Part, SeriesStyle, Spreads, Summary } from '../../pkg/backfill_web.js';
import type { Core } from '../core.ts';
import type { Heights, Inspected } from '../state.ts';
import type { TraceFile } from '../worker/messages.ts';
import type { Draw } from './charts.ts';

/** What the view needs from the page. */
interface Spreading {
  /** The runs at a value of x; none while the answer is incomplete. */
  runs: (x: number) => { scenario: string; trace: TraceFile | null; cells: number[] } | null;
  /** Starts the worker that runs them. */
  startWorker: () => WorkerClient;
  /** Opens a run. */
  look: (policy: number, x: number) => void;
}

/** Height of the plot in CSS pixels. */
const HEIGHT = 320;

export function fairnessView(core: Core, styles: SeriesStyle[], asks: Spreading) {
  const said = fairnessTexts;
  const section = byId('fairness');
  const at = make('select', { onchange: () => void look() });
  const place = make('label', {}, make('span'), at);
  const status = make('p', { class: 'soft', role: 'status' });
  const sentence = make('p', { class: 'sentence' });
  const sentences = make('ul', { class: 'said' });
  const drawn = make('div', { class: 'charts' });
  const meaning = make('p', { class: 'soft' });
  const beside = make('div', {
    class: 'table-scroll',
    tabIndex: 0,
    role: 'region',
    'aria-label': said.besideRegion,
  });
  const levels = make('div', {
    class: 'table-scroll',
    tabIndex: 0,
    role: 'region',
    'aria-label': said.tableRegion,
  });
  const table = make('details', { class: 'numbers' }, make('summary', {}, said.table), levels);
  const button = (label: string, file: string, onclick: () => Promise<void> | void) =>
    make('button', { type: 'button', 'data-file': file, onclick: () => void onclick() }, label);
  const files = make(
    'div',
    { class: 'files' },
    button(said.svg, 'svg', () => svg()),
    button(said.png, 'png', () => png()),
    button(said.csv, 'csv', () => csv()),
  );
  const found = make(
    'div',
    { hidden: true },
    sentence,
    drawn,
    meaning,
    sentences,
    beside,
    table,
    files,
  );
  const details = make(
    'details',
    { class: 'spread' },
    make('summary', {}, said.open),
    make('p', { class: 'soft' }, said.help),
    make('div', { class: 'pick' }, place),
    status,
    found,
  );
  byId('spread').replaceChildren(details);

  let worker: WorkerClient | null = null;
  /** The distributions at the shown point so far. */
  let spreads: Fairness | null = null;
  /** The same in words. */
  let latest: Spreads | null = null;
  /** The last request; results of any other are dropped. */
  let asked = '';
  const state = {
    summary: new Atom(null as Summary | null),
    pointed: new Atom(null as number | null),
    inspected: new Atom(null as Inspected | null),
    across: new Atom(null as Part | null),
    up: new Atom({} as Heights),
  };
  let chart: Chart | null = null;

  const draw: Draw = (canvas, curve, off, isDark, width, height, seen) => {
    if (spreads === null || width === 0) return null;
    const way = new core.Look(off, isDark, width, height);
    try {
      way.see(seen);
      return spreads.draw(canvas, curve, way);
    } finally {
      way.free();
    }
  };

  /** Runs what the chosen point needs, and shows the results after each run. */
  async function look() {
    const runs = asks.runs(Number(at.value));
    if (!details.open || runs === null) return;
    const wanted = `${runs.scenario} ${at.value} ${facet.get()}`;
    if (wanted === asked) return;
    asked = wanted;
    try {
      await worker?.cancel();
      worker ??= asks.startWorker();
      if (wanted !== asked) return;
      spreads?.free();
      const coming = new core.Fairness(runs.scenario);
      spreads = coming;
      const all = runs.cells.length;
      for (const [done, each] of runs.cells.entries()) {
        status.textContent = said.running(done, all);
        const spread = await worker.ask('spread', {
          scenario: runs.scenario,
          trace: runs.trace,
          cell: each,
        });
        if (wanted !== asked) return;
        coming.add(spread);
        show();
      }
      status.textContent = said.done(all);
    } catch (error) {
      if (wanted !== asked) return;
      asked = '';
      if (!(error instanceof Cancelled))
        status.textContent = said.failed(error instanceof Error ? error.message : String(error));
    }
  }

  function show() {
    if (spreads === null) return;
    latest = spreads.told();
    state.summary.set(latest);
    found.hidden = false;
    if (chart === null) {
      const [first] = state.summary.get()?.metrics ?? [];
      chart = new Chart(first.name, styles, draw, (policy) => open(policy), state);
      chart.height = HEIGHT;
      const values = readOut(styles);
      const shown = [chart];
      chart.marked = () => values.show(shown);
      drawn.replaceChildren(chart.figure, values.element);
      chart.select.addEventListener('change', showTable);
    }
    redraw();
    showWords();
    showTable();
  }

  /** Opens a run of the policy at the shown point. */
  function open(policy: number) {
    if (policy < (summary.get()?.policies.length ?? 0)) asks.look(policy, Number(at.value));
  }

  const redraw = () => {
    if (details.open && state.summary.get() !== null) chart?.show();
  };

  function showWords() {
    const now = latest;
    const means = summary.get();
    if (now === null || means === null) return;
    sentence.textContent = now.sentence;
    sentences.replaceChildren(...now.sentences.map((words) => make('li', {}, words)));
    const columns = now.beside.flatMap((name) =>
      means.metrics.filter((metric) => metric.name === name),
    );
    const head = make(
      'tr',
      {},
      make('th', { scope: 'col' }, said.policy),
      ...columns.map(({ name, label, unit }) =>
        make('th', { scope: 'col' }, term(answerTexts.tableOf(label, unit), `metric:${name}`)),
      ),
    );
    const rows = means.policies.map((policy, position) =>
      make(
        'tr',
        {},
        make('th', { scope: 'row' }, policy),
        ...columns.map(({ curves }) => cell(curves[position][Number(at.value)] ?? null)),
      ),
    );
    beside.replaceChildren(
      make(
        'table',
        {},
        make('caption', {}, said.beside),
        make('thead', {}, head),
        make('tbody', {}, ...rows),
      ),
    );
  }

  function showTable() {
    const now = state.summary.get();
    const place = now?.metrics.findIndex(({ name }) => name === chart?.metric) ?? -1;
    const curve = now?.metrics[place];
    if (now === null || curve === undefined) return;
    meaning.textContent = latest?.meanings[place] ?? '';
    levels.replaceChildren(oneTable(curve, now));
  }

  const stem = () => `waits-${chart?.metric}`;
  const svg = () => save(`${stem()}.svg`, spreads?.svg(chart?.metric ?? '') ?? '', 'image/svg+xml');
  const csv = () => save(`${stem()}.csv`, spreads?.csv(chart?.metric ?? '') ?? '', 'text/csv');
  const png = async () => {
    if (core === null || spreads === null || chart === null) return;
    const [shown, { metric }, way] = [
      spreads,
      chart,
      core.Look.picture(SCREEN.width, SCREEN.height, SCREEN.ratio),
    ];
    await savePicture(`${stem()}.png`, (canvas) => shown.draw(canvas, metric, way));
    way.free();
  };

  const offer = () => {
    const now = summary.get();
    section.hidden = now === null;
    if (now === null) return;
    const { label, values } = now.x;
    place.hidden = label === '';
    (place.firstChild as HTMLElement).textContent = label;
    if ([...at.options].map(({ text }) => text).join('\n') !== values.join('\n')) {
      at.replaceChildren(...values.map((value, position) => new Option(value, String(position))));
      at.value = String(values.length - 1);
    }
    void look();
  };
  details.addEventListener('toggle', () => {
    void look();
    redraw();
  });
  summary.watch(offer);
  digest.watch(() => void look());
  hidden.watch(redraw);
  dark.watch(redraw);
  state.pointed.watch(() => chart?.mark());
  new ResizeObserver(redraw).observe(drawn);
}
