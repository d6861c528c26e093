import { draw } from '../dom.ts';
import type { SeriesStyle } from '../../pkg/backfill_web.js';

/**
 * A short sample of a series' curve with its marker, as in the charts. The style sheet sets the
 * colour by class.
 * @param position of the series
 */
export function swatch(styles: SeriesStyle[], position: number) {
  const number = position % styles.length;
  const style = styles[number];
  const svg = draw('svg', {
    class: `swatch series-${number}`,
    viewBox: '0 0 34 14',
    'aria-hidden': 'true',
  });
  const line = { x1: 1, x2: 33, y1: 7, y2: 7, stroke: 'currentColor', 'stroke-width': 1.8 };
  svg.append(
    draw(
      'line',
      style.dash.length > 0 ? { ...line, 'stroke-dasharray': style.dash.join(' ') } : line,
    ),
  );
  const look = {
    fill: style.filled ? 'currentColor' : 'none',
    stroke: 'currentColor',
    'stroke-width': 1.4,
  };
  svg.append(
    style.corners.length === 0
      ? draw('circle', { cx: 17, cy: 7, r: 4, ...look })
      : draw('polygon', {
          points: style.corners.map(([x, y]) => `${17 + 4 * x},${7 + 4 * y}`).join(' '),
          ...look,
        }),
  );
  return svg;
}
