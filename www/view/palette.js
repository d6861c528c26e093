/**
 * Everything that can be done on the page, found by its name: its buttons, its settings, its
 * examples and its sections. They are read off the page as it is, so that nothing has to be listed
 * twice.
 */
import { make } from '../dom.js';
import { texts } from '../texts.js';

/** @typedef {{name: string, act: () => void}} Command */

/** @type {HTMLDialogElement | null} */
let dialog = null;

/** Opens the palette. */
export function showPalette() {
  if (document.querySelector('dialog[open]') !== null) return;
  dialog?.remove();
  const all = commands();
  const list = make('ul', {
    role: 'listbox',
    id: 'palette-list',
    'aria-label': texts.palette.title,
  });
  const input = make('input', {
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: false,
    'aria-label': texts.palette.label,
    'aria-controls': list.id,
    'aria-expanded': 'true',
    'aria-autocomplete': 'list',
  });
  const found = make('p', { class: 'soft', role: 'status' });
  const box = make(
    'dialog',
    { class: 'palette', 'aria-labelledby': 'palette-title' },
    make('h2', { id: 'palette-title' }, texts.palette.title),
    input,
    list,
    found,
  );
  dialog = box;
  /** @type {Command[]} */
  let shown = [];
  let at = 0;

  function show() {
    const words = input.value.toLowerCase().split(/\s+/);
    shown = all.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
    at = 0;
    list.replaceChildren(
      ...shown.map(({ name }, place) =>
        make('li', { role: 'option', id: `palette-${place}`, onclick: () => choose(place) }, name),
      ),
    );
    found.textContent = texts.palette.found(shown.length);
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

  /** @param {number} place */
  function choose(place) {
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

/**
 * What can be done now.
 * @returns {Command[]}
 */
function commands() {
  const { act, example, go, set } = texts.palette;
  /** @type {Command[]} */
  const all = [];
  for (const button of visible('main button, header button, footer a')) {
    if (/** @type {HTMLButtonElement} */ (button).disabled || button.getClientRects().length === 0)
      continue;
    all.push({ name: act(named(button)), act: () => button.click() });
  }
  for (const field of visible('[data-key]')) {
    const control = /** @type {HTMLElement | null} */ (
      field.querySelector('input, select, button')
    );
    const label = field.querySelector('label, .label');
    if (control !== null && label !== null)
      all.push({ name: set(named(label)), act: () => reach(control) });
  }
  for (const select of document.querySelectorAll('select')) {
    if (select.id !== 'example') continue;
    for (const { text, value } of select.options) {
      if (value === '') continue;
      const choose = () => {
        select.value = value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
      };
      all.push({ name: example(text), act: choose });
    }
  }
  for (const title of visible('main h2, main h3, main summary')) {
    if (title.getClientRects().length === 0) continue;
    all.push({ name: go(named(title)), act: () => arrive(title) });
  }
  const names = new Set();
  return all.filter(({ name }) => {
    const isNew = /[^\s×]/.test(name) && !names.has(name);
    names.add(name);
    return isNew;
  });
}

/**
 * What matches and is not hidden, by itself or by a link.
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
function visible(selector) {
  const found = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);
  return found.filter(
    (element) =>
      element.closest('[hidden], [data-hidden-by-link], [data-until-predicted]') === null,
  );
}

/** @param {Element} element */
function named(element) {
  return (element.getAttribute('aria-label') ?? element.textContent ?? '')
    .trim()
    .replace(/\s+/g, ' ');
}

/**
 * Goes to a control, wherever it is folded away.
 * @param {HTMLElement} control
 */
function reach(control) {
  for (
    let fold = control.closest('details');
    fold !== null;
    fold = fold.parentElement?.closest('details') ?? null
  )
    fold.open = true;
  control.scrollIntoView({ block: 'center' });
  control.focus();
}

/**
 * Goes to a heading, and opens what it stands for.
 * @param {HTMLElement} title
 */
function arrive(title) {
  const fold = title.closest('summary')?.parentElement;
  if (fold instanceof HTMLDetailsElement) fold.open = true;
  title.scrollIntoView({ block: 'start' });
  const target = /** @type {HTMLElement} */ (
    title.closest('summary') ?? title.closest('section') ?? title
  );
  if (!target.hasAttribute('tabindex') && target.tagName !== 'SUMMARY') target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
