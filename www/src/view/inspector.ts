/**
 * The details of a kept run besides its picture: its tree, a second run beside it, charts over
 * time, a pass step by step, the decision at an instant, its jobs, and one of them. It is fetched only when a run is
 * opened.
 */
import { lookInto } from '../worker/look.ts';
import { Cancelled } from '../worker/worker-client.ts';
import { byId } from '../dom.ts';
import { kept } from '../state.ts';
import { besideView } from './beside.tsx';
import { bySizeView } from './by-size.tsx';
import { decisionView } from './decision.tsx';
import { jobView } from './job.tsx';
import { jobsView } from './jobs.tsx';
import { leavesView } from './leaves.tsx';
import { timeView } from './over-time.tsx';
import { stepView } from './step.tsx';
import { treeView } from './tree.tsx';
import type { About } from '../../pkg/backfill_web.js';
import type { Core } from '../core.ts';
import type { Kept } from '../state.ts';
import type { PassOf } from './other-passes.ts';
import type { Look } from '../worker/messages.ts';
import type { WorkerClient } from '../worker/worker-client.ts';

export type { Look };

export type Run = { about: About; kept: Kept };

/** @param page the worker that keeps the run, the core, and the worker that explains */
export function inspector({
  replayWorker,
  core,
  startedExportWorker,
}: {
  replayWorker: WorkerClient;
  core: Core;
  startedExportWorker: () => WorkerClient;
}) {
  /** What the worker answers about the kept run; null once there is another one. */
  const ofKept = async <Answered>(ask: (now: Kept) => Promise<Answered | null>) => {
    const asked = kept.peek();
    if (asked === null) return null;
    try {
      const answered = await ask(asked);
      return asked === kept.peek() ? answered : null;
    } catch (error) {
      if (error instanceof Cancelled) return null;
      throw error;
    }
  };
  const look: Look = (...calls) => ofKept(({ number }) => lookInto(replayWorker, number, ...calls));
  const passOf: PassOf = (cell, at) =>
    ofKept(({ scenario, trace, number }) =>
      replayWorker.ask('pass_of', { scenario, trace, cell, at, number }),
    );
  bySizeView(look);
  const tree = treeView(look, core);
  const time = timeView(look, core);
  const steps = stepView(look, passOf);
  const decision = decisionView(look);
  const job = jobView(look, startedExportWorker);
  const jobs = jobsView(look);
  const leaves = leavesView(core);
  const box = byId('inspector');
  const inside = document.createElement('div');
  const views = [time, steps, decision, job].map(({ element }) => element);
  inside.append(leaves.element, besideView(look, core).element, ...views);
  box.append(inside);
  const list = byId('jobs');
  list.append(jobs.element);
  kept.subscribe(async (now) => {
    if (now === null || !now.deep) return;
    const answers = await look(['about']);
    if (answers === null) return;
    const run: Run = { about: answers[0], kept: now };
    box.hidden = list.hidden = false;
    tree.show(run);
    time.show(run);
    steps.show(run);
    decision.show(run);
    job.show(run);
    jobs.show(run);
    leaves.show(run);
  });
}
