/**
 * A second run beside the opened one, in lock-step with it, and the picture of the difference. And
 * the pictures as numbers: a sentence, and a table. The worker paints; the clock is that of the
 * page.
 */
import { make } from '../dom.ts';
import { percent } from '../format.ts';
import {
  averaged,
  clock,
  dark,
  frame,
  kept,
  picture,
  pointedCell,
  saidBeside,
  used,
} from '../state.ts';
import { besideTexts } from '../texts/beside.ts';
import { replayTexts } from '../texts/replay.ts';
import { latest } from '../latest.ts';
import { mapView, nameColumns } from './map.ts';
import { RAMP, key, scaleView } from './scale.ts';
import type { CellRows, Cells } from '../../pkg/backfill_web.js';
import type { Core } from '../core.ts';
import type { InspectorCall } from '../worker/messages.ts';
import type { Look } from './inspector.ts';

type CellsCall = InspectorCall<'cells'>;
type RowsCall = InspectorCall<'cell_rows'>;

/** The labelled differences of the colour scale, in points. */
const NUMBERED = [-100, -20, 0, 20, 100];
/** The limit of what is printed as 100.0 points. */
const ROUNDED = 1.0005;
/** The number of cells on a page of the table. */
const LISTED = 100;

export function besideView(look: Look, core: Core) {
  const said = besideTexts;
  const tree = document.querySelector('#replay .tree') as HTMLElement;
  const first = make('h3', { class: 'of first', hidden: true });
  tree.prepend(first);
  const [second, difference] = ['second', 'third'].map((place) => {
    const head = make('h3', { class: `of ${place}` });
    const jobs = make('p', { class: `soft told ${place}` });
    const map = mapView();
    map.element.classList.add(place);
    const columns = make('div', { class: `pods ${place}`, 'aria-hidden': 'true' });
    const parts = [head, map.element, columns, jobs];
    tree.append(...parts);
    return { head, jobs, map, columns, parts };
  });
  // As the scale of shares is finer near full, that of differences is finer near none.
  const place = (points: number) =>
    (1 + Math.sign(points) * (1 - core.scale_place(1 - Math.abs(points) / 100))) / 2;
  const scale = scaleView(NUMBERED.map((points) => [place(points), said.mark(points)]));
  const over = key('over', said.scale[2]);
  const legend = make(
    'div',
    { class: 'scale', hidden: true },
    make('span', {}, said.scale[0]),
    scale.element,
    make('span', {}, said.scale[1]),
    over,
  );
  const summary = make('p', { class: 'soft', id: 'cells-told' });
  const caption = make('caption', { 'aria-live': 'polite' });
  /** The first row of the page of the table. */
  let from = 0;
  const turn = (words: string, by: number) =>
    make(
      'button',
      {
        type: 'button',
        onclick: () => {
          from += by;
          void show();
        },
      },
      words,
    );
  const [back, ahead] = [turn(said.back, -LISTED), turn(said.ahead, LISTED)];
  const pages = make('div', { class: 'group-of' }, back, ahead);
  const called = make('input', { type: 'text', spellcheck: false, autocomplete: 'off' });
  called.oninput = () => {
    from = 0;
    void show();
  };
  const head = make('tr');
  const body = make('tbody');
  const table = make(
    'details',
    { class: 'numbers' },
    make('summary', {}, said.asTable),
    make('div', { class: 'pick' }, make('label', {}, make('span', {}, said.called), called), pages),
    make(
      'div',
      { class: 'table-scroll', role: 'region', tabIndex: 0, 'aria-label': said.region },
      make('table', {}, caption, make('thead', {}, head), body),
    ),
  );
  const element = make('section', { class: 'cells' }, legend, summary, table);
  for (const map of tree.querySelectorAll('.map, .drawing'))
    map.setAttribute('aria-describedby', summary.id);

  /** The shares of both runs, one after the other, while there are two. */
  let both: Float32Array | null = null;

  const show = latest(async () => {
    const run = kept.get();
    const laid = picture.get();
    // The numbers describe the picture, which comes first.
    if (run === null || !run.deep || laid === null || frame.get() === null) return;
    const at = averaged.get() ? undefined : clock.get();
    const calls: [CellsCall, RowsCall] = [
      ['cells', at, used.get()],
      ['cell_rows', at, used.get(), called.value, from, table.open ? LISTED : 0],
    ];
    const answers =
      run.beside === null
        ? await look(...calls)
        : await look(
            ...calls,
            ['both_shares', at, used.get()],
            ['paint_beside', at, used.get(), laid.width, dark.get()],
            ['paint_difference', at, used.get(), laid.width, dark.get()],
            ['paint_contrast', RAMP.width, RAMP.height, dark.get()],
          );
    if (answers === null) return;
    const [cells, rows] = answers;
    both = null;
    if (answers.length === 6) {
      const [, , shares, ofSecond, ofDifference, colours] = answers;
      both = shares;
      second.map.show(ofSecond);
      difference.map.show(ofDifference);
      scale.show(colours);
      const half = shares.length / 2;
      over.hidden = !shares
        .subarray(half)
        .some((other, part) => Math.abs(shares[part] - other) > ROUNDED);
      second.jobs.textContent = cells.beside?.jobs ? replayTexts.jobs(...cells.beside.jobs) : '';
    }
    describe(cells, laid.words[0]);
    if (table.open) list(rows, both !== null);
    read();
  });

  /** Describes the pictures in a sentence. */
  function describe(cells: Cells, what: string) {
    const { mean, beside, parts, furthest } = cells;
    if (beside === null) {
      summary.textContent = said.summary(percent(mean), what, parts);
    } else {
      const points = furthest === null ? 0 : pointsBetween(furthest.share, furthest.beside ?? 0);
      const words =
        furthest !== null && beside.more + beside.less > 0
          ? said.furthest(furthest.name, points)
          : '';
      summary.textContent = said.summaryOfBoth(
        percent(mean),
        percent(beside.mean),
        what,
        beside.more,
        beside.less,
        parts,
        words,
      );
    }
  }

  /** Fills the table. */
  function list({ found, rows }: CellRows, ofBoth: boolean) {
    caption.textContent = said.caption(from + 1, from + rows.length, found, ofBoth);
    pages.hidden = found <= LISTED;
    back.disabled = from === 0;
    ahead.disabled = from + LISTED >= found;
    const columns = ofBoth ? said.columns : said.columns.slice(0, 2);
    if (head.children.length !== columns.length)
      head.replaceChildren(...columns.map((name) => make('th', { scope: 'col' }, name)));
    body.replaceChildren(
      ...rows.map((row) => {
        const values =
          row.beside === null
            ? [percent(row.share)]
            : [
                percent(row.share),
                percent(row.beside),
                said.points(pointsBetween(row.share, row.beside)),
              ];
        return make(
          'tr',
          {},
          make('th', { scope: 'row' }, row.name),
          ...values.map((value) => make('td', {}, value)),
        );
      }),
    );
  }

  /** Shows the cell pointed at in the second run. */
  function read() {
    const spot = pointedCell.get();
    if (spot === null || both === null) {
      saidBeside.set('');
      return;
    }
    const other = both[both.length / 2 + spot.part];
    saidBeside.set(said.cell(percent(other), pointsBetween(both[spot.part], other)));
  }

  /** Arranges one picture or three. */
  function arrange() {
    const run = kept.get();
    const label = run?.beside ?? null;
    tree.classList.toggle('three', label !== null);
    first.hidden = legend.hidden = label === null;
    for (const part of [...second.parts, ...difference.parts]) part.hidden = label === null;
    if (run === null || label === null) {
      both = null;
      saidBeside.set('');
      return;
    }
    first.textContent = said.first(run.label);
    second.head.textContent = said.second(label);
    difference.head.textContent = said.difference;
  }

  /** Labels the pictures. */
  function name() {
    const laid = picture.get();
    const label = kept.get()?.beside ?? null;
    if (laid === null || label === null) return;
    second.map.element.setAttribute('aria-label', said.ofSecond(laid.words[2], label));
    difference.map.element.setAttribute('aria-label', said.differenceOf(laid.words[2]));
    for (const { columns } of [second, difference]) {
      nameColumns(columns, laid);
    }
  }

  kept.watch(() => {
    // The sentence about another run does not apply to this one.
    summary.textContent = '';
    caption.textContent = '';
    body.replaceChildren();
    arrange();
    name();
  });
  picture.watch(name);
  for (const atom of [picture, frame, dark]) atom.watch(() => void show());
  pointedCell.watch(read);
  table.ontoggle = () => void show();
  return { element };
}

/** The difference of two shares, in points. */
function pointsBetween(one: number, other: number) {
  return (one - other) * 100;
}
