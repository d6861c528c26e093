/**
 * The script around the core, and what joins its two parts. The rest is what a first visit does
 * without: it is fetched when somebody begins to use the page. Where something of it is called
 * before, everything waits for it.
 */
import { on_rest_wanted } from '../pkg/backfill_web.js';
import type { InitOutput } from '../pkg/backfill_web.js';

export * from '../pkg/backfill_web.js';
export { default } from '../pkg/backfill_web.js';

/**
 * Has the core find its rest.
 * @param first what its instance exports
 * @param failed hears why the rest could not be had where it is needed. That is thrown through the
 *   core, which must not be used again.
 * @returns puts the rest into its place, unless it is there
 */
export function joinRest(first: InitOutput, failed: (why: string) => void) {
  let isThere = false;
  const join = (rest: WebAssembly.Module) => {
    if (!isThere)
      new WebAssembly.Instance(rest, { first: first as object as WebAssembly.ModuleImports });
    isThere = true;
  };
  let why = '';
  on_rest_wanted(() => {
    if (isThere) return;
    try {
      if (why === '') join(new WebAssembly.Module(restNow()));
    } catch (error) {
      why = String(error);
      failed(why);
    }
    if (why !== '') throw new Error(why);
  });
  return join;
}

/** The bytes of the rest; a page that waits for them gets them as text alone. */
function restNow() {
  const request = new XMLHttpRequest();
  request.open('GET', new URL(BUILT.rest, import.meta.url), false);
  request.overrideMimeType('text/plain; charset=x-user-defined');
  request.send();
  if (request.status !== 200) throw request.status;
  const text = request.responseText;
  return new Uint8Array(text.length).map((_, place) => text.charCodeAt(place));
}
