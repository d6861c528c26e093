/** Elements of the page, and what is drawn in its frames. */

/** The element with this id, which is of this type. */
export function byId(id: string): HTMLElement;
export function byId<E extends HTMLElement>(id: string, type: new () => E): E;
export function byId(id: string, type: new () => HTMLElement = HTMLElement) {
  return within(document, `#${id}`, type);
}

/** The first element in a part of the page that matches a selector, which is of this type. */
export function within(part: ParentNode, selector: string): HTMLElement;
export function within<E extends HTMLElement>(
  part: ParentNode,
  selector: string,
  type: new () => E,
): E;
export function within(
  part: ParentNode,
  selector: string,
  type: new () => HTMLElement = HTMLElement,
) {
  const element = part.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`the page has no ${selector}`);
  return element;
}

/** Puts pixels on a canvas of their size. */
export function put(canvas: HTMLCanvasElement, pixels: Uint8ClampedArray) {
  const image = new ImageData(canvas.width, canvas.height);
  image.data.set(pixels);
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}

/** How long a frame may draw, in milliseconds, before the rest waits for the next one. */
const BUDGET = 8;

/** What is to be done in the next frames, in this order. */
const soon = new Set<() => void>();

let isRequested = false;

function requestFrame() {
  if (isRequested || soon.size === 0) return;
  isRequested = true;
  requestAnimationFrame(drawFrame);
}

function drawFrame() {
  isRequested = false;
  const until = performance.now() + BUDGET;
  // Each once, and what they ask for as well, so that an answer is drawn in few frames.
  const drawn = new Set<() => void>();
  try {
    for (const act of soon) {
      if (drawn.has(act)) continue;
      drawn.add(act);
      soon.delete(act);
      act();
      if (performance.now() > until) break;
    }
  } finally {
    requestFrame();
  }
}

/**
 * Does something in the next frame, once, however often it is requested until then. What takes long
 * together is spread over several frames.
 */
export function inNextFrame(act: () => void): () => void {
  return () => {
    soon.add(act);
    requestFrame();
  };
}

/** Turns calls into a queue of one: while one is running only the last of the new ones counts. */
export function latest(act: () => Promise<void>) {
  let open = false;
  let again = false;
  return async () => {
    again = true;
    if (open) return;
    open = true;
    try {
      while (again) {
        again = false;
        await act();
      }
    } finally {
      open = false;
    }
  };
}
