/**
 * Keeps one complete release of the page for use without a network: its pages are answered from the
 * release's own store, so that they never load scripts of another one. A newer release is fetched
 * beside it and takes over when the visitor asks for it, or when no tab of this one is left.
 *
 * A published copy has its release set. The one served during development does not: it removes what
 * a published one has left at the same address.
 */

/** The prefix of the stores of releases. */
const PREFIX = 'backfill-';
const OWN = PREFIX + RELEASE.folder;

/** An event during which the release is fetched or removed. */
type LifeEvent = Event & { waitUntil: (work: Promise<unknown>) => void };

/** A request of a page for a file. */
type AskEvent = Event & { request: Request; respondWith: (answer: Promise<Response>) => void };

/** The used part of a service worker's own scope, whose types conflict with those of the page. */
interface Scope {
  registration: ServiceWorkerRegistration;
  skipWaiting: () => Promise<void>;
  addEventListener: {
    (type: 'install' | 'activate', listener: (event: LifeEvent) => void): void;
    (type: 'fetch', listener: (event: AskEvent) => void): void;
    (type: 'message', listener: (event: MessageEvent) => void): void;
  };
}

const scope = self as unknown as Scope;

scope.addEventListener('install', (event) => {
  event.waitUntil(RELEASE.folder === '' ? scope.skipWaiting() : fetchAll());
});

scope.addEventListener('activate', (event) => {
  event.waitUntil(RELEASE.folder === '' ? clearAway() : forgetOld());
});

scope.addEventListener('message', ({ data }) => {
  if (data === 'take over') void scope.skipWaiting();
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (
    RELEASE.folder === '' ||
    request.method !== 'GET' ||
    !request.url.startsWith(scope.registration.scope)
  )
    return;
  event.respondWith(answer(request));
});

/**
 * Fetches the release; fails, so that it is tried again later, unless all files and pages are of
 * this release.
 */
async function fetchAll() {
  const store = await caches.open(OWN);
  try {
    await store.addAll(RELEASE.files.map((file) => new Request(file, { cache: 'no-cache' })));
    for (const page of RELEASE.pages) {
      const text = await (await store.match(page))?.text();
      if (!text?.includes(`./${RELEASE.folder}/`))
        throw new Error(`${page} is of another release than ${RELEASE.folder}`);
    }
  } catch (error) {
    await caches.delete(OWN);
    throw error;
  }
}

/**
 * Removes all releases but this one and the one before, which open tabs may need.
 */
async function forgetOld() {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== OWN);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

async function clearAway() {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX)) await caches.delete(name);
  await scope.registration.unregister();
}

async function answer(request: Request) {
  const store = await caches.open(OWN);
  // The query is for the page itself.
  const page = request.mode === 'navigate';
  const kept =
    (await store.match(request, { ignoreSearch: page })) ??
    (page ? undefined : await caches.match(request));
  return kept ?? fetch(request);
}
