/**
 * The differences of a run's scenario to that of another one, in the labels of the core: "Seed 9",
 * "Pods (k) 8 → 10", "+ " or "− " and a policy.
 *
 * @typedef {import('../pkg/backfill_web.js').Key} Key
 * @typedef {import('../store.js').KeptRun} KeptRun
 * @typedef {Pick<KeptRun, 'scenario' | 'policies'>} Described
 */
import { texts } from '../texts.js';

/** The keys of the log, of which only its file is named. */
const LOG = ['workload', 'file', 'sha256'];
/** The separator of a policy's two parts in its label. */
const AND = ' + ';

/**
 * @param {Described} run
 * @param {Described} before
 * @param {Key[]} keys
 * @returns {string[]} one part of a sentence for each difference, the most important first
 */
export function changes(run, before, keys) {
  /** @param {Key} key */
  const differs = ({ name }) =>
    name in run.scenario && name in before.scenario && run.scenario[name] !== before.scenario[name];
  const policies = keys.find(({ kind }) => kind === 'policies')?.name ?? '';
  const changed = keys.filter(differs);
  const ofKeys = changed
    .filter(({ name }) => name !== policies && !LOG.includes(name))
    .sort((one, other) => Number(other.name === 'system') - Number(one.name === 'system'))
    .map((key) => change(key, keys, run.scenario[key.name], before.scenario[key.name]));
  const log = changed.filter(({ name }) => LOG.includes(name));
  return [
    ...(log.length > 0 ? [source(run.scenario, keys)] : []),
    ...ofKeys,
    ...ofPolicies(run, before, policies),
  ];
}

/**
 * The source of the jobs.
 * @param {KeptRun['scenario']} scenario
 * @param {Key[]} keys
 */
function source({ workload, file }, keys) {
  const key = keys.find(({ name }) => name === 'workload');
  return file ? texts.history.log(file) : (key && worded(key, workload)) || workload;
}

/**
 * @param {Key} key
 * @param {Key[]} keys
 * @param {string} now
 * @param {string} before
 */
function change(key, keys, now, before) {
  const { kind, label, name, unit } = key;
  const words = texts.history;
  if (kind === 'sweep') {
    const [swept, ...values] = now.split(':');
    const of = keys.find((each) => each.name === swept);
    return of === undefined ? words.notSwept : words.swept(of.label, values.join(':'));
  }
  if (name === 'seed') return words.value(label, now);
  const isSaid = label.toLowerCase().includes(unit);
  const measured = !isSaid && /^\d/.test(now) ? ` ${unit}` : '';
  return words.changed(label, worded(key, before), worded(key, now) + measured);
}

/** @param {Key} key @param {string} value */
function worded({ choices }, value) {
  return choices.find((choice) => choice.value === value)?.label ?? value;
}

/**
 * The policies that were added and removed; without their placement if all have the same.
 * @param {Described} run
 * @param {Described} before
 * @param {string} key
 */
function ofPolicies(run, before, key) {
  /**
   * @param {Described} of
   * @returns {{value: string, label: string}[]}
   */
  const listed = ({ policies, scenario }) =>
    policies ?? (scenario[key] ?? '').split(',').map((value) => ({ value, label: value }));
  const [now, then] = [listed(run), listed(before)];
  const placements = new Set([...now, ...then].map(({ label }) => label.split(AND)[1] ?? ''));
  /** @param {string} label */
  const short = (label) => (placements.size === 1 ? label.split(AND)[0] : label);
  /** @param {typeof now} some @param {typeof now} others */
  const without = (some, others) =>
    some.filter(({ value }) => others.every((other) => other.value !== value));
  return [
    ...without(now, then).map(({ label }) => texts.history.added(short(label))),
    ...without(then, now).map(({ label }) => texts.history.removed(short(label))),
  ];
}
