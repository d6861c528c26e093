/** Parts of legends: a scale of colours with numbers below it, and single samples. */
import { make, put } from '../dom.ts';

/** Its size in pixels. */
export const RAMP = { width: 240, height: 12 };

/**
 * A sample of a look, with its label.
 * @param kind the class of the sample
 */
export function key(kind: string, words: string) {
  return make('span', { class: 'key' }, make('span', { class: `sample ${kind}` }), words);
}

/**
 * A scale of colours.
 * @param marks positions and numbers: 0 is the left end and 1 the right one
 */
export function scaleView(marks: [place: number, number: string][]) {
  const canvas = make('canvas', { ...RAMP, 'aria-hidden': 'true' });
  const numbers = marks.map(([place, number]) => {
    const mark = make('span', {}, number);
    mark.style.left = `${100 * place}%`;
    return mark;
  });
  return {
    element: make('span', { class: 'ramp' }, canvas, ...numbers),

    /** @param pixels of its size */
    show(pixels: Uint8ClampedArray) {
      put(canvas, pixels);
    },
  };
}
