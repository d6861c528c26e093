import { signal } from '@preact/signals';
import { byId } from '../dom.ts';
import { mount } from '../mount.ts';
import { bannersTexts } from '../texts/banners.ts';

/** A message: what happened, the details, and possible actions. */
interface Message {
  title: string;
  details?: string;
  verbatim?: string;
  loud?: boolean;
  actions?: { words: string; act: () => void }[];
  /** Called when the user takes it away. */
  dismissed?: () => void;
}

/** The messages by their kinds, the oldest first, each with a number of its own. */
const shown = signal<{ kind: string; number: number; message: Message }[]>([]);
let last = 0;

/** Shows a message above the page. A new banner of the same kind replaces the old one. */
export function say(kind: string, message: Message) {
  if (last === 0) mount(<Banners />, byId('banners'));
  last += 1;
  const others = shown.peek().filter((each) => each.kind !== kind);
  shown.value = [...others, { kind, number: last, message }];
}

/** Takes a banner away. */
export function unsay(kind: string) {
  if (shown.peek().some((each) => each.kind === kind))
    shown.value = shown.peek().filter((each) => each.kind !== kind);
}

function Banners() {
  return shown.value.map(({ kind, number, message }) => (
    <Banner key={number} kind={kind} {...message} />
  ));
}

function Banner(parts: Message & { kind: string }) {
  const { kind, title, details = '', verbatim = '', loud = false, actions = [], dismissed } = parts;
  return (
    <div class={loud ? 'banner loud' : 'banner'} data-kind={kind} role={loud ? 'alert' : undefined}>
      <div class="words">
        <p>{title}</p>
        {details !== '' && <p>{details}</p>}
        {verbatim !== '' && <pre tabIndex={0}>{verbatim}</pre>}
      </div>
      {actions.map(({ words, act }) => (
        <button key={words} type="button" onClick={act}>
          {words}
        </button>
      ))}
      <button
        type="button"
        class="plain"
        onClick={() => {
          unsay(kind);
          dismissed?.();
        }}
      >
        {bannersTexts.dismiss}
      </button>
    </div>
  );
}
