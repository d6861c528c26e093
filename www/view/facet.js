import { byId, make } from '../dom.js';
import { facet, summary } from '../state.js';

/** The choice among the values of the second swept key, where there is one. */
export function facetChoice() {
  const box = byId('facet');
  let values = '';
  summary.watch((now) => {
    if (now === null || now.y.values.join() === values) return;
    values = now.y.values.join();
    box.hidden = now.y.label === '';
    const select = make('select', {}, ...now.y.values.map((value, place) => new Option(value, String(place))));
    select.onchange = () => facet.set(Number(select.value));
    box.replaceChildren(make('span', {}, now.y.label), select);
  });
}
