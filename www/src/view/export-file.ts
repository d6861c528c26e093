/** Saves files among the user's downloads. */
import { reading } from '../state.ts';
import type { Given } from '../worker/messages.ts';
import type { WorkerClient } from '../worker/worker-client.ts';

/**
 * Saves a file among the user's downloads.
 * @param type media type
 */
export function save(name: string, contents: string | Blob, type: string) {
  const address = URL.createObjectURL(
    contents instanceof Blob ? contents : new Blob([contents], { type }),
  );
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A figure for the screen: its width and height, and the device pixels to each. */
export const SCREEN = { width: 720, height: 440, ratio: 2 };

/** Saves a painted canvas as a picture. */
export async function savePicture(name: string, paint: (canvas: HTMLCanvasElement) => void) {
  const canvas = document.createElement('canvas');
  paint(canvas);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob !== null) save(name, blob, 'image/png');
}

/** Saves the scenario in the form. */
export async function saveScenario(worker: WorkerClient, maker: string) {
  const now = reading.peek();
  if (now === null || now.problems.length > 0) return;
  const { text: scenario } = now;
  const [text] = await worker.ask('write', { scenario, maker, outcomes: [], calls: [['toml']] });
  save('scenario.toml', text, 'application/toml');
}

/** Saves the folder that runs a scenario on a cluster. */
export async function saveStudy(worker: WorkerClient, study: Given<'study'>) {
  const type = 'application/zip';
  save(`${study.engine}-study.zip`, new Blob([await worker.ask('study', study)], { type }), type);
}
