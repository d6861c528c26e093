/**
 * The dialog with the report on a log: what its reader found, what ails its jobs, and remedies that
 * change the scenario.
 */
import { signal } from '@preact/signals';
import { createRef } from 'preact';
import { messageOf } from '../message.ts';
import { percent, whole } from '../format.ts';
import { entries } from '../state.ts';
import { doctorTexts as said } from '../texts/doctor.ts';
import { logReportTexts } from '../texts/log-report.ts';
import { CopyButton, Dialog, openDialog } from './dialog.tsx';
import { Bins, LoadOverTime } from './doctor-charts.tsx';
import { List, ReaderReport, plainText } from './log-report.tsx';
import type { Signal } from '@preact/signals';
import type { Diagnosis } from '../../pkg/backfill_web.js';
import type { ReadTrace, Tables } from '../state.ts';

/** What was found of the jobs, or why nothing could be; null before. */
type Found = Signal<Diagnosis | string | null>;

/** Shows the report on a log, then diagnoses its jobs and shows the findings. */
export async function doctorDialog(
  read: ReadTrace,
  tables: Tables,
  examine: () => Promise<Diagnosis>,
) {
  const found: Found = signal(null);
  openDialog(<Doctor read={read} tables={tables} found={found} />);
  try {
    found.value = await examine();
  } catch (error) {
    found.value = messageOf(error);
  }
}

function Doctor({ read, tables, found }: { read: ReadTrace; tables: Tables; found: Found }) {
  const title = said.title(read.source.file.name);
  const shown = createRef<HTMLDivElement>();
  const asText = {
    get value() {
      return shown.current === null ? '' : `${title}\n\n${plainText(shown.current)}\n`;
    },
    select: () => shown.current !== null && getSelection()?.selectAllChildren(shown.current),
  };
  const hasLines = read.report.findings.some(({ example }) => example !== null);
  const buttons = (
    <>
      {hasLines && <span class="soft">{logReportTexts.names}</span>}
      <CopyButton field={{ current: asText }} words={logReportTexts.copy} />
    </>
  );
  return (
    <Dialog name="doctor" class="on-log" title={title} buttons={buttons}>
      <div class="diagnosis" tabIndex={0} role="region" aria-label={title} ref={shown}>
        <ReaderReport read={read} />
        <JobsReport found={found} tables={tables} />
      </div>
    </Dialog>
  );
}

function JobsReport({ found, tables }: { found: Found; tables: Tables }) {
  const now = found.value;
  return (
    <div>
      {now === null && <p role="status">{said.looking}</p>}
      {typeof now === 'string' && (
        <p class="bad" role="alert">
          {said.failed(now)}
        </p>
      )}
      {now !== null && typeof now !== 'string' && <Sections diagnosis={now} tables={tables} />}
    </div>
  );
}

function Sections({ diagnosis, tables }: { diagnosis: Diagnosis; tables: Tables }) {
  const { jobs: all, cures, facts, flurries, rule, load, sizes, estimates } = diagnosis;
  const inWords = facts.map(({ text, jobs }) => `${whole(jobs)} (${percent(jobs / all)}) ${text}`);
  const estimated = estimates.reduce((sum, { jobs }) => sum + jobs, 0);
  return (
    <>
      <h3>{said.cures}</h3>
      <p class="soft">{said.curesHelp}</p>
      <ul class="cures">
        {cures.map((cure, place) => (
          <Cure key={place} cure={cure} tables={tables} />
        ))}
      </ul>
      <h3>{said.facts}</h3>
      {facts.length === 0 ? <p>{said.none}</p> : <List items={inWords} />}
      {flurries.length > 0 && (
        <>
          <h3>{said.flurries}</h3>
          <p class="soft">{rule}</p>
          <List items={flurries} />
        </>
      )}
      {load.length > 0 && <LoadOverTime load={load} />}
      <Bins bins={sizes} name={said.sizes} subject={said.processors} all={all} />
      {estimates.length > 0 && (
        <Bins bins={estimates} name={said.estimates} subject={said.ran} all={estimated} />
      )}
    </>
  );
}

/** A remedy, with a button that adds it to the scenario or removes it. */
function Cure({ cure, tables }: { cure: Diagnosis['cures'][number]; tables: Tables }) {
  const { key, value, text } = cure;
  const label = tables.keys.find(({ name }) => name === key)?.label ?? key;
  const isApplied = entries.value[key] === value;
  const words = isApplied ? said.undo : said.apply;
  const change = () => {
    const { [key]: _, ...others } = entries.peek();
    entries.value = isApplied ? others : { ...others, [key]: value };
  };
  return (
    <li>
      <span>{text}</span>
      <button
        type="button"
        data-hint={`${label}: ${value}`}
        aria-label={`${words}: ${text}`}
        onClick={change}
      >
        {words}
      </button>
    </li>
  );
}
