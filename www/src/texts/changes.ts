import { plural } from './words.ts';

export const changesTexts = {
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
};
