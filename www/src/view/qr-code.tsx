/** A link as a QR code that fills the window, to be read from the back of a lecture hall. */
import { part } from '../part.ts';
import { shortAddress } from '../short-link.ts';
import { qrCodeTexts as said } from '../texts/qr-code.ts';
import { Dialog, openDialog } from './dialog.tsx';
import type { Bitmap2D } from 'lean-qr';

/** The most characters of a link whose code is read from afar: a longer one is shortened. */
const READ = 1000;
/** The light modules around a code, as its standard asks for. */
const QUIET = 4;

/** Shows the code of an address with a plain link, or of its short form. */
export async function showCode(address: string) {
  const short = address.length > READ ? await shortAddress(address) : address;
  const held = short.length < address.length ? short : address;
  const library = await part(() => import('lean-qr'));
  if (library === null) return;
  const words = held === address ? said.link(address.length) : said.short(held.length);
  openDialog(<QrCode code={library.generate(held)} words={`${new URL(held).host}: ${words}`} />);
}

function QrCode({ code, words }: { code: Bitmap2D; words: string }) {
  return (
    <Dialog name="qr-code" class="qr-code" title={said.title}>
      <Modules code={code} />
      <p>{words}</p>
    </Dialog>
  );
}

function Modules({ code }: { code: Bitmap2D }) {
  const all = code.size + 2 * QUIET;
  return (
    <svg viewBox={`0 0 ${all} ${all}`} role="img" aria-label={said.alternative}>
      <rect width={all} height={all} fill="#fff" />
      <path d={pathOf(code)} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}

/** The dark modules of a code, each run of a row as a rectangle. */
function pathOf(code: Bitmap2D) {
  let path = '';
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) {
      const from = x;
      while (code.get(x, y)) x += 1;
      if (x > from) path += `M${from + QUIET} ${y + QUIET}h${x - from}v1h${from - x}z`;
    }
  }
  return path;
}
