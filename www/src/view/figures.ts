/**
 * The figures of the papers: filters, one open figure, and an address with both. `hidden` marks
 * what the filters exclude; the browser itself keeps no two figures open.
 */
import { byId } from '../dom.ts';
import { figuresTexts } from '../texts/figures.ts';

/** The filtered properties of a figure. */
interface Figure {
  element: HTMLDetailsElement;
  /** The name of its paper in addresses. */
  paper: string;
  /** Its title and caption, for the search. */
  text: string;
  claims: { element: HTMLElement; text: string; verdict: DOMTokenList }[];
}

/** Shows the figures of the address, now and whenever it or a filter changes. */
export function figures() {
  const form: HTMLFormElement = byId('filters');
  const report = byId('report');
  const papers = [...report.querySelectorAll<HTMLElement>('.paper')];
  const all = papers.flatMap(read);
  const claims = all.reduce((sum, figure) => sum + figure.claims.length, 0);

  const filter = () => {
    const asked = new FormData(form);
    const [paper, verdict, shape] = ['paper', 'verdict', 'shape'].map((name) =>
      String(asked.get(name)),
    );
    const words = String(asked.get('text')).toLowerCase().split(/\s+/);
    let shown = 0;
    let shownClaims = 0;
    for (const figure of all) {
      const { element } = figure;
      const fits =
        (paper === '' || figure.paper === paper) &&
        (shape === '' || element.dataset.shape === shape);
      let matches = 0;
      for (const claim of figure.claims) {
        const about = `${figure.text} ${claim.text}`;
        const match =
          fits &&
          (verdict === '' || claim.verdict.contains(verdict)) &&
          words.every((word) => about.includes(word));
        claim.element.hidden = !match;
        matches += Number(match);
      }
      element.hidden = matches === 0;
      if (element.hidden) element.open = false;
      shown += Number(matches > 0);
      shownClaims += matches;
    }
    for (const paper of papers)
      paper.hidden = paper.querySelector('.figure:not([hidden])') === null;
    byId('shown').textContent = figuresTexts.shown(shown, all.length, shownClaims, claims);
  };

  /** Writes the filters and the position `hash` into the address. */
  const write = (hash: string) => {
    const asked = [...new FormData(form)].filter(([, value]) => value !== '');
    const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
    const search = asked.length === 0 ? '' : `?${query}`;
    history.replaceState(null, '', `${location.pathname}${search}${hash}`);
  };

  /** Shows the figures of the address; a position that the filters hide is shown without them. */
  const follow = () => {
    const asked = new URLSearchParams(location.search);
    form.reset();
    for (const [name, value] of asked) choose(form, name, value);
    filter();
    const place = placeOf(location.hash);
    if (place === null) return;
    if (place.closest('[hidden]') !== null) {
      form.reset();
      filter();
      write(location.hash);
    }
    for (
      let details = place.closest('details');
      details;
      details = details.parentElement?.closest('details') ?? null
    )
      details.open = true;
    place.scrollIntoView();
  };

  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => {
    filter();
    write(location.hash);
  });
  byId('show-all').onclick = () => {
    form.reset();
    filter();
    write(location.hash);
  };
  report.addEventListener(
    'toggle',
    ({ target }) => {
      if (!(target instanceof HTMLElement) || !target.matches('.figure')) return;
      const open = report.querySelector('.figure[open]');
      const figure = placeOf(location.hash)?.closest('.figure') ?? null;
      if (figure !== open) write(open === null ? '' : `#${open.id}`);
    },
    true,
  );
  report.addEventListener('click', stay);
  addEventListener('popstate', follow);
  follow();
}

/** The figures of a paper. */
function read(paper: HTMLElement): Figure[] {
  const claim = (element: HTMLElement) => ({
    element,
    text: (element.firstElementChild?.textContent ?? '').toLowerCase(),
    verdict: (element.querySelector('.verdict') as Element).classList,
  });
  const figures = [...paper.querySelectorAll<HTMLDetailsElement>('.figure')];
  return figures.map((element) => ({
    element,
    paper: paper.id,
    text: ['h4', 'p']
      .map((part) => element.querySelector(part)?.textContent ?? '')
      .join(' ')
      .toLowerCase(),
    claims: [...element.querySelectorAll<HTMLElement>('.claims > li')].map(claim),
  }));
}

/** Sets a field of the form to a value, if it can have it. */
function choose(form: HTMLFormElement, name: string, value: string) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.value = value;
  else if (field instanceof HTMLSelectElement)
    field.value = [...field.options].some((option) => option.value === value) ? value : '';
}

/** The element that an address names. */
function placeOf(hash: string) {
  return document.getElementById(hash.slice(1));
}

/** Keeps the opened figure at its position when one above it closes. */
function stay({ target }: Event) {
  const summary = target instanceof Element ? target.closest('.figure > summary') : null;
  if (summary === null) return;
  const top = summary.getBoundingClientRect().top;
  requestAnimationFrame(() => scrollBy(0, summary.getBoundingClientRect().top - top));
}
