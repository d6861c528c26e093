// A page of another origin that embeds the page, with the code of README.md.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [, FRAME] = README.match(/```html\n(<iframe .*<\/iframe>)\n```/);
const [, SCRIPT] = README.match(/```js\n(const frame = [\s\S]*?)```/);

/** A page of another origin that frames this address and runs the code of README.md. */
export function framing(address) {
  const frame = FRAME.replace(/src="[^"]*"/, `src="${address}"`);
  const result = 'Object.assign(window, { ask, digest, summary });';
  return `<!doctype html><title>Host</title>${frame}<script type="module">${SCRIPT}${result}</script>`;
}

/**
 * Serves one page, on an origin of its own.
 *
 * @returns {Promise<{ url: string, show: (html: string) => void, close: () => void }>}
 */
export async function hostPage() {
  let shown = '';
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(shown);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    show: (html) => {
      shown = html;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
