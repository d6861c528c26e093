/** Forecasts of when a job would start; the scenario and the job asked about last are kept. */
import { callAll, withTrace } from './trace-reader.ts';
import { core } from './context.ts';
import type { Asked, Forecaster, Trace } from '../../pkg/backfill_web.js';
import type { AskedCall, Question } from './messages.ts';

/** With what they were made of; the trace is the one that is held, or null. */
let forecaster: { scenario: string; trace: Trace | null; made: Forecaster } | null = null;
let asked: { of: string; by: Forecaster; made: Asked } | null = null;

/** Calls methods of a job that is asked about. */
export function forecast({ calls, ...question }: Question & { calls: AskedCall[] }, id: number) {
  const { scenario, trace, size, limit, bandwidth, at, queue } = question;
  return withTrace(trace, id, (mine) => {
    const by = forecasterOf(scenario, trace === null ? null : mine, mine);
    const of = JSON.stringify([size, limit, bandwidth, at, queue]);
    if (asked?.of !== of || asked.by !== by) {
      asked?.made.free();
      asked = null;
      const job =
        queue === null
          ? by.at(at, size, limit, bandwidth)
          : by.queue(mine, queue.text, queue.processors, size, limit);
      asked = { of, by, made: job };
    }
    return callAll<unknown>(asked.made, calls);
  });
}

function forecasterOf(scenario: string, trace: Trace | null, mine: Trace) {
  if (forecaster?.scenario !== scenario || forecaster.trace !== trace) {
    forecaster?.made.free();
    forecaster = null;
    forecaster = { scenario, trace, made: new (core().Forecaster)(scenario, mine) };
  }
  return forecaster.made;
}
