import { make } from '../dom.ts';
import { reading } from '../state.ts';
import { formTexts } from '../texts/form.ts';
import { enter } from './field.ts';
import { policyList } from './policy-list.tsx';
import type { Key, Tables } from '../../pkg/backfill_web.js';
import type { Reading } from '../state.ts';
import type { Field } from './field.ts';

/** The policies compared: a list in the order of the charts, and two choices to add one. */
export function policies(key: Key, tables: Tables, makeOwn: (place: number) => void): Field {
  const list = make('ul', { class: 'policies' });
  const queue = make('select', { 'aria-label': formTexts.queue, 'data-term': 'queue:' });
  const placement = make('select', {
    'aria-label': formTexts.placement,
    'data-term': 'placement:',
  });
  const add = make('button', { type: 'button' }, formTexts.addPolicy);
  add.onclick = () => {
    const now = reading.peek();
    const present = now?.policies.map((policy) => policy.value) ?? [];
    write([...present, `${queue.value}+${placement.value}`]);
  };
  const write = (all: string[]) => enter(key, all.join(','));
  const row = make(
    'div',
    { class: 'field wide', 'data-key': key.name },
    list,
    make('div', { class: 'pair' }, queue, placement, add),
    make('p', { class: 'wrong', id: `field-${key.name}-wrong` }),
  );
  const offer = (now: Reading) => {
    const chosen = `${queue.value}+${placement.value}`;
    add.disabled = now.policies.some((policy) => policy.value === chosen);
  };
  queue.onchange = placement.onchange = () => {
    const now = reading.peek();
    if (now) offer(now);
  };
  return {
    row,
    show: (now) => {
      const all = now.policies.map((policy) => policy.value);
      policyList(list, {
        policies: now.policies,
        styles: tables.styles,
        remove: (value) => {
          write(all.filter((each) => each !== value));
          add.focus();
        },
        makeOwn,
      });
      for (const [select, all] of [
        [queue, tables.queues],
        [placement, tables.placements],
      ] as const) {
        const before = select.value;
        const possible = all.filter((each) => each.systems.includes(now.values.system));
        select.replaceChildren(...possible.map((each) => new Option(each.label, each.value)));
        if (possible.some((each) => each.value === before)) select.value = before;
      }
      offer(now);
    },
  };
}
