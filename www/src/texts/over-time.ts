import { plural } from './words.ts';

export const overTimeTexts = {
  title: 'Over time',
  label:
    'Time in this run. Left and right go from event to event, with Shift ten at once; Space plays, + and − zoom.',
  back: 'The event before',
  ahead: 'The next event',
  play: 'Play',
  pause: 'Pause',
  speed: 'Play all in',
  inSeconds: (seconds: number) => `${seconds} s`,
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  whole: 'Whole run',
  colour: 'Slots coloured by',
  plan: (blocks: string[]) =>
    blocks.length === 0
      ? 'Slots'
      : `Slots, from the top: ${blocks.length > 12 ? `${blocks[0]} to ${blocks.at(-1)}` : blocks.join(', ')}`,
  ofRun: (place: number, words: string) => `${'AB'[place]} ${words}`,
  upTo: (most: string) => ` 0 to ${most}`,
  hint: 'Point at the slots to read a job; click to choose it.',
  sinceFirst: 'Time since the first submit',
  dates: 'Date and time (UTC)',
  dense:
    'A slot is lower than a pixel: the stronger the colour, the more of the slots are in use. Jobs of two pixels and more are coloured one by one.',
  apart:
    'Neighbouring jobs differ in colour, unless one has more neighbours than there are colours.',
  most: (most: string, label: string) => `${most} (${label.toLowerCase()})`,
  mark: 'Migrated here.',
  hatched: 'Migrating: holds its slots and does not compute yet.',
  moved: (jobs: number, migrations: number, paused: string | null) =>
    `In the whole run ${plural(jobs, 'job', 'jobs')} migrated, ${plural(migrations, 'time', 'times')} in all${paused === null ? '' : `, and held slots for ${paused} without computing`}.`,
};
