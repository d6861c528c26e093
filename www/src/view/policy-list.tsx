import { formTexts } from '../texts/form.ts';
import { Swatch } from './swatch.tsx';
import { Term } from './term.tsx';
import type { SeriesStyle } from '../../pkg/backfill_web.js';
import type { Reading } from '../state.ts';

interface PolicyListParts {
  policies: Reading['policies'];
  styles: SeriesStyle[];
  /** Takes a policy, by its value, out of the comparison. */
  remove: (value: string) => void;
  /** Turns a policy, by its position, into the user's own. */
  makeOwn: (place: number) => void;
}

/** The policies that are compared, in the order of the charts. */
export function PolicyList({ policies, styles, remove, makeOwn }: PolicyListParts) {
  const isLast = policies.length === 1;
  return policies.map(({ value, label }, position) => (
    <li key={position} class="policy">
      <Swatch styles={styles} position={position} />
      <span class="called">
        <Term words={label} term={`policy:${label}`} />
      </span>
      <button
        type="button"
        class="own"
        data-hint={formTexts.own}
        aria-label={formTexts.ownOf(label)}
        onClick={() => makeOwn(position)}
      >
        ✎
      </button>
      <button
        type="button"
        disabled={isLast}
        data-hint={isLast ? formTexts.lastPolicy : undefined}
        aria-label={formTexts.removePolicy(label)}
        onClick={() => remove(value)}
      >
        ×
      </button>
      {/* A shortened label is followed by the full text. */}
      {label.includes('…') && <code>{value}</code>}
    </li>
  ));
}
