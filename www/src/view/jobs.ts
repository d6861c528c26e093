/**
 * The jobs of a run as a table: sorted by any column, filtered, and with only the visible rows
 * drawn, so that a hundred thousand scroll as smoothly as ten.
 */
import { Refused } from '../worker/worker-client.ts';
import { make } from '../dom.ts';
import { cell } from '../format.ts';
import { chosenJob, clock } from '../state.ts';
import { inspectorTexts } from '../texts/inspector.ts';
import { jobsTexts } from '../texts/jobs.ts';
import { latest } from '../latest.ts';
import { orderedInRun } from './ordered.ts';
import type { Look, Run } from './inspector.ts';

/** The number of jobs for which the values of an order are shown. */
const EXAMPLES = 3;
/** The height of a row in CSS pixels, and the number of visible rows. */
const ROW = 28;
const SEEN = 12;
/** The height that no browser's layout exceeds by much. */
const HIGHEST = 8_000_000;

export function jobsView(look: Look) {
  const said = jobsTexts;
  const filter = make('input', {
    type: 'text',
    spellcheck: false,
    autocomplete: 'off',
    'aria-describedby': 'jobs-found',
  });
  const outcome = make('select');
  const order = make('input', {
    type: 'text',
    spellcheck: false,
    autocomplete: 'off',
    autocapitalize: 'none',
    placeholder: said.orderExample,
    'aria-describedby': 'jobs-order',
  });
  const ordered = make('p', { class: 'soft', id: 'jobs-order', role: 'status' });
  const found = make('p', { class: 'soft', id: 'jobs-found', role: 'status' });
  const head = make('tr');
  const body = make('tbody');
  const table = make(
    'table',
    { role: 'grid', tabIndex: 0, 'aria-label': said.title },
    make('thead', {}, head),
    body,
  );
  const rest = make('div', { class: 'rest' }, table);
  const scroller = make('div', { class: 'jobs-scroll', tabIndex: -1 }, rest);
  const element = make(
    'section',
    { class: 'jobs', 'aria-label': said.title },
    make('h3', {}, said.title),
    make(
      'div',
      { class: 'pick' },
      make('label', {}, make('span', {}, said.outcome), outcome),
      make('label', { class: 'wide' }, make('span', {}, said.filter), filter),
      make('label', { class: 'wide' }, make('span', {}, said.order), order),
    ),
    ordered,
    found,
    scroller,
  );

  let run: Run | null = null;
  let sort = { column: '', descending: false };
  let count = 0;
  /** The row of the arrow keys. */
  let at = 0;

  /**
   * The first visible row, by the scroll position: exact as long as the box is as high as all rows.
   */
  const first = () => {
    const room = rest.offsetHeight - scroller.clientHeight;
    const hidden = Math.max(0, count - SEEN);
    return room > 0 ? Math.min(hidden, Math.round((scroller.scrollTop / room) * hidden)) : 0;
  };

  const draw = latest(async () => {
    if (run === null) return;
    const from = first();
    const answers = await look(['rows', from, SEEN]);
    if (answers === null || run === null) return;
    const { columns, outcomes, left_out } = run.about;
    const [rows] = answers;
    // Rows are reused, so that nothing flickers and few elements are made.
    while (body.children.length > rows.length) body.lastChild?.remove();
    while (body.children.length < rows.length) {
      body.append(
        make(
          'tr',
          { role: 'row' },
          ...columns.map((column) => make('td', { role: 'gridcell', class: looks(column) })),
        ),
      );
    }
    rows.forEach(([job, row], place) => {
      const line = body.children[place] as HTMLTableRowElement;
      line.id = `job-row-${from + place}`;
      line.dataset.job = String(job);
      line.setAttribute('aria-rowindex', String(from + place + 2));
      line.setAttribute('aria-selected', String(job === chosenJob.get()));
      line.classList.toggle('on', from + place === at);
      columns.forEach(({ kind }, column) => {
        const value = line.children[column] as HTMLElement;
        value.hidden = left_out.includes(column);
        value.textContent = cell(kind, row[column], outcomes);
      });
    });
    const seen = at >= from && at < from + rows.length;
    if (seen) table.setAttribute('aria-activedescendant', `job-row-${at}`);
    else table.removeAttribute('aria-activedescendant');
  });

  /** The name of the column of the order. */
  const orderColumn = () => run?.about.columns[run.about.order].name;

  /** The class of the cells of a column. */
  const looks = ({ kind, name }: Run['about']['columns'][number]) => {
    if (name === orderColumn()) return 'order';
    return kind === 'word' ? 'word' : undefined;
  };

  /** Updates the column of the order to the current instant. */
  const arrange = latest(async () => {
    if (run === null) return;
    const wanted = order.value.trim();
    let words = '';
    if (wanted !== '') {
      const at = clock.get();
      try {
        const answers = await look(['order_by', wanted, at], ['examples', wanted, at, EXAMPLES]);
        if (answers === null) return;
        words = orderedInRun(answers[1]);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        order.setAttribute('aria-invalid', 'true');
        ordered.textContent = said.mistake(error.message);
        return;
      }
    }
    order.removeAttribute('aria-invalid');
    ordered.textContent = words;
    table.classList.toggle('no-order', wanted === '');
    const sorted = sort.column === orderColumn();
    if (sorted && wanted === '') sort = { column: run.about.columns[0].name, descending: false };
    showSort();
    if (sorted) await list();
    else await draw();
  });

  const list = latest(async () => {
    if (run === null) return;
    const wanted = outcome.value === '' ? filter.value : `${outcome.value} ${filter.value}`;
    try {
      const answers = await look(['list', sort.column, sort.descending, wanted]);
      if (answers === null || run === null) return;
      count = answers[0];
      filter.removeAttribute('aria-invalid');
      found.textContent = said.found(count, run.kept.info.jobs);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      filter.setAttribute('aria-invalid', 'true');
      found.textContent = error.message;
      return;
    }
    at = 0;
    table.setAttribute('aria-rowcount', String(count + 1));
    rest.style.height = `${Math.min(HIGHEST, (count + 1) * ROW)}px`;
    scroller.style.height = `${(Math.min(count, SEEN) + 1) * ROW}px`;
    scroller.scrollTop = 0;
    await draw();
  });

  /** Moves the row of the arrow keys, and the window with it. */
  function go(place: number) {
    at = Math.min(count - 1, Math.max(0, place));
    const from = first();
    if (at < from || at >= from + SEEN) {
      const hidden = Math.max(1, count - SEEN);
      const wanted = at < from ? at : at - SEEN + 1;
      scroller.scrollTop = (wanted / hidden) * (rest.offsetHeight - scroller.clientHeight);
    }
    void draw();
  }

  /** Chooses the job in the row, and shows an instant at which it runs. */
  async function choose(job: number) {
    chosenJob.set(job);
    await there();
    const place = await look(['place_of', job]);
    if (place !== null && place[0] !== undefined) at = place[0];
    void draw();
  }

  body.onclick = (event) => {
    const line = event.target instanceof Element ? event.target.closest('tr') : null;
    if (line !== null) void choose(Number(line.dataset.job));
  };

  /** Unless the chosen job runs at the current instant, shows its start, or its rejection. */
  async function there() {
    const job = chosenJob.get();
    const answers = job === null ? null : await look(['job_details', job, clock.get()]);
    if (answers === null || run === null) return;
    const { allocation } = answers[0];
    const now = clock.get();
    if (allocation !== null && now >= allocation.start && now < allocation.end) return;
    const value = (name: string) =>
      answers[0].row[run?.about.columns.findIndex((column) => column.name === name) ?? 0];
    clock.set(value('start') ?? value('submit') ?? 0);
  }

  table.onkeydown = (event) => {
    if (event.target !== table || event.ctrlKey || event.metaKey || event.altKey) return;
    const keys: { [key: string]: () => void } = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      PageDown: () => go(at + SEEN),
      PageUp: () => go(at - SEEN),
      Home: () => go(0),
      End: () => go(count - 1),
      Enter: () => {
        const line = body.children[at - first()] as HTMLElement | undefined;
        if (line?.dataset.job !== undefined) void choose(Number(line.dataset.job));
      },
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  scroller.onscroll = () => void draw();
  filter.oninput = () => void list();
  outcome.onchange = () => void list();
  chosenJob.watch(() => void draw());
  order.oninput = () => {
    sort = { column: orderColumn() ?? '', descending: false };
    void arrange();
  };
  clock.watch(() => {
    if (order.value.trim() !== '') void arrange();
  });

  function sortBy(column: string) {
    sort = { column, descending: sort.column === column && !sort.descending };
    showSort();
    void list();
  }

  function showSort() {
    for (const each of head.children) {
      const mine = (each as HTMLElement).dataset.column === sort.column;
      if (mine) each.setAttribute('aria-sort', sort.descending ? 'descending' : 'ascending');
      else each.removeAttribute('aria-sort');
    }
  }

  return {
    element,

    show(now: Run) {
      run = now;
      const { columns, outcomes } = now.about;
      if (head.children.length === 0) {
        head.setAttribute('role', 'row');
        head.append(
          ...columns.map((column) => {
            const { name, label, kind, help } = column;
            return make(
              'th',
              {
                role: 'columnheader',
                scope: 'col',
                class: looks(column),
                'data-column': name,
              },
              make(
                'button',
                { type: 'button', 'data-hint': help, onclick: () => sortBy(name) },
                inspectorTexts.column(label, kind),
              ),
            );
          }),
        );
        const words = columns.find(({ kind }) => kind === 'word')?.name ?? '';
        outcome.append(
          new Option(said.any, ''),
          ...outcomes.map((word) => new Option(word, `${words}=${word}`)),
        );
        const [, , , wait] = columns;
        filter.placeholder = said.example(
          wait.name,
          columns.find(({ kind }, place) => kind === 'count' && place > 0)?.name ?? wait.name,
        );
        sort = { column: columns[0].name, descending: false };
        showSort();
      }
      [...head.children].forEach((each, column) => {
        (each as HTMLElement).hidden = now.about.left_out.includes(column);
      });
      void list().then(arrange);
    },
  };
}
