import { byId } from '../dom.ts';
import { mountInstead } from '../mount.ts';
import { hidden, summary } from '../state.ts';
import { Swatch } from './swatch.tsx';
import type { SeriesStyle } from '../../pkg/backfill_web.js';

/** The legend of all charts: a button per series switches it off and on. */
export function legend(styles: SeriesStyle[]) {
  const show = () => {
    if (summary.get() === null) return;
    summary.ignore(show);
    mountInstead(<Legend styles={styles} />, byId('legend'));
  };
  summary.watch(show);
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
  const next = new Set(hidden.get());
  if (!next.delete(position)) next.add(position);
  hidden.set(next);
}
