/** Plays a run: moves the clock with time. */
import { signal } from '@preact/signals';
import { clock } from '../state.ts';

/** How many seconds it can take to play a whole run. */
export const SECONDS = [120, 60, 30, 15, 5];
/** The time between two moves of the clock with reduced motion, in milliseconds. */
const CALM = 500;

export class Playback {
  readonly isPlaying = signal(false);
  /** How many seconds the whole run takes. */
  readonly seconds = signal(30);
  /** The length of the run; null without one. */
  readonly #span: () => number | null;
  #frame = 0;
  #before = 0;

  constructor(span: () => number | null) {
    this.#span = span;
  }

  toggle() {
    if (this.isPlaying.peek()) this.stop();
    else this.start();
  }

  start() {
    const span = this.#span();
    if (span === null) return;
    if (clock.peek() >= span) clock.value = 0;
    this.isPlaying.value = true;
    this.#before = performance.now();
    this.#frame = requestAnimationFrame(this.#go);
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    this.isPlaying.value = false;
  }

  readonly #go = (now: number) => {
    this.#frame = requestAnimationFrame(this.#go);
    const span = this.#span();
    if (span === null) return;
    const pause = matchMedia('(prefers-reduced-motion: reduce)').matches ? CALM : 0;
    if (now - this.#before < pause) return;
    const next = clock.peek() + ((now - this.#before) / 1000) * (span / this.seconds.peek());
    this.#before = now;
    clock.value = Math.min(next, span);
    if (next >= span) this.stop();
  };
}
