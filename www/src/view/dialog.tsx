/** What dialogs have in common. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { mount } from '../mount.ts';
import { linkTexts } from '../texts/link.ts';
import type { ComponentChildren, RefObject, VNode } from 'preact';

interface DialogParts {
  /** The start of the id of its title. */
  name: string;
  id?: string;
  title: string;
  /** Buttons before the one that closes it. */
  buttons?: ComponentChildren;
  children: ComponentChildren;
}

export function Dialog({ name, id, title, buttons, children }: DialogParts) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <dialog ref={dialog} id={id} aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`}>{title}</h2>
      {children}
      <div class="buttons">
        {buttons}
        <button type="button" onClick={() => dialog.current?.close()}>
          {linkTexts.close}
        </button>
      </div>
    </dialog>
  );
}

/** Draws a dialog at the end of the page, closed. */
export function addDialog(drawn: VNode): HTMLDialogElement {
  const place = document.createDocumentFragment();
  mount(drawn, place);
  const dialog = place.querySelector('dialog');
  if (dialog === null) throw new Error('what is drawn is no dialog');
  document.body.append(place);
  return dialog;
}

/** A label with a list of choices. */
export function Choice({ label, hidden, value, choices, choose }: ChoiceParts) {
  return (
    <label hidden={hidden}>
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {choices.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ChoiceParts {
  label: string;
  hidden?: boolean;
  value: string;
  choices: [value: string, words: string][];
  choose: (value: string) => void;
}

/**
 * A button that copies the text of a field, and reports whether it could; if not, the user finds it
 * selected.
 */
export function CopyButton({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const status = useSignal('');
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(field.current?.value ?? '');
      status.value = linkTexts.copied;
    } catch {
      status.value = linkTexts.copyByHand;
    }
  };
  return (
    <span class="copy">
      <button type="button" class="primary" onClick={() => void copy()}>
        {linkTexts.copy}
      </button>
      <span class="soft" role="status">
        {status}
      </span>
    </span>
  );
}
