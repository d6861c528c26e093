import { byId, make } from '../dom.ts';
import { facet, summary } from '../state.ts';

/** The choice among the values of the second swept key, where there is one. */
export function facetChoice() {
  const box = byId('facet');
  let values = '';
  const select = make('select', { onchange: () => facet.set(Number(select.value)) });
  summary.watch((now) => {
    if (now === null || now.y.values.join() === values) return;
    values = now.y.values.join();
    box.hidden = now.y.label === '';
    select.replaceChildren(
      ...now.y.values.map(
        (value, place) => new Option(value, String(place), false, place === facet.get()),
      ),
    );
    box.replaceChildren(make('span', {}, now.y.label), select);
  });
  facet.watch((place) => (select.value = String(place)));
}
