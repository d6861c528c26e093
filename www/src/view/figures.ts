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
  claims: { element: HTMLElement; text: string; verdict: string }[];
}

/** Shows the figures of the address, now and whenever it or a filter changes. */
export function figures() {
  new Filters().follow();
}

class Filters {
  readonly #form = byId('filters', HTMLFormElement);
  readonly #report = byId('report');
  readonly #papers = [...this.#report.querySelectorAll<HTMLElement>('.paper')];
  readonly #all = this.#papers.flatMap(read);

  constructor() {
    const form = this.#form;
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', () => this.#apply());
    byId('show-all').onclick = () => {
      form.reset();
      this.#apply();
    };
    this.#report.addEventListener('toggle', (event) => this.#writeOpened(event), true);
    this.#report.addEventListener('click', stay);
    addEventListener('popstate', () => this.follow());
  }

  #apply() {
    this.#filter();
    this.#write(location.hash);
  }

  #filter() {
    const asked = new FormData(this.#form);
    const of = (name: string) => String(asked.get(name));
    const [paper, verdict, shape] = ['paper', 'verdict', 'shape'].map(of);
    const words = of('text').toLowerCase().split(/\s+/);
    let shown = 0;
    let shownClaims = 0;
    for (const figure of this.#all) {
      const { element } = figure;
      const fits =
        (paper === '' || figure.paper === paper) &&
        (shape === '' || element.dataset.shape === shape);
      let matches = 0;
      for (const claim of figure.claims) {
        const about = `${figure.text} ${claim.text}`;
        const match =
          fits &&
          (verdict === '' || claim.verdict.split(' ').includes(verdict)) &&
          words.every((word) => about.includes(word));
        claim.element.hidden = !match;
        matches += Number(match);
      }
      element.hidden = matches === 0;
      if (element.hidden) element.open = false;
      shown += Number(matches > 0);
      shownClaims += matches;
    }
    for (const paper of this.#papers)
      paper.hidden = paper.querySelector('.figure:not([hidden])') === null;
    const claims = this.#all.reduce((sum, figure) => sum + figure.claims.length, 0);
    byId('shown').textContent = figuresTexts.shown(shown, this.#all.length, shownClaims, claims);
  }

  /** Writes the filters and the position `hash` into the address. */
  #write(hash: string) {
    const asked = [...new FormData(this.#form)].filter(([, value]) => value !== '');
    const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
    const search = asked.length === 0 ? '' : `?${query}`;
    history.replaceState(null, '', `${location.pathname}${search}${hash}`);
  }

  /** Shows the figures of the address; a position that the filters hide is shown without them. */
  follow() {
    this.#form.reset();
    for (const [name, value] of new URLSearchParams(location.search))
      choose(this.#form, name, value);
    this.#filter();
    const place = placeOf(location.hash);
    if (place === null) return;
    if (place.closest('[hidden]') !== null) {
      this.#form.reset();
      this.#apply();
    }
    for (
      let details = place.closest('details');
      details;
      details = details.parentElement?.closest('details') ?? null
    )
      details.open = true;
    place.scrollIntoView();
  }

  /** Writes the figure that is opened into the address. */
  #writeOpened({ target }: Event) {
    if (!(target instanceof HTMLElement) || !target.matches('.figure')) return;
    const open = this.#report.querySelector('.figure[open]');
    const figure = placeOf(location.hash)?.closest('.figure') ?? null;
    if (figure !== open) this.#write(open === null ? '' : `#${open.id}`);
  }
}

/** The figures of a paper. */
function read(paper: HTMLElement): Figure[] {
  const claim = (element: HTMLElement) => ({
    element,
    text: (element.firstElementChild?.textContent ?? '').toLowerCase(),
    verdict: element.querySelector('.verdict')?.className ?? '',
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
