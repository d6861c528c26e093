/** Exports: a file to the downloads, a text to the clipboard. */
import { make } from '../dom.js';
import { texts } from '../texts.js';

/**
 * Saves a file among the user's downloads.
 * @param {string} name
 * @param {string | Blob} contents
 * @param {string} type media type
 */
export function save(name, contents, type) {
  const address = URL.createObjectURL(
    contents instanceof Blob ? contents : new Blob([contents], { type }),
  );
  make('a', { href: address, download: name }).click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A figure for the screen: its width and height, and the device pixels to each. */
export const SCREEN = { width: 720, height: 440, ratio: 2 };

/**
 * Saves a painted canvas as a picture.
 * @param {string} name
 * @param {(canvas: HTMLCanvasElement) => void} paint
 */
export async function savePicture(name, paint) {
  const canvas = make('canvas');
  paint(canvas);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  save(name, blob, 'image/png');
}

/**
 * A button that copies a text, and reports whether it could; if not, the user finds it selected.
 * @param {{value: string, select: () => void}} field such as a text area
 * @param {string} [words]
 */
export function copyButton(field, words = texts.link.copy) {
  const status = make('span', { class: 'soft', role: 'status' });
  const copy = async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      status.textContent = texts.link.copied;
    } catch {
      status.textContent = texts.link.copyByHand;
    }
  };
  return make(
    'span',
    { class: 'copy' },
    make('button', { type: 'button', class: 'primary', onclick: () => void copy() }, words),
    status,
  );
}
