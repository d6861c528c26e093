import type { SeriesStyle } from '../../pkg/backfill_web.js';

/**
 * A short sample of a series' curve with its marker, as in the charts. The style sheet sets the
 * colour by class.
 * @param position of the series
 */
export function Swatch({ styles, position }: { styles: SeriesStyle[]; position: number }) {
  const number = position % styles.length;
  const { dash, filled, corners } = styles[number];
  const look = {
    fill: filled ? 'currentColor' : 'none',
    stroke: 'currentColor',
    'stroke-width': 1.4,
  };
  return (
    <svg class={`swatch series-${number}`} viewBox="0 0 34 14" aria-hidden="true">
      <line
        x1={1}
        x2={33}
        y1={7}
        y2={7}
        stroke="currentColor"
        stroke-width={1.8}
        stroke-dasharray={dash.length > 0 ? dash.join(' ') : undefined}
      />
      {corners.length === 0 ? (
        <circle cx={17} cy={7} r={4} {...look} />
      ) : (
        <polygon
          points={corners.map(([x, y]) => `${17 + 4 * x},${7 + 4 * y}`).join(' ')}
          {...look}
        />
      )}
    </svg>
  );
}
