/** The user's trace: its choice, and what it is. */
import { byId } from '../dom.ts';
import { whole } from '../format.ts';
import { trace, traceProblem, traceReading, validReading } from '../state.ts';
import { formTexts } from '../texts/form.ts';
import { traceTexts } from '../texts/trace.ts';
import { Pairs } from './pairs.tsx';
import type { Pair } from './pairs.tsx';
import type { Key } from '../../pkg/backfill_web.js';
import type { ReadTrace } from '../state.ts';
import type { TraceFile, TraceReport } from '../worker/messages.ts';

/** Lets the user choose a file in the field of the page that only opens the browser's dialog. */
export function followFileChoice(take: (file: File) => void) {
  const input = byId('file', HTMLInputElement);
  input.onchange = () => {
    const file = input.files?.[0];
    // The same file may be chosen again.
    input.value = '';
    if (file) take(file);
  };
}

/** @param examine shows the whole report */
export function TraceField({ of: { name }, examine }: { of: Key; examine: () => void }) {
  const now = trace.value;
  const problem = traceProblem.value;
  const words = problem || (now?.source.file.name ?? formTexts.noTrace);
  return (
    <div class="field wide" data-key={name} hidden={!validReading.value.relevant.includes(name)}>
      <div>
        <button type="button" onClick={() => byId('file').click()}>
          {formTexts.browse}
        </button>
        <p class={problem === '' ? 'soft' : 'soft bad'} role="status">
          {traceReading.value ?? words}
        </p>
        <div class="report" hidden={now === null}>
          {now !== null && <InShort read={now} />}
        </div>
        <button type="button" class="doctor" hidden={now === null} onClick={examine}>
          {traceTexts.diagnose}
        </button>
      </div>
    </div>
  );
}

function InShort({ read: { report, source } }: { read: ReadTrace }) {
  const said = traceTexts;
  const found = report.findings.length + report.warnings.length;
  return (
    <>
      <RejectedLines report={report} />
      <Pairs
        all={[...figures(report, source), [said.findings, found === 0 ? said.none : whole(found)]]}
      />
    </>
  );
}

/** How many lines of a log are not simulated, if any. */
export function RejectedLines({
  report: { accepted, repaired, rejected },
}: {
  report: TraceReport;
}) {
  if (rejected === 0) return null;
  return <p class="bad">{traceTexts.notTaken(rejected, accepted + repaired + rejected)}</p>;
}

/** The figures of a log. */
export function figures(report: TraceReport, source: TraceFile): Pair[] {
  const said = traceTexts;
  return [
    [said.jobs, whole(report.jobs)],
    [said.span, said.length(report.span)],
    [said.machine, said.size(report.processors, source.processors === 'nodes')],
    [said.widest, whole(report.widest)],
  ];
}
