// The page's own modules, for tests that need no browser.

import { register } from 'node:module';

register('./typescript.js', import.meta.url);

/** What a file below `www/src/` exports. */
export const source = (path) => import(new URL(`../../www/src/${path}`, import.meta.url).href);
