/** What is fetched after the first answer, in one file: several small ones take longer to come. */
export { compareView } from './compare.ts';
export { fairnessView } from './fairness.tsx';
export { historyView } from './history.tsx';
export { printedScenario } from './print.tsx';
