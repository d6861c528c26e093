import { byId, make } from '../dom.js';
import { texts } from '../texts.js';

/**
 * The dialog that shows the link to the scenario and copies it.
 * @param {() => {address: string, digest: boolean, trace: string} | null} link what to share now, if it is a scenario
 */
export function shareDialog(link) {
  const field = make('textarea', { readOnly: true, 'aria-label': texts.link.label, spellcheck: false });
  const about = make('p', { class: 'soft' });
  const copied = make('span', { class: 'soft', role: 'status' });
  const copy = make('button', { type: 'button', class: 'primary', onclick: () => void put() }, texts.link.copy);
  const dialog = make(
    'dialog',
    { 'aria-labelledby': 'share-title' },
    make('h2', { id: 'share-title' }, texts.link.title),
    field,
    about,
    make('div', { class: 'buttons' }, copied, copy, make('button', { type: 'button', onclick: () => dialog.close() }, texts.link.close)),
  );
  document.body.append(dialog);

  const put = async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      copied.textContent = texts.link.copied;
    } catch {
      copied.textContent = texts.link.copyByHand;
    }
  };
  byId('share').onclick = () => {
    const now = link();
    if (now === null) return;
    field.value = now.address;
    const words = now.digest ? texts.link.about(now.address.length) : texts.link.withoutDigest(now.address.length);
    about.textContent = now.trace ? `${words} ${texts.link.traceStays(now.trace)}` : words;
    copied.textContent = '';
    dialog.showModal();
    void put();
  };
}
