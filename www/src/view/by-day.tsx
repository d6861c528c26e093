/**
 * The answer by day, for a log in which nothing is random: slots in use and jobs waiting under
 * every policy at one value of x, on the calendar of the log. Zoomed to a period, it offers the
 * jobs submitted in it.
 */
import { signal } from '@preact/signals';
import { createRef } from 'preact';
import { byId, inNextFrame } from '../dom.ts';
import { tenths } from '../format.ts';
import { mountInstead } from '../mount.ts';
import { dark, hidden, pointed, summary } from '../state.ts';
import { byDayTexts as said } from '../texts/by-day.ts';
import { Cancelled } from '../worker/worker-client.ts';
import { Chart } from './chart.tsx';
import { isInside } from './chart-geometry.ts';
import { followPixelRatio } from './charts.ts';
import { readOut } from './readout.tsx';
import type { RefObject } from 'preact';
import type { ByDay, Part, SeriesStyle, Summary } from '../../pkg/backfill_web.js';
import type { Heights, Inspected } from '../state.ts';
import type { Draw } from '../drawn.ts';

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
  new DayCharts(styles, asks);
}

class DayCharts {
  readonly #asks: Days;
  /** The shown value of x, and its days. */
  #x = 0;
  #days: ByDay | null = null;
  readonly #place = signal('');
  /** The first and last visible day, by position; null if all are visible. */
  readonly #period = signal<[number, number] | null>(null);
  readonly #none = signal('');
  readonly #charts: Chart[];

  constructor(styles: SeriesStyle[], asks: Days) {
    this.#asks = asks;
    const drawn = createRef<HTMLDivElement>();
    mountInstead(<this.Section drawn={drawn} />, byId('by-day'));
    const shared = {
      pointed: signal<number | null>(null),
      inspected: signal<Inspected | null>(null),
      across: signal<Part | null>(null),
      up: signal<Heights>({}),
    };
    const draw: Draw = (...given) =>
      this.#days === null || given[4] === 0 ? null : asks.draw(this.#x)(...given);
    const look = (policy: number) => asks.look(policy, this.#x);
    this.#charts = QUANTITIES.map((name) => {
      const state = { ...shared, summary: signal<Summary | null>(null) };
      const chart = new Chart(name, draw, look, state);
      chart.label = said.chart;
      chart.copied = () => ({ of: 'days', metric: name, x: this.#x });
      return chart;
    });
    const values = readOut(styles);
    for (const chart of this.#charts)
      chart.marked = () => {
        values.show(this.#charts);
        this.#offerSoon();
      };
    drawn.current?.replaceChildren(...this.#charts.map(({ figure }) => figure), values.element);
    this.#take();
    summary.subscribe(inNextFrame(() => this.#take()));
    pointed.subscribe(() => {
      if (this.#chosen() !== this.#x) this.#take();
    });
    for (const look of [hidden, dark]) look.subscribe(this.#redraw);
    shared.pointed.subscribe(() => {
      for (const chart of this.#charts) chart.mark();
    });
    const fit = () => {
      for (const chart of this.#charts) chart.soon();
    };
    if (drawn.current !== null) new ResizeObserver(fit).observe(drawn.current);
    followPixelRatio(fit);
  }

  readonly #redraw = () => {
    for (const chart of this.#charts) chart.later();
  };

  /** The value of x that is pointed at, else the last. */
  #chosen() {
    const last = (summary.peek()?.x.values.length ?? 1) - 1;
    return Math.min(pointed.peek() ?? last, last);
  }

  #take() {
    const now = summary.peek();
    this.#x = this.#chosen();
    const days = now === null ? null : this.#asks.byDay(this.#x);
    this.#days = days;
    byId('by-day').hidden = days === null;
    if (now === null || days === null) return;
    const { label, values } = now.x;
    this.#place.value = said.place(label === '' ? '' : `${label} ${values[this.#x]}`);
    const x = { label: '', values: namesOf(days) };
    for (const [position, { metric: name, state }] of this.#charts.entries()) {
      const curves = days.policies.map((policy) =>
        x.values.map((_, day) => meanOf(policy?.[position][day])),
      );
      const about = { name, label: said.quantities[position], unit: '', curves };
      state.summary.value = { ...now, x, metrics: [{ ...about, better: 'neither' }] };
    }
    for (const chart of this.#charts) chart.name();
    this.#redraw();
  }

  /** Offers the jobs of the visible days, if these are not all. */
  readonly #offerSoon = inNextFrame(() => {
    const [chart] = this.#charts;
    const xs = chart.geometry?.xs ?? [];
    const seen = xs.flatMap((at, day) => (isInside(chart.geometry, at) ? day : []));
    const isAll = seen.length === xs.length || seen.length === 0;
    const ends: [number, number] | null = isAll ? null : [seen[0], seen[seen.length - 1]];
    if (String(ends) === String(this.#period.peek())) return;
    this.#period.value = ends;
    this.#none.value = '';
  });

  async #useJobs() {
    const ends = this.#period.peek();
    if (this.#days === null || ends === null) return;
    const { from_s } = this.#days;
    const [from, until] = [ends[0], ends[1] + 1].map((day) => from_s + day * DAY);
    try {
      this.#none.value = (await this.#asks.use(from, until)) ? '' : said.none;
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    }
  }

  readonly Section = ({ drawn }: { drawn: RefObject<HTMLDivElement | null> }) => {
    const ends = this.#period.value;
    const names = this.#days === null || ends === null ? [] : namesOf(this.#days);
    const hint = ends === null ? undefined : said.useHelp(names[ends[0]], names[ends[1]]);
    return (
      <>
        <div class="over">
          <h3 id="by-day-title">{said.title}</h3>
          <span class="soft">{this.#place}</span>
          <span class="period" hidden={ends === null}>
            <button type="button" data-hint={hint} onClick={() => void this.#useJobs()}>
              {said.use}
            </button>
            <span class="soft" role="status">
              {this.#none}
            </span>
          </span>
        </div>
        <div class="charts" ref={drawn} />
      </>
    );
  };
}

/**
 * The names of days: dates if the log says when it began, else their numbers in the log, from 1.
 */
function namesOf({ first_day, from_s, days }: ByDay) {
  return Array.from({ length: days }, (_, day) => {
    if (first_day === null) return said.day(Math.round(from_s / DAY) + day + 1);
    const date = new Date((first_day + day) * DAY_MS);
    return said.date(
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
