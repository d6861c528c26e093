/**
 * All actions of the page: its buttons, its settings, its examples and its sections. They are read
 * from the page itself, so that nothing is listed twice.
 */
import { byId } from '../dom.ts';
import { theme } from '../state.ts';
import { paletteTexts } from '../texts/palette.ts';
import { themeTexts } from '../texts/theme.ts';
import type { Glossary } from '../../pkg/backfill_web.js';

/** Its name, other words by which it is found, and what it does or, of a term, what it means. */
export interface Command {
  name: string;
  words: string;
  act?: () => void;
  meaning?: string;
}

/** The available commands, and the terms of the core; the first of each name counts. */
export function commands(glossary: Glossary): Command[] {
  const all = [
    ...buttons(),
    ...themes(),
    ...settings(glossary),
    ...examples(),
    ...sections(),
    ...terms(glossary),
  ];
  const names = new Set();
  return all.filter(({ name }) => {
    const isNew = /[^\s×]/.test(name) && !names.has(name);
    names.add(name);
    return isNew;
  });
}

function buttons(): Command[] {
  const all = visible('main button, header button, header a, footer a').filter((button) => {
    const isShown = button.closest('header') !== null || button.getClientRects().length > 0;
    return !button.matches(':disabled, #theme') && isShown;
  });
  return all.map((button) => ({
    name: paletteTexts.act(named(button)),
    words: wordsFor(button),
    act: () => button.click(),
  }));
}

function themes(): Command[] {
  return (['dark', 'light', 'system'] as const).map((each) => ({
    name: themeTexts[each],
    words: paletteTexts.ofTheme,
    act: () => {
      theme.value = each;
    },
  }));
}

function settings({ queues, placements }: Glossary): Command[] {
  const policies = Object.keys({ ...queues, ...placements }).join(' ');
  return visible('[data-key]').flatMap((field) => {
    const control =
      field.querySelector<HTMLElement>('input, select') ?? field.querySelector('button');
    const label =
      field.querySelector('label, .label') ?? field.closest('fieldset')?.querySelector('legend');
    if (control === null || !label) return [];
    const { key } = field.dataset;
    const words = [key, wordsFor(field), key === 'policy' ? policies : ''].join(' ');
    return { name: paletteTexts.set(named(label)), words, act: () => reach(control) };
  });
}

function examples(): Command[] {
  const select = byId('example', HTMLSelectElement);
  return [...select.options]
    .filter(({ value }) => value !== '')
    .map(({ text, value, parentElement }) => ({
      name: paletteTexts.example(text),
      words: `${wordsFor(select)} ${wordsFor(parentElement ?? select)}`,
      act: () => {
        select.value = value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
      },
    }));
}

function sections(): Command[] {
  return visible('main h2, main h3, main summary, main section[aria-label]')
    .filter((title) => title.getClientRects().length > 0)
    .map((title) => ({
      name: paletteTexts.go(named(title)),
      words: wordsFor(title.closest('section') ?? title),
      act: () => arrive(title),
    }));
}

function terms({ queues, placements, metrics }: Glossary): Command[] {
  const all = [queues, placements, metrics].flatMap((names) => Object.values(names));
  return all.map(({ label, meaning }) => ({
    name: paletteTexts.term(label),
    words: paletteTexts.ofTerm,
    meaning,
  }));
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
  const target =
    title.closest<HTMLElement>('summary') ?? title.closest<HTMLElement>('section') ?? title;
  if (!target.hasAttribute('tabindex') && target.tagName !== 'SUMMARY') target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
