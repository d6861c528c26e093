import { whole } from '../format.ts';
import { plural } from './words.ts';

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
  log: (name: string) => `Log ${name}`,
  value: (label: string, value: string) => `${label} ${value}`,
  changed: (label: string, before: string, now: string) => `${label} ${before} → ${now}`,
  swept: (label: string, values: string) => `${label} swept: ${values}`,
  notSwept: 'Nothing swept',
  added: (policy: string) => `+\u00a0${policy}`,
  removed: (policy: string) => `−\u00a0${policy}`,
  differences: (named: string[], more: number) =>
    named.join(', ') + (more === 0 ? '' : ` and ${plural(more, 'more change', 'more changes')}`),
  same: 'Same settings',
  otherVersion: (version: string) => `Backfill ${version}`,
  about: (policies: string, x: string) => (x ? `${policies} by ${x}` : policies),
};
