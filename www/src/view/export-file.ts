/** Saves files among the user's downloads. */
import { reading } from '../state.ts';
import { exportTexts } from '../texts/export.ts';
import type { Given } from '../worker/messages.ts';
import type { WorkerClient } from '../worker/worker-client.ts';

/** A file that was written, to be saved or copied. */
export interface Written {
  name: string;
  contents: string | Blob;
  /** Its media type. */
  type: string;
}

/** Writes a file. */
export type Write = () => Written | Promise<Written>;

/** Saves a file among the user's downloads. */
export function save({ name, contents, type }: Written) {
  const address = URL.createObjectURL(new Blob([contents], { type }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Numbers as CSV, their headings first; nothing stands for null. */
export function csvOf(name: string, rows: (string | number | null)[][]): Written {
  const contents = rows.map((row) => `${row.join(',')}\n`).join('');
  return { name, contents, type: 'text/csv' };
}

/** A figure for the screen: its width and height, and the device pixels to each. */
export const SCREEN = { width: 720, height: 440, ratio: 2 };

/**
 * A painted canvas as a picture, at once: `toBlob` would wait until the browser has nothing else to
 * do, in Chromium up to seven seconds. Throws if there is no memory for one.
 */
export function pictureOf(name: string, paint: (canvas: HTMLCanvasElement) => void): Written {
  const canvas = document.createElement('canvas');
  paint(canvas);
  const type = 'image/png';
  const [, base64] = canvas.toDataURL(type).split(',');
  if (base64 === '') throw new Error(exportTexts.noPicture);
  const bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
  return { name, contents: new Blob([bytes], { type }), type };
}

/** Saves the scenario in the form. */
export async function saveScenario(worker: WorkerClient, maker: string) {
  const now = reading.peek();
  if (now === null || now.problems.length > 0) return;
  const { text: scenario } = now;
  const [text] = await worker.ask('write', { scenario, maker, outcomes: [], calls: [['toml']] });
  save({ name: 'scenario.toml', contents: text, type: 'application/toml' });
}

/** Saves the folder that runs a scenario on a cluster. */
export async function saveStudy(worker: WorkerClient, study: Given<'study'>) {
  const contents = new Blob([await worker.ask('study', study)]);
  save({ name: `${study.engine}-study.zip`, contents, type: 'application/zip' });
}
