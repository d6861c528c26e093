/** The values of an order of the queue for some waiting jobs, in a sentence. */
import { instant, significant } from '../format.js';
import { texts } from '../texts.js';

/**
 * Of waiting jobs in a run.
 * @param {import('../pkg/backfill_web.js').Examples} examples
 */
export function orderedInRun({ at, waiting, jobs }) {
  if (jobs.length === 0) return texts.jobs.nobodyWaits;
  return texts.jobs.examples(instant(at), waiting, valuesOf(jobs), jobs[0].number);
}

/**
 * The value for each of some jobs, by their numbers.
 * @param {{number: number, value: number | null}[]} jobs
 */
export function valuesOf(jobs) {
  const said = texts.jobs;
  return [...jobs]
    .sort((one, other) => one.number - other.number)
    .map(({ number, value }) =>
      said.value(number, value === null ? said.notFinite : significant(value)),
    );
}
