import { byId } from '../dom.ts';
import { mount } from '../mount.ts';
import { facet, summary } from '../state.ts';

/** The choice among the values of the second swept key, where there is one. */
export function facetChoice() {
  mount(<Facet />, byId('facet'));
  summary.subscribe((now) => {
    if (now !== null) byId('facet').hidden = now.y.label === '';
  });
}

function Facet() {
  const { label = '', values = [] } = summary.value?.y ?? {};
  return (
    <>
      <span>{label}</span>
      <select
        value={facet.value}
        onChange={({ currentTarget }) => {
          facet.value = Number(currentTarget.value);
        }}
      >
        {values.map((value, place) => (
          <option key={place} value={place}>
            {value}
          </option>
        ))}
      </select>
    </>
  );
}
