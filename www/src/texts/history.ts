import { whole } from '../format.ts';

export const historyTexts = {
  title: 'History',
  none: 'Finished runs appear here.',
  passing: 'This browser keeps nothing for the page: the list is gone when it is closed.',
  noRoom: 'The browser has no room left to keep this.',
  keepTraces: 'Keep traces in this browser, too',
  trace: (name: string, bytes: number) => `${name}, ${whole(Math.ceil(bytes / 1000))} kB`,
  lost: 'This browser keeps nothing more for the page',
  lostDetails: (why: string) =>
    `Its storage failed (${why}). Runs and traces of this visit stay in the list until the page is closed.`,
  forget: 'Remove everything kept here',
  pin: (name: string) => `Pin ${name}`,
  unpin: (name: string) => `Unpin ${name}`,
  rename: (name: string) => `Rename ${name}`,
  remove: (name: string) => `Remove ${name}`,
  name: 'Name of this run',
  undo: 'Undo (Ctrl+Z)',
  redo: 'Redo (Ctrl+Shift+Z)',
  about: (policies: string, x: string) => (x ? `${policies} by ${x}` : policies),
};
