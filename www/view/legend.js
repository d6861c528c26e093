import { byId, make } from '../dom.js';
import { hidden, summary } from '../state.js';
import { swatch } from './swatch.js';

/**
 * The legend of all charts: a button per series switches it off and on.
 * @param {import('../pkg/backfill_web.js').SeriesStyle[]} styles
 */
export function legend(styles) {
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

/** @param {number} position */
function toggle(position) {
  const next = new Set(hidden.get());
  if (!next.delete(position)) next.add(position);
  hidden.set(next);
}
