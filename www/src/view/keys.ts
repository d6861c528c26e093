import { make } from '../dom.ts';
import { keysTexts } from '../texts/keys.ts';

let sheet: HTMLDialogElement | null = null;

/** Shows the keys and their actions. */
export function showKeys() {
  sheet ??= draw();
  if (!sheet.open) sheet.showModal();
}

function draw() {
  const list = make('dl', { class: 'keys' });
  for (const [keys, effect] of keysTexts.list) {
    const names = keys.flatMap((key, place) => [...(place > 0 ? [' '] : []), make('kbd', {}, key)]);
    list.append(make('dt', {}, ...names), make('dd', {}, effect));
  }
  const dialog = make(
    'dialog',
    { 'aria-labelledby': 'keys-title' },
    make('h2', { id: 'keys-title' }, keysTexts.title),
    list,
    make(
      'div',
      { class: 'buttons' },
      make('button', { type: 'button', onclick: () => dialog.close() }, keysTexts.close),
    ),
  );
  document.body.append(dialog);
  return dialog;
}
