/**
 * One job of a run: its request, its allocation, what slows it, and why it was rejected or waited.
 */
import { instant, percent } from '../format.ts';
import { mounted } from '../mount.ts';
import { clock } from '../state.ts';
import { inspectorTexts } from '../texts/inspector.ts';
import { jobTexts } from '../texts/job.ts';
import { cell } from './cell.ts';
import { JobState, sharedAllocation, valuesOf } from './job-state.ts';
import { markJobs } from './marks.tsx';
import type { ComponentChildren } from 'preact';
import type { JobAt, NamedLink } from '../../pkg/backfill_web.js';
import type { WorkerClient } from '../worker/worker-client.ts';
import type { Look, Run } from './inspector.ts';
import type { Piece, ShownJob } from './job-state.ts';

type Allocation = NonNullable<JobAt['allocation']>;

/** The number of servers, links or jobs that are named; the rest are counted. */
const NAMED = 6;

/** @param startedExportWorker returns the worker that explains */
export function jobView(look: Look, startedExportWorker: () => WorkerClient) {
  const state = new JobState(look, startedExportWorker);
  const mark = markJobs(look);
  return {
    element: mounted(<Job state={state} />),

    show(run: Run) {
      state.open(run);
      void mark();
    },
  };
}

function Job({ state }: { state: JobState }) {
  const said = jobTexts;
  const shown = state.shown.value;
  const isHeld = shown !== null && holds(shown);
  return (
    <section class="one-job" aria-label={said.title}>
      <h3>{shown === null ? said.none : titleOf(shown)}</h3>
      <dl class="facts">{shown !== null && <Facts shown={shown} />}</dl>
      <div class="where">
        {shown !== null && shown.at.allocation !== null && (
          <Where state={state} shown={shown} allocation={shown.at.allocation} isHeld={isHeld} />
        )}
      </div>
      <ShareOverTime state={state} />
      <p class="why" role="status">
        <Sentence state={state} pieces={state.why.value} />
      </p>
      <AskNow state={state} />
    </section>
  );
}

function titleOf({ run: { about }, at: { row } }: ShownJob) {
  return jobTexts.called(cell(about.columns[0].kind, row[0], about.outcomes));
}

/** Whether the job runs at the current instant. */
function holds({ at: { allocation }, instant: now }: ShownJob) {
  return allocation !== null && now >= allocation.start && now < allocation.end;
}

function Facts({ shown: { run, at } }: { shown: ShownJob }) {
  const { columns, order, left_out: leftOut, outcomes } = run.about;
  return columns.map(({ name, label, kind, help }, column) => {
    // A job that does not wait has no value in an order.
    const isOut = leftOut.includes(column) || (column === order && at.row[column] === null);
    if (column === 0 || isOut) return null;
    return (
      <div key={name} data-hint={help}>
        <dt>{inspectorTexts.column(label, kind)}</dt>
        <dd>{cell(kind, at.row[column], outcomes)}</dd>
      </div>
    );
  });
}

interface WhereParts {
  state: JobState;
  shown: ShownJob;
  allocation: Allocation;
  isHeld: boolean;
}

/** Where the job runs, or ran, and what it reserves there. */
function Where({ state, shown, allocation, isHeld }: WhereParts) {
  const said = jobTexts;
  const { start, works_from: worksFrom, shared } = allocation;
  const parts = allocation.parts.map(([name, slots]) =>
    slots === 1 ? name : said.slots(name, slots),
  );
  const links = allocation.links.map(({ name, reserved }) => said.link(name, reserved));
  const { allocations } = shown.at;
  const pays = isHeld && shown.instant < worksFrom;
  return (
    <>
      <p>
        <b>{isHeld ? said.runsOn : said.ranOn}</b> {listed(parts)}
        {allocations > 1 && said.ofAllocations(allocations)}
      </p>
      {allocation.migrated && (
        <p>{said.migrated(instant(start), worksFrom > start ? instant(worksFrom) : null)}</p>
      )}
      {links.length > 0 && (
        <p>
          <b>{isHeld ? said.reserves : said.reserved}</b> {listed(links)}
        </p>
      )}
      {pays && <p>{said.pays(instant(worksFrom))}</p>}
      {!pays && isHeld && shared !== null && <Share state={state} shared={shared} />}
    </>
  );
}

interface ShareParts {
  state: JobState;
  shared: NonNullable<Allocation['shared']>;
}

/** The share of the bandwidth that the job requests, and the link that limits it. */
function Share({ state, shared: { share, least, most, speed, limit } }: ShareParts) {
  const said = jobTexts;
  return (
    <>
      <p>{said.gets(percent(share), percent(speed), percent(least), percent(most))}</p>
      {limit !== null && (
        <p>
          {said.slowed} <LinkButton state={state} link={{ ...limit, at: clock.peek() }} />
          {limit.with.length === 0
            ? said.fullAlone
            : said.fullWith(said.withJobs(limit.with.slice(0, NAMED)) + rest(limit.with.length))}
        </p>
      )}
    </>
  );
}

function ShareOverTime({ state }: { state: JobState }) {
  const said = jobTexts;
  const shown = state.shown.value;
  const allocation = shown === null ? null : sharedAllocation(shown);
  return (
    <div class="share-over-time" hidden={allocation === null}>
      <p class="soft">{said.shareOverTime}</p>
      <canvas
        ref={state.strip}
        role="img"
        aria-label={said.shareOverTime}
        aria-describedby="slowed-over"
      />
      <div class="stay" aria-hidden="true">
        <span>{allocation !== null && instant(allocation.start)}</span>
        <span>{allocation !== null && instant(allocation.end)}</span>
      </div>
      <ul class="slowed" id="slowed-over">
        {state.slowed.value.map((pieces, place) => (
          <li key={place}>
            <Sentence state={state} pieces={pieces} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Offers to explain why the job waits at the current instant, if it does. */
function AskNow({ state }: { state: JobState }) {
  const shown = state.shown.value;
  const { submit = null, start = null } = shown === null ? {} : valuesOf(shown);
  const now = shown?.instant ?? 0;
  const waits = submit !== null && start !== null && now > submit && now < start;
  return (
    <button type="button" hidden={!waits} onClick={() => void state.explain(clock.peek())}>
      {waits && jobTexts.whyThen(instant(now))}
    </button>
  );
}

function Sentence({ state, pieces }: { state: JobState; pieces: Piece[] }): ComponentChildren {
  return pieces.map((piece, place) => {
    if (typeof piece === 'string') return piece;
    if (typeof piece === 'object') return <LinkButton key={place} state={state} link={piece} />;
    return (
      <button
        key={place}
        type="button"
        class="plain"
        data-hint={jobTexts.goThere}
        onClick={() => {
          clock.value = piece;
        }}
      >
        {instant(piece)}
      </button>
    );
  });
}

/** A link's name that shows the link. */
function LinkButton({ state, link }: { state: JobState; link: NamedLink }) {
  return (
    <button
      type="button"
      class="plain"
      title={jobTexts.showLink}
      onClick={() => void state.showLink(link)}
    >
      {link.name}
    </button>
  );
}

function listed(names: string[]) {
  return names.slice(0, NAMED).join(', ') + rest(names.length);
}

/** The number of names that are left out, in words. */
function rest(count: number) {
  return count > NAMED ? jobTexts.more(count - NAMED) : '';
}
