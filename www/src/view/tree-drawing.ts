/** The parts of a tree that is drawn: its wires, its nodes, and their names. */
import { picture } from '../state.ts';
import type { Run } from './inspector.ts';

export type Drawing = NonNullable<Run['about']['diagram']>;
/** A drawn wire. */
export type Line = {
  part: number;
  level: number;
  upper: number;
  lower: number;
  casing: SVGElement;
  inner: SVGElement;
  ends: [number, number, number, number];
};

/** Makes an element of a drawing. */
export function draw(
  name: string,
  attributes: { [attribute: string]: string | number },
): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** Room above the tree and below it, for the numbers of pods. */
export const [ABOVE, BELOW] = [14, 34];

/** A drawing in the available room: the places of its nodes, in CSS pixels. */
export interface LaidTree {
  drawing: Drawing;
  /** The room for the names of levels. */
  names: number;
  width: number;
  height: number;
  x: (level: number, node: number) => number;
  y: (level: number) => number;
}

export function linesOf({ drawing, x, y }: LaidTree): Line[] {
  return drawing.wires.map(({ part, level, upper, lower }) => {
    const ends: Line['ends'] = [x(level, upper), y(level), x(level + 1, lower), y(level + 1)];
    const [x1, y1, x2, y2] = ends.map((end) => end.toFixed(1));
    const line = (kind: string) => draw('line', { class: kind, x1, y1, x2, y2 });
    return { part, level, upper, lower, ends, casing: line('casing'), inner: line('inner') };
  });
}

export function nodesOf({ drawing, width, x, y }: LaidTree) {
  const last = drawing.levels.length - 1;
  return drawing.levels.flatMap(({ places }, level) => {
    const distance = places.length > 1 ? width * (places[1] - places[0]) : width;
    const size = Math.min(level === last ? 8 : 12, Math.max(3, distance - 2));
    const wide = level === last ? size : Math.min(26, Math.max(size, distance - 6));
    return places.map((_, node) =>
      draw('rect', {
        class: 'node',
        x: (x(level, node) - wide / 2).toFixed(1),
        y: (y(level) - size / 2).toFixed(1),
        width: wide.toFixed(1),
        height: size.toFixed(1),
        rx: 2,
      }),
    );
  });
}

/** The names of levels, if there is room, and of pods. */
export function namesOf({ drawing, names, width, height, y }: LaidTree) {
  const called = drawing.levels.flatMap(({ name }, level) =>
    names === 0 ? [] : [text(name, 0, y(level) + 4)],
  );
  const columns = picture.peek()?.columns ?? [];
  const pods = columns.map((name, pod) =>
    text(name, names + (width * (pod + 0.5)) / columns.length, ABOVE + height + 24, 'middle'),
  );
  return [...called, ...pods];
}

function text(words: string, x: number, y: number, anchor: string = 'start') {
  const element = draw('text', { x: x.toFixed(1), y: y.toFixed(1), 'text-anchor': anchor });
  element.textContent = words;
  return element;
}
