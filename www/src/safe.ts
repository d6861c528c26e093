/**
 * Remembers the scenario during which something broke, so that opening the page again does not
 * repeat the fault by itself. A fault of the simulator is remembered until that scenario runs to
 * its end; a run, in this tab only, until it ends or the page is closed regularly.
 */
import { keep, remember, remembered } from './remembered.ts';

const FELL = 'fell';
const UNDER_WAY = 'under-way';

addEventListener('pagehide', () => end());

/**
 * A run of this scenario starts.
 * @param scenario its canonical text
 */
export function begin(scenario: string) {
  keep(() => sessionStorage.setItem(UNDER_WAY, scenario));
}

/** The run ends, whatever its result. */
export function end() {
  keep(() => sessionStorage.removeItem(UNDER_WAY));
}

/** The simulator broke on this scenario. */
export function fell(scenario: string) {
  remember(FELL, scenario);
}

/** This scenario ran to its end. */
export function stood(scenario: string) {
  if (remembered(FELL) === scenario) keep(() => localStorage.removeItem(FELL));
}

/** Whether this scenario broke the page or its simulator in its last run. */
export function broke(scenario: string): boolean {
  const underWay = keep(() => sessionStorage.getItem(UNDER_WAY));
  return remembered(FELL) === scenario || underWay === scenario;
}
