import { whole } from '../format.ts';

export const jobTexts = {
  title: 'The chosen job',
  none: 'Choose a job above or below to see where it runs and why it waits.',
  called: (number: string) => `Job ${number}`,
  slots: (name: string, slots: number) => `${name} (${slots})`,
  link: (name: string, mbps: number) => `${name} (${whole(mbps)} Mbit/s)`,
  more: (rest: number) => ` and ${whole(rest)} more`,
  runsOn: 'Runs on',
  ranOn: 'Not running at this instant; nearest to it on',
  reserves: 'Reserves',
  reserved: 'Reserved',
  gets: (share: string, speed: string, least: string, most: string) =>
    `It gets ${share} of the bandwidth it asks for at this instant and runs at ${speed} of its undisturbed speed. From its start to its end it gets ${least} to ${most}.`,
  slowed: 'It is slowed by the link',
  fullAlone: ', which is full.',
  fullWith: (jobs: string) => `, which is full. It shares this link with ${jobs}.`,
  withJobs: (numbers: number[]) => `${numbers.length === 1 ? 'job' : 'jobs'} ${numbers.join(', ')}`,
  shareOverTime: 'Share of the bandwidth it asks for, 0 to 100 %, from its start to its end',
  notSlowed: 'It is never slowed.',
  slowedMore: (more: number) => `It is slowed in shorter stretches, too: ${whole(more)}.`,
  pays: (until: string) => `It pays for its migration until ${until}.`,
  showLink: 'Show this link in the picture',
  marked: (number: string) => `held by job ${number}`,
  markedThen: (number: string, from: string, until: string) =>
    `held by job ${number} from ${from} to ${until}`,
  migrated: (when: string, worksFrom: string | null) =>
    `It migrated there at ${when}${worksFrom === null ? '' : `, and works from ${worksFrom} on`}.`,
  ofAllocations: (allocations: number) => `. It had ${whole(allocations)} allocations.`,
  atOnce: 'It started as soon as it arrived.',
  looking: 'Looking into it…',
  whyThen: (when: string) => `Why does it wait at ${when}?`,
  goThere: 'Show this instant',
  unexplained: (why: string) => `No explanation: ${why}`,
};
