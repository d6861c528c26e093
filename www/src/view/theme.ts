import { byId } from '../dom.ts';
import { remember } from '../remembered.ts';
import { dark, theme } from '../state.ts';
import { themeTexts } from '../texts/theme.ts';

/** The button that cycles through the three themes. */
export function themeButton() {
  const button = byId('theme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  const paper = matchMedia('print');
  const order = ['system', 'light', 'dark'] as const;
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') theme.value = chosen;

  button.hidden = false;
  button.onclick = () => {
    theme.value = order[(order.indexOf(theme.peek()) + 1) % order.length];
  };
  // Paper is light.
  const shade = () => {
    dark.value =
      !paper.matches && (theme.peek() === 'dark' || (theme.peek() === 'system' && system.matches));
  };
  const apply = () => {
    const now = theme.peek();
    if (now === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = now;
    remember('theme', now);
    button.textContent = themeTexts[now];
    shade();
  };
  system.addEventListener('change', shade);
  paper.addEventListener('change', shade);
  theme.subscribe(apply);
}
