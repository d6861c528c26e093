/**
 * The drawing of a run's picture: a small network also as a tree, as in textbooks, with the width
 * and the colour of a link for its share; and whether shares are reservations or, if jobs share
 * links, their use.
 */
import { signal } from '@preact/signals';
import { inNextFrame, latest } from '../dom.ts';
import { mounted } from '../mount.ts';
import { remember, remembered } from '../remembered.ts';
import {
  chosenJob,
  clock,
  dark,
  frame,
  kept,
  picture,
  pointedCell,
  pointedJob,
  used,
  usedChosen,
} from '../state.ts';
import { treeTexts as said } from '../texts/tree.ts';
import { Choice } from './choice.tsx';
import { RAMP } from './scale.tsx';
import { ABOVE, BELOW, draw, linesOf, namesOf, nodesOf } from './tree-drawing.ts';
import type { Core } from '../core.ts';
import type { Look, Run } from './inspector.ts';
import type { Drawing, LaidTree, Line } from './tree-drawing.ts';

/** The storage key of the choice. */
const CHOICE = 'drawn-as';
/** With servers closer than this, in CSS pixels, a tree is shown only on request. */
const CLOSEST = 5;
/** The room for the names of levels, if the picture is wide enough. */
const NAMES = 88;
const WIDE = 560;
/** The largest distance of the pointer from a link, in CSS pixels. */
const NEAR = 12;

export function treeView(look: Look, core: Core) {
  const view = new TreeView(look, core);
  return { show: (run: Run) => view.show(run) };
}

