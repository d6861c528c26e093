// The memory of the cores of a page's workers, as reported to the page, and of its process.

import { readdir, readFile } from 'node:fs/promises';
import { inPlaceOfWorker } from './built.js';

/** A worker that runs the page's own and reports the memory of its core after every answer. */
const TELLING = `
  import './real-worker.js';

  const channel = new BroadcastChannel('memory');
  const name = Math.random();
  const { instantiate } = WebAssembly;
  let memory;
  WebAssembly.instantiate = async (...given) => {
    const instance = await instantiate(...given);
    ({ memory } = instance.exports);
    return instance;
  };
  const post = self.postMessage.bind(self);
  self.postMessage = (message, ...rest) => {
    if (memory) channel.postMessage([name, memory.buffer.byteLength]);
    post(message, ...rest);
  };
`;

/** The files of the page in place of its own, for `serve`. */
export const telling = () => inPlaceOfWorker(TELLING);

/** Runs in the page: from now on `told` has the bytes of each core. */
export function listen() {
  window.told = new Map();
  new BroadcastChannel('memory').onmessage = ({ data: [name, bytes] }) =>
    window.told.set(name, bytes);
}

/**
 * The processes that this one and its own have started, with the most bytes that each ever had in
 * memory, on Linux alone.
 */
export async function processes() {
  const tell = async (number) => {
    const [status, command] = await Promise.all(
      ['status', 'cmdline'].map((file) => readFile(`/proc/${number}/${file}`, 'utf8')),
    ).catch(() => ['', '']);
    const value = (name) => Number(status.match(new RegExp(`^${name}:\\s+(\\d+)`, 'm'))?.[1]);
    return { number: Number(number), parent: value('PPid'), most: 1024 * value('VmHWM'), command };
  };
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = new Map((await Promise.all(numbers.map(tell))).map((each) => [each.number, each]));
  const mine = ({ parent }) => parent === process.pid || (all.has(parent) && mine(all.get(parent)));
  return [...all.values()].filter(mine);
}

/** The most bytes that any of them ever had that runs a page of a browser. */
export async function mostOfRenderers() {
  const renderers = (await processes()).filter(({ command }) =>
    command.includes('--type=renderer'),
  );
  return Math.max(...renderers.map(({ most }) => most));
}
