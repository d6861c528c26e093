/**
 * The cards of a first visit: a log of one's own, the jobs that are shown, and questions as links to
 * their scenarios. They go for good once one is used, or when they are dismissed.
 */
import { byId } from '../dom.js';
import { trace } from '../state.js';

/** Where the browser remembers that the cards were used; theme.js reads it before the first paint. */
const VISITED = 'visited';

/** @param {() => void} chooseFile */
export function landing(chooseFile) {
  const row = byId('landing');
  if (row.getClientRects().length === 0) {
    row.remove();
    return;
  }
  const leave = () => {
    if (!row.isConnected) return;
    const hadFocus = row.contains(document.activeElement);
    row.remove();
    if (hadFocus) byId('answer').focus({ preventScroll: true });
    try {
      localStorage.setItem(VISITED, 'true');
    } catch {
      // Storage may be denied: the cards are then there again at the next visit.
    }
  };
  byId('drop-log').onclick = chooseFile;
  byId('dismiss').onclick = leave;
  for (const card of row.querySelectorAll('a')) card.addEventListener('click', () => leave());
  trace.watch((now) => {
    if (now !== null) leave();
  });
}
