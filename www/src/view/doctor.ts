/**
 * The dialog with the report on a log: what its reader found, what ails its jobs, and remedies that
 * change the scenario.
 */
import { make } from '../dom.ts';
import { instant, percent, whole } from '../format.ts';
import { entries } from '../state.ts';
import { doctorTexts } from '../texts/doctor.ts';
import { traceTexts } from '../texts/trace.ts';
import { copyButton } from './export-file.ts';
import { ofReader, plainText } from './log-report.ts';
import type { Diagnosis } from '../../pkg/backfill_web.js';
import type { ReadTrace, Tables } from '../state.ts';

/** Shows the report on a log, then diagnoses its jobs and shows the findings. */
export async function doctorDialog(
  { report, source }: ReadTrace,
  tables: Tables,
  examine: () => Promise<Diagnosis>,
) {
  const said = doctorTexts;
  const title = said.title(source.file.name);
  const found = make('div', {}, make('p', { role: 'status' }, said.looking));
  const shown = make(
    'div',
    { class: 'diagnosis', tabIndex: 0, role: 'region', 'aria-label': title },
    ...ofReader(report, source),
    found,
  );
  const asText = {
    get value() {
      return `${title}\n\n${plainText(shown)}\n`;
    },
    select: () => getSelection()?.selectAllChildren(shown),
  };
  const hasLines = report.findings.some(({ example }) => example !== null);
  const dialog = make(
    'dialog',
    { class: 'on-log', 'aria-labelledby': 'doctor-title' },
    make('h2', { id: 'doctor-title' }, title),
    shown,
    make(
      'div',
      { class: 'buttons' },
      ...(hasLines ? [make('span', { class: 'soft' }, traceTexts.names)] : []),
      copyButton(asText, traceTexts.copy),
      make('button', { type: 'button', onclick: () => dialog.close() }, said.close),
    ),
  );
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  dialog.showModal();
  try {
    found.replaceChildren(...sections(await examine(), tables));
  } catch (error) {
    found.replaceChildren(
      make(
        'p',
        { class: 'bad', role: 'alert' },
        said.failed(error instanceof Error ? error.message : String(error)),
      ),
    );
  }
}

function sections(diagnosis: Diagnosis, tables: Tables) {
  const said = doctorTexts;
  const share = (jobs: number) => percent(jobs / diagnosis.jobs);
  const parts: HTMLElement[] = [
    make('h3', {}, said.cures),
    make('p', { class: 'soft' }, said.curesHelp),
    cures(diagnosis.cures, tables),
    make('h3', {}, said.facts),
    diagnosis.facts.length === 0
      ? make('p', {}, said.none)
      : make(
          'ul',
          {},
          ...diagnosis.facts.map(({ text, jobs }) =>
            make('li', {}, `${whole(jobs)} (${share(jobs)}) ${text}`),
          ),
        ),
  ];
  if (diagnosis.flurries.length > 0) {
    parts.push(
      make('h3', {}, said.flurries),
      make('p', { class: 'soft' }, diagnosis.rule),
      make('ul', {}, ...diagnosis.flurries.map((words) => make('li', {}, words))),
    );
  }
  if (diagnosis.load.length > 0) parts.push(make('h3', {}, said.load), ...overTime(diagnosis.load));
  parts.push(
    make('h3', {}, said.sizes),
    bars(diagnosis.sizes, said.sizes, said.processors, diagnosis.jobs),
  );
  if (diagnosis.estimates.length > 0) {
    const estimated = diagnosis.estimates.reduce((sum, { jobs }) => sum + jobs, 0);
    parts.push(
      make('h3', {}, said.estimates),
      bars(diagnosis.estimates, said.estimates, said.ran, estimated),
    );
  }
  return parts;
}

/** The remedies, each with a button that adds it to the scenario or removes it. */
function cures(offered: Diagnosis['cures'], tables: Tables) {
  const said = doctorTexts;
  const items = offered.map(({ key, value, text }) => {
    const label = tables.keys.find(({ name }) => name === key)?.label ?? key;
    const button = make('button', { type: 'button', 'data-hint': `${label}: ${value}` });
    const isApplied = () => entries.peek()[key] === value;
    const show = () => {
      button.textContent = isApplied() ? said.undo : said.apply;
      button.setAttribute('aria-label', `${button.textContent}: ${text}`);
    };
    button.onclick = () => {
      const { [key]: _, ...others } = entries.peek();
      entries.value = isApplied() ? others : { ...others, [key]: value };
      // Another value of the same key is replaced.
      for (const item of items) item.show();
    };
    return { element: make('li', {}, make('span', {}, text), button), show };
  });
  for (const item of items) item.show();
  return make('ul', { class: 'cures' }, ...items.map(({ element }) => element));
}

function overTime(load: Diagnosis['load']) {
  const said = doctorTexts;
  const most = load.reduce((top, each) => (each.load > top.load ? each : top));
  const mean = load.reduce((sum, each) => sum + each.load, 0) / load.length;
  const scale = Math.max(1, most.load);
  const columns = load.map(({ load: value }) => {
    const column = make('div', { class: 'column' });
    column.style.height = `${(100 * value) / scale}%`;
    return column;
  });
  const one = make('div', { class: 'one' });
  one.style.bottom = `${100 / scale}%`;
  const rows = load.map(({ middle_s, load: value }) =>
    make(
      'tr',
      {},
      make('th', { scope: 'row' }, instant(middle_s)),
      make('td', {}, value.toFixed(3)),
    ),
  );
  const head = make(
    'tr',
    {},
    make('th', { scope: 'col' }, said.when),
    make('th', { scope: 'col' }, said.loads),
  );
  return [
    make('p', {}, said.loadSummary(mean.toFixed(2), most.load.toFixed(2), instant(most.middle_s))),
    make('div', { class: 'columns', 'aria-hidden': 'true' }, ...columns, one),
    make(
      'details',
      {},
      make('summary', {}, said.asTable),
      make(
        'table',
        { 'aria-label': said.region },
        make('thead', {}, head),
        make('tbody', {}, ...rows),
      ),
    ),
  ];
}

/** @param column the subject of the bins */
function bars(bins: { label: string; jobs: number }[], name: string, column: string, all: number) {
  const said = doctorTexts;
  const most = Math.max(1, ...bins.map(({ jobs }) => jobs));
  const rows = bins.map(({ label, jobs }) => {
    const bar = make('span', { class: 'bar' });
    bar.style.width = `${(100 * jobs) / most}%`;
    const share = percent(all > 0 ? jobs / all : 0);
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, label),
      make('td', {}, whole(jobs)),
      make('td', {}, share),
      make('td', { 'aria-hidden': 'true' }, jobs > 0 ? bar : ''),
    );
  });
  const head = make(
    'tr',
    {},
    ...[column, said.jobs, said.share].map((words) => make('th', { scope: 'col' }, words)),
    make('td'),
  );
  return make(
    'table',
    { class: 'bars', 'aria-label': name },
    make('thead', {}, head),
    make('tbody', {}, ...rows),
  );
}
