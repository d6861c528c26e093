/**
 * What only some visits need: dialogs that a button opens, and what a log, a second swept key, a
 * lesson, a file or a policy of one's own brings. It is one file, since several small ones take
 * longer to come, and each file more cuts what the page loads first into smaller ones.
 */
export {
  composeByDay,
  composeCopyAs,
  composeExport,
  composeLog,
  composeShare,
  composeSurface,
  sayTask,
} from '../compose-on-demand.ts';
export { composer } from './composer.tsx';
export { doctorDialog } from './doctor.tsx';
export { saveScenario } from './export-file.ts';
export { waitDistribution } from './fairness-distribution.tsx';
export { showKeys } from './keys.tsx';
export { showPalette } from './palette.tsx';
export { scenarioText } from './scenario-text.tsx';
export { askFirst } from './predict.tsx';
export { unknownTableDialog } from './unknown-table.tsx';
export { whenView } from './when.tsx';
export { tellOrigin } from '../link-origin.ts';
export { answerMessages } from '../messages.ts';
export { showKept, takeFile, takeFiles, takeNamed } from '../opened-files.ts';
export { replicate } from '../replicate.ts';
export { lengthened } from '../short-link.ts';
export { sayTooBig } from '../too-big.ts';
export { openTopology } from '../topology.ts';
