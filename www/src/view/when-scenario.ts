/** The scenarios that a forecast is of: those of the form with a single run, under one policy. */
import { entries, validReading } from '../state.ts';
import type { ForecastUsual } from '../../pkg/backfill_web.js';
import type { Core } from '../core.ts';
import type { Entries } from '../state.ts';
import type { Question } from '../worker/messages.ts';

/** A cluster of a given number of nodes. */
export const CLUSTER = { system: 'nodes', machine: 'given' };

/** The scenario of these values with a single run, as checked by the core. */
export function singleRun(core: Core, values: Entries) {
  return core.read_scenario(Object.entries({ ...values, x: 'none', y: 'none', reps: '1' }));
}

/**
 * The policies of the form that have forecasts, and the usual one.
 * @param isQueue whether they are for a pasted queue
 */
export function policiesWithForecasts(core: Core, usual: ForecastUsual, isQueue: boolean) {
  const all = validReading.value.policies.map(({ value, label }) => ({ value, label }));
  const values = isQueue ? CLUSTER : entries.value;
  const found = all.filter(({ value }) => {
    const { text, problems } = singleRun(core, { ...values, policy: value });
    return problems.length === 0 && core.why_no_forecast(text) === undefined;
  });
  const has = found.some(({ value }) => isUsual(usual, value));
  return has ? found : [...found, { value: usual.policy, label: usual.label }];
}

/** Whether a policy is the usual one, whatever places its jobs. */
export function isUsual({ policy }: ForecastUsual, value: string) {
  return value.split('+')[0] === policy;
}

/**
 * How many nodes a cluster has by what is written: their number, or what `sinfo` printed.
 * @throws a sentence: a row that cannot be
 */
export function nodesBy(core: Core, text: string) {
  return /^\d+$/.test(text) ? text : String(core.usable_nodes(text));
}

/**
 * An instant as its field has it.
 * @param seconds since time 0 of the log
 * @param begins when that was, in Unix time; null if the log does not say
 */
export function written(seconds: number, begins: number | null) {
  if (begins === null) return String(seconds);
  return new Date((begins + seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** What is asked besides the job, whose scenario names its log by contents: its futures are the same. */
export function instantOf({ scenario, at, queue }: Question) {
  return JSON.stringify([scenario, at, queue]);
}
