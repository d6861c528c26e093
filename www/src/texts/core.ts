export const coreTexts = {
  version: (version: string) => `Backfill ${version}.`,
  missing: 'The simulator could not be loaded',
  missingDetails:
    'The answer below is the one this page was built with. Reload the page to try again; WebAssembly is needed to run scenarios.',
  loading: (bytes: number) => `Loading the simulator: ${(bytes / 1e6).toFixed(1)} MB so far.`,
  noPart: 'This part of the page could not be loaded',
  noPartDetails: (why: string) =>
    `Check the connection and try again, or reload the page: the address keeps the scenario. (${why})`,
  noRestDetails: (why: string) =>
    `Check the connection, then reload the page to go on: the address keeps the scenario. (${why})`,
  noWorker: (why: string) =>
    `A worker could not be started${why ? ` (${why})` : ''}: check the connection and try again.`,
  broken: 'The page failed with an internal error',
  brokenDetails:
    'Reload the page to go on; the link in the address bar keeps the scenario. Message:',
};
