/** Runs more replications until every interval of a metric is within a percentage of its mean. */
import { digest, entries, reading } from './state.ts';
import { compareTexts } from './texts/compare.ts';
import { say, unsay } from './view/banners.tsx';
import type { CellOutcome } from '../pkg/backfill_web.js';
import type { Answer } from './answer.ts';

/**
 * @param run runs the scenario in the form but for these outcomes
 * @param percent the largest half of an interval, of the mean
 */
export async function replicate(
  answer: Answer,
  run: (kept?: CellOutcome[]) => Promise<void>,
  metric: string,
  percent: number,
) {
  unsay('replicate');
  for (;;) {
    const now = reading.peek();
    if (now === null || now.problems.length > 0) return;
    // New replications are not merged with those of another version.
    if (now.text !== answer.text || digest.peek() === '' || answer.maker !== answer.version) {
      await run();
      if (now.text !== answer.text || digest.peek() === '') return;
    }
    const wanted = answer.board?.replications_within(metric, percent / 100) ?? 0;
    if (wanted <= now.replications) {
      say('replicate', { title: compareTexts.reached(now.replications, percent) });
      return;
    }
    const kept = answer.outcomes;
    if (!enterReplications(wanted)) return;
    await run(kept);
    if (digest.peek() === '') return;
  }
}

/** Enters a number of replications; if the core refuses it, says so and leaves the form as it was. */
function enterReplications(wanted: number) {
  const before = entries.peek();
  entries.value = { ...before, reps: String(wanted) };
  const problems = reading.peek()?.problems ?? [];
  if (problems.length === 0) return true;
  entries.value = before;
  say('replicate', {
    title: compareTexts.tooMany,
    details: problems.map(({ message }) => message).join('; '),
    loud: true,
  });
  return false;
}
