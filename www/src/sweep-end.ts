/** What the page says of a run that has ended. */
import * as safe from './safe.ts';
import { digest } from './state.ts';
import { badgeTexts } from './texts/badge.ts';
import { runTexts } from './texts/run.ts';
import { judge } from './verdict.ts';
import { say } from './view/banners.tsx';
import { Cancelled, Fault, Refused } from './worker/worker-client.ts';
import type { Answer } from './answer.ts';
import type { Sweep } from './sweep.ts';

/**
 * Shows what became of a run that has ended by itself; returns that in words.
 * @param built the digest of the answer that the page was built with
 */
export function endSweep(sweep: Sweep, spent: number, answer: Answer, built: string) {
  const { reading: now, board, done, stopped, isCheck, promise } = sweep;
  safe.stood(now.text);
  if (stopped.runs > 0) {
    answer.settle({ tone: '', words: badgeTexts.partial(done, now.runs) });
    return runTexts.stopped(done, now.runs, stopped.points);
  }
  performance.mark('first-result');
  digest.value = board.digest() ?? '';
  answer.spent = spent;
  const expected = { promise, built: isCheck ? built : null };
  const { badge, differs } = judge(expected, digest.peek(), spent);
  if (differs !== null) say('differs', { ...differs, loud: true });
  answer.settle(badge);
  answer.remember();
  return runTexts.done(done, spent);
}

/** Reports why a run has not ended by itself. */
export function failSweep({ reading: now, done }: Sweep, error: unknown, answer: Answer) {
  answer.settle({ tone: '', words: badgeTexts.partial(done, now.runs) });
  if (error instanceof Cancelled) return;
  if (error instanceof Refused) {
    say('run', { title: runTexts.failed, details: error.message, loud: true });
  } else if (error instanceof Fault) {
    safe.fell(now.text);
    say('run', {
      title: runTexts.fault,
      details: runTexts.faultDetails,
      verbatim: error.message,
      loud: true,
    });
  } else {
    throw error;
  }
}

/** Says that a scenario broke something the last time. */
export function sayBroke(runAnyway: () => void) {
  say('broke', {
    title: runTexts.broke,
    details: runTexts.brokeDetails,
    loud: true,
    actions: [{ words: runTexts.runAnyway, act: runAnyway }],
  });
}
