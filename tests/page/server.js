// A server for one folder on this machine alone, as a static host would be, for tests.
//
// It sends the page's own content security policy as a header too, since workers obey the header
// only, and asks the browser to report what breaks it. It remembers every file it was asked for.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

const REPORT = '/policy-report';

export const MEDIA_TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.gz': 'application/gzip',
  '.swf': 'text/plain; charset=utf-8',
};

/**
 * Serves a folder.
 *
 * @param {string} folder the folder, with an `index.html` that states its policy
 * @param {Record<string, string | null>} [extra] other files by their path, for instance `{
 *   '/probe.js': '…' }`; null where there is to be none
 * @param {Record<string, string>} [types] media types by the ends of names
 * @param {{ caching?: string, compressed?: boolean, pause?: Promise<void> }} [sending] what the
 *   browser may keep of it and for how long, whether it is sent with gzip, and what the second half
 *   of the wasm module waits for
 * @returns {Promise<{ url: string, requests: { path: string, status: number, body: Buffer }[],
 *   violations: string[], close: () => Promise<void> }>} its address (with the closing slash), what
 *   was asked for so far, the reported breaches of the policy, and how to stop it
 */
export async function serve(
  folder,
  extra = {},
  types = MEDIA_TYPES,
  { caching = 'no-store', compressed = false, pause = undefined } = {},
) {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const policy = page.match(/http-equiv="Content-Security-Policy"\s+content="([^"]*)"/)?.[1];
  if (!policy) throw new Error(`${folder}/index.html states no content security policy`);

  const requests = [];
  const violations = [];
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://127.0.0.1').pathname;
    if (path === REPORT) {
      let text = '';
      for await (const part of request) text += part;
      violations.push(text);
      response.writeHead(204).end();
      return;
    }
    const name = normalize(path === '/' ? '/index.html' : path);
    let status = 200;
    let body;
    try {
      body = name in extra ? Buffer.from(extra[name]) : await readFile(join(folder, name));
    } catch {
      status = 404;
      body = Buffer.from('not found\n');
    }
    requests.push({ path, status, body });
    response.writeHead(status, {
      'Content-Type': types[extname(name)] ?? 'application/octet-stream',
      'Content-Security-Policy': `${policy}; report-uri ${REPORT}`,
      'Cache-Control': caching,
      ...(compressed ? { 'Content-Encoding': 'gzip' } : {}),
    });
    if (pause !== undefined && name.endsWith('.wasm')) {
      const half = body.length >> 1;
      response.write(body.subarray(0, half));
      await pause;
      response.end(body.subarray(half));
      return;
    }
    response.end(compressed ? gzipSync(body) : body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    requests,
    violations,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
