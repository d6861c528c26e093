/** One job of a run: what it asked for, where it runs, and why it was refused or waited. */
import { Cancelled } from '../worker/worker-client.js';
import { make, put } from '../dom.js';
import { cell, instant } from '../format.js';
import { chosenJob, clock, dark, picture, pointedJob } from '../state.js';
import { texts } from '../texts.js';
import { latest } from './inspector.js';

/**
 * @typedef {import('./inspector.js').Run} Run
 * @typedef {import('../pkg/complete/backfill_web.js').JobAt} JobAt
 */

/** So many servers or links are named, the rest is counted. */
const NAMED = 6;

/**
 * @param {import('./inspector.js').Look} look
 * @param {() => Promise<import('../worker/worker-client.js').WorkerClient>} startedExportWorker
 *   gives the worker that explains
 */
export function jobView(look, startedExportWorker) {
  const said = texts.job;
  const title = make('h3', {}, said.none);
  const facts = make('dl', { class: 'facts' });
  const where = make('div', { class: 'where' });
  const why = make('p', { class: 'why', role: 'status' });
  const askNow = make('button', {
    type: 'button',
    hidden: true,
    onclick: () => void explain(clock.get()),
  });
  const element = make(
    'section',
    { class: 'one-job', 'aria-label': said.title },
    title,
    facts,
    where,
    why,
    askNow,
  );

  /** @type {Run | null} */
  let run = null;
  /** @type {{job: number, at: JobAt} | null} */
  let shown = null;

  /** The values of the job by the names of their columns. */
  const values = (/** @type {JobAt} */ { row }) =>
    Object.fromEntries((run?.about.columns ?? []).map(({ name }, column) => [name, row[column]]));

  const show = latest(async () => {
    const job = chosenJob.get();
    const answers = job === null ? null : await look(['job_details', job, clock.get()]);
    if (job === null || answers === null || run === null) {
      shown = null;
      title.textContent = said.none;
      for (const part of [facts, where, why]) part.replaceChildren();
      askNow.hidden = true;
      return;
    }
    const other = shown?.job !== job;
    shown = { job, at: answers[0] };
    const { columns, order, outcomes } = run.about;
    const { row, allocation, allocations } = shown.at;
    title.textContent = said.called(cell(columns[0].kind, row[0], outcomes));
    facts.replaceChildren(
      // Who does not wait has no place in an order.
      ...columns.flatMap(({ label, kind, help }, column) =>
        column === 0 || (column === order && row[column] === null)
          ? []
          : make(
              'div',
              { title: help },
              make('dt', {}, texts.inspector.column(label, kind)),
              make('dd', {}, cell(kind, row[column], outcomes)),
            ),
      ),
    );
    where.replaceChildren();
    if (allocation !== null) {
      const held = clock.get() >= allocation.start && clock.get() < allocation.end;
      const parts = allocation.parts.map(([name, slots]) =>
        slots === 1 ? name : said.slots(name, slots),
      );
      const links = allocation.links.map(([name, mbps]) => said.link(name, mbps));
      where.append(
        make(
          'p',
          {},
          make('b', {}, held ? said.runsOn : said.ranOn),
          ' ',
          listed(parts),
          allocations > 1 ? said.ofAllocations(allocations) : '',
        ),
      );
      const paused = allocation.works_from > allocation.start;
      if (allocation.migrated)
        where.append(
          make(
            'p',
            {},
            said.migrated(
              instant(allocation.start),
              paused ? instant(allocation.works_from) : null,
            ),
          ),
        );
      if (links.length > 0)
        where.append(
          make('p', {}, make('b', {}, held ? said.reserves : said.reserved), ' ', listed(links)),
        );
    }
    if (other) {
      why.replaceChildren();
      const { wait } = values(shown.at);
      if (wait === 0) why.textContent = said.atOnce;
      else void explain(null);
    }
    offer();
  });

  /** Offers to say why the job waits at the instant shown, if it does. */
  function offer() {
    const { submit = null, start = null } = shown === null ? {} : values(shown.at);
    const waits = submit !== null && start !== null && clock.get() > submit && clock.get() < start;
    askNow.hidden = !waits;
    if (waits) askNow.textContent = said.whyThen(instant(clock.get()));
  }

  /**
   * Says why the job was refused or waits.
   * @param {number | null} at when; null is when it arrived
   */
  async function explain(at) {
    if (shown === null || run === null) return;
    const { job } = shown;
    const asked = run.kept;
    const isShown = () => shown?.job === job && run?.kept === asked;
    why.textContent = said.looking;
    const { scenario, trace, cell: ofCell } = asked;
    try {
      const exportWorker = await startedExportWorker();
      const pieces = await exportWorker.ask('explain', {
        scenario,
        trace,
        cell: ofCell,
        job,
        at,
      });
      if (!isShown()) return;
      const parts = pieces.map((piece) =>
        typeof piece === 'string'
          ? piece
          : make(
              'button',
              {
                type: 'button',
                class: 'plain',
                title: said.goThere,
                onclick: () => clock.set(piece),
              },
              instant(piece),
            ),
      );
      why.replaceChildren(...parts);
    } catch (error) {
      if (error instanceof Cancelled || !isShown()) return;
      why.textContent = said.unexplained(error instanceof Error ? error.message : String(error));
    }
  }

  // The job pointed at, else the one chosen, is marked on the picture of the run.
  const marks = make('canvas', { class: 'marks', 'aria-hidden': 'true' });
  const mark = latest(async () => {
    const job = pointedJob.get() ?? chosenJob.get();
    const size = picture.get();
    const answers =
      job === null || size === null
        ? null
        : await look(['marks', job, clock.get(), size.width, dark.get()]);
    marks.hidden = answers === null;
    const map = document.querySelector('#replay .map');
    if (answers === null || size === null || map === null) return;
    if (marks.parentElement !== map) map.append(marks);
    marks.width = size.width;
    marks.height = size.height;
    marks.style.width = `min(100%, ${size.width / devicePixelRatio}px)`;
    put(marks, answers[0]);
  });
  for (const atom of [pointedJob, chosenJob, clock, picture, dark]) atom.watch(() => void mark());
  for (const atom of [chosenJob, clock]) atom.watch(() => void show());

  return {
    element,

    /** @param {Run} now */
    show(now) {
      run = now;
      shown = null;
      void show();
      void mark();
    },
  };
}

/** @param {string[]} names */
function listed(names) {
  const rest = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (rest > 0 ? texts.job.more(rest) : '');
}
