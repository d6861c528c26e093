/**
 * The jobs of a run as a table: sorted by any column, filtered, and with only the visible rows
 * drawn, so that a hundred thousand scroll as smoothly as ten.
 */
import { mounted } from '../mount.ts';
import { chosenJob } from '../state.ts';
import { inspectorTexts } from '../texts/inspector.ts';
import { jobsTexts } from '../texts/jobs.ts';
import { cell } from './cell.ts';
import { JobsState, SEEN } from './jobs-state.ts';
import type { Look, Run } from './inspector.ts';
import type { Column } from './jobs-state.ts';

/** The height of a row in CSS pixels. */
const ROW = 28;
/** The height that no browser's layout exceeds by much. */
const HIGHEST = 8_000_000;

export function jobsView(look: Look) {
  const state = new JobsState(look);
  return { element: mounted(<Jobs state={state} />), show: (run: Run) => state.open(run) };
}

interface Parts {
  state: JobsState;
}

function Jobs({ state }: Parts) {
  const [found, ordered] = [state.found.value, state.ordered.value];
  return (
    <section class="jobs" aria-label={jobsTexts.title}>
      <h3>{jobsTexts.title}</h3>
      <div class="pick">
        <OutcomeChoice state={state} />
        <FilterField state={state} isWrong={found.isMistake} />
        <OrderField state={state} isWrong={ordered.isMistake} />
      </div>
      <p class="soft" id="jobs-order" role="status">
        {ordered.words}
      </p>
      <p class="soft" id="jobs-found" role="status">
        {found.words}
      </p>
      <Scroller state={state} />
    </section>
  );
}

function OutcomeChoice({ state }: Parts) {
  const about = state.run.value?.about;
  const words = about?.columns.find(({ kind }) => kind === 'word')?.name ?? '';
  return (
    <label>
      <span>{jobsTexts.outcome}</span>
      <select
        value={state.outcome.value}
        onChange={({ currentTarget }) => {
          state.outcome.value = currentTarget.value;
          void state.list();
        }}
      >
        {about !== undefined && <option value="">{jobsTexts.any}</option>}
        {about?.outcomes.map((word) => (
          <option key={word} value={`${words}=${word}`}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FieldParts extends Parts {
  isWrong: boolean;
}

function FilterField({ state, isWrong }: FieldParts) {
  const columns = state.run.value?.about.columns ?? [];
  const wait = columns[3]?.name;
  const count = columns.find(({ kind }, place) => kind === 'count' && place > 0)?.name;
  return (
    <label class="wide">
      <span>{jobsTexts.filter}</span>
      <input
        type="text"
        spellcheck={false}
        autocomplete="off"
        placeholder={wait === undefined ? '' : jobsTexts.example(wait, count ?? wait)}
        aria-describedby="jobs-found"
        aria-invalid={isWrong || undefined}
        onInput={({ currentTarget }) => {
          state.filter.value = currentTarget.value;
          void state.list();
        }}
      />
    </label>
  );
}

function OrderField({ state, isWrong }: FieldParts) {
  return (
    <label class="wide">
      <span>{jobsTexts.order}</span>
      <input
        type="text"
        spellcheck={false}
        autocomplete="off"
        autocapitalize="none"
        placeholder={jobsTexts.orderExample}
        aria-describedby="jobs-order"
        aria-invalid={isWrong || undefined}
        onInput={({ currentTarget }) => state.enterOrder(currentTarget.value)}
      />
    </label>
  );
}

/** The box in which the table stays at the top, beside what is as high as all rows. */
function Scroller({ state }: Parts) {
  const count = state.count.value;
  const isListed = state.found.value.words !== '';
  const height = (rows: number) => (isListed ? `${Math.min(HIGHEST, (rows + 1) * ROW)}px` : '');
  return (
    <div
      ref={state.scroller}
      class="jobs-scroll"
      tabIndex={-1}
      style={{ height: height(Math.min(count, SEEN)) }}
      onScroll={() => void state.draw()}
    >
      <div ref={state.all} class="rest" style={{ height: height(count) }}>
        <Grid state={state} isListed={isListed} />
      </div>
    </div>
  );
}

function Grid({ state, isListed }: Parts & { isListed: boolean }) {
  const { from, rows } = state.rows.value;
  const at = state.at.value;
  const run = state.run.value;
  const isSeen = at >= from && at < from + rows.length;
  return (
    <table
      role="grid"
      tabIndex={0}
      aria-label={jobsTexts.title}
      aria-rowcount={isListed ? state.count.value + 1 : undefined}
      aria-activedescendant={isSeen ? `job-row-${at}` : undefined}
      class={state.hasOrder.value ? '' : 'no-order'}
      onKeyDown={(event) => moveByKey(state, event)}
    >
      <thead>{run !== null && <Head state={state} about={run.about} />}</thead>
      <tbody
        onClick={({ target }) => {
          const line = target instanceof Element ? target.closest('tr') : null;
          if (line !== null) void state.choose(Number(line.dataset.job));
        }}
      >
        {run !== null &&
          rows.map(([job, row], place) => (
            // Rows are reused, so that nothing flickers.
            <JobRow
              key={place}
              about={run.about}
              job={job}
              row={row}
              place={from + place}
              isAt={from + place === at}
            />
          ))}
      </tbody>
    </table>
  );
}

function moveByKey(state: JobsState, event: KeyboardEvent) {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey)
    return;
  const at = state.at.peek();
  const keys: { [key: string]: () => void } = {
    ArrowDown: () => state.go(at + 1),
    ArrowUp: () => state.go(at - 1),
    PageDown: () => state.go(at + SEEN),
    PageUp: () => state.go(at - SEEN),
    Home: () => state.go(0),
    End: () => state.go(state.count.peek() - 1),
    Enter: () => state.chooseRow(at),
  };
  const act = keys[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
}

interface AboutParts {
  about: Run['about'];
}

function Head({ state, about }: Parts & AboutParts) {
  const { column: sorted, descending } = state.sort.value;
  return (
    <tr role="row">
      {about.columns.map((column, place) => {
        const { name, label, kind, help } = column;
        return (
          <th
            key={name}
            role="columnheader"
            scope="col"
            class={classOf(column, about)}
            data-column={name}
            hidden={about.left_out.includes(place)}
            aria-sort={name !== sorted ? undefined : descending ? 'descending' : 'ascending'}
          >
            <button type="button" data-hint={help} onClick={() => state.sortBy(name)}>
              {inspectorTexts.column(label, kind)}
            </button>
          </th>
        );
      })}
    </tr>
  );
}

interface JobRowParts extends AboutParts {
  job: number;
  row: (number | null)[];
  place: number;
  /** Whether the arrow keys are at it. */
  isAt: boolean;
}

function JobRow({ about, job, row, place, isAt }: JobRowParts) {
  return (
    <tr
      role="row"
      id={`job-row-${place}`}
      class={isAt ? 'on' : ''}
      data-job={job}
      aria-rowindex={place + 2}
      aria-selected={job === chosenJob.value}
    >
      {about.columns.map((column, number) => (
        <td
          key={column.name}
          role="gridcell"
          class={classOf(column, about)}
          hidden={about.left_out.includes(number)}
        >
          {cell(column.kind, row[number], about.outcomes)}
        </td>
      ))}
    </tr>
  );
}

/** The class of the cells of a column. */
function classOf({ kind, name }: Column, { columns, order }: Run['about']) {
  if (name === columns[order].name) return 'order';
  return kind === 'word' ? 'word' : undefined;
}
