/**
 * The differences of a run's scenario to that of another one, in the labels of the core: "Seed 9",
 * "Pods (k) 8 → 10", "+ " or "− " and a policy.
 */
import { changesTexts } from '../texts/changes.ts';
import type { Key } from '../../pkg/backfill_web.js';
import type { KeptRun } from '../store.ts';

type Described = Pick<KeptRun, 'scenario' | 'policies'>;

/** The keys of the log, of which only its file is named. */
const LOG = ['workload', 'file', 'sha256'];
/** The number of differences to the run before in the name of a run; the others are counted. */
const NAMED = 3;
/** The separator of a policy's two parts in its label. */
const AND = ' + ';

/** The default name of a run: its differences to the one before. */
export function named(run: KeptRun, before: KeptRun | undefined, keys: Key[]) {
  if (before?.scenario === undefined || run.scenario === undefined) return run.about;
  const all = changes(run, before, keys);
  if (all.length === 0)
    return run.core === before.core ? changesTexts.same : changesTexts.otherVersion(run.core);
  return changesTexts.differences(all.slice(0, NAMED), Math.max(0, all.length - NAMED));
}

/** @returns one part of a sentence for each difference, the most important first */
export function changes(run: Described, before: Described, keys: Key[]): string[] {
  const differs = ({ name }: Key) =>
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

/** The source of the jobs. */
function source({ workload, file }: KeptRun['scenario'], keys: Key[]) {
  const key = keys.find(({ name }) => name === 'workload');
  return file ? changesTexts.log(file) : (key && worded(key, workload)) || workload;
}

function change(key: Key, keys: Key[], now: string, before: string) {
  const { kind, label, name, unit } = key;
  const words = changesTexts;
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

function worded({ choices }: Key, value: string) {
  return choices.find((choice) => choice.value === value)?.label ?? value;
}

/** The policies that were added and removed; without their placement if all have the same. */
function ofPolicies(run: Described, before: Described, key: string) {
  const listed = ({ policies, scenario }: Described): { value: string; label: string }[] =>
    policies ?? (scenario[key] ?? '').split(',').map((value) => ({ value, label: value }));
  const [now, then] = [listed(run), listed(before)];
  const placements = new Set([...now, ...then].map(({ label }) => label.split(AND)[1] ?? ''));
  const short = (label: string) => (placements.size === 1 ? label.split(AND)[0] : label);
  const without = (some: typeof now, others: typeof now) =>
    some.filter(({ value }) => others.every((other) => other.value !== value));
  return [
    ...without(now, then).map(({ label }) => changesTexts.added(short(label))),
    ...without(then, now).map(({ label }) => changesTexts.removed(short(label))),
  ];
}
