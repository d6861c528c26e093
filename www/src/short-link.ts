/**
 * The short form of a link: `#z1?`, and the text of the plain link as raw deflate in base64url. What
 * it holds is read as a plain link is, with its checksum and digest.
 */
import { LONG, SHORT } from './link-form.ts';
import { shortLinkTexts } from './texts/short-link.ts';

/** The most characters of what it holds, which the core writes at most. */
const LONGEST = 100_000;

/** The short form of a plain link, from its `#` on. */
async function shortened(link: string): Promise<string> {
  const packing = new Blob([link]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(packing).arrayBuffer());
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const text = btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return SHORT + text;
}

/** The short form of an address with a plain link. */
export async function shortAddress(address: string): Promise<string> {
  const start = address.indexOf('#');
  return address.slice(0, start) + (await shortened(address.slice(start)));
}

/** An address as it is passed on: itself, or its short form where programs on its way would cut it. */
export async function passedOn(address: string): Promise<string> {
  return address.length > LONG ? shortAddress(address) : address;
}

/** The plain form of a link, short or plain; throws, in one sentence, what is wrong with it. */
export async function lengthened(link: string): Promise<string> {
  if (!link.startsWith(SHORT)) return link;
  const text = link.slice(SHORT.length);
  if (!/^[\w-]+$/.test(text) || text.length > LONGEST) throw new Error(shortLinkTexts.broken);
  let plain = '';
  try {
    const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    const unpacking = new Blob([bytes])
      .stream()
      .pipeThrough(new DecompressionStream('deflate-raw'))
      .pipeThrough(new TextDecoderStream('utf-8', { fatal: true }))
      .getReader();
    for (let read = await unpacking.read(); !read.done; read = await unpacking.read()) {
      plain += read.value;
      if (plain.length > LONGEST) {
        await unpacking.cancel();
        break;
      }
    }
  } catch {
    throw new Error(shortLinkTexts.broken);
  }
  if (plain.length > LONGEST) throw new Error(shortLinkTexts.tooLong(LONGEST));
  return plain;
}
