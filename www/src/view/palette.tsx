/** All actions of the page, searched by name or keywords. */
import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { paletteTexts } from '../texts/palette.ts';
import { commands } from './commands.ts';
import { openDialog } from './dialog.tsx';
import type { Glossary } from '../../pkg/backfill_web.js';
import type { Command } from './commands.ts';

/** Opens the palette, which also finds the names of a glossary. */
export function showPalette(glossary: Glossary) {
  if (document.querySelector('dialog[open]') !== null) return;
  const dialog = openDialog(<Palette all={commands(glossary)} close={() => dialog.close()} />);
}

function Palette({ all, close }: { all: Command[]; close: () => void }) {
  const text = useSignal('');
  /** The selected command, by its position among those shown. */
  const at = useSignal(0);
  const shown = useComputed(() => matching(all, text.value.trim().toLowerCase()));
  const count = shown.value.length;
  const choose = (place: number) => {
    const command = shown.peek()[place];
    if (command?.act === undefined) return;
    close();
    command.act();
  };
  const followKey = (event: KeyboardEvent) => {
    const next = { ArrowDown: at.peek() + 1, ArrowUp: at.peek() - 1 }[event.key];
    if (next !== undefined && count > 0) at.value = (next + count) % count;
    else if (event.key === 'Enter') choose(at.peek());
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <dialog class="palette" aria-labelledby="palette-title">
      <h2 id="palette-title">{paletteTexts.title}</h2>
      <input
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-label={paletteTexts.label}
        aria-controls="palette-list"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-activedescendant={count > 0 ? `palette-${at.value}` : undefined}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={followKey}
      />
      <Options all={shown.value} at={at.value} choose={choose} />
      <p class="soft" role="status">
        {paletteTexts.found(count)}
      </p>
    </dialog>
  );
}

interface OptionsParts {
  all: Command[];
  at: number;
  choose: (place: number) => void;
}

function Options({ all, at, choose }: OptionsParts) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(
    () => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }),
    [all, at],
  );
  return (
    <ul role="listbox" id="palette-list" aria-label={paletteTexts.title} ref={list}>
      {all.map(({ name, meaning }, place) => (
        <li
          key={place}
          role="option"
          id={`palette-${place}`}
          aria-selected={place === at}
          onClick={() => choose(place)}
        >
          {name}
          {place === at && meaning !== undefined && <span class="soft">{meaning}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The commands that match a text, the best first. */
function matching(all: Command[], text: string) {
  return all
    .map((command) => ({ command, rank: rankOf(command, text) }))
    .filter(({ rank }) => rank < NOT_FOUND)
    .sort((one, other) => one.rank - other.rank)
    .map(({ command }) => command);
}

/** The rank of a command that does not match. */
const NOT_FOUND = 4;

/**
 * How well a command matches the typed text: its name starts with it, or it is one of the other
 * words, or its name has all the words, or both together have.
 * @param text in lower case
 */
function rankOf({ name, words }: Command, text: string) {
  const [called, all] = [name, `${name} ${words}`].map((each) => each.toLowerCase());
  const hasAll = (within: string) => text.split(/\s+/).every((word) => within.includes(word));
  const ranks = [called.startsWith(text), words.split(' ').includes(text), hasAll(called)];
  const rank = [...ranks, hasAll(all)].indexOf(true);
  return rank < 0 ? NOT_FOUND : rank;
}
