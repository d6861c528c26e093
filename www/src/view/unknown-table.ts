/**
 * The dialog about a table that no reader knows: its columns with their first values, what each is,
 * and the first jobs that come of it.
 */
import { make } from '../dom.ts';
import { whole } from '../format.ts';
import { unknownTableTexts as texts } from '../texts/unknown-table.ts';
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
export function unknownTableDialog({ core, file, start, columns, use }: UnknownTable) {
  const rows = columns.map((column) => ({ column, select: choice(column) }));
  const mapping = make('input', {
    type: 'text',
    spellcheck: false,
    'aria-describedby': 'unknown-mapping-help',
  });
  const jobs = make('div', { class: 'first-jobs', role: 'status' });
  const accept = make('button', { type: 'submit', class: 'primary' }, texts.use);
  const form = make(
    'form',
    { method: 'dialog' },
    make(
      'div',
      { class: 'unknown-columns' },
      ...rows.map(({ column: { name, values }, select }) =>
        make(
          'label',
          {},
          make(
            'span',
            {},
            make('strong', {}, name),
            make('span', { class: 'soft' }, values.join(', ')),
          ),
          select,
        ),
      ),
    ),
    make('label', { class: 'mapping' }, make('span', {}, texts.mapping), mapping),
    make('p', { class: 'soft', id: 'unknown-mapping-help' }, texts.mappingHelp),
    make('h3', {}, texts.firstJobs),
    jobs,
    make(
      'div',
      { class: 'buttons' },
      make('button', { type: 'button', onclick: () => dialog.close() }, texts.cancel),
      accept,
    ),
  );
  const dialog = make(
    'dialog',
    { class: 'on-table', 'aria-labelledby': 'unknown-title' },
    make('h2', { id: 'unknown-title' }, texts.title(file.name)),
    make('p', {}, texts.lead),
    form,
  );
  const show = () => {
    const found = firstJobs(core, file.name, start, mapping.value);
    accept.disabled = typeof found === 'string';
    jobs.replaceChildren(
      typeof found === 'string' ? make('p', { class: 'bad' }, found) : table(found),
    );
  };
  const choose = () => {
    const chosen = rows.filter(({ select }) => select.value !== '');
    mapping.value = chosen.map(({ column, select }) => `${select.value}:${column.name}`).join(',');
    show();
  };
  for (const { select } of rows) select.onchange = choose;
  mapping.oninput = show;
  form.onsubmit = () => use(mapping.value);
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  choose();
  dialog.showModal();
}

/** The choice of what a column is, the guess chosen. */
function choice({ guess }: UnknownColumn) {
  const options = Object.entries(texts.targets).map(([value, words]) =>
    make('option', { value, selected: value === (guess ?? '') }, words),
  );
  return make('select', {}, ...options);
}

/** The first jobs that these columns give, or what is missing. */
function firstJobs(core: Core, name: string, start: string, columns: string) {
  try {
    return core.first_jobs(name, start, columns);
  } catch (error) {
    return String(error);
  }
}

function table(jobs: ReturnType<Core['first_jobs']>) {
  const { number, submit, wait, run, size } = texts.job;
  const head = [number, submit, wait, run, size].map((words) =>
    make('th', { scope: 'col' }, words),
  );
  const rows = jobs.map((job) => {
    const seconds = [job.submit, job.wait, job.run].map((time) =>
      time === null ? '–' : whole(time),
    );
    const cells = [String(job.number), ...seconds, whole(job.size)];
    return make('tr', {}, ...cells.map((text) => make('td', {}, text)));
  });
  return make('table', {}, make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...rows));
}
