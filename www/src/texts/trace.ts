import { whole } from '../format.ts';
import { plural } from './words.ts';

export const traceTexts = {
  diagnose: 'Report on this log…',
  jobs: 'Jobs',
  span: 'From first to last submit',
  length: (seconds: number) =>
    seconds < 172800
      ? `${(seconds / 3600).toFixed(1)} hours`
      : `${(seconds / 86400).toFixed(1)} days`,
  widest: 'Largest job',
  machine: 'Machine',
  size: (count: number, areNodes: boolean) =>
    areNodes ? plural(count, 'node', 'nodes') : plural(count, 'processor', 'processors'),
  findings: 'Findings',
  none: 'none',
  notTaken: (rejected: number, lines: number) =>
    `${whole(rejected)} of ${plural(lines, 'line', 'lines')} rejected and not simulated.`,
  failed: (name: string) => `${name} could not be used`,
  wanted: (name: string) => `This link uses the trace ${name}`,
  wantedDetails: (sha: string) =>
    `A trace never travels in a link. Choose the same file here; its contents are checked (sha256 ${sha.slice(0, 12)}…).`,
  wantedUnchecked: 'A trace never travels in a link. Choose the same file here.',
  ofResult: (name: string) => `This result is of the trace ${name}`,
  ofResultDetails: (sha: string) =>
    `To look into one of its runs, choose the same file here${sha === '' ? '' : `; its contents are checked (sha256 ${sha.slice(0, 12)}…)`}.`,
  choose: 'Choose the file…',
  otherFile: (name: string) => `${name} is not the file that is wanted`,
  otherFileDetails: (wanted: string, found: string) =>
    `Expected sha256 ${wanted.slice(0, 16)}…, but this file has ${found.slice(0, 16)}…. Results would differ, so nothing was run.`,
  useAnyway: 'Use this file instead',
};
