export const offlineTexts = {
  kept: 'Kept in this browser: it also opens without a network.',
  newer: 'A newer release of Backfill is ready',
  newerDetails:
    'This tab goes on with the one it has. The address keeps the scenario; what is running would begin again.',
  reload: 'Reload',
};
