import { Cancelled, Hand } from './hand.js';

/** @typedef {import('./protocol.js').Outcome} Outcome */
/** @typedef {import('./protocol.js').TraceFile} TraceFile */

/** How many cells a worker holds: the next one is there before the one it runs is done. */
const AHEAD = 2;

/** The workers that share the cells of a sweep. */
export class Pool {
  /**
   * @param {import('./protocol.js').Build} build
   * @param {number} size
   */
  constructor(build, size) {
    this.hands = Array.from({ length: size }, () => new Hand(build));
    this.panics = false;
    /** Has the run under way, if there is one, ask for no more cells. @type {(reason: Error) => void} */
    this.giveUp = () => {};
    /** How much is being done aside, which gives way to a run. */
    this.asides = 0;
  }

  /**
   * From now on all work with this build of the core.
   * @param {import('./protocol.js').Build} build
   */
  equip(build) {
    for (const hand of this.hands) hand.equip(build);
  }

  /** Fault injection: the first cell of the next run panics instead. */
  panicOnce() {
    this.panics = true;
  }

  /**
   * Runs cells in the given order; each outcome is handed over as it comes, in any order. Ends when all
   * are done, when `cancel` is called (throws Cancelled) or at the first refusal or fault (throws it).
   * @param {{scenario: string, trace: TraceFile | null, order: Iterable<number>, took: (outcome: Outcome) => void, progress: (cells: number) => void}} work
   *   `progress` gets the cells done so far, those under way as fractions
   */
  async run({ scenario, trace, order, took, progress }) {
    const left = [...order].reverse();
    let done = 0;
    /** @type {Map<number, number>} */
    const shares = new Map();
    const tell = () => progress([...shares.values()].reduce((sum, share) => sum + share, done));
    /** @type {Error | null} */
    let stop = null;
    this.giveUp = (reason) => {
      left.length = 0;
      stop ??= reason;
    };

    /** @param {Hand} hand */
    const lane = async (hand) => {
      for (let cell = left.pop(); cell !== undefined; cell = left.pop()) {
        const asked = cell;
        try {
          /** @type {import('./protocol.js').Ask} */
          const ask = this.panics ? { type: 'panic' } : { type: 'cell', scenario, trace, cell: asked };
          this.panics = false;
          const outcome = await hand.ask(ask, (part, total) => {
            shares.set(asked, total > 0 ? part / total : 0);
            tell();
          });
          done += 1;
          shares.delete(asked);
          took(outcome);
          tell();
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          const first = stop === null;
          this.giveUp(error);
          if (first && !(error instanceof Cancelled)) void this.cancel();
        }
      }
    };
    await this.makeWay();
    const lanes = this.hands.flatMap((hand) => Array.from({ length: AHEAD }, () => lane(hand)));
    await Promise.all(lanes);
    if (stop !== null) throw stop;
  }

  /**
   * Has idle workers answer all of these; throws what they answer, Cancelled where a run or other asks took their place.
   * @param {import('./protocol.js').Ask[]} asks
   * @returns {Promise<any[]>}
   */
  async aside(asks) {
    await this.makeWay();
    this.asides += 1;
    try {
      return await Promise.all(asks.map((ask, place) => this.hands[place % this.hands.length].ask(ask)));
    } finally {
      this.asides -= 1;
    }
  }

  async makeWay() {
    if (this.asides > 0) await Promise.all(this.hands.map((hand) => hand.cancel()));
  }

  /** Has all rest where they are. */
  pause() {
    for (const hand of this.hands) hand.steer('pause');
  }

  /** Has all go on from where they rest. */
  resume() {
    for (const hand of this.hands) hand.steer('resume');
  }

  /**
   * Gives up what is under way; what is finished has been handed over already. Workers that have just finished all
   * they held have nothing to give up, so the run is told as well.
   */
  async cancel() {
    this.giveUp(new Cancelled());
    await Promise.all(this.hands.map((hand) => hand.cancel()));
  }
}

/** As many workers as the machine has cores, but few enough for a tab; some browsers do not say. */
export function poolSize(cores = navigator.hardwareConcurrency) {
  return Math.min(Math.max(cores || 4, 1), 8);
}
