import { byId, make } from '../dom.ts';
import { whole } from '../format.ts';
import { trace, traceProblem, traceReading } from '../state.ts';
import { formTexts } from '../texts/form.ts';
import { traceTexts } from '../texts/trace.ts';
import type { ReadTrace } from '../state.ts';
import type { TraceFile, TraceReport } from '../worker/messages.ts';

/**
 * The user's trace: its choice, and what it is.
 * @param examine shows the whole report
 * @returns the field for the form
 */
export function traceField(take: (file: File) => void, examine: () => void): HTMLElement {
  const input = byId<HTMLInputElement>('file');
  const browse = make('button', { type: 'button', onclick: () => input.click() }, formTexts.browse);
  const words = make('p', { class: 'soft', role: 'status' });
  const report = make('div', { class: 'report', hidden: true });
  const doctor = make(
    'button',
    { type: 'button', class: 'doctor', hidden: true, onclick: examine },
    traceTexts.diagnose,
  );
  input.onchange = () => {
    const file = input.files?.[0];
    // The same file may be chosen again.
    input.value = '';
    if (file) take(file);
  };

  const show = () => {
    const now = trace.peek();
    const busy = traceReading.peek();
    const problem = traceProblem.peek();
    words.classList.toggle('bad', problem !== '');
    words.textContent =
      busy ?? (problem || (now === null ? formTexts.noTrace : now.source.file.name));
    doctor.hidden = report.hidden = now === null;
    if (now !== null) report.replaceChildren(...summary(now));
  };
  trace.subscribe(show);
  traceReading.subscribe(show);
  traceProblem.subscribe(show);
  return make('div', {}, browse, words, report, doctor);
}

/** What a log is, in short. */
function summary({ report, source }: ReadTrace) {
  const said = traceTexts;
  const found = report.findings.length + report.warnings.length;
  return [
    ...rejected(report),
    pairs([...figures(report, source), [said.findings, found === 0 ? said.none : whole(found)]]),
  ];
}

/** How many lines of a log are not simulated, if any. */
export function rejected({ accepted, repaired, rejected }: TraceReport) {
  if (rejected === 0) return [];
  const words = traceTexts.notTaken(rejected, accepted + repaired + rejected);
  return [make('p', { class: 'bad' }, words)];
}

/** The figures of a log. */
export function figures(report: TraceReport, source: TraceFile): [name: string, value: string][] {
  const said = traceTexts;
  return [
    [said.jobs, whole(report.jobs)],
    [said.span, said.length(report.span)],
    [said.machine, said.size(report.processors, source.processors === 'nodes')],
    [said.widest, whole(report.widest)],
  ];
}

/** Names and their values. */
export function pairs(all: [name: string, value: string][]) {
  return make(
    'dl',
    {},
    ...all.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
  );
}
