/**
 * The drawing of a run's picture: a small network also as a tree, as in textbooks, with the width
 * and the colour of a link for its share; and whether shares are reservations or, if jobs share
 * links, their use.
 */
import { draw, make } from '../dom.ts';
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
import { latest } from '../latest.ts';
import { treeTexts } from '../texts/tree.ts';
import { RAMP } from './scale.ts';
import type { Core } from '../core.ts';
import type { Look, Run } from './inspector.ts';

type Drawing = NonNullable<Run['about']['diagram']>;
/** A drawn wire. */
type Line = {
  part: number;
  level: number;
  upper: number;
  lower: number;
  casing: SVGElement;
  inner: SVGElement;
  ends: [number, number, number, number];
};

/** The storage key of the choice. */
const CHOICE = 'drawn-as';
/** With servers closer than this, in CSS pixels, a tree is shown only on request. */
const CLOSEST = 5;
/** The room for the names of levels, if the picture is wide enough. */
const NAMES = 88;
const WIDE = 560;
/** Room above the tree and below it, for the numbers of pods. */
const [ABOVE, BELOW] = [14, 34];
/** The largest distance of the pointer from a link, in CSS pixels. */
const NEAR = 12;

export function treeView(look: Look, core: Core) {
  const said = treeTexts;
  const tree = document.querySelector('#replay .tree') as HTMLElement;
  const drawnAs = make(
    'select',
    {},
    new Option(said.tree, 'tree'),
    new Option(said.matrix, 'matrix'),
  );
  const shows = make(
    'select',
    {},
    new Option(said.reserved, 'reserved'),
    new Option(said.used, 'used'),
  );
  const [drawnAsLabel, showsLabel] = (
    [
      [said.drawnAs, drawnAs],
      [said.shows, shows],
    ] as const
  ).map(([words, select]) => make('label', { hidden: true }, make('span', {}, words), select));
  document.querySelector('#replay .pick')?.append(drawnAsLabel, showsLabel);

  const svg = draw('svg', { 'aria-hidden': 'true' });
  const element = make('div', { class: 'drawing', tabIndex: 0, role: 'application', hidden: true });
  element.append(svg);
  const levels = make('p', { class: 'soft levels', hidden: true });
  tree.prepend(element, levels);

  let drawing: Drawing | null = null;
  let lines: Line[] = [];
  let marked: ReadonlySet<number> = new Set();

  /** The least width of the tree, in CSS pixels. */
  const least = () => CLOSEST * (drawing?.levels.at(-1)?.places.length ?? 0);
  const remembered = () => {
    try {
      return localStorage.getItem(CHOICE);
    } catch {
      // Storage may be denied: then nothing is remembered.
      return null;
    }
  };

  /** Shows the tree or the matrix. */
  function arrange() {
    const run = kept.get();
    const possible = drawing !== null && run?.beside === null;
    drawnAsLabel.hidden = !possible;
    const fits = tree.clientWidth >= least();
    drawnAs.value = remembered() ?? (fits ? 'tree' : 'matrix');
    const shown = possible && drawnAs.value === 'tree';
    tree.classList.toggle('drawn', shown);
    element.hidden = levels.hidden = !shown;
    if (shown) layOut();
  }

  /** Draws the nodes and the wires in the available room. */
  function layOut() {
    if (drawing === null || tree.clientWidth === 0) return;
    const room = tree.clientWidth;
    const names = room >= WIDE ? NAMES : 0;
    levels.hidden = names > 0;
    const width = Math.max(room - names, least());
    const height = Math.min(380, Math.max(210, 0.4 * width));
    for (const [name, value] of [
      ['width', names + width],
      ['height', ABOVE + height + BELOW],
      ['viewBox', `0 0 ${names + width} ${ABOVE + height + BELOW}`],
    ] as const)
      svg.setAttribute(name, String(value));
    const last = drawing.levels.length - 1;
    const x = (level: number, node: number) =>
      names + width * (drawing?.levels[level].places[node] ?? 0);
    const y = (level: number) => ABOVE + (height * level) / last;
    lines = drawing.wires.map(({ part, level, upper, lower }) => {
      const ends = [x(level, upper), y(level), x(level + 1, lower), y(level + 1)] as Line['ends'];
      const [x1, y1, x2, y2] = ends.map((end) => end.toFixed(1));
      const line = (kind: string) => draw('line', { class: kind, x1, y1, x2, y2 });
      return { part, level, upper, lower, ends, casing: line('casing'), inner: line('inner') };
    });
    const nodes = drawing.levels.flatMap(({ places }, level) => {
      const distance = places.length > 1 ? width * (places[1] - places[0]) : width;
      const size = Math.min(level === last ? 8 : 12, Math.max(3, distance - 2));
      const wide = level === last ? size : Math.min(26, Math.max(size, distance - 6));
      return places.map((_, node) =>
        draw('rect', {
          class: 'node',
          x: (x(level, node) - wide / 2).toFixed(1),
          y: (y(level) - size / 2).toFixed(1),
          width: wide.toFixed(1),
          height: size.toFixed(1),
          rx: 2,
        }),
      );
    });
    const called = drawing.levels.flatMap(({ name }, level) =>
      names === 0 ? [] : [text(name, 0, y(level) + 4)],
    );
    const columns = picture.get()?.columns ?? [];
    const pods = columns.map((name, pod) =>
      text(name, names + (width * (pod + 0.5)) / columns.length, ABOVE + height + 24, 'middle'),
    );
    // Links with a greater share are drawn over others; their casings separate them.
    svg.replaceChildren(
      ...lines.flatMap(({ casing, inner }) => [casing, inner]),
      ...nodes,
      ...called,
      ...pods,
    );
    levels.textContent = said.levels(drawing.levels.map(({ name }) => name));
    paint();
  }

  /** Gives every link the width and the colour of its share. */
  function paint() {
    const now = frame.get();
    if (drawing === null || now === null || element.hidden) return;
    // The shares of another system than the drawn one are dropped.
    if (now.shares.length !== drawing.names.length) return;
    const pixels = core.paint_scale(RAMP.width, 1, dark.get());
    const colour = (share: number) => {
      const place = Math.min(1, core.scale_place(Math.min(1, share)));
      const pixel = 4 * Math.min(RAMP.width - 1, Math.floor(place * RAMP.width));
      return `rgb(${pixels[pixel]} ${pixels[pixel + 1]} ${pixels[pixel + 2]})`;
    };
    const width = svg.clientWidth || Number(svg.getAttribute('width'));
    const heaviest = Math.min(6, Math.max(2, width / lines.length));
    const pointed = pointedCell.get()?.part;
    for (const { part, casing, inner } of lines) {
      const share = now.shares[part];
      const weight = share > 0 ? 1.5 + (heaviest - 1.5) * Math.min(1, share) : 0;
      inner.setAttribute('stroke', weight > 0 ? colour(share) : 'none');
      inner.setAttribute('stroke-width', weight.toFixed(2));
      const state = part === pointed ? 'pointed' : marked.has(part) ? 'marked' : '';
      casing.setAttribute('class', `casing ${state}`);
      const more = state === '' ? (weight > 0 ? 1.2 : 0.8) : 5;
      casing.setAttribute('stroke-width', (weight + more).toFixed(2));
    }
  }

  /** Points at a link. */
  function point(line: Line | undefined) {
    const name = line === undefined ? undefined : drawing?.names[line.part];
    pointedCell.set(
      line === undefined || name === undefined
        ? null
        : { name, part: line.part, left: 0, top: 0, width: 0, height: 0 },
    );
  }

  element.onpointermove = element.onpointerdown = (event) => {
    const box = svg.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    let nearest: Line | undefined;
    let least = NEAR ** 2;
    for (const line of lines) {
      const [x1, y1, x2, y2] = line.ends;
      const [dx, dy] = [x2 - x1, y2 - y1];
      const along = ((px - x1) * dx + (py - y1) * dy) / (dx * dx + dy * dy);
      const share = Math.min(1, Math.max(0, along));
      const far = (px - x1 - share * dx) ** 2 + (py - y1 - share * dy) ** 2;
      if (far < least) [nearest, least] = [line, far];
    }
    point(nearest);
  };
  element.onpointerleave = element.onblur = () => pointedCell.set(null);

  element.onkeydown = (event) => {
    const part = pointedCell.get()?.part;
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
    if (next !== undefined) point(next);
  };

  /** Marks the allocation of the job pointed at, or else chosen. */
  const mark = latest(async () => {
    const job = pointedJob.get() ?? chosenJob.get();
    const answers =
      job === null || element.hidden ? null : await look(['marked', job, clock.get()]);
    marked = new Set(answers?.[0] ?? []);
    paint();
  });

  drawnAs.onchange = () => {
    try {
      localStorage.setItem(CHOICE, drawnAs.value);
    } catch {
      // Storage may be denied: then the choice holds until the page is closed.
    }
    pointedCell.set(null);
    arrange();
    void mark();
  };
  shows.onchange = () => {
    usedChosen.set(shows.value === 'used');
    used.set(shows.value === 'used');
  };
  used.watch((now) => {
    shows.value = now ? 'used' : 'reserved';
  });
  for (const atom of [frame, dark, pointedCell]) atom.watch(paint);
  for (const atom of [chosenJob, pointedJob, clock]) atom.watch(() => void mark());
  picture.watch((laid) => {
    element.setAttribute('aria-label', said.label(laid?.words[2] ?? ''));
    if (!element.hidden) layOut();
  });
  new ResizeObserver(() => arrange()).observe(tree);

  return {
    show({ about }: Run) {
      drawing = about.diagram;
      showsLabel.hidden = !about.shared;
      arrange();
      void mark();
    },
  };
}

function text(words: string, x: number, y: number, anchor: string = 'start') {
  const element = draw('text', { x: x.toFixed(1), y: y.toFixed(1), 'text-anchor': anchor });
  element.textContent = words;
  return element;
}
