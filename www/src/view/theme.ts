import { byId } from '../dom.ts';
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
    try {
      localStorage.setItem('theme', now);
    } catch {
      // Storage may be denied: the choice then lasts as long as the page.
    }
    button.textContent = themeTexts[now];
    shade();
  };
  system.addEventListener('change', shade);
  paper.addEventListener('change', shade);
  theme.subscribe(apply);
}
