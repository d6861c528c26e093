import { whole } from '../format.ts';
import { plural } from './words.ts';

export const stepTexts = {
  title: 'Step by step',
  open: 'Step through the pass at this instant',
  help: 'Watch the scheduler decide: which job it looks at, whether it fits, what it reserves and what it starts. The first time takes as long as the run.',
  running: 'Following the run…',
  none: 'No pass comes before this instant.',
  moves: {
    passBefore: 'The pass before (Shift + ←)',
    back: 'A step back (←)',
    ahead: 'The next step (→)',
    passAfter: 'The next pass (Shift + →)',
    decisionBefore: 'Decision before',
    decisionAfter: 'Next decision',
    startOf: (job: number) => `Until job ${job} starts`,
  },
  decision: 'A pass that starts or suspends a job',
  pass: (position: number, passes: number, when: string) =>
    `Pass ${whole(position)} of ${whole(passes)}, at ${when}`,
  begins: (waiting: number, running: number, free: number, slots: number) =>
    `${waiting === 0 ? 'No job waits' : waiting === 1 ? 'One job waits' : `${whole(waiting)} jobs wait`}, ${running === 0 ? 'none runs' : running === 1 ? 'one runs' : `${whole(running)} run`}; ${whole(free)} of ${plural(slots, 'slot', 'slots')} ${free === 1 ? 'is' : 'are'} free.`,
  at: (step: number, steps: number) => `Step ${step} of ${steps}`,
  placement: 'Why it is placed there',
  queue: 'The queue, in its order',
  queueRegion: 'The queue',
  queueOf: (label: string) => `The queue under ${label}`,
  stepsOf: (label: string) => `The steps under ${label}`,
  more: (count: number) => `and ${whole(count)} more`,
  columns: ['Job', 'Now', 'Slots', 'Estimate', 'Submit'],
  states: { started: 'starts', looked: 'looked at', reserved: 'reserved', passed: 'does not fit' },
  plan: 'What is believed: running jobs until their estimated ends',
  planHelp: (until: string) => `Slots over time, from this instant to ${until}.`,
  legend: {
    ends: (early: number, late: number, known: number) =>
      `when they really end, which no scheduler knows: ${differing(early, late, known)}`,
    reserved: 'what is reserved',
    gap: 'free until then',
    tiers: 'the background of the nodes, above the line',
    off: 'off',
  },
  now: 'now',
  all: 'All policies side by side',
  passAt: (when: string) => `pass at ${when}`,
  look: (number: number) => `Look into job ${number}`,
};

/** How many running jobs end before their estimates and after them. */
function differing(early: number, late: number, known: number) {
  const of = (count: number, words: string) =>
    count === 0 ? [] : [`${whole(count)} of ${whole(known)} ${words}`];
  const words = [...of(early, 'earlier'), ...of(late, 'later')].join(', ');
  return words === '' ? 'as estimated' : words;
}