class TreeView {
  readonly #core: Core;
  readonly #look: Look;
  readonly #tree = treeOfRun();
  readonly #drawnAs = signal('tree');
  /** Whether there is a choice of the drawing, and one of what the shares are. */
  readonly #isDrawable = signal(false);
  readonly #isShared = signal(false);
  readonly #svg = draw('svg', { 'aria-hidden': 'true' });
  readonly #element = mounted(
    <div class="drawing" tabIndex={0} role="application" hidden={true} />,
  );
  readonly #levels = mounted(<p class="soft levels" hidden={true} />);
  #drawing: Drawing | null = null;
  #lines: Line[] = [];
  #marked: ReadonlySet<number> = new Set();

  constructor(look: Look, core: Core) {
    this.#look = look;
    this.#core = core;
    const fields = document.querySelector('#replay .pick');
    fields?.append(mounted(<this.DrawnAs />), mounted(<this.Shows />));
    this.#element.append(this.#svg);
    this.#tree.prepend(this.#element, this.#levels);
    this.#follow();
    new ResizeObserver(inNextFrame(() => this.#arrange())).observe(this.#tree);
  }

  show({ about }: Run) {
    this.#drawing = about.diagram;
    this.#isShared.value = about.shared;
    this.#arrange();
    void this.#mark();
  }

  /** Follows the user and the run. */
  #follow() {
    const element = this.#element;
    element.onpointermove = element.onpointerdown = (event) => this.#point(this.#nearest(event));
    element.onpointerleave = element.onblur = () => {
      pointedCell.value = null;
    };
    element.onkeydown = (event) => this.#moveByKey(event);
    for (const each of [frame, dark, pointedCell]) each.subscribe(() => this.#paint());
    for (const each of [chosenJob, pointedJob, clock]) each.subscribe(() => void this.#mark());
    picture.subscribe((laid) => {
      element.setAttribute('aria-label', said.label(laid?.words[2] ?? ''));
      if (!element.hidden) this.#layOut();
    });
  }

  readonly DrawnAs = () => (
    <Choice
      label={said.drawnAs}
      hidden={!this.#isDrawable.value}
      value={this.#drawnAs.value}
      choices={[
        ['tree', said.tree],
        ['matrix', said.matrix],
      ]}
      choose={(chosen) => {
        remember(CHOICE, chosen);
        pointedCell.value = null;
        this.#arrange();
        void this.#mark();
      }}
    />
  );

  readonly Shows = () => (
    <Choice
      label={said.shows}
      hidden={!this.#isShared.value}
      value={used.value ? 'used' : 'reserved'}
      choices={[
        ['reserved', said.reserved],
        ['used', said.used],
      ]}
      choose={(chosen) => {
        usedChosen.value = chosen === 'used';
        used.value = chosen === 'used';
      }}
    />
  );

  /** The least width of the tree, in CSS pixels. */
  #least() {
    return CLOSEST * (this.#drawing?.levels.at(-1)?.places.length ?? 0);
  }

  /** Shows the tree or the matrix. */
  #arrange() {
    const isPossible = this.#drawing !== null && kept.peek()?.beside === null;
    this.#isDrawable.value = isPossible;
    const fits = this.#tree.clientWidth >= this.#least();
    this.#drawnAs.value = remembered(CHOICE) ?? (fits ? 'tree' : 'matrix');
    const isShown = isPossible && this.#drawnAs.peek() === 'tree';
    this.#tree.classList.toggle('drawn', isShown);
    this.#element.hidden = this.#levels.hidden = !isShown;
    if (isShown) this.#layOut();
  }

  /** Draws the nodes and the wires in the available room. */
  #layOut() {
    const drawing = this.#drawing;
    const room = this.#tree.clientWidth;
    if (drawing === null || room === 0) return;
    const names = room >= WIDE ? NAMES : 0;
    this.#levels.hidden = names > 0;
    const width = Math.max(room - names, this.#least());
    const height = Math.min(380, Math.max(210, 0.4 * width));
    const size = { width: names + width, height: ABOVE + height + BELOW };
    for (const [name, value] of Object.entries(size)) this.#svg.setAttribute(name, String(value));
    this.#svg.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
    const laid: LaidTree = {
      drawing,
      names,
      width,
      height,
      x: (level, node) => names + width * drawing.levels[level].places[node],
      y: (level) => ABOVE + (height * level) / (drawing.levels.length - 1),
    };
    this.#lines = linesOf(laid);
    // Links with a greater share are drawn over others; their casings separate them.
    this.#svg.replaceChildren(
      ...this.#lines.flatMap(({ casing, inner }) => [casing, inner]),
      ...nodesOf(laid),
      ...namesOf(laid),
    );
    this.#levels.textContent = said.levels(drawing.levels.map(({ name }) => name));
    this.#paint();
  }

  /** Gives every link the width and the colour of its share. */
  #paint() {
    const now = frame.peek();
    if (this.#drawing === null || now === null || this.#element.hidden) return;
    // The shares of another system than the drawn one are dropped.
    if (now.shares.length !== this.#drawing.names.length) return;
    const pixels = this.#core.paint_scale(RAMP.width, 1, dark.peek());
    const colour = (share: number) => {
      const place = Math.min(1, this.#core.scale_place(Math.min(1, share)));
      const pixel = 4 * Math.min(RAMP.width - 1, Math.floor(place * RAMP.width));
      return `rgb(${pixels[pixel]} ${pixels[pixel + 1]} ${pixels[pixel + 2]})`;
    };
    const width = this.#svg.clientWidth || Number(this.#svg.getAttribute('width'));
    const heaviest = Math.min(6, Math.max(2, width / this.#lines.length));
    const pointed = pointedCell.peek()?.part;
    for (const { part, casing, inner } of this.#lines) {
      const share = now.shares[part];
      const weight = share > 0 ? 1.5 + (heaviest - 1.5) * Math.min(1, share) : 0;
      inner.setAttribute('stroke', weight > 0 ? colour(share) : 'none');
      inner.setAttribute('stroke-width', weight.toFixed(2));
      const state = part === pointed ? 'pointed' : this.#marked.has(part) ? 'marked' : '';
      casing.setAttribute('class', `casing ${state}`);
      const more = state === '' ? (weight > 0 ? 1.2 : 0.8) : 5;
      casing.setAttribute('stroke-width', (weight + more).toFixed(2));
    }
  }

  /** Points at a link. */
  #point(line: Line | undefined) {
    const name = line === undefined ? undefined : this.#drawing?.names[line.part];
    pointedCell.value =
      line === undefined || name === undefined
        ? null
        : { name, part: line.part, left: 0, top: 0, width: 0, height: 0 };
  }

  /** The link nearest to the pointer, if it is near. */
  #nearest(event: PointerEvent) {
    const box = this.#svg.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    let nearest: Line | undefined;
    let least = NEAR ** 2;
    for (const line of this.#lines) {
      const [x1, y1, x2, y2] = line.ends;
      const [dx, dy] = [x2 - x1, y2 - y1];
      const along = ((px - x1) * dx + (py - y1) * dy) / (dx * dx + dy * dy);
      const share = Math.min(1, Math.max(0, along));
      const far = (px - x1 - share * dx) ** 2 + (py - y1 - share * dy) ** 2;
      if (far < least) [nearest, least] = [line, far];
    }
    return nearest;
  }

  #moveByKey(event: KeyboardEvent) {
    const lines = this.#lines;
    const part = pointedCell.peek()?.part;
    const here = lines.findIndex((line) => line.part === part);
    // Where parallel links act as one, the keys go over all of them at once.
    if (lines.length === 0) return;
    const { level, upper, lower } = lines[Math.max(0, here)];
    const beside = (line: Line) => line.level === level && line.part !== part;
    const keys: { [key: string]: () => Line | undefined } = {
      ArrowRight: () => lines.slice(here + 1).find(beside),
      ArrowLeft: () => lines.slice(0, here).filter(beside).at(-1),
      ArrowDown: () => lines.find((line) => line.level === level + 1 && line.upper === lower),
      ArrowUp: () => lines.find((line) => line.level === level - 1 && line.lower === upper),
    };
    const key = keys[event.key];
    if (key === undefined) return;
    event.preventDefault();
    const next = here < 0 ? lines[0] : key();
    if (next !== undefined) this.#point(next);
  }

  /** Marks the allocation of the job pointed at, or else chosen. */
  readonly #mark = latest(async () => {
    const job = pointedJob.peek() ?? chosenJob.peek();
    const isSeen = job !== null && !this.#element.hidden;
    const answers = isSeen ? await this.#look(['marked', job, clock.peek()]) : null;
    this.#marked = new Set(answers?.[0] ?? []);
    this.#paint();
  });
}

/** Where the picture of the run is. */
export function treeOfRun() {
  const tree = document.querySelector<HTMLElement>('#replay .tree');
  if (tree === null) throw new Error('the page has no picture of a run');
  return tree;
}
