/**
 * The positions of tools and badge in wide and in narrow windows, the menu with the rest, and the
 * line that replaces the folded scenario.
 */
import { byId } from '../dom.ts';
import { reading } from '../state.ts';
import { scenarioTexts } from '../texts/scenario.ts';
import type { Tables } from '../state.ts';

/** Below this width the page is one column, with a bar at the lower edge. */
const NARROW = '(max-width: 1099px)';

/** Whether the page is one column. */
export function isNarrow() {
  return matchMedia(NARROW).matches;
}

/** Puts each part in its position for this width of the window, now and when that changes. */
export function layout() {
  const menu = byId('menu', HTMLDetailsElement);
  const [items, tools, papers, badge] = ['items', 'tools', 'papers', 'badge'].map((id) => byId(id));
  const arrange = () => {
    const narrow = isNarrow();
    if (narrow) items.prepend(tools, papers);
    else menu.before(tools, papers);
    byId(narrow ? 'act' : 'tabs').append(badge);
    // Beside the answer there is nothing to unfold it with.
    if (!narrow) byId('scenario', HTMLDetailsElement).open = true;
  };
  matchMedia(NARROW).addEventListener('change', arrange);
  arrange();
  closing(menu);
}

/**
 * Shows the answer, or the banners in its place. A class says so, since a selector by `:has` would
 * have all of the page styled again whenever something in it is hidden.
 */
export function showAnswer(isShown: boolean) {
  byId('answer').hidden = !isShown;
  byId('answer').closest('main')?.classList.toggle('unanswered', !isShown);
}

/** Summarises the scenario in a line: the policies, the jobs, the system. */
export function scenarioLine({ keys }: Tables) {
  reading.subscribe((now) => {
    if (now === null || now.problems.length > 0) return;
    const values = (name: string) =>
      [now.x, now.y].find((axis) => axis?.key === name)?.values ?? [now.values[name]];
    const chosen = (name: string) => {
      const choices = keys.find((key) => key.name === name)?.choices ?? [];
      return values(name)
        .map((value) => choices.find((choice) => choice.value === value)?.label ?? value)
        .join(', ');
    };
    const jobs =
      now.trace?.file || scenarioTexts.jobs(chosen('workload'), values('jobs').join(', '));
    const size = keys.find(
      ({ name, group, kind, essential }) =>
        group === 'system' && kind === 'text' && essential && now.relevant.includes(name),
    );
    const system =
      size === undefined ? chosen('system') : scenarioTexts.size(size.name, values(size.name));
    byId('summary').textContent = scenarioTexts.line(now.policies.length, jobs, system);
  });
}

/** Closes the menu when something in it is chosen, or the user clicks elsewhere. */
function closing(menu: HTMLDetailsElement) {
  const close = () => {
    menu.open = false;
  };
  const isOutside = (target: EventTarget | null) =>
    target instanceof Node && !menu.contains(target);
  document.addEventListener('pointerdown', ({ target }) => {
    if (isOutside(target)) close();
  });
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (isOutside(relatedTarget)) close();
  });
  menu.addEventListener('click', ({ target }) => {
    // The theme is judged before the menu closes.
    if (target instanceof HTMLButtonElement && target.id !== 'theme') close();
  });
  menu.addEventListener('change', close);
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.stopPropagation();
    close();
    menu.querySelector('summary')?.focus();
  });
}
