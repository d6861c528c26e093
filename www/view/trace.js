import { byId, make } from '../dom.js';
import { whole } from '../format.js';
import { trace, traceProblem, traceReading } from '../state.js';
import { texts } from '../texts.js';

/**
 * The user's trace: its choice, and the report of the reader.
 * @param {(file: File) => void} take
 * @param {() => void} examine shows its diagnosis
 * @returns {HTMLElement} the field for the form
 */
export function traceField(take, examine) {
  const input = /** @type {HTMLInputElement} */ (byId('file'));
  const browse = make(
    'button',
    { type: 'button', onclick: () => input.click() },
    texts.form.browse,
  );
  const words = make('p', { class: 'soft', role: 'status' });
  const report = make('div', { class: 'report', hidden: true });
  const doctor = make(
    'button',
    { type: 'button', class: 'doctor', hidden: true, onclick: examine },
    texts.doctor.open,
  );
  input.onchange = () => {
    const file = input.files?.[0];
    // The same file may be chosen again.
    input.value = '';
    if (file) take(file);
  };

  const show = () => {
    const now = trace.get();
    const busy = traceReading.get();
    const problem = traceProblem.get();
    words.classList.toggle('bad', problem !== '');
    words.textContent =
      busy ?? (problem || (now === null ? texts.form.noTrace : now.source.file.name));
    doctor.hidden = report.hidden = now === null;
    if (now !== null) report.replaceChildren(...account(now.report));
  };
  trace.watch(show);
  traceReading.watch(show);
  traceProblem.watch(show);
  return make('div', {}, browse, words, report, doctor);
}

/** @param {import('../worker/messages.d.ts').TraceReport} report */
function account(report) {
  const { rejected } = report;
  const lines = report.accepted + report.repaired + rejected;
  const loud =
    rejected > 0 ? [make('p', { class: 'bad' }, texts.trace.notTaken(rejected, lines))] : [];
  return [...loud, ...counts(report)];
}

/** @param {import('../worker/messages.d.ts').TraceReport} report */
function counts(report) {
  const list = make('dl');
  const row = (/** @type {string} */ name, /** @type {string} */ value) =>
    list.append(make('dt', {}, name), make('dd', {}, value));
  row(texts.trace.jobs, whole(report.jobs));
  row(texts.trace.span, texts.trace.days(report.span));
  row(texts.trace.widest, whole(report.widest));
  row(texts.trace.accepted, whole(report.accepted));
  row(texts.trace.repaired, whole(report.repaired));
  row(texts.trace.rejected, whole(report.rejected));
  row(texts.trace.other, whole(report.folded + report.comments + report.blank));
  row(texts.trace.memory, texts.trace.megabytes(report.memory));
  if (report.findings.length + report.warnings.length === 0)
    return [list, make('p', { class: 'soft' }, texts.trace.clean)];
  const notes = make('ul');
  for (const warning of report.warnings) notes.append(make('li', {}, warning));
  for (const { text, verdict, count, lines } of report.findings) {
    notes.append(
      make(
        'li',
        {},
        `${texts.trace.verdict[verdict]}: ${text}, ${texts.trace.lines(count, lines)}`,
      ),
    );
  }
  return [list, make('details', {}, make('summary', {}, texts.trace.why), notes)];
}
