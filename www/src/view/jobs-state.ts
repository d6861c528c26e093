/**
 * The list of the jobs of a run: how it is sorted and filtered, and the rows in view, which the
 * worker gives. The components of jobs.tsx draw it.
 */
import { latest } from '../dom.ts';
import { batch, computed, signal } from '@preact/signals';
import { createRef } from 'preact';
import { chosenJob, clock } from '../state.ts';
import { jobsTexts } from '../texts/jobs.ts';
import { Refused } from '../worker/worker-client.ts';
import { orderedInRun } from './ordered.ts';
import type { InspectorAnswers, InspectorCall } from '../worker/messages.ts';
import type { Look, Run } from './inspector.ts';

/** The number of jobs for which the values of an order are shown. */
const EXAMPLES = 3;
/** The number of visible rows. */
export const SEEN = 12;

export type Column = Run['about']['columns'][number];
type Rows = InspectorAnswers<[InspectorCall<'rows'>]>[0];

/** What is said of a field, and whether that is a mistake. */
interface Remark {
  words: string;
  isMistake: boolean;
}

export class JobsState {
  readonly run = signal<Run | null>(null);
  readonly sort = signal({ column: '', descending: false });
  /** The number of jobs that the filter leaves. */
  readonly count = signal(0);
  /** The rows in view, and the position of the first one. */
  readonly rows = signal<{ from: number; rows: Rows }>({ from: 0, rows: [] });
  /** The row of the arrow keys. */
  readonly at = signal(0);
  readonly found = signal<Remark>({ words: '', isMistake: false });
  readonly ordered = signal<Remark>({ words: '', isMistake: false });
  /** What the user entered: a formula, an outcome and a filter. */
  readonly order = signal('');
  readonly outcome = signal('');
  readonly filter = signal('');
  readonly hasOrder = computed(() => this.order.value.trim() !== '');
  /** The box that scrolls, and what is as high as all rows. */
  readonly scroller = createRef<HTMLDivElement>();
  readonly all = createRef<HTMLDivElement>();
  readonly #look: Look;

  constructor(look: Look) {
    this.#look = look;
    clock.subscribe(() => {
      if (this.hasOrder.peek()) void this.arrange();
    });
  }

  open(run: Run) {
    if (this.run.peek() === null)
      this.sort.value = { column: run.about.columns[0].name, descending: false };
    this.run.value = run;
    void this.list().then(() => this.arrange());
  }

  /** The name of the column of the order. */
  orderColumn() {
    const run = this.run.peek();
    return run?.about.columns[run.about.order].name;
  }

  /** Fetches the rows in view. */
  readonly draw = latest(async () => {
    if (this.run.peek() === null) return;
    const from = this.#first();
    const answers = await this.#look(['rows', from, SEEN]);
    if (answers !== null) this.rows.value = { from, rows: answers[0] };
  });

  /** Updates the column of the order to the current instant. */
  readonly arrange = latest(async () => {
    const run = this.run.peek();
    if (run === null) return;
    const wanted = this.order.peek().trim();
    let words = '';
    if (wanted !== '') {
      const at = clock.peek();
      try {
        const answers = await this.#look(
          ['order_by', wanted, at],
          ['examples', wanted, at, EXAMPLES],
        );
        if (answers === null) return;
        words = orderedInRun(answers[1]);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.ordered.value = { words: jobsTexts.mistake(error.message), isMistake: true };
        return;
      }
    }
    this.ordered.value = { words, isMistake: false };
    const isSorted = this.sort.peek().column === this.orderColumn();
    if (isSorted && wanted === '')
      this.sort.value = { column: run.about.columns[0].name, descending: false };
    if (isSorted) await this.list();
    else await this.draw();
  });

  /** Lists the jobs that the filter leaves, and shows the first ones. */
  readonly list = latest(async () => {
    const run = this.run.peek();
    if (run === null) return;
    const [outcome, filter] = [this.outcome.peek(), this.filter.peek()];
    const { column, descending } = this.sort.peek();
    const wanted = outcome === '' ? filter : `${outcome} ${filter}`;
    try {
      const answers = await this.#look(['list', column, descending, wanted]);
      if (answers === null) return;
      const [count] = answers;
      batch(() => {
        this.count.value = count;
        this.found.value = {
          words: jobsTexts.found(count, run.kept.info.jobs),
          isMistake: false,
        };
        this.at.value = 0;
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.found.value = { words: error.message, isMistake: true };
      return;
    }
    if (this.scroller.current !== null) this.scroller.current.scrollTop = 0;
    await this.draw();
  });

  sortBy(column: string) {
    const { column: before, descending } = this.sort.peek();
    this.sort.value = { column, descending: before === column && !descending };
    void this.list();
  }

  /** Enters a formula, by which the list is sorted. */
  enterOrder(formula: string) {
    this.order.value = formula;
    this.sort.value = { column: this.orderColumn() ?? '', descending: false };
    void this.arrange();
  }

  /** Moves the row of the arrow keys, and the window with it. */
  go(place: number) {
    const at = Math.min(this.count.peek() - 1, Math.max(0, place));
    this.at.value = at;
    const from = this.#first();
    const scroller = this.scroller.current;
    if (scroller !== null && (at < from || at >= from + SEEN)) {
      const hidden = Math.max(1, this.count.peek() - SEEN);
      const wanted = at < from ? at : at - SEEN + 1;
      scroller.scrollTop = (wanted / hidden) * this.#room(scroller);
    }
    void this.draw();
  }

  /** Chooses the job in a row of those in view. */
  chooseRow(place: number) {
    const { from, rows } = this.rows.peek();
    const row = rows[place - from];
    if (row !== undefined) void this.choose(row[0]);
  }

  /** Chooses a job, and shows an instant at which it runs. */
  async choose(job: number) {
    chosenJob.value = job;
    await this.#goToRun(job);
    const place = await this.#look(['place_of', job]);
    if (place !== null && place[0] !== undefined) this.at.value = place[0];
    void this.draw();
  }

  /** Unless the job runs at the current instant, shows its start, or its rejection. */
  async #goToRun(job: number) {
    const answers = await this.#look(['job_details', job, clock.peek()]);
    const run = this.run.peek();
    if (answers === null || run === null) return;
    const [{ allocation, row }] = answers;
    const now = clock.peek();
    if (allocation !== null && now >= allocation.start && now < allocation.end) return;
    const value = (name: string) =>
      row[run.about.columns.findIndex((column) => column.name === name)];
    clock.value = value('start') ?? value('submit') ?? 0;
  }

  /**
   * The first visible row, by the scroll position: exact as long as the box is as high as all rows.
   */
  #first() {
    const scroller = this.scroller.current;
    if (scroller === null) return 0;
    const room = this.#room(scroller);
    const hidden = Math.max(0, this.count.peek() - SEEN);
    return room > 0 ? Math.min(hidden, Math.round((scroller.scrollTop / room) * hidden)) : 0;
  }

  /** How far the box scrolls, in CSS pixels. */
  #room(scroller: HTMLElement) {
    return (this.all.current?.offsetHeight ?? 0) - scroller.clientHeight;
  }
}
