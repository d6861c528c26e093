/**
 * An attribute, left out if undefined.
 * @typedef {string | number | boolean | null | undefined} Attribute
 */

/**
 * The initial properties and attributes of an element. Its type is any text, since that of a button
 * is not inferred if the button refers to its own target.
 * @template E
 * @typedef {Partial<Omit<E, 'type'>> & {class?: string | undefined, type?: string | undefined}
 *   & {[attribute: `${string}-${string}`]: Attribute}} Properties
 */

/**
 * Makes an element. Text enters as text, never as HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Properties<HTMLElementTagNameMap[K]>} [properties] properties of the element; `class` and
 *   names with a dash are attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key === 'class' || key.includes('-')) element.setAttribute(key, String(value));
    else Reflect.set(element, key, value);
  }
  element.append(...children);
  return element;
}

/**
 * Makes an element of a drawing.
 * @param {string} name
 * @param {{[attribute: string]: string | number}} attributes
 * @returns {SVGElement}
 */
export function draw(name, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return /** @type {SVGElement} */ (element);
}

/**
 * The element with this id.
 * @template {HTMLElement} [E=HTMLElement]
 * @param {string} id
 * @returns {E}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return /** @type {E} */ (element);
}

/**
 * Puts pixels on a canvas of their size.
 * @param {HTMLCanvasElement} canvas
 * @param {Uint8ClampedArray} pixels
 */
export function put(canvas, pixels) {
  const image = new ImageData(canvas.width, canvas.height);
  image.data.set(pixels);
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}

/**
 * Does something in the next frame, once, however often it is requested until then.
 * @param {() => void} act
 * @returns {() => void}
 */
export function inNextFrame(act) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      act();
    });
  };
}
