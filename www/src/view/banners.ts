import { byId, make } from '../dom.ts';
import { bannersTexts } from '../texts/banners.ts';

/**
 * Shows a message above the page: what happened, the details, and possible actions. A new banner of
 * the same kind replaces the old one.
 */
export function say(
  kind: string,
  {
    title,
    details,
    verbatim,
    loud = false,
    actions = [],
  }: {
    title: string;
    details?: string;
    verbatim?: string;
    loud?: boolean;
    actions?: { words: string; act: () => void }[];
  },
) {
  unsay(kind);
  const words = make('div', { class: 'words' }, make('p', {}, title));
  if (details) words.append(make('p', {}, details));
  if (verbatim) words.append(make('pre', { tabIndex: 0 }, verbatim));
  const banner = make('div', { class: loud ? 'banner loud' : 'banner', 'data-kind': kind }, words);
  if (loud) banner.setAttribute('role', 'alert');
  for (const { words: label, act } of actions) {
    banner.append(make('button', { type: 'button', onclick: act }, label));
  }
  banner.append(
    make(
      'button',
      { type: 'button', class: 'plain', onclick: () => banner.remove() },
      bannersTexts.dismiss,
    ),
  );
  byId('banners').append(banner);
}

/** Takes a banner away. */
export function unsay(kind: string) {
  byId('banners').querySelector(`[data-kind="${kind}"]`)?.remove();
}
