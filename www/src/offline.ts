/**
 * Makes the browser keep the page, so that it opens without a network; announces a newer release.
 */
import { byId } from './dom.ts';
import { offlineTexts } from './texts/offline.ts';
import { say } from './view/banners.tsx';

/** The folders of the scripts and of the pages of this release. */
const scripts = new URL('.', import.meta.url).href;
const pages = new URL('.', document.baseURI).href;

/** Keeps the current release. */
export async function keep() {
  // Scripts beside their page are in development: no stored copy may replace them.
  if (scripts === pages || !('serviceWorker' in navigator)) return;
  const workers = navigator.serviceWorker;
  let registration: ServiceWorkerRegistration;
  try {
    registration = await workers.register(new URL('sw.js', pages), { updateViaCache: 'none' });
  } catch {
    // Denied or unavailable: the page then needs the network, as any other does.
    return;
  }
  const kept = () => {
    byId('offline').textContent = offlineTexts.kept;
  };
  const offer = (newer: ServiceWorker) => {
    const act = () => {
      workers.addEventListener('controllerchange', () => location.reload(), { once: true });
      newer.postMessage('take over');
    };
    say('update', {
      title: offlineTexts.newer,
      details: offlineTexts.newerDetails,
      actions: [{ words: offlineTexts.reload, act }],
    });
  };
  const follow = (coming: ServiceWorker | null) => {
    coming?.addEventListener('statechange', () => {
      if (coming.state === 'activated') kept();
      else if (coming.state === 'installed' && registration.active !== null) offer(coming);
    });
  };
  if (registration.active !== null) kept();
  if (registration.waiting !== null) offer(registration.waiting);
  follow(registration.installing);
  registration.addEventListener('updatefound', () => follow(registration.installing));
}
