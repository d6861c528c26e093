/**
 * The dialog that shows the scenario as a link, as Markdown, as HTML to embed or as a command, and
 * copies it.
 */
import { make } from '../dom.ts';
import { LONGEST_NOTE } from '../state.ts';
import { linkTexts } from '../texts/link.ts';
import { copyButton } from './export-file.ts';

/** What to share; the address is empty if the scenario is too long for one. */
type Shared = { address: string; digest: boolean; trace: string; command: string };

/**
 * @param link the current scenario to share with these parts hidden and this note, if it is valid
 * @param saveFile saves the scenario as a file
 * @returns opens the dialog
 */
export function shareDialog(
  link: (hide: string, note: string) => Shared | null,
  saveFile: () => void,
): () => void {
  const words = linkTexts;
  const field = make('textarea', { readOnly: true, 'aria-label': words.label, spellcheck: false });
  const about = make('p', { class: 'soft' });
  const form = make(
    'select',
    {},
    ...Object.entries(words.forms).map(([name, label]) => new Option(label, name)),
  );
  const boxes = Object.keys(words.parts).map((part) =>
    make('input', { type: 'checkbox', value: part, onchange: () => show() }),
  );
  const note = make('input', { type: 'text', maxLength: LONGEST_NOTE, oninput: () => show() });
  const lesson = make(
    'details',
    { class: 'more' },
    make('summary', {}, words.lesson),
    make('p', { class: 'soft' }, words.lessonHelp),
    ...boxes.map((box) =>
      make('label', { class: 'check' }, box, words.parts[box.value as keyof typeof words.parts]),
    ),
    make('label', { class: 'lesson-note' }, make('span', {}, words.noteLabel), note),
  );
  const dialog = make(
    'dialog',
    { 'aria-labelledby': 'share-title' },
    make('h2', { id: 'share-title' }, words.title),
    make('div', { class: 'pick' }, make('label', {}, make('span', {}, words.form), form)),
    field,
    about,
    lesson,
    make(
      'div',
      { class: 'buttons' },
      copyButton(field),
      make('button', { type: 'button', onclick: saveFile }, words.file),
      make('button', { type: 'button', onclick: () => dialog.close() }, words.close),
    ),
  );
  document.body.append(dialog);
  form.onchange = () => show();

  const show = () => {
    const now = link(
      boxes
        .filter((box) => box.checked)
        .map((box) => box.value)
        .join(),
      note.value.trim(),
    );
    if (now === null) return false;
    const { address, command } = now;
    const escaped = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    field.value =
      {
        link: address,
        // In angle brackets, so that a parenthesis does not end the address.
        markdown: `[${words.called}](<${address}>)`,
        embed: `<iframe src="${escaped}" title="${words.called}" width="100%" height="800"></iframe>`,
        command,
      }[form.value] ?? address;
    const length = field.value.length;
    const described =
      form.value === 'command'
        ? words.commandAbout
        : now.digest
          ? words.about(length)
          : words.withoutDigest(length);
    about.textContent = now.trace ? `${described} ${words.traceStays(now.trace)}` : described;
    return true;
  };
  return () => {
    if (show()) dialog.showModal();
  };
}
