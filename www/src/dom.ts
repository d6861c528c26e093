/** An attribute, left out if undefined. */
type Attribute = string | number | boolean | null | undefined;

/**
 * The initial properties and attributes of an element. Its type is any text, since that of a button
 * is not inferred if the button refers to its own target.
 */
type Properties<E> = Partial<Omit<E, 'type'>> & {
  class?: string | undefined;
  type?: string | undefined;
} & { [attribute: `${string}-${string}`]: Attribute };

/**
 * Makes an element. Text enters as text, never as HTML.
 * @param properties properties of the element; `class` and names with a dash are attributes
 */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Properties<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key === 'class' || key.includes('-')) element.setAttribute(key, String(value));
    else Reflect.set(element, key, value);
  }
  element.append(...children);
  return element;
}

/** Makes an element of a drawing. */
export function draw(
  name: string,
  attributes: { [attribute: string]: string | number },
): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** The element with this id, which is of this type. */
export function byId(id: string): HTMLElement;
export function byId<E extends HTMLElement>(id: string, type: new () => E): E;
export function byId(id: string, type: new () => HTMLElement = HTMLElement) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the page has no #${id}`);
  return element;
}

/** Puts pixels on a canvas of their size. */
export function put(canvas: HTMLCanvasElement, pixels: Uint8ClampedArray) {
  const image = new ImageData(canvas.width, canvas.height);
  image.data.set(pixels);
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}

/** How long a frame may draw, in milliseconds, before the rest waits for the next one. */
const BUDGET = 3;

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
  try {
    for (const act of [...soon]) {
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
