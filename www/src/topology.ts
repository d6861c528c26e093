import { messageOf } from './message.ts';
import { topology } from './state.ts';
import { topologyTexts } from './texts/topology.ts';
import { say } from './view/banners.tsx';
import { Cancelled } from './worker/worker-client.ts';
import type { TraceFile } from './worker/messages.ts';
import type { WorkerClient } from './worker/worker-client.ts';

/**
 * Says what a topology file describes, and returns that; null if it cannot be read. Throws Cancelled
 * if something else takes its place in the worker.
 * @param source the trace that it is asked about, if there is one
 */
export async function openTopology(worker: WorkerClient, file: File, source: TraceFile | null) {
  try {
    const text = await file.text();
    const opened = await worker.ask('topology', { text, trace: source });
    topology.value = text;
    say('topology', {
      title: topologyTexts.read(file.name, opened.nodes, opened.leaves, opened.blocks),
      details: opened.notes.join(' '),
    });
    return opened;
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    say('topology', {
      title: topologyTexts.failed(file.name),
      details: messageOf(error),
      loud: true,
    });
    return null;
  }
}
