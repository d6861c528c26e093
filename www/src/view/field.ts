/** Parts of the fields of the form. */
import { make } from '../dom.ts';
import { entries } from '../state.ts';
import { formTexts } from '../texts/form.ts';
import type { Key } from '../../pkg/backfill_web.js';
import type { Reading } from '../state.ts';

/** A field, and what shows its value. */
export type Field = { row: HTMLElement; show: (now: Reading) => void };

/** Sets the text of a key, and resets other keys; the default is the same as none. */
export function enter(key: Key, text: string, resets: string[] = []) {
  const next = { ...entries.peek() };
  for (const name of resets) delete next[name];
  const entry = entryOf(key, text);
  if (entry === undefined) delete next[key.name];
  else next[key.name] = entry;
  entries.value = next;
}

/** The entry of a key for a text; undefined for its default, or an empty text. */
export function entryOf(key: Key, text: string) {
  return text.trim() === '' || text.trim() === key.default ? undefined : text;
}

/** The row of a field: label, control, and its problems. */
export function wrap(key: Key, control: HTMLElement, wide: boolean = false) {
  const id = `field-${key.name}`;
  const input = control.matches('input, select') ? control : control.querySelector('input, select');
  const label = make(input ? 'label' : 'span', { class: 'label' }, key.label);
  if (key.unit) label.append(' ', make('span', { class: 'unit' }, key.unit));
  if (input) {
    input.id = id;
    label.setAttribute('for', id);
    input.setAttribute('aria-describedby', `${id}-wrong`);
  }
  return make(
    'div',
    {
      class: wide ? 'field wide' : 'field',
      'data-key': key.name,
      'data-term': `key:${key.name}`,
    },
    label,
    control,
    make('p', { class: 'wrong', id: `${id}-wrong` }),
  );
}

/** Shows a value unless the user is typing it, and that a swept key has no value of its own. */
export function fill(control: HTMLInputElement | HTMLSelectElement, key: Key, now: Reading) {
  const axis = [now.x, now.y].find((each) => each?.key === key.name);
  control.disabled = axis !== undefined;
  const row = control.closest('.field') as HTMLElement;
  row.dataset.hint = axis ? formTexts.swept(axis.values) : '';
  // The typed text is the entry, unless a file, a link or an undo has replaced it.
  const typing =
    document.activeElement === control && entries.peek()[key.name] === entryOf(key, control.value);
  if (!typing || control instanceof HTMLSelectElement) {
    control.value =
      axis && control instanceof HTMLInputElement ? formTexts.sweptShort : now.values[key.name];
  }
}
