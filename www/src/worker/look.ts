import type { InspectorAnswers, InspectorCall } from './messages.ts';
import type { WorkerClient } from './worker-client.ts';

/**
 * Calls methods of the inspector of the run that a worker keeps by this number; null where another
 * run has taken its place.
 */
export async function lookInto<Sent extends InspectorCall[]>(
  worker: WorkerClient,
  number: number,
  ...calls: Sent
): Promise<InspectorAnswers<Sent> | null> {
  const answers = await worker.ask('look', { calls, number });
  return answer(answers, calls) ? answers : null;
}

/** Whether there is an answer to each call. */
function answer<Sent extends InspectorCall[]>(
  answers: unknown,
  calls: Sent,
): answers is InspectorAnswers<Sent> {
  return Array.isArray(answers) && answers.length === calls.length;
}
