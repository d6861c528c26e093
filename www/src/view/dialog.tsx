/** What dialogs have in common. */
import { signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { mounted } from '../mount.ts';
import { dialogTexts } from '../texts/dialog.ts';
import type { ComponentChildren, RefObject, VNode } from 'preact';

interface DialogParts {
  /** The start of the id of its title. */
  name: string;
  id?: string;
  class?: string;
  title: string;
  /** Buttons before the one that closes it. */
  buttons?: ComponentChildren;
  children: ComponentChildren;
}

export function Dialog({ name, id, class: kind, title, buttons, children }: DialogParts) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <dialog ref={dialog} id={id} class={kind} aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`}>{title}</h2>
      {children}
      <div class="buttons">
        {buttons}
        <button type="button" onClick={() => dialog.current?.close()}>
          {dialogTexts.close}
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

/** Opens a dialog that is gone once it is closed. */
export function openDialog(drawn: VNode): HTMLDialogElement {
  const isOpen = signal(true);
  const Drawn = () => (isOpen.value ? drawn : null);
  const dialog = addDialog(<Drawn />);
  dialog.addEventListener('close', () => {
    isOpen.value = false;
  });
  dialog.showModal();
  return dialog;
}

interface CopyParts {
  /** What is copied, such as a text area. */
  field: RefObject<{ value: string; select: () => void } | null>;
  words?: string;
}

/**
 * A button that copies the text of a field, and reports whether it could; if not, the user finds it
 * selected.
 */
export function CopyButton({ field, words = dialogTexts.copy }: CopyParts) {
  const status = useSignal('');
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(field.current?.value ?? '');
      status.value = dialogTexts.copied;
    } catch {
      status.value = dialogTexts.copyByHand;
    }
  };
  return (
    <span class="copy">
      <button type="button" class="primary" onClick={() => void copy()}>
        {words}
      </button>
      <span class="soft" role="status">
        {status}
      </span>
    </span>
  );
}
