/**
 * What only some visits need: with a log, a second swept key, a lesson, a file, or a policy of one's
 * own. It is one file, since several small ones take longer to come.
 */
export { byDayView } from './by-day.tsx';
export { composer } from './composer.tsx';
export { doctorDialog } from './doctor.tsx';
export { save } from './export-file.ts';
export { waitDistribution } from './fairness-distribution.tsx';
export { logView } from './log.tsx';
export { askFirst } from './predict.tsx';
export { surfaceView } from './surface.tsx';
export { unknownTableDialog } from './unknown-table.tsx';
export { openTopology } from '../topology.ts';
export { replicate } from '../replicate.ts';
