/**
 * All actions of the page, searched by name or keywords: its buttons, its settings, its examples
 * and its sections. They are read from the page itself, so that nothing is listed twice.
 */
import { make } from '../dom.ts';
import { theme } from '../state.ts';
import { paletteTexts } from '../texts/palette.ts';
import { themeTexts } from '../texts/theme.ts';

/** Its name, and other words by which it is found. */
type Command = { name: string; words: string; act: () => void };

let dialog: HTMLDialogElement | null = null;

/** Opens the palette. */
export function showPalette() {
  if (document.querySelector('dialog[open]') !== null) return;
  dialog?.remove();
  const all = commands();
  const list = make('ul', {
    role: 'listbox',
    id: 'palette-list',
    'aria-label': paletteTexts.title,
  });
  const input = make('input', {
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: false,
    'aria-label': paletteTexts.label,
    'aria-controls': list.id,
    'aria-expanded': 'true',
    'aria-autocomplete': 'list',
  });
  const found = make('p', { class: 'soft', role: 'status' });
  const box = make(
    'dialog',
    { class: 'palette', 'aria-labelledby': 'palette-title' },
    make('h2', { id: 'palette-title' }, paletteTexts.title),
    input,
    list,
    found,
  );
  dialog = box;
  let shown: Command[] = [];
  let at = 0;

  function show() {
    const text = input.value.trim().toLowerCase();
    const ranked = all.map((command) => ({ command, rank: rankOf(command, text) }));
    shown = ranked
      .filter(({ rank }) => rank < NOT_FOUND)
      .sort((one, other) => one.rank - other.rank)
      .map(({ command }) => command);
    at = 0;
    list.replaceChildren(
      ...shown.map(({ name }, place) =>
        make('li', { role: 'option', id: `palette-${place}`, onclick: () => choose(place) }, name),
      ),
    );
    found.textContent = paletteTexts.found(shown.length);
    mark();
  }

  function mark() {
    for (const [place, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(place === at));
    const option = list.children[at];
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    }
  }

  function choose(place: number) {
    const command = shown[place];
    if (command === undefined) return;
    box.close();
    command.act();
  }

  input.oninput = show;
  input.onkeydown = (event) => {
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (next !== undefined && shown.length > 0) {
      at = (next + shown.length) % shown.length;
      mark();
    } else if (event.key === 'Enter') {
      choose(at);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  document.body.append(box);
  show();
  box.showModal();
  input.focus();
}

/** The rank of a command that does not match. */
const NOT_FOUND = 4;

/**
 * How well a command matches the typed text: its name starts with it, or it is one of the other
 * words, or its name has all the words, or both together have.
 * @param text in lower case
 */
function rankOf({ name, words }: Command, text: string) {
  const [called, all] = [name, `${name} ${words}`].map((each) => each.toLowerCase());
  const hasAll = (within: string) => text.split(/\s+/).every((word) => within.includes(word));
  const ranks = [called.startsWith(text), words.split(' ').includes(text), hasAll(called)];
  const rank = [...ranks, hasAll(all)].indexOf(true);
  return rank < 0 ? NOT_FOUND : rank;
}

/** The available commands. */
function commands(): Command[] {
  const { act, example, go, set } = paletteTexts;
  const all: Command[] = [];
  for (const button of visible('main button, header button, header a, footer a')) {
    const isInMenu = button.closest('header') !== null;
    const isShown = isInMenu || button.getClientRects().length > 0;
    if ((button as HTMLButtonElement).disabled || !isShown || button.id === 'theme') continue;
    all.push({ name: act(named(button)), words: wordsFor(button), act: () => button.click() });
  }
  for (const each of ['dark', 'light', 'system'] as const)
    all.push({
      name: themeTexts[each],
      words: paletteTexts.ofTheme,
      act: () => {
        theme.value = each;
      },
    });
  for (const field of visible('[data-key]')) {
    const control = (field.querySelector('input, select') ??
      field.querySelector('button')) as HTMLElement | null;
    const label =
      field.querySelector('label, .label') ?? field.closest('fieldset')?.querySelector('legend');
    if (control !== null && label)
      all.push({
        name: set(named(label)),
        words: `${field.dataset.key} ${wordsFor(field)}`,
        act: () => reach(control),
      });
  }
  for (const select of document.querySelectorAll('select')) {
    if (select.id !== 'example') continue;
    for (const { text, value } of select.options) {
      if (value === '') continue;
      const choose = () => {
        select.value = value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
      };
      all.push({ name: example(text), words: wordsFor(select), act: choose });
    }
  }
  for (const title of visible('main h2, main h3, main summary, main section[aria-label]')) {
    if (title.getClientRects().length === 0) continue;
    all.push({
      name: go(named(title)),
      words: wordsFor(title.closest('section') ?? title),
      act: () => arrive(title),
    });
  }
  const names = new Set();
  return all.filter(({ name }) => {
    const isNew = /[^\s×]/.test(name) && !names.has(name);
    names.add(name);
    return isNew;
  });
}

/** Other words by which an element is found. */
function wordsFor(element: Element) {
  const of = Object.entries(paletteTexts.words).filter(([selector]) => element.matches(selector));
  return of.map(([, words]) => words).join(' ');
}

/** The elements that match and are not hidden, by themselves or by a link. */
function visible(selector: string): HTMLElement[] {
  const found = [...document.querySelectorAll<HTMLElement>(selector)];
  return found.filter(
    (element) =>
      element.closest('[hidden], [data-hidden-by-link], [data-until-predicted]') === null,
  );
}

function named(element: Element) {
  return (element.getAttribute('aria-label') ?? element.textContent ?? '')
    .trim()
    .replace(/\s+/g, ' ');
}

/** Goes to a control, unfolding what contains it. */
function reach(control: HTMLElement) {
  for (
    let fold = control.closest('details');
    fold !== null;
    fold = fold.parentElement?.closest('details') ?? null
  )
    fold.open = true;
  control.scrollIntoView({ block: 'center' });
  control.focus();
}

/** Goes to a heading, and opens its part. */
function arrive(title: HTMLElement) {
  const fold = title.closest('summary')?.parentElement;
  if (fold instanceof HTMLDetailsElement) fold.open = true;
  title.scrollIntoView({ block: 'start' });
  const target = (title.closest('summary') ?? title.closest('section') ?? title) as HTMLElement;
  if (!target.hasAttribute('tabindex') && target.tagName !== 'SUMMARY') target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
