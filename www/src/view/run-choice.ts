/** Which run of a scenario is looked into, by positions, and beside which policy. */
import type { Inspected, Reading } from '../state.ts';

/** What a choice is made among. */
export type Runs = Pick<Reading, 'policies' | 'replications' | 'x' | 'y'>;

/**
 * The run to open: the wanted one as far as there is one, else the first policy's at the last x.
 * @param beside the policy to compare with, where none is wanted
 */
export function openedRun(runs: Runs, wanted: Inspected | null, beside: number | null): Inspected {
  const ends = {
    policy: runs.policies.length,
    x: runs.x?.values.length ?? 1,
    y: runs.y?.values.length ?? 1,
    replication: runs.replications,
  };
  const place = (of: keyof typeof ends, otherwise: number) =>
    wanted !== null && wanted[of] < ends[of] ? wanted[of] : otherwise;
  return withOther(runs, {
    policy: place('policy', 0),
    x: place('x', ends.x - 1),
    y: place('y', 0),
    replication: place('replication', 0),
    beside: wanted === null ? beside : wanted.beside,
  });
}

/** The same run of another policy; compared with that one, the two are exchanged. */
export function ofPolicy(runs: Runs, run: Inspected, policy: number): Inspected {
  const beside = run.beside === policy ? run.policy : run.beside;
  return withOther(runs, { ...run, policy, beside });
}

/** A choice without a policy to compare with that there is not: a run is not compared with itself. */
export function withOther({ policies }: Runs, run: Inspected): Inspected {
  const { policy, beside } = run;
  const isThere = beside !== null && beside !== policy && beside < policies.length;
  return isThere ? run : { ...run, beside: null };
}
