/**
 * Explanations of names and signs, shown beside them when the visitor points at one for a while,
 * focuses or taps it; Escape closes it. `data-term` names an entry of the core's glossary: `key:`,
 * `metric:`, `queue:` or `placement:` and its name, or `policy:` and a policy's label. If nothing
 * follows the colon, the element's value is the name. `data-hint` has words of the page itself.
 */
import { signal } from '@preact/signals';
import { mounted } from '../mount.ts';
import { glossaryTexts } from '../texts/glossary.ts';
import type { Definition, Glossary } from '../../pkg/backfill_web.js';

const ASKS = '[data-term], [data-hint]';
/** How long a pointer rests on a name before the explanation, and how long that stays after. */
const REST = 500;
const LEAVE = 200;
/** Between a name, its explanation and the edge of the window, in CSS pixels. */
const GAP = 8;

/** What is explained, and words of the page itself. */
interface Meaning {
  definitions: Definition[];
  hint: string | undefined;
}

const meaning = signal<Meaning>({ definitions: [], hint: undefined });
const box = mounted(<Explanation />);

let glossary: Glossary;
/** The explained element. */
let shown: HTMLElement | null = null;
/** The element explained while it has the focus. */
let held: HTMLElement | null = null;
/** The control that the explanation describes. */
let described: Element | null = null;
let timer = 0;

/**
 * Explains from now on, and first the target of an event.
 * @param names the core's glossary
 */
export function explainNames(names: Glossary, first: Event) {
  glossary = names;
  document.querySelector('main')?.append(box);
  addEventListener('pointerover', point);
  addEventListener('focusin', come);
  addEventListener('focusout', leave);
  addEventListener('pointerdown', press, true);
  addEventListener('click', tap);
  addEventListener('keydown', close, true);
  addEventListener('change', () => shown !== null && show(shown));
  addEventListener('scroll', place, { capture: true, passive: true });
  addEventListener('resize', place);
  const { type } = first;
  if (type === 'pointerover' && first instanceof PointerEvent) point(first);
  else if (type === 'click' && first instanceof MouseEvent) tap(first);
  else come(first);
}

/** The element of a name at an event. */
function asked({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest(ASKS) : null;
}

function isInBox({ target }: Event) {
  return target instanceof Node && box.contains(target);
}

function point(event: PointerEvent) {
  if (event.pointerType === 'touch') return;
  clearTimeout(timer);
  const found = isInBox(event) ? shown : asked(event);
  if (found === shown) return;
  timer = setTimeout(
    () => (found === null ? showHeld() : show(found)),
    found === null ? LEAVE : REST,
  );
}

function come(event: Event) {
  const seen = event.target instanceof Element && event.target.matches(':focus-visible');
  held = seen ? asked(event) : null;
  showHeld();
}

function leave() {
  held = null;
  showHeld();
}

function press(event: PointerEvent) {
  clearTimeout(timer);
  // A button that is pressed needs no explanation.
  const inside = isInBox(event);
  if (!inside && (held === null || asked(event) !== held)) showHeld();
}

function tap(event: MouseEvent) {
  const found = asked(event);
  const taps = event instanceof PointerEvent && event.pointerType === 'touch';
  if (found?.dataset.term !== undefined && (taps || found.matches('.term'))) show(found);
}

function close(event: KeyboardEvent) {
  if (event.key !== 'Escape' || shown === null) return;
  // The first Escape closes the explanation, the next what is open beneath it.
  event.preventDefault();
  event.stopPropagation();
  held = null;
  hide();
}

function showHeld() {
  if (held === null) hide();
  else show(held);
}

function hide() {
  clearTimeout(timer);
  shown = null;
  describe(null);
  if (box.matches(':popover-open')) box.hidePopover();
}

function show(element: HTMLElement) {
  const { hint, term } = element.dataset;
  const definitions = term === undefined ? [] : define(term, element);
  if ((definitions.length === 0 && !hint) || !element.isConnected) {
    hide();
    return;
  }
  shown = element;
  meaning.value = { definitions, hint };
  box.showPopover();
  place();
  const { activeElement } = document;
  const control = element.contains(activeElement) ? activeElement : element;
  describe(control?.getAttribute('aria-label') === box.textContent ? null : control);
}

/** Makes the explanation the description of a control, after those that it has. */
function describe(control: Element | null) {
  if (described === control) return;
  const others = (element: Element) =>
    (element.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id && id !== box.id);
  if (described !== null) {
    const rest = others(described).join(' ');
    if (rest === '') described.removeAttribute('aria-describedby');
    else described.setAttribute('aria-describedby', rest);
  }
  described = control;
  control?.setAttribute('aria-describedby', [...others(control), box.id].join(' '));
}

/** Puts the explanation beside a field if there is room, else below or above its element. */
function place() {
  if (shown === null) return;
  const of = shown.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const { clientWidth, clientHeight } = document.documentElement;
  const within = (at: number, size: number, all: number) =>
    Math.max(GAP, Math.min(at, all - size - GAP));
  const beside = shown.matches('.field') && of.right + width + 2 * GAP <= clientWidth;
  const below = of.bottom + height + GAP <= clientHeight || of.top < height + GAP;
  const left = beside ? of.right + GAP : within(of.left, width, clientWidth);
  const top = beside
    ? within(of.top, height, clientHeight)
    : below
      ? of.bottom + GAP / 2
      : of.top - height - GAP / 2;
  box.style.left = `${left}px`;
  box.style.top = `${top}px`;
}

/** A paragraph for each name. */
function Explanation() {
  const { definitions, hint } = meaning.value;
  return (
    <div id="definition" class="definition" role="tooltip" popover="manual">
      {definitions.map(({ label, meaning: words, source }, place) => (
        <p key={place}>
          {label !== '' && <b>{glossaryTexts.called(label)}</b>} {words}
          {source !== '' && ' '}
          {source !== '' && <span class="source">{glossaryTexts.source(source)}</span>}
        </p>
      ))}
      {hint && <p>{hint}</p>}
    </div>
  );
}

/** The definitions of a term. */
function define(term: string, element: HTMLElement): Definition[] {
  const { queues, placements, metrics, keys, choices } = glossary;
  const [kind] = term.split(':', 1);
  const name =
    term.slice(kind.length + 1) || (element instanceof HTMLSelectElement ? element.value : '');
  const ofKey = (key: string, value: string | undefined) => [
    keys[key],
    choices[key]?.[value ?? ''],
  ];
  let found: (Definition | undefined)[] = [];
  if (kind === 'metric') found = [metrics[name]];
  else if (kind === 'queue') found = [queues[name]];
  else if (kind === 'placement') found = [placements[name]];
  else if (kind === 'key') {
    const [key, choice] = ofKey(name, element.querySelector('select')?.value);
    // The label of a field is beside it.
    found = [key && { ...key, label: '' }, choice];
  } else if (kind === 'policy') {
    // The core's form of a label: scheduling policy + placement, if there are several (key = value, …).
    const [, queue, placement, own] = name.match(/^(.+?)(?: \+ (.+?))?(?: \((.+)\))?$/) ?? [];
    const called = (all: { [name: string]: Definition }, label: string) =>
      Object.values(all).find((each) => each.label === label);
    found = [
      called(queues, queue),
      called(placements, placement),
      ...(own ?? '').split(', ').flatMap((pair) => {
        const [key, value] = pair.split(' = ');
        return ofKey(key, value);
      }),
    ];
  }
  return found.filter((each) => each !== undefined);
}
