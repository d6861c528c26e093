import { make } from '../dom.ts';
import { texts } from '../texts.ts';

let sheet: HTMLDialogElement | null = null;

/** Shows the keys and their actions. */
export function showKeys() {
  sheet ??= draw();
  if (!sheet.open) sheet.showModal();
}

function draw() {
  const list = make('dl', { class: 'keys' });
  for (const [keys, effect] of texts.keys.list) {
    const names = keys.flatMap((key, place) => [...(place > 0 ? [' '] : []), make('kbd', {}, key)]);
    list.append(make('dt', {}, ...names), make('dd', {}, effect));
  }
  const dialog = make(
    'dialog',
    { 'aria-labelledby': 'keys-title' },
    make('h2', { id: 'keys-title' }, texts.keys.title),
    list,
    make(
      'div',
      { class: 'buttons' },
      make('button', { type: 'button', onclick: () => dialog.close() }, texts.keys.close),
    ),
  );
  document.body.append(dialog);
  return dialog;
}
