/**
 * The scenario as text beside the form: both follow each other. What is wrong is underlined and said
 * below, and is entered in the form once it is right.
 */
import { useRef } from 'preact/hooks';
import { byId } from '../dom.ts';
import { mount } from '../mount.ts';
import { validReading } from '../state.ts';
import { scenarioTextTexts } from '../texts/scenario-text.ts';
import { ScenarioTextState } from './scenario-text-state.ts';
import type { Key, PolicyPart, Tables } from '../../pkg/backfill_web.js';
import type { PageParts } from '../compose.ts';
import type { Names } from '../scenario-lines.ts';

/** Shows the scenario as text in the part of the page for it. */
export function scenarioText({ core, tables }: PageParts) {
  const state = new ScenarioTextState(core, namesOf(tables));
  mount(<ScenarioText state={state} />, byId('as-text'));
}

/** The names of what the scenario in the form may have. */
function namesOf(tables: Tables): Names {
  const keys = (isOffered: (key: Key) => boolean) =>
    tables.keys.filter(isOffered).map(({ name, label }) => ({ name, meaning: label }));
  const possible = (all: PolicyPart[]) => {
    const { system } = validReading.peek().values;
    return all
      .filter(({ systems }) => systems.includes(system))
      .map(({ value, label }) => ({ name: value, meaning: label }));
  };
  return {
    keys: () => keys(({ name }) => validReading.peek().relevant.includes(name)),
    valuesOf: (key, typed) => {
      const of = tables.keys.find(({ name }) => name === key);
      if (of?.kind === 'policies')
        return possible(/\+[^,]*$/.test(typed) ? tables.placements : tables.queues);
      if (of?.kind === 'sweep') return keys(({ sweep }) => sweep);
      return of?.choices.map(({ value, label }) => ({ name: value, meaning: label })) ?? [];
    },
  };
}

interface StateParts {
  state: ScenarioTextState;
}

function ScenarioText({ state }: StateParts) {
  const said = scenarioTextTexts;
  const complaints = state.complaints.value;
  return (
    <>
      <p class="soft">{said.help}</p>
      <Lines state={state} />
      <div id="as-text-wrong" class="wrong" role="status">
        {complaints.map(({ line, words }) => (
          <p key={`${line} ${words}`}>{said.line(line, words)}</p>
        ))}
      </div>
    </>
  );
}

/** The text; a text field cannot mark a part of its text, so that is done beneath it. */
function Lines({ state }: StateParts) {
  const area = useRef<HTMLTextAreaElement>(null);
  const { offers, word } = state.offered.value;
  const wrong = state.wrongLines.value;
  const accept = (place: number) => {
    const field = area.current;
    if (field === null) return;
    const end = field.selectionStart;
    const line = field.value.slice(field.value.lastIndexOf('\n', end - 1) + 1, end);
    const words = state.completion(place, !line.includes('='));
    field.setRangeText(words, end - word.length, end, 'end');
    state.write(field.value, field.selectionStart);
    field.focus();
  };
  const followKey = (event: KeyboardEvent) => {
    if (offers.length === 0 || event.isComposing) return;
    if (event.key === 'ArrowDown') state.move(1);
    else if (event.key === 'ArrowUp') state.move(-1);
    else if (event.key === 'Enter') accept(state.at.peek());
    else if (event.key === 'Escape') state.withdraw();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="underlined">
      <div class="beneath" aria-hidden="true">
        {state.text.value.split('\n').map((line, place) => (
          <div key={place}>{wrong.has(place) ? <mark>{line}</mark> : line} </div>
        ))}
      </div>
      <textarea
        ref={area}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="none"
        aria-label={scenarioTextTexts.label}
        aria-describedby="as-text-wrong"
        aria-invalid={wrong.size > 0 ? 'true' : undefined}
        aria-autocomplete="list"
        aria-controls="as-text-offers"
        aria-activedescendant={offers.length > 0 ? `as-text-${state.at.value}` : undefined}
        value={state.text.value}
        onInput={({ currentTarget: { value, selectionStart } }) =>
          state.write(value, selectionStart)
        }
        onKeyDown={followKey}
        onBlur={() => state.withdraw()}
      />
      <Offers state={state} accept={accept} />
    </div>
  );
}

function Offers({ state, accept }: StateParts & { accept: (place: number) => void }) {
  const { offers } = state.offered.value;
  return (
    <ul
      role="listbox"
      id="as-text-offers"
      class="offers"
      aria-label={scenarioTextTexts.offers}
      hidden={offers.length === 0}
    >
      {offers.map(({ name, meaning }, place) => (
        <li
          key={name}
          role="option"
          id={`as-text-${place}`}
          aria-selected={place === state.at.value}
          // The text keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            accept(place);
          }}
        >
          <code>{name}</code> <span class="soft">{meaning}</span>
        </li>
      ))}
    </ul>
  );
}
