/**
 * The details of a kept run besides its picture: its tree, a second run beside it, charts over
 * time, the decision at an instant, its jobs, and one of them. It is fetched only when a run is
 * opened.
 */
import { Cancelled } from '../worker/worker-client.js';
import { byId, make } from '../dom.js';
import { kept } from '../state.js';
import { besideView } from './beside.js';
import { decisionView } from './decision.js';
import { jobView } from './job.js';
import { jobsView } from './jobs.js';
import { timeView } from './over-time.js';
import { treeView } from './tree.js';

/**
 * @typedef {import('../worker/worker-client.js').WorkerClient} WorkerClient
 * @typedef {import('../state.js').Kept} Kept
 * @typedef {import('../pkg/backfill_web.js').About} About
 * @typedef {import('../worker/messages.d.ts').Look} Look
 * @typedef {{about: About, kept: Kept}} Run
 */

/**
 * @param {{replayWorker: WorkerClient, core: typeof import('../pkg/backfill_web.js'),
 *   startedExportWorker: () => WorkerClient}} page the worker that keeps the run, the
 *   core, and the worker that explains
 */
export function inspector({ replayWorker, core, startedExportWorker }) {
  /** @type {Look} */
  const look = async (...calls) => {
    const asked = kept.get();
    if (asked === null) return null;
    try {
      const answers = await replayWorker.ask('look', { calls, number: asked.number });
      return asked === kept.get() ? /** @type {never} */ (answers) : null;
    } catch (error) {
      if (error instanceof Cancelled) return null;
      throw error;
    }
  };
  const tree = treeView(look, core);
  const time = timeView(look, core);
  const decision = decisionView(look);
  const job = jobView(look, startedExportWorker);
  const jobs = jobsView(look);
  const box = byId('inspector');
  box.append(
    make('div', {}, besideView(look, core).element, time.element, decision.element, job.element),
  );
  const list = byId('jobs');
  list.append(jobs.element);
  kept.watch(async (now) => {
    if (now === null || !now.deep) return;
    const answers = await look(['about']);
    if (answers === null) return;
    /** @type {Run} */
    const run = { about: answers[0], kept: now };
    box.hidden = list.hidden = false;
    tree.show(run);
    time.show(run);
    decision.show(run);
    job.show(run);
    jobs.show(run);
  });
}
