/**
 * The parts of the answer, one below the other, and the tabs that lead to them and mark the current
 * one. They are links within the page and hide nothing: a choice in one part shows in all, and
 * search and print find everything.
 */
import { byId, inNextFrame } from '../dom.ts';
import { section } from '../state.ts';

/** The parts by their ids, in their order. */
export const SECTIONS = ['answer', 'compare', 'fairness', 'inside', 'jobs', 'when'];

/** How far below the tabs a part counts as the current one, in CSS pixels. */
const READ = 60;
/** About the middle of the bar of tabs on a narrow screen, in CSS pixels. */
const MIDDLE = 150;

/** The part to go to as soon as it exists and can be scrolled to. */
let awaited: string | null = null;

/** Goes to a part, now or as soon as it exists. */
export function goTo(name: string) {
  section.value = name === SECTIONS[0] ? '' : name;
  comeTo(name);
}

/** Scrolls to an element by its id, and again if it moves before it is reached. */
export function comeTo(id: string) {
  awaited = id;
  arrive();
}

function arrive() {
  const part = awaited === null ? null : byId(awaited);
  if (part === null || part.getClientRects().length === 0) return;
  if (document.activeElement !== part) part.focus({ preventScroll: true });
  part.scrollIntoView({ block: 'start' });
  const { bottom } = byId('tabs').getBoundingClientRect();
  if (part.getBoundingClientRect().top <= bottom + READ) awaited = null;
}

/** @param listJobs lists the jobs of the opened run */
export function tabs(listJobs: () => void) {
  const links = [...byId('tabs').querySelectorAll('a')];
  const partOf = (link: HTMLAnchorElement) => link.hash.slice(1);
  section.subscribe((name) => {
    if (name === 'jobs') listJobs();
  });

  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || !SECTIONS.includes(partOf(link)) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    goTo(partOf(link));
  });

  /** Parts that have existed: their tabs stay, so that nothing moves while they return. */
  const seen = new Set();
  const show = () => {
    for (const link of links) {
      // The jobs are those of the opened run.
      const part = byId(partOf(link)).closest('section');
      if (part === null) continue;
      if (!part.hidden) seen.add(part);
      const away = '[data-hidden-by-link], [data-until-predicted]';
      link.hidden = part.matches(away) || (part.hidden && seen.has(part));
    }
    arrive();
  };
  const changes = new MutationObserver(show);
  for (const name of SECTIONS)
    changes.observe(byId(name), {
      attributeFilter: ['hidden', 'data-hidden-by-link', 'data-until-predicted'],
    });
  // Whoever does something meanwhile stays there.
  const stay = ({ type }: Event) => {
    if (type !== 'focusin' || document.activeElement?.id !== awaited) awaited = null;
  };
  for (const act of ['wheel', 'pointerdown', 'keydown', 'focusin'])
    addEventListener(act, stay, { passive: true, capture: true });

  const mark = inNextFrame(() => {
    const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
    const atEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2;
    const edge = byId('tabs').getBoundingClientRect().bottom + READ;
    const there = links.filter((link) => byId(partOf(link)).getClientRects().length > 0);
    // At the end of the page the last parts cannot reach the tabs.
    const atFocus = there.find((link) => byId(partOf(link)) === document.activeElement);
    const read = atEnd
      ? (atFocus ?? there.at(-1))
      : there.filter((link) => byId(partOf(link)).getBoundingClientRect().top <= edge).at(-1);
    const current = read ?? links[0];
    for (const link of links) link.ariaCurrent = link === current ? 'true' : null;
    current.classList.remove('news');
    // The bar is wider than a narrow screen.
    current.parentElement?.scrollTo(current.offsetLeft - MIDDLE, 0);
  });
  addEventListener('scroll', mark, { passive: true });
  new ResizeObserver(() => {
    arrive();
    mark();
  }).observe(document.body);
}
