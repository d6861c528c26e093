/** Parts of legends: a scale of colours with numbers below it, and single samples. */
import { make, put } from '../dom.js';

/** Its size in pixels. */
export const RAMP = { width: 240, height: 12 };

/**
 * A sample of a look, with its label.
 * @param {string} kind the class of the sample
 * @param {string} words
 */
export function key(kind, words) {
  return make('span', { class: 'key' }, make('span', { class: `sample ${kind}` }), words);
}

/**
 * A scale of colours.
 * @param {[place: number, number: string][]} marks positions and numbers: 0 is the left end and 1
 *   the right one
 */
export function scaleView(marks) {
  const canvas = make('canvas', { ...RAMP, 'aria-hidden': 'true' });
  const numbers = marks.map(([place, number]) => {
    const mark = make('span', {}, number);
    mark.style.left = `${100 * place}%`;
    return mark;
  });
  return {
    element: make('span', { class: 'ramp' }, canvas, ...numbers),

    /** @param {Uint8ClampedArray} pixels of its size */
    show(pixels) {
      put(canvas, pixels);
    },
  };
}
