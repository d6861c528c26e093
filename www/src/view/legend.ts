import { byId, make } from '../dom.ts';
import { hidden, summary } from '../state.ts';
import { swatch } from './swatch.ts';
import type { SeriesStyle } from '../../pkg/backfill_web.js';

/** The legend of all charts: a button per series switches it off and on. */
export function legend(styles: SeriesStyle[]) {
  const box = byId('legend');
  let names = '';
  const show = () => {
    const now = summary.get();
    if (now === null) return;
    if (now.policies.join('\n') !== names) {
      names = now.policies.join('\n');
      box.replaceChildren(
        ...now.policies.map((policy, position) =>
          make(
            'button',
            {
              type: 'button',
              'data-term': `policy:${policy}`,
              onclick: () => toggle(position),
            },
            swatch(styles, position),
            policy,
          ),
        ),
      );
    }
    [...box.children].forEach((button, position) => {
      button.setAttribute('aria-pressed', String(!hidden.get().has(position)));
    });
  };
  summary.watch(show);
  hidden.watch(show);
}

function toggle(position: number) {
  const next = new Set(hidden.get());
  if (!next.delete(position)) next.add(position);
  hidden.set(next);
}
