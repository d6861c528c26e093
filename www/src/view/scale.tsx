/** A scale of colours, in legends. */

/** Its size in pixels. */
export const RAMP = { width: 240, height: 12 };

interface RampParts {
  /** Positions and numbers: 0 is the left end and 1 the right one. */
  marks: [place: number, number: string][];
}

/** A canvas for a scale of colours, with numbers below it. */
export function Ramp({ marks }: RampParts) {
  return (
    <span class="ramp">
      <canvas {...RAMP} aria-hidden="true" />
      {marks.map(([place, number]) => (
        <span key={place} style={{ left: `${100 * place}%` }}>
          {number}
        </span>
      ))}
    </span>
  );
}
