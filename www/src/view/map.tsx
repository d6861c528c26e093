/**
 * A picture of the machine of a run: its cells are read by pointer and arrow keys. Of several side
 * by side, the cell pointed at on one is marked on all.
 */
import { put, within } from '../dom.ts';
import { mount, mounted } from '../mount.ts';
import { picture, pointedCell } from '../state.ts';
import type { Laid } from '../state.ts';

/** The room in CSS pixels for the full name of a column, and for its number alone. */
const NAME = 56;
const NUMBER = 24;

/**
 * Labels the columns of the picture by their names, or with little room for names that end in a
 * number by these, or only some of them.
 * @returns the subject of the numbers; empty if names are shown
 */
export function nameColumns(element: HTMLElement, { columns, width }: Laid): string {
  const wide = Math.min(width / devicePixelRatio, element.parentElement?.clientWidth ?? width);
  const room = wide / Math.max(1, columns.length);
  const every = Math.ceil(NUMBER / room);
  const [what] = columns[0]?.split(' ') ?? [''];
  const whole = room >= NAME || !columns[0]?.includes(' ');
  const called = (name: string, place: number) => {
    if (whole) return name;
    return place % every === 0 ? name.slice(what.length + 1) : '';
  };
  mount(
    columns.map((name, place) => <span key={place}>{called(name, place)}</span>),
    element,
  );
  element.style.width = `min(100%, ${width / devicePixelRatio}px)`;
  return whole ? '' : what;
}

export function mapView() {
  const element = mounted(
    <div class="map" tabIndex={0} role="application">
      <canvas />
      <div class="cell" hidden={true} />
    </div>,
  );
  const canvas = within(element, 'canvas', HTMLCanvasElement);
  const marker = within(element, '.cell');

  const leave = () => {
    pointedCell.value = null;
  };
  canvas.onpointermove = canvas.onpointerdown = (event) => {
    const zoom = canvas.width / canvas.clientWidth;
    pointedCell.value =
      picture.peek()?.spot(Math.floor(event.offsetX * zoom), Math.floor(event.offsetY * zoom)) ??
      null;
  };
  canvas.onpointerleave = leave;
  element.onblur = leave;
  element.onkeydown = (event) => {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[
      event.key
    ];
    const shown = picture.peek();
    if (step === undefined || shown === null) return;
    event.preventDefault();
    const from = pointedCell.peek();
    if (from === null) {
      pointedCell.value = shown.spot(0, 0) ?? null;
      return;
    }
    // From the middle of this cell on, across a gap if there is one, to the next.
    const [x0, y0] = [from.left + from.width / 2, from.top + from.height / 2].map(Math.floor);
    const size = Math.ceil(step[0] === 0 ? from.height / 2 : from.width / 2);
    for (let ahead = size; ahead < 6 * size + 32; ahead += 1) {
      const x = x0 + step[0] * ahead;
      const y = y0 + step[1] * ahead;
      if (x < 0 || y < 0) break;
      const next = shown.spot(x, y);
      if (next === undefined || (next.left === from.left && next.top === from.top)) continue;
      pointedCell.value = next;
      break;
    }
  };

  function mark() {
    const spot = pointedCell.peek();
    marker.hidden = spot === null;
    if (spot === null || canvas.width === 0) return;
    const zoom = canvas.clientWidth / canvas.width;
    marker.style.left = `${canvas.offsetLeft + spot.left * zoom}px`;
    marker.style.top = `${canvas.offsetTop + spot.top * zoom}px`;
    marker.style.width = `${spot.width * zoom}px`;
    marker.style.height = `${spot.height * zoom}px`;
  }
  pointedCell.subscribe(mark);

  return {
    element,

    /** Shows these pixels, which are those of the picture in its current layout. */
    show(pixels: Uint8ClampedArray) {
      const shown = picture.peek();
      if (shown === null || pixels.length !== 4 * shown.width * shown.height) return;
      canvas.width = shown.width;
      canvas.height = shown.height;
      canvas.style.width = `min(100%, ${shown.width / devicePixelRatio}px)`;
      put(canvas, pixels);
      mark();
    },
  };
}
