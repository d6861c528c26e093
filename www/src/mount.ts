/** Draws components into the page. */
import { options, render } from 'preact';
import type { ContainerNode, VNode } from 'preact';

// At once: what reads the page after a change finds it there.
options.debounceRendering = (draw) => draw();

/** Draws a component in a place of the page; it follows the signals that it reads. */
export function mount(drawn: VNode | VNode[], place: ContainerNode) {
  render(drawn, place);
}

/** Draws a component in the place of what the page was built with there. */
export function mountInstead(drawn: VNode, place: Element) {
  place.replaceChildren();
  render(drawn, place);
}

/** Draws a component that is one element, which can be put anywhere in the page. */
export function mounted(drawn: VNode): HTMLElement;
export function mounted<E extends HTMLElement>(drawn: VNode, type: new () => E): E;
export function mounted(drawn: VNode, type: new () => HTMLElement = HTMLElement) {
  const place = document.createDocumentFragment();
  render(drawn, place);
  const { firstElementChild: element } = place;
  if (!(element instanceof type)) throw new Error('what is drawn is no such element');
  return element;
}
