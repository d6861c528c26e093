/** What dialogs have in common. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { mounted } from '../mount.ts';
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
  const dialog = mounted(drawn);
  if (!(dialog instanceof HTMLDialogElement)) throw new Error('what is drawn is no dialog');
  document.body.append(dialog);
  return dialog;
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
