/**
 * Files that are not chosen in a dialog: dropped on the page, pasted, or named by its address.
 */
import { byId } from './dom.ts';
import { filesTexts } from './texts/files.ts';

/** Handles files dropped anywhere on the page. */
export function onDrop(take: (files: File[]) => void) {
  const veil = byId('drop');
  veil.textContent = filesTexts.drop;
  const carriesFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  let depth = 0;
  const leave = () => {
    depth = 0;
    veil.hidden = true;
  };
  document.addEventListener('dragenter', (event) => {
    if (!carriesFile(event)) return;
    depth += 1;
    veil.hidden = false;
  });
  document.addEventListener('dragleave', (event) => {
    if (!carriesFile(event)) return;
    depth -= 1;
    if (depth <= 0) leave();
  });
  document.addEventListener('dragover', (event) => {
    if (carriesFile(event)) event.preventDefault();
  });
  document.addEventListener('drop', (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    leave();
    take([...(event.dataTransfer?.files ?? [])]);
  });
}

/** Handles pastes outside text fields: files, a text as a file of its likely kind, or a link. */
export function onPaste(take: (files: File[]) => void, follow: (hash: string) => void) {
  document.addEventListener('paste', (event) => {
    const into = event.target;
    if (
      into instanceof HTMLInputElement ||
      into instanceof HTMLTextAreaElement ||
      document.querySelector('dialog[open]') !== null
    )
      return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0 && text.trim() !== '') files.push(new File([text], nameFor(text)));
    if (files.length === 0) return;
    event.preventDefault();
    const [, link] = text.trim().match(/^\S*(#[vz]\d\S*)$/) ?? [];
    if (link === undefined) take(files);
    else follow(link);
  });
}

/** A file name for a text by its likely kind: a result, a scenario, a job list, or else a log. */
function nameFor(text: string) {
  const first = text.split('\n').find((line) => /^\s*[^\s#]/.test(line)) ?? '';
  if (/^\s*\{/.test(first)) return `${filesTexts.pasted}.json`;
  if (/^\s*[\w-]+\s*=/.test(first)) return `${filesTexts.pasted}.toml`;
  if (/[a-z].*,/i.test(first)) return `${filesTexts.pasted}.csv`;
  return `${filesTexts.pasted}.swf`;
}
