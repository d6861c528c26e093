/**
 * The cards of a first visit: the user's own log, the current jobs, and questions as links to their
 * scenarios. They disappear for good once one is used, or when they are dismissed.
 */
import { byId } from '../dom.ts';
import { remember } from '../remembered.ts';
import { trace } from '../state.ts';

/** The storage key for the use of the cards; theme.ts reads it before the first paint. */
const VISITED = 'visited';

export function landing(chooseFile: () => void) {
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
    remember(VISITED, 'true');
  };
  byId('drop-log').onclick = chooseFile;
  byId('dismiss').onclick = leave;
  row.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null) leave();
  });
  trace.subscribe((now) => {
    if (now !== null) leave();
  });
}
