/**
 * One job of a run: its request, its allocation, what slows it, and why it was rejected or waited.
 */
import { Cancelled } from '../worker/worker-client.ts';
import { make, put } from '../dom.ts';
import { cell, instant, percent } from '../format.ts';
import { averaged, chosenJob, clock, dark, picture, pointedCell, pointedJob } from '../state.ts';
import { inspectorTexts } from '../texts/inspector.ts';
import { jobTexts } from '../texts/job.ts';
import { latest } from '../latest.ts';
import { key } from './scale.ts';
import type { JobAt, NamedLink } from '../../pkg/backfill_web.js';
import type { WorkerClient } from '../worker/worker-client.ts';
import type { Look, Run } from './inspector.ts';

type Shared = NonNullable<NonNullable<JobAt['allocation']>['shared']>;

/** The number of servers, links or jobs that are named; the rest are counted. */
const NAMED = 6;
/** The chart of its share over its allocation, in CSS pixels. */
const STRIP = { width: 360, height: 46 };

/** @param startedExportWorker returns the worker that explains */
export function jobView(look: Look, startedExportWorker: () => WorkerClient) {
  const said = jobTexts;
  const title = make('h3', {}, said.none);
  const facts = make('dl', { class: 'facts' });
  const where = make('div', { class: 'where' });
  const why = make('p', { class: 'why', role: 'status' });
  const askNow = make('button', {
    type: 'button',
    hidden: true,
    onclick: () => void explain(clock.get()),
  });
  const slowed = make('ul', { class: 'slowed', id: 'slowed-over' });
  const strip = make('canvas', {
    role: 'img',
    'aria-label': said.shareOverTime,
    'aria-describedby': slowed.id,
  });
  const ends = make('div', { class: 'stay', 'aria-hidden': 'true' });
  const overTime = make(
    'div',
    { class: 'share-over-time', hidden: true },
    make('p', { class: 'soft' }, said.shareOverTime),
    strip,
    ends,
    slowed,
  );
  const element = make(
    'section',
    { class: 'one-job', 'aria-label': said.title },
    title,
    facts,
    where,
    overTime,
    why,
    askNow,
  );

  let run: Run | null = null;
  let shown: { job: number; at: JobAt } | null = null;

  /** The values of the job by the names of their columns. */
  const values = ({ row }: JobAt) =>
    Object.fromEntries((run?.about.columns ?? []).map(({ name }, column) => [name, row[column]]));

  const show = latest(async () => {
    const job = chosenJob.get();
    const answers = job === null ? null : await look(['job_details', job, clock.get()]);
    if (job === null || answers === null || run === null) {
      shown = null;
      title.textContent = said.none;
      for (const part of [facts, where, why]) part.replaceChildren();
      overTime.hidden = true;
      askNow.hidden = true;
      return;
    }
    const other = shown?.job !== job;
    shown = { job, at: answers[0] };
    const { columns, order, left_out, outcomes } = run.about;
    const { row, allocation, allocations } = shown.at;
    title.textContent = said.called(cell(columns[0].kind, row[0], outcomes));
    facts.replaceChildren(
      // A job that does not wait has no value in an order.
      ...columns.flatMap(({ label, kind, help }, column) =>
        column === 0 || left_out.includes(column) || (column === order && row[column] === null)
          ? []
          : make(
              'div',
              { 'data-hint': help },
              make('dt', {}, inspectorTexts.column(label, kind)),
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
      const links = allocation.links.map(({ name, reserved }) => said.link(name, reserved));
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
      if (held && clock.get() < allocation.works_from)
        where.append(make('p', {}, said.pays(instant(allocation.works_from))));
      else if (allocation.shared !== null && held) where.append(...shares(allocation.shared));
    }
    void paintShare();
    void sayShare();
    if (other) {
      why.replaceChildren();
      const { wait } = values(shown.at);
      if (wait === 0) why.textContent = said.atOnce;
      else void explain(null);
    }
    offer();
  });

  /** The share of the bandwidth that the job requests, and the link that limits it. */
  function shares({ share, least, most, speed, limit }: Shared) {
    const gets = make(
      'p',
      {},
      said.gets(percent(share), percent(speed), percent(least), percent(most)),
    );
    if (limit === null) return [gets];
    const { part, name, with: others } = limit;
    const jobs = said.withJobs(others.slice(0, NAMED)) + rest(others.length);
    return [
      gets,
      make(
        'p',
        {},
        said.slowed,
        ' ',
        linkButton({ part, name, at: clock.get() }),
        others.length === 0 ? said.fullAlone : said.fullWith(jobs),
      ),
    ];
  }

  /** Draws the job's share over its allocation. */
  const paintShare = latest(async () => {
    const allocation = shown?.at.allocation ?? null;
    overTime.hidden = shown === null || allocation === null || allocation.shared === null;
    if (shown === null || allocation === null || overTime.hidden) return;
    const [width, height] = [STRIP.width, STRIP.height].map((size) =>
      Math.round(size * devicePixelRatio),
    );
    const answers = await look(['share_strip', shown.job, clock.get(), width, height, dark.get()]);
    const pixels = answers?.[0];
    if (pixels === undefined) return;
    strip.width = width;
    strip.height = height;
    put(strip, pixels);
    ends.replaceChildren(
      make('span', {}, instant(allocation.start)),
      make('span', {}, instant(allocation.end)),
    );
  });

  /** The allocation of the current sentences. */
  let ofStay = '';
  /** Shows when the job is slowed over its allocation, by which links, and the jobs on them. */
  const sayShare = latest(async () => {
    const start = shown?.at.allocation?.start;
    if (shown === null || run === null || start === undefined || overTime.hidden) return;
    const stay = `${run.kept.number} ${shown.job} ${start}`;
    // The sentences stay while time moves, and with them the focus.
    if (stay === ofStay) return;
    const answers = await look(['slowed_over', shown.job, start]);
    if (answers === null) return;
    ofStay = stay;
    const [{ longest, more }] = answers;
    const items = longest.map((pieces) => make('li', {}, ...pieces.map(partOf)));
    if (items.length === 0) items.push(make('li', {}, said.notSlowed));
    if (more > 0) items.push(make('li', {}, said.slowedMore(more)));
    slowed.replaceChildren(...items);
  });

  /** A piece of a sentence: text, an instant that a click shows, or such a link. */
  function partOf(piece: string | number | NamedLink) {
    if (typeof piece === 'string') return piece;
    if (typeof piece === 'object') return linkButton(piece);
    return make(
      'button',
      {
        type: 'button',
        class: 'plain',
        'data-hint': said.goThere,
        onclick: () => clock.set(piece),
      },
      instant(piece),
    );
  }

  /** A link's name that shows the link. */
  function linkButton(link: { part: number; name: string; at: number }) {
    return make(
      'button',
      { type: 'button', class: 'plain', title: said.showLink, onclick: () => void showLink(link) },
      link.name,
    );
  }

  /** Shows a link in the picture, at the instant of its sentence. */
  async function showLink({ part, at }: { part: number; at: number }) {
    const laid = picture.get();
    if (laid === null) return;
    averaged.set(false);
    clock.set(at);
    const answers = await look(['spot_of', part, laid.width]);
    const map = (document.querySelector('#replay .drawing:not([hidden])') ??
      document.querySelector('#replay .map')) as HTMLElement | null;
    if (answers === null || map === null) return;
    map.scrollIntoView({ block: 'center' });
    map.focus({ preventScroll: true });
    pointedCell.set(answers[0] ?? null);
  }

  /** Offers to explain why the job waits at the current instant, if it does. */
  function offer() {
    const { submit = null, start = null } = shown === null ? {} : values(shown.at);
    const waits = submit !== null && start !== null && clock.get() > submit && clock.get() < start;
    askNow.hidden = !waits;
    if (waits) askNow.textContent = said.whyThen(instant(clock.get()));
  }

  /**
   * Explains why the job was rejected or waits.
   * @param at when; null for its arrival
   */
  async function explain(at: number | null) {
    if (shown === null || run === null) return;
    const { job } = shown;
    const asked = run.kept;
    const isShown = () => shown?.job === job && run?.kept === asked;
    why.textContent = said.looking;
    const { scenario, trace, cell: ofCell } = asked;
    try {
      const pieces = await startedExportWorker().ask('explain', {
        scenario,
        trace,
        cell: ofCell,
        job,
        at,
      });
      if (!isShown()) return;
      why.replaceChildren(...pieces.map(partOf));
    } catch (error) {
      if (error instanceof Cancelled || !isShown()) return;
      why.textContent = said.unexplained(error instanceof Error ? error.message : String(error));
    }
  }

  // The job pointed at, else the chosen one, is marked on the picture of the run.
  const marks = make('canvas', { class: 'marks', 'aria-hidden': 'true' });
  const ofMarks = key('outlined', '');
  ofMarks.hidden = true;
  document.querySelector('#shares-scale')?.append(ofMarks);
  const mark = latest(async () => {
    const job = pointedJob.get() ?? chosenJob.get();
    const size = picture.get();
    const answers =
      job === null || size === null
        ? null
        : await look(
            ['marks', job, clock.get(), size.width, dark.get()],
            ['job_details', job, clock.get()],
          );
    const allocation = answers?.[1].allocation ?? null;
    marks.hidden = answers === null;
    ofMarks.hidden = allocation === null;
    if (answers !== null && allocation !== null) {
      const number = String(answers[1].row[0]);
      const [from, until] = [allocation.start, allocation.end];
      const held = clock.get() >= from && clock.get() < until;
      ofMarks.lastChild?.replaceWith(
        held ? said.marked(number) : said.markedThen(number, instant(from), instant(until)),
      );
    }
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
  dark.watch(() => void paintShare());

  return {
    element,

    show(now: Run) {
      run = now;
      shown = null;
      void show();
      void mark();
    },
  };
}

function listed(names: string[]) {
  return names.slice(0, NAMED).join(', ') + rest(names.length);
}

/** The number of names that are left out, in words. */
function rest(count: number) {
  return count > NAMED ? jobTexts.more(count - NAMED) : '';
}
