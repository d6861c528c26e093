/**
 * A picture of the machine of a run: its cells are read by pointer and arrow keys. Where several
 * are side by side, the cell pointed at on one is marked on all.
 */
import { make, put } from '../dom.js';
import { picture, pointedCell } from '../state.js';

export function mapView() {
  const canvas = make('canvas');
  const marker = make('div', { class: 'cell', hidden: true });
  const element = make('div', { class: 'map', tabIndex: 0, role: 'application' }, canvas, marker);

  const leave = () => pointedCell.set(null);
  canvas.onpointermove = canvas.onpointerdown = (event) => {
    const zoom = canvas.width / canvas.clientWidth;
    pointedCell.set(
      picture.get()?.spot(Math.floor(event.offsetX * zoom), Math.floor(event.offsetY * zoom)) ??
        null,
    );
  };
  canvas.onpointerleave = leave;
  element.onblur = leave;
  element.onkeydown = (event) => {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[
      event.key
    ];
    const shown = picture.get();
    if (step === undefined || shown === null) return;
    event.preventDefault();
    const from = pointedCell.get();
    if (from === null) {
      pointedCell.set(shown.spot(0, 0) ?? null);
      return;
    }
    // From the middle of this cell on, across a gap where there is one, to the next.
    const middle = Math.floor(from.size / 2);
    for (let ahead = from.size; ahead < 3 * from.size + 32; ahead += 1) {
      const x = from.left + middle + step[0] * ahead;
      const y = from.top + middle + step[1] * ahead;
      if (x < 0 || y < 0) break;
      const next = shown.spot(x, y);
      if (next === undefined) continue;
      pointedCell.set(next);
      break;
    }
  };

  function mark() {
    const spot = pointedCell.get();
    marker.hidden = spot === null;
    if (spot === null || canvas.width === 0) return;
    const zoom = canvas.clientWidth / canvas.width;
    marker.style.left = `${canvas.offsetLeft + spot.left * zoom}px`;
    marker.style.top = `${canvas.offsetTop + spot.top * zoom}px`;
    marker.style.width = marker.style.height = `${spot.size * zoom}px`;
  }
  pointedCell.watch(mark);

  return {
    element,

    /**
     * Shows these pixels, which are those of the picture as it is laid out now.
     * @param {Uint8ClampedArray} pixels
     */
    show(pixels) {
      const shown = picture.get();
      if (shown === null || pixels.length !== 4 * shown.width * shown.height) return;
      canvas.width = shown.width;
      canvas.height = shown.height;
      canvas.style.width = `min(100%, ${shown.width / devicePixelRatio}px)`;
      put(canvas, pixels);
      mark();
    },
  };
}
