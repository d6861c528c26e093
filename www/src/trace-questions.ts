/** The questions about a log, as scenarios. */
import type { OpenedTopology, Question } from '../pkg/backfill_web.js';
import type { Entries, ReadTrace, Tables } from './state.ts';
import type { TraceReport } from './worker/messages.ts';

/** The scenario that answers a question about a trace, which is read as before. */
export function scenarioAsking(
  { pairs }: Question,
  { source, report }: ReadTrace,
  keys: Tables['keys'],
): Entries {
  const { processors, cancelled, columns } = source;
  const all = { processors, cancelled, columns, ...Object.fromEntries(pairs) };
  return {
    ...withoutDefaults(all, keys),
    workload: source.kind,
    file: source.file.name,
    sha256: report.sha256,
  };
}

export function withoutDefaults(all: Entries, keys: Tables['keys']): Entries {
  const changed = Object.entries(all).filter(
    ([key, value]) => keys.find(({ name }) => name === key)?.default !== value,
  );
  return Object.fromEntries(changed);
}

/** Whether a scenario itself sets the system, by a value or by sweeping one. */
export function namesSystem(scenario: Entries, keys: Tables['keys']) {
  const sweeps = keys.filter(({ kind }) => kind === 'sweep');
  const swept = sweeps.map(({ name }) => scenario[name]?.split(':')[0] ?? '');
  const ofSystem = keys.filter(({ group }) => group === 'system');
  return ofSystem.some(({ name }) => name in scenario || swept.includes(name));
}

/** A report with the question about a topology behind its own. */
export function withQuestion(report: TraceReport, opened: OpenedTopology | null): TraceReport {
  if (opened === null) return report;
  const { title } = opened.question;
  const own = report.questions.filter((question) => question.title !== title);
  return { ...report, questions: [...own, opened.question] };
}
