/**
 * The answer by day, for a log in which nothing is random: slots in use and jobs waiting under
 * every policy at one value of x, on the calendar of the log. Zoomed to a period, it offers the
 * jobs submitted in it.
 */
import { signal } from '@preact/signals';
import { byId, inNextFrame, make } from '../dom.ts';
import { tenths } from '../format.ts';
import { dark, hidden, pointed, summary } from '../state.ts';
import { byDayTexts } from '../texts/by-day.ts';
import { Cancelled } from '../worker/worker-client.ts';
import { Chart, followPixelRatio } from './charts.ts';
import { readOut } from './readout.tsx';
import type { ByDay, Part, SeriesStyle, Summary } from '../../pkg/backfill_web.js';
import type { Heights, Inspected } from '../state.ts';
import type { ChartState, Draw } from './charts.ts';

/** What the charts need from the page. */
interface Days {
  /** All policies at a value of x by day; null if runs are not measured by day. */
  byDay: (x: number) => ByDay | null;
  /** Draws one of the quantities there. */
  draw: (x: number) => Draw;
  /** Opens the run behind a curve. */
  look: (policy: number, x: number) => void;
  /**
   * Runs the scenario over the jobs submitted in a period, in seconds since time 0 of the log;
   * false if there are none.
   */
  use: (from: number, until: number) => Promise<boolean>;
}

/** The quantities by their names in the core, as `ByDay.policies` holds them. */
const QUANTITIES = ['in_use', 'waiting'] as const;
/** Seconds and milliseconds of a day. */
const DAY = 86_400;
const DAY_MS = 86_400_000;

export function byDayView(styles: SeriesStyle[], asks: Days) {
  const said = byDayTexts;
  const section = byId('by-day');
  const place = make('span', { class: 'soft' });
  const use = make('button', { type: 'button', onclick: () => void useJobs() }, said.use);
  const none = make('span', { class: 'soft', role: 'status' });
  const period = make('span', { class: 'period', hidden: true }, use, none);
  const drawn = make('div', { class: 'charts' });
  section.replaceChildren(
    make('div', { class: 'over' }, make('h3', { id: 'by-day-title' }, said.title), place, period),
    drawn,
  );

  /** The shown value of x, and its days. */
  let x = 0;
  let days: ByDay | null = null;
  /** What both charts share. */
  const shared = {
    pointed: signal<number | null>(null),
    inspected: signal<Inspected | null>(null),
    across: signal<Part | null>(null),
    up: signal({} as Heights),
  };
  const charts = QUANTITIES.map((name) => {
    const state: ChartState = { ...shared, summary: signal<Summary | null>(null) };
    const draw: Draw = (...given) =>
      days === null || given[4] === 0 ? null : asks.draw(x)(...given);
    const chart = new Chart(name, styles, draw, (policy) => asks.look(policy, x), state);
    chart.label = said.chart;
    return chart;
  });
  const values = readOut(styles);
  for (const chart of charts) chart.marked = () => values.show(charts);
  drawn.replaceChildren(...charts.map(({ figure }) => figure), values.element);

  const redraw = inNextFrame(() => {
    if (days === null) return;
    for (const chart of charts) chart.show();
    offer();
  });

  /** The value of x that is pointed at, else the last. */
  const chosen = () => {
    const last = (summary.peek()?.x.values.length ?? 1) - 1;
    return Math.min(pointed.peek() ?? last, last);
  };

  const take = () => {
    const now = summary.peek();
    x = chosen();
    days = now === null ? null : asks.byDay(x);
    section.hidden = days === null;
    if (now === null || days === null) return;
    place.textContent = said.place(now.x.label === '' ? '' : `${now.x.label} ${now.x.values[x]}`);
    const named = { label: '', values: namesOf(days) };
    for (const [position, { state, metric: name }] of charts.entries()) {
      const curves = days.policies.map((policy) =>
        named.values.map((_, day) => meanOf(policy?.[position][day])),
      );
      const metric = { name, label: said.quantities[position], unit: '', curves };
      state.summary.value = {
        ...now,
        x: named,
        metrics: [{ ...metric, better: 'neither' as const }],
      };
    }
    redraw();
  };

  /** The first and last visible day, by position; null if all are visible. */
  const visible = () => {
    const [chart] = charts;
    const xs = chart.geometry?.xs ?? [];
    const seen = xs.flatMap((at, day) => (chart.inside(at) ? day : []));
    return seen.length === xs.length || seen.length === 0 ? null : [seen[0], seen[seen.length - 1]];
  };

  const offer = () => {
    const ends = visible();
    period.hidden = ends === null;
    if (days === null || ends === null) return;
    const names = namesOf(days);
    use.dataset.hint = said.useHelp(names[ends[0]], names[ends[1]]);
    none.textContent = '';
  };

  async function useJobs() {
    const ends = visible();
    if (days === null || ends === null) return;
    const { from_s } = days;
    const [from, until] = [ends[0], ends[1] + 1].map((day) => from_s + day * DAY);
    try {
      none.textContent = (await asks.use(from, until)) ? '' : said.none;
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    }
  }

  summary.subscribe(take);
  pointed.subscribe(() => {
    if (chosen() !== x) take();
  });
  hidden.subscribe(redraw);
  dark.subscribe(redraw);
  shared.across.subscribe(inNextFrame(offer));
  shared.pointed.subscribe(() => {
    for (const chart of charts) chart.mark();
  });
  new ResizeObserver(redraw).observe(drawn);
  followPixelRatio(redraw);
}

/**
 * The names of days: dates if the log says when it began, else their numbers in the log, from 1.
 */
function namesOf({ first_day, from_s, days }: ByDay) {
  return Array.from({ length: days }, (_, day) => {
    if (first_day === null) return byDayTexts.day(Math.round(from_s / DAY) + day + 1);
    const date = new Date((first_day + day) * DAY_MS);
    return byDayTexts.date(
      date.getUTCDay(),
      date.getUTCDate(),
      date.getUTCMonth(),
      date.getUTCFullYear(),
    );
  });
}

/** A mean of one run; null after its end. */
function meanOf(mean: number | undefined) {
  return mean === undefined ? null : { mean: tenths(mean), half: null, n: 1 };
}
