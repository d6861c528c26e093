/** Exports: a file to the downloads, a text to the clipboard. */
import { make } from '../dom.ts';
import { linkTexts } from '../texts/link.ts';

/**
 * Saves a file among the user's downloads.
 * @param type media type
 */
export function save(name: string, contents: string | Blob, type: string) {
  const address = URL.createObjectURL(
    contents instanceof Blob ? contents : new Blob([contents], { type }),
  );
  make('a', { href: address, download: name }).click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A figure for the screen: its width and height, and the device pixels to each. */
export const SCREEN = { width: 720, height: 440, ratio: 2 };

/** Saves a painted canvas as a picture. */
export async function savePicture(name: string, paint: (canvas: HTMLCanvasElement) => void) {
  const canvas = make('canvas');
  paint(canvas);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob !== null) save(name, blob, 'image/png');
}

/**
 * A button that copies a text, and reports whether it could; if not, the user finds it selected.
 * @param field such as a text area
 */
export function copyButton(
  field: { value: string; select: () => void },
  words: string = linkTexts.copy,
) {
  const status = make('span', { class: 'soft', role: 'status' });
  const copy = async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      status.textContent = linkTexts.copied;
    } catch {
      status.textContent = linkTexts.copyByHand;
    }
  };
  return make(
    'span',
    { class: 'copy' },
    make('button', { type: 'button', class: 'primary', onclick: () => void copy() }, words),
    status,
  );
}
