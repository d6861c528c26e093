// Keeps what a host had before in the folder that it gets next: the release before, whose files a
// visitor's page still names, and the last release of every version, which links lead to whose digest
// its core made.
//
// node keep-releases.mjs ADDRESS FOLDER: where the page is published, and the page as it will be.

import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const [page, folder] = process.argv.slice(2);
const address = page.endsWith('/') ? page : `${page}/`;

/** The bytes of a published file. */
async function published(name) {
  const response = await fetch(new URL(name, address));
  if (!response.ok) throw new Error(`${address}${name}: status ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Keeps a published file, unless the new release has one of that name. */
async function keep(name) {
  const path = join(folder, name);
  try {
    await access(path);
  } catch {
    const bytes = await published(name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
}

const known = await fetch(new URL('manifest.json', address));
if (known.status === 404) {
  console.log('no release before this one');
} else if (!known.ok) {
  throw new Error(`${address}manifest.json: status ${known.status}`);
} else {
  const { kept = [], ...before } = await known.json();
  const place = join(folder, 'manifest.json');
  const mine = JSON.parse(await readFile(place, 'utf8'));
  const releases = [before, ...kept].filter((release) => /^[0-9a-f]{16}$/.test(release.folder));
  for (const release of releases) {
    const inside = release.files.filter((file) => !file.split('/').includes('..'));
    for (const file of inside) await keep(`${release.folder}/${file}`);
    if (/^[0-9.]+$/.test(release.version)) await keep(`v${release.version}.html`);
  }
  mine.kept = releases.filter(({ version }) => version !== undefined && version !== mine.version);
  await writeFile(place, `${JSON.stringify(mine, null, 2)}\n`);
}
