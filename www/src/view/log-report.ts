/** The report of a log's reader, and any report as plain text. */
import { make } from '../dom.ts';
import { whole } from '../format.ts';
import { traceTexts } from '../texts/trace.ts';
import { figures, pairs, rejected } from './trace.ts';
import type { TraceFinding } from '../../pkg/backfill_web.js';
import type { TraceFile, TraceReport } from '../worker/messages.ts';

/** What the reader of a log found. */
export function ofReader(report: TraceReport, source: TraceFile) {
  const said = traceTexts;
  const start: [name: string, value: string][] =
    report.begins === null ? [] : [[said.begins, said.utc(report.begins)]];
  const lines = [
    'read',
    'accepted',
    'repaired',
    'rejected',
    'folded',
    'comments',
    'blank',
  ] as const;
  const parts: HTMLElement[] = [
    ...rejected(report),
    make(
      'div',
      { class: 'account' },
      pairs([...figures(report, source), ...start, [said.memory, said.megabytes(report.memory)]]),
      pairs(lines.map((name) => [said[name], whole(report[name])])),
    ),
    make('h3', {}, said.findings),
    report.findings.length === 0 ? make('p', {}, said.clean) : table(report.findings),
  ];
  if (report.warnings.length > 0) {
    const warnings = report.warnings.map((words) => make('li', {}, words));
    parts.push(make('h3', {}, said.whole), make('ul', {}, ...warnings));
  }
  return parts;
}

function table(findings: TraceFinding[]) {
  const { head } = traceTexts;
  const names = Object.values(head).map((words) => make('th', { scope: 'col' }, words));
  return make(
    'table',
    { class: 'findings', 'aria-label': traceTexts.findings },
    make('thead', {}, make('tr', {}, ...names)),
    ...findings.map(finding),
  );
}

/**
 * A finding, and a line that it was met on; on a narrow screen a card, whose cells are labelled.
 */
function finding({ text, verdict, count, lines, fields, done, remedy, example }: TraceFinding) {
  const { head, mend, ...said } = traceTexts;
  const named = new Set(fields.filter((field) => field !== null));
  const cell = (label: string, words: string) => make('td', { 'data-label': label }, words);
  const row = make(
    'tr',
    {},
    make('th', { scope: 'row' }, text),
    cell(head.lines, said.lines(count, lines)),
    cell(head.field, [...named].join(', ')),
    cell(head.done, done),
    cell(head.remedy, remedy ?? (verdict === 'reject' ? mend : '')),
  );
  if (example === null) return make('tbody', { class: verdict }, row);
  const shown = make('code', {}, example.text);
  const columns = Object.keys(head).length;
  const line = make('td', { colSpan: columns }, said.example(example.line), shown);
  return make('tbody', { class: verdict }, row, make('tr', {}, line));
}

/**
 * What a report shows, as plain text: its headings, sentences, lists and tables, without buttons
 * and pictures.
 */
export function plainText(part: Element): string {
  if (part.matches('button, details, thead, [aria-hidden]')) return '';
  if (part.matches('h3')) return `\n${part.textContent}\n${'-'.repeat(part.textContent.length)}`;
  if (part.matches('li')) return `- ${(part.firstElementChild ?? part).textContent}`;
  if (part.matches('dt')) return `${part.textContent}: ${part.nextElementSibling?.textContent}`;
  if (part.matches('.findings td')) {
    const label = part.getAttribute('data-label');
    if (part.textContent === '') return '';
    return `  ${label === null ? '' : `${label}: `}${part.textContent}`;
  }
  if (part.matches('.bars tr')) return [...part.children].map(plainText).filter(Boolean).join('  ');
  if (part.matches('p, th, td')) return part.textContent;
  const parts = [...part.children].filter((child) => !child.matches('dd'));
  return parts.map(plainText).filter(Boolean).join('\n');
}
