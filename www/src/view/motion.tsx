/**
 * A first visit in motion: the same jobs under two schedulers, side by side, in ten seconds. The
 * runs are built into the page, so they move before the simulator is there. Who prefers less motion
 * sees the busiest instant, and may play it.
 */
import { computed, signal } from '@preact/signals';
import { createRef } from 'preact';
import { byId } from '../dom.ts';
import { mount } from '../mount.ts';
import { dark } from '../state.ts';
import { motionTexts } from '../texts/motion.ts';
import { SERVERS, coloursOf, drawServers } from './motion-drawing.ts';
import { busiest, movingJobs, waitedUntil, waitingAt } from './motion-state.ts';
import type { ReadonlySignal } from '@preact/signals';
import type { Colours } from './motion-drawing.ts';
import type { MovingJob, Runs } from './motion-state.ts';

/** How long it takes, in milliseconds. */
const LENGTH = 10_000;
/** What follows the last start, as a share of the time until then. */
const REST = 0.03;
/** How many times the texts change. */
const TEXTS = 40;
/** For how many milliseconds a picture stands: the first own run needs the time more. */
const PICTURE = 30;

export function motion() {
  const place = byId('motion');
  const runs: Runs = JSON.parse(place.dataset.runs ?? '');
  const moving = new Motion(runs);
  mount(<moving.View />, place);
  moving.begin(place);
}

interface MovingPolicy {
  name: string;
  jobs: MovingJob[];
  /** How many of them wait, in words. */
  waiting: ReadonlySignal<string>;
}

class Motion {
  readonly #runs: Runs;
  readonly #policies: MovingPolicy[];
  readonly #end: number;
  readonly #canvases = [createRef<HTMLCanvasElement>(), createRef<HTMLCanvasElement>()];
  readonly #at = signal(0);
  readonly #plays = signal(false);
  readonly #isOver = computed(() => this.#at.value >= this.#end);
  /** The instant of which texts tell: while it plays, they change seldom enough to be read. */
  readonly #told = computed(() => {
    const at = this.#at.value;
    if (!this.#plays.value) return at;
    const each = this.#end / TEXTS;
    return Math.floor(at / each) * each;
  });
  #colours: Colours | null = null;
  /** How many jobs wait at most under one of the policies. */
  readonly #rows: number;
  /** How many times it was begun to play, and when the last picture was drawn, in milliseconds. */
  #times = 0;
  #drawn = 0;

  constructor(runs: Runs) {
    this.#runs = runs;
    this.#policies = runs.policies.map(({ name, jobs: built }) => {
      const jobs = movingJobs(built, runs.slots);
      const told = () => motionTexts.waiting(waitingAt(jobs, this.#told.value).length);
      return { name, jobs, waiting: computed(told) };
    });
    const starts = this.#policies.flatMap(({ jobs }) => jobs.map(({ start }) => start));
    this.#end = Math.max(...starts) * (1 + REST);
    this.#rows = Math.max(...this.#policies.map(({ jobs }) => busiest(jobs).waiting));
  }

  begin(place: HTMLElement) {
    this.#at.subscribe(() => this.#draw());
    dark.subscribe(() => {
      this.#colours = coloursOf(place);
      this.#draw();
    });
    new ResizeObserver(() => this.#draw()).observe(place);
    if (matchMedia('(prefers-reduced-motion: reduce)').matches)
      this.#at.value = busiest(this.#policies[0].jobs).at;
    else this.#play();
  }

  #play() {
    this.#plays.value = true;
    this.#drawn = performance.now();
    this.#times += 1;
    const time = this.#times;
    const frame = (now: number) => {
      if (!this.#plays.peek() || this.#times !== time) return;
      if (this.#canvases[0].current?.isConnected !== true) return;
      const passed = Math.max(0, now - this.#drawn);
      this.#drawn = now;
      this.#at.value = Math.min(this.#end, this.#at.peek() + (passed / LENGTH) * this.#end);
      if (this.#isOver.peek()) this.#plays.value = false;
      else setTimeout(() => requestAnimationFrame(frame), PICTURE);
    };
    requestAnimationFrame(frame);
  }

  #draw() {
    const colours = this.#colours;
    if (colours === null) return;
    // A job falls into its slots in a fortieth of the time, where things move at all.
    const fall = this.#plays.peek() ? this.#end / 40 : 0;
    const { slots } = this.#runs;
    const instant = { at: this.#at.peek(), fall, slots, rows: this.#rows, colours };
    for (const [position, { jobs }] of this.#policies.entries()) {
      const canvas = this.#canvases[position].current;
      if (canvas !== null) drawServers(canvas, jobs, instant);
    }
  }

  readonly #again = () => {
    this.#at.value = 0;
    this.#play();
  };

  readonly #pause = () => {
    if (this.#plays.peek()) this.#plays.value = false;
    else this.#play();
  };

  readonly #skip = () => {
    this.#plays.value = false;
    this.#at.value = this.#end;
  };

  /** What the jobs have waited so far, and at the end how long each did. */
  readonly #words = computed(() => {
    const [first, then] = this.#policies;
    const at = this.#told.value;
    const waited = this.#policies.map(({ jobs }) => waitedUntil(jobs, at));
    const count = first.jobs.length;
    if (!this.#isOver.value) return motionTexts.saved(then.name, waited[0] - waited[1]);
    return motionTexts.ends(
      first.name,
      then.name,
      count,
      waited.map((all) => all / count),
    );
  });

  /** Texts that change are signals: they alone are drawn again. */
  readonly View = () => {
    const said = motionTexts;
    const button = (words: string, act: () => void) => (
      <button type="button" onClick={act}>
        {words}
      </button>
    );
    return (
      <>
        <div
          class="lanes"
          role="img"
          aria-label={said.about(SERVERS, this.#policies[0].jobs.length)}
        >
          {this.#policies.map(({ name, waiting }, position) => (
            <div key={name}>
              <p>
                <b>{name}</b> <span class="soft">{waiting}</span>
              </p>
              <canvas ref={this.#canvases[position]} />
            </div>
          ))}
        </div>
        <figcaption>
          <span>{this.#words}</span>
          <span class="group-of">
            {this.#isOver.value
              ? button(said.again, this.#again)
              : button(this.#plays.value ? said.pause : said.play, this.#pause)}
            {!this.#isOver.value && button(said.skip, this.#skip)}
            <a href={this.#runs.steps}>{said.step}</a>
          </span>
        </figcaption>
      </>
    );
  };
}
