import { byId } from '../dom.ts';
import { mountInstead } from '../mount.ts';
import { once } from '../once.ts';
import { hidden, summary } from '../state.ts';
import { Swatch } from './swatch.tsx';
import type { SeriesStyle } from '../../pkg/backfill_web.js';

/** The legend of all charts: a button per series switches it off and on. */
export function legend(styles: SeriesStyle[]) {
  once(
    summary,
    (now) => now !== null,
    () => mountInstead(<Legend styles={styles} />, byId('legend')),
  );
}

function Legend({ styles }: { styles: SeriesStyle[] }) {
  const off = hidden.value;
  return summary.value?.policies.map((policy, position) => (
    <button
      key={position}
      type="button"
      data-term={`policy:${policy}`}
      aria-pressed={!off.has(position)}
      onClick={() => toggle(position)}
    >
      <Swatch styles={styles} position={position} />
      {policy}
    </button>
  ));
}

function toggle(position: number) {
  const next = new Set(hidden.peek());
  if (!next.delete(position)) next.add(position);
  hidden.value = next;
}
