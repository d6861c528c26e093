/**
 * What only some visits need: with a log, a second swept key, a lesson, a file, or a policy of one's
 * own. It is one file, since several small ones take longer to come.
 */
export { byDayView } from './by-day.ts';
export { composer } from './composer.tsx';
export { doctorDialog } from './doctor.ts';
export { save } from './export-file.ts';
export { logView } from './log.ts';
export { askFirst } from './predict.ts';
export { surfaceView } from './surface.ts';
export { unknownTableDialog } from './unknown-table.ts';
export { openTopology } from '../topology.ts';
export { replicate } from '../replicate.ts';
