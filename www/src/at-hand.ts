/**
 * What is fetched when a visitor begins to use the page: the rest of the core, offline use,
 * explanations, keys and palette.
 */
import { byId } from './dom.ts';
import { onDemand } from './part.ts';
import type { Glossary } from '../pkg/backfill_web.js';

/**
 * Brings the rest of the core as soon as a visitor uses the page, and keeps the page for use without a
 * network, also for whoever has used it before.
 */
export function whenUsed(bringRest: () => Promise<void>) {
  let asked = false;
  const keep = async () => {
    if (asked) return;
    asked = true;
    // It cannot be fetched while the page is being closed; the next page tries again.
    await import('./offline.ts').then(
      (offline) => offline.keep(),
      () => {},
    );
  };
  if (navigator.serviceWorker?.controller) void keep();
  const use = () => {
    void bringRest();
    void keep();
  };
  for (const event of ['pointerdown', 'keydown', 'dragenter']) addEventListener(event, use);
}

/** Explains names, starting with the first one that the visitor points at, taps or focuses. */
export function explainWhenAsked(glossary: () => Glossary) {
  const events = ['pointerover', 'focusin', 'click'] as const;
  let latest: Event | null = null;
  const explain = async (event: Event) => {
    const { target } = event;
    if (!(target instanceof Element && target.closest('[data-term], [data-hint]'))) return;
    const waits = latest !== null;
    latest = event;
    if (waits) return;
    const view = await import('./view/glossary.tsx').catch(() => null);
    if (view !== null) {
      for (const name of events) removeEventListener(name, explain);
      view.explainNames(glossary(), latest);
    }
    latest = null;
  };
  for (const name of events) addEventListener(name, explain);
}

/** Shows the keys, or the palette, by button or key. */
export function keySheet(glossary: () => Glossary) {
  const show = async () => (await onDemand())?.showKeys();
  const find = async () => (await onDemand())?.showPalette(glossary());
  byId('keys').onclick = () => void show();
  byId('find').onclick = () => void find();
  byId('keys').hidden = byId('find').hidden = false;
  document.addEventListener('keydown', (event) => {
    if (
      event.key.toLowerCase() !== 'k' ||
      !(event.ctrlKey || event.metaKey) ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    void find();
  });
  document.addEventListener('keydown', (event) => {
    const typing =
      event.target instanceof HTMLInputElement ||
      event.target instanceof HTMLTextAreaElement ||
      event.target instanceof HTMLSelectElement;
    if (event.key === '?' && !typing) void show();
  });
}
