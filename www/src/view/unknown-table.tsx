/**
 * The dialog about a table that no reader knows: its columns with their first values, what each is,
 * and the first jobs that come of it.
 */
import { signal } from '@preact/signals';
import { whole } from '../format.ts';
import { unknownTableTexts as texts } from '../texts/unknown-table.ts';
import { openDialog } from './dialog.tsx';
import type { Signal } from '@preact/signals';
import type { UnknownColumn } from '../../pkg/backfill_web.js';
import type { Core } from '../core.ts';

interface UnknownTable {
  core: Core;
  file: File;
  /** The start of its text. */
  start: string;
  columns: UnknownColumn[];
  /** Called with a value of the key `columns` that gives jobs. */
  use: (columns: string) => void;
}

/** Asks which column is what. */
export function unknownTableDialog(asked: UnknownTable) {
  const chosen = asked.columns.map(({ guess }) => guess ?? '');
  const mapping = signal(mappingOf(asked.columns, chosen));
  const dialog = openDialog(
    <dialog class="on-table" aria-labelledby="unknown-title">
      <h2 id="unknown-title">{texts.title(asked.file.name)}</h2>
      <p>{texts.lead}</p>
      <Mapping asked={asked} chosen={chosen} mapping={mapping} close={() => dialog.close()} />
    </dialog>,
  );
}

interface MappingParts {
  asked: UnknownTable;
  /** What each column is; empty for nothing. */
  chosen: string[];
  /** The value of the key `columns`. */
  mapping: Signal<string>;
  close: () => void;
}

function Mapping({ asked, chosen, mapping, close }: MappingParts) {
  const { columns, use } = asked;
  const found = firstJobs(asked, mapping.value);
  const choose = (position: number, target: string) => {
    chosen[position] = target;
    mapping.value = mappingOf(columns, chosen);
  };
  return (
    <form method="dialog" onSubmit={() => use(mapping.value)}>
      <div class="unknown-columns">
        {columns.map((column, position) => (
          <ColumnChoice
            key={position}
            column={column}
            choose={(target) => choose(position, target)}
          />
        ))}
      </div>
      <label class="mapping">
        <span>{texts.mapping}</span>
        <input
          type="text"
          spellcheck={false}
          aria-describedby="unknown-mapping-help"
          value={mapping}
          onInput={({ currentTarget }) => {
            mapping.value = currentTarget.value;
          }}
        />
      </label>
      <p class="soft" id="unknown-mapping-help">
        {texts.mappingHelp}
      </p>
      <h3>{texts.firstJobs}</h3>
      <div class="first-jobs" role="status">
        {typeof found === 'string' ? <p class="bad">{found}</p> : <Jobs jobs={found} />}
      </div>
      <div class="buttons">
        <button type="button" onClick={close}>
          {texts.cancel}
        </button>
        <button type="submit" class="primary" disabled={typeof found === 'string'}>
          {texts.use}
        </button>
      </div>
    </form>
  );
}

interface ColumnParts {
  column: UnknownColumn;
  choose: (target: string) => void;
}

/** The choice of what a column is, at first what it seems to be. */
function ColumnChoice({ column: { name, values, guess }, choose }: ColumnParts) {
  return (
    <label>
      <span>
        <strong>{name}</strong>
        <span class="soft">{values.join(', ')}</span>
      </span>
      <select onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {Object.entries(texts.targets).map(([value, words]) => (
          <option key={value} value={value} selected={value === (guess ?? '')}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The value of the key `columns` for what each column is. */
function mappingOf(columns: UnknownColumn[], chosen: string[]) {
  return columns
    .flatMap(({ name }, position) => (chosen[position] === '' ? [] : `${chosen[position]}:${name}`))
    .join(',');
}

/** The first jobs that these columns give, or what is missing. */
function firstJobs({ core, file, start }: UnknownTable, columns: string) {
  try {
    return core.first_jobs(file.name, start, columns);
  } catch (error) {
    return String(error);
  }
}

function Jobs({ jobs }: { jobs: ReturnType<Core['first_jobs']> }) {
  const { number, submit, wait, run, size } = texts.job;
  const seconds = (time: number | null) => (time === null ? '–' : whole(time));
  return (
    <table>
      <thead>
        <tr>
          {[number, submit, wait, run, size].map((words) => (
            <th key={words} scope="col">
              {words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.number}>
            <td>{job.number}</td>
            <td>{seconds(job.submit)}</td>
            <td>{seconds(job.wait)}</td>
            <td>{seconds(job.run)}</td>
            <td>{whole(job.size)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
