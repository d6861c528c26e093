/** The menu of a chart that copies it in one of its forms. */
import { signal } from '@preact/signals';
import { formsOf } from '../copy-forms.ts';
import { messageOf } from '../message.ts';
import { mounted } from '../mount.ts';
import { copyAsTexts as said } from '../texts/copy-as.ts';
import { exportTexts } from '../texts/export.ts';
import { save } from './export-file.ts';
import type { PageParts } from '../compose.ts';
import type { Forms } from '../copy-forms.ts';
import type { Exporting } from '../exports.ts';
import type { Copying } from '../state.ts';
import type { Write } from './export-file.ts';

/** Between the button and its menu, in CSS pixels. */
const GAP = 4;

/** Gives the button of a chart its menu, and opens that. */
export function copyAs(parts: PageParts, asks: Exporting, { button, chart }: Copying) {
  if (button.popoverTargetElement !== null) return;
  const forms = signal<Forms | null>(null);
  const status = signal('');
  const copy = async (words: string, write: Write) => {
    status.value = exportTexts.writing;
    try {
      status.value = await copied(words, write);
    } catch (error) {
      status.value = exportTexts.failed(messageOf(error));
    }
  };
  const Menu = () => (
    <div class="copy-menu" role="dialog" popover="auto">
      {Object.entries(said.forms).map(([form, words]) => {
        const write = forms.value?.[form as keyof Forms];
        return (
          write && (
            <button key={form} type="button" data-form={form} onClick={() => copy(words, write)}>
              {words}
            </button>
          )
        );
      })}
      <p class="soft" role="status">
        {status}
      </p>
    </div>
  );
  const menu = mounted(<Menu />);
  menu.addEventListener('beforetoggle', ({ newState }) => {
    if (newState === 'closed') return;
    menu.setAttribute('aria-label', button.getAttribute('aria-label') ?? '');
    status.value = '';
    forms.value = formsOf(parts, asks, chart());
    const { right, bottom } = button.getBoundingClientRect();
    menu.style.right = `${document.documentElement.clientWidth - right}px`;
    menu.style.top = `${bottom + scrollY + GAP}px`;
  });
  menu.addEventListener('toggle', ({ newState }) => {
    if (newState === 'closed') return;
    // Above the button, where there is no room for it below.
    const { top } = button.getBoundingClientRect();
    const { height, bottom } = menu.getBoundingClientRect();
    if (bottom > innerHeight && top > height) menu.style.top = `${top + scrollY - height - GAP}px`;
    menu.querySelector('button')?.focus();
  });
  button.after(menu);
  button.popoverTargetElement = menu;
  menu.showPopover();
}

/** Copies a form, or saves it where the browser allows no copying; says which. */
async function copied(words: string, write: Write) {
  const file = Promise.resolve(write());
  try {
    const type = words === said.forms.png ? 'image/png' : 'text/plain';
    // At once, with contents to come: a browser asks that the visitor has just pressed a key.
    const contents = file.then(({ contents }) => new Blob([contents], { type }));
    await navigator.clipboard.write([new ClipboardItem({ [type]: contents })]);
    return said.copied(words);
  } catch {
    const { name, ...rest } = await file;
    save({ name, ...rest });
    return said.saved(name);
  }
}
