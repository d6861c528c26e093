import { plural } from './words.ts';

export const openedFilesTexts = {
  unused: (used: string[], unused: string[]) =>
    `${used.join(' and ')} ${used.length === 1 ? 'is' : 'are'} used; ${unused.join(', ')} ${unused.length === 1 ? 'is' : 'are'} not: one log, one topology and one scenario or result at a time.`,
  failed: (address: string) =>
    `The file ${address}, which the address of this page names, could not be opened`,
  elsewhere: (host: string) =>
    `It lies on ${host}, and this page asks nothing of other hosts. Save it and drop it here.`,
  missing: (status: number) =>
    `The host answered ${status}. Check the name, or choose the file yourself.`,
  opened: (name: string) => `from ${name}`,
  restored: 'kept from before',
  fileFailed: (name: string) => `${name} could not be opened`,
  keptFailed: 'This kept run cannot be shown',
  otherCore: (theirs: string, mine: string) =>
    `Backfill ${theirs} made this result; this is ${mine}.`,
  lacks: (metrics: string[]) =>
    metrics.length === 0
      ? 'It has every metric that this version shows. Press Run to compute it here.'
      : `It lacks ${plural(metrics.length, 'metric', 'metrics')} that this version shows: ${metrics.join('; ')}. Press Run to compute it here.`,
  unnamed: (theirs: string) => `Backfill ${theirs} kept this run without the names of its metrics`,
  unnamedDetails:
    'Its values cannot be assigned to metrics. Its scenario is in the form: press Run to compute it here.',
};
