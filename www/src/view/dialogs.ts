/** The dialogs that buttons of the page open, in one file: several small ones take longer to come. */
export { exportDialog } from './export.tsx';
export { showKeys } from './keys.tsx';
export { showPalette } from './palette.tsx';
export { shareDialog } from './share.tsx';
