/** Forecasts of when a job would start; the scenario and the job asked about last are kept. */
import { callAll, used, withTrace } from './trace-reader.ts';
import { core } from './context.ts';
import type { Asked, Forecaster, Trace } from '../../pkg/backfill_web.js';
import type { AskedCall, Question } from './messages.ts';

/** By what they were made of. */
let forecaster: { of: string; made: Forecaster } | null = null;
let asked: { of: string; made: Asked } | null = null;

/** Calls methods of a job that is asked about. */
export function forecast({ calls, ...question }: Question & { calls: AskedCall[] }, id: number) {
  const { scenario, trace, size, limit, at, queue } = question;
  return withTrace(trace, id, (mine) => {
    const made = forecasterOf(scenario, trace, mine);
    const of = JSON.stringify([forecaster?.of, size, limit, at, queue]);
    if (asked?.of !== of) {
      asked?.made.free();
      asked = null;
      const job =
        queue === null
          ? made.at(mine, at, size, limit)
          : made.queue(mine, queue.text, queue.processors, size, limit);
      asked = { of, made: job };
    }
    return callAll<unknown>(asked.made, calls);
  });
}

/** The instants of a log that can be asked about. */
export function instants({ scenario, trace }: Pick<Question, 'scenario' | 'trace'>, id: number) {
  return withTrace(trace, id, (mine) =>
    used(new (core().Forecaster)(scenario, mine), (made) => made.instants()),
  );
}

function forecasterOf(scenario: string, trace: Question['trace'], mine: Trace) {
  const file = trace?.file;
  const of = JSON.stringify([scenario, trace, file?.name, file?.size, file?.lastModified]);
  if (forecaster?.of !== of) {
    forecaster?.made.free();
    forecaster = null;
    forecaster = { of, made: new (core().Forecaster)(scenario, mine) };
  }
  return forecaster.made;
}
