/** Undo and redo of the form. */
import { byId } from '../dom.ts';
import { entries, moving, work } from '../state.ts';
import { historyTexts } from '../texts/history.ts';
import type { Entries } from '../state.ts';

/** Typing in one field without a longer pause than this, in milliseconds, is one edit. */
const TOGETHER = 1000;
/** The number of steps that can be undone. */
const STEPS = 200;

/**
 * An edit: its time, its keys, the field in which it was typed, and whether it was by the slider
 * that is being moved.
 */
interface Edit {
  time: number;
  keys: string;
  field: Element | null;
  slid: boolean;
}

/** Undo and redo of the form, by button and key. */
export function undoing() {
  const button = (name: 'undo' | 'redo', by: -1 | 1) => {
    const made = byId(name, HTMLButtonElement);
    made.dataset.hint = historyTexts[name];
    made.setAttribute('aria-label', historyTexts[name]);
    made.onclick = () => step(by);
    return made;
  };
  const undo = button('undo', -1);
  const redo = button('redo', 1);
  let states: Entries[] = [];
  let at = -1;
  let last: Edit = { time: 0, keys: '', field: null, slid: false };
  let stepping = false;

  const show = () => {
    undo.disabled = at <= 0;
    redo.disabled = at >= states.length - 1;
  };
  const step = (by: -1 | 1) => {
    const next = states[at + by];
    if (next === undefined) return;
    at += by;
    // A field that is being typed in would keep its text.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    stepping = true;
    entries.value = next;
    stepping = false;
    last.field = null;
    show();
  };
  entries.subscribe((now) => {
    const keys = differing(states[at] ?? {}, now);
    if (stepping || (at >= 0 && keys === '')) return;
    const field =
      document.activeElement instanceof HTMLInputElement ? document.activeElement : null;
    const time = Date.now();
    const slid = moving.peek();
    const goesOn = slid ? last.slid : time - last.time < TOGETHER;
    const isSame =
      at > 0 && field !== null && field === last.field && (slid || keys === last.keys) && goesOn;
    states = [...states.slice(0, isSame ? at : at + 1), now].slice(-STEPS);
    at = states.length - 1;
    last = { time, keys, field, slid };
    show();
  });
  // After a rest a slider starts a new edit.
  moving.subscribe(() => {
    last.slid = false;
  });
  // A run is a step of its own, however soon the next edit comes.
  work.subscribe(({ phase }) => {
    if (phase === 'running') last.field = null;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.altKey)
      return;
    // A field that is being typed in undoes its own letters.
    if (event.target instanceof HTMLInputElement && event.target.type === 'text') return;
    if (event.target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    step(event.shiftKey ? 1 : -1);
  });
}

/** The keys in which two states of the form differ. */
function differing(one: Entries, other: Entries) {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((key) => one[key] !== other[key])
    .sort()
    .join();
}
