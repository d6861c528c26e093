/** The values of an order of the queue for some waiting jobs, in a sentence. */
import { instant, significant } from '../format.ts';
import { jobsTexts } from '../texts/jobs.ts';
import type { Examples } from '../../pkg/backfill_web.js';

/** Of waiting jobs in a run. */
export function orderedInRun({ at, waiting, jobs }: Examples) {
  if (jobs.length === 0) return jobsTexts.nobodyWaits;
  return jobsTexts.examples(instant(at), waiting, valuesOf(jobs), jobs[0].number);
}

/** The value for each of some jobs, by their numbers. */
export function valuesOf(jobs: { number: number; value: number | null }[]) {
  const said = jobsTexts;
  return [...jobs]
    .sort((one, other) => one.number - other.number)
    .map(({ number, value }) =>
      said.value(number, value === null ? said.notFinite : significant(value)),
    );
}
