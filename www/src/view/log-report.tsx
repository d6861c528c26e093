/** The report of a log's reader, and any report as plain text. */
import { whole } from '../format.ts';
import { logReportTexts as said } from '../texts/log-report.ts';
import { traceTexts } from '../texts/trace.ts';
import { Pairs } from './pairs.tsx';
import { RejectedLines, figures } from './trace.tsx';
import type { TraceFinding } from '../../pkg/backfill_web.js';
import type { Pair } from './pairs.tsx';
import type { ReadTrace } from '../state.ts';

/** The kinds of lines that are counted. */
const LINES = ['read', 'accepted', 'repaired', 'rejected', 'folded', 'comments', 'blank'] as const;

/** What the reader of a log found. */
export function ReaderReport({ read: { report, source } }: { read: ReadTrace }) {
  const { begins, findings, warnings, memory } = report;
  const start: Pair[] = begins === null ? [] : [[said.begins, said.utc(begins)]];
  return (
    <>
      <RejectedLines report={report} />
      <div class="account">
        <Pairs
          all={[...figures(report, source), ...start, [said.memory, said.megabytes(memory)]]}
        />
        <Pairs all={LINES.map((name) => [said[name], whole(report[name])])} />
      </div>
      <h3>{traceTexts.findings}</h3>
      {findings.length === 0 ? <p>{said.clean}</p> : <Findings all={findings} />}
      {warnings.length > 0 && (
        <>
          <h3>{said.whole}</h3>
          <List items={warnings} />
        </>
      )}
    </>
  );
}

export function List({ items }: { items: string[] }) {
  return (
    <ul>
      {items.map((words, place) => (
        <li key={place}>{words}</li>
      ))}
    </ul>
  );
}

function Findings({ all }: { all: TraceFinding[] }) {
  return (
    <table class="findings" aria-label={traceTexts.findings}>
      <thead>
        <tr>
          {Object.values(said.head).map((words) => (
            <th key={words} scope="col">
              {words}
            </th>
          ))}
        </tr>
      </thead>
      {all.map((finding, place) => (
        <Finding key={place} finding={finding} />
      ))}
    </table>
  );
}

/**
 * A finding, and a line that it was met on; on a narrow screen a card, whose cells are labelled.
 */
function Finding({ finding }: { finding: TraceFinding }) {
  const { text, verdict, count, lines, fields, done, remedy, example } = finding;
  const { head, mend } = said;
  const named = new Set(fields.filter((field) => field !== null));
  return (
    <tbody class={verdict}>
      <tr>
        <th scope="row">{text}</th>
        <td data-label={head.lines}>{said.lines(count, lines)}</td>
        <td data-label={head.field}>{[...named].join(', ')}</td>
        <td data-label={head.done}>{done}</td>
        <td data-label={head.remedy}>{remedy ?? (verdict === 'reject' ? mend : '')}</td>
      </tr>
      {example !== null && (
        <tr>
          <td colSpan={Object.keys(head).length}>
            {said.example(example.line)}
            <code>{example.text}</code>
          </td>
        </tr>
      )}
    </tbody>
  );
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
