/** Draws waiting jobs and the servers of a small fat-tree at an instant. */
import { linksAt, waitingAt } from './motion-state.ts';
import type { MovingJob } from './motion-state.ts';

/** The colours of jobs, those of curves; neighbours in the order of submits differ. */
const COLOURS = 8;
export const SERVERS = 16;
const OF_POD = 4;
/** The share of the width in which jobs wait. */
const QUEUE = 0.26;
/** Heights in CSS pixels: at most of a waiting job with the gap below it, and of the bar of a link. */
const ROW = 9;
const LINK = 6;
const GAP = 2;

interface Instant {
  at: number;
  /** How long a job falls into its slots, in seconds of the run; 0 for not at all. */
  fall: number;
  /** The slots of a server. */
  slots: number;
  /** How many jobs wait at most. */
  rows: number;
  colours: Colours;
}

/** Of jobs, of what is idle, and of what is reserved of a link. */
export interface Colours {
  jobs: string[];
  idle: string;
  link: string;
}

type Box = { left: number; top: number; width: number; height: number };

export function drawServers(canvas: HTMLCanvasElement, jobs: MovingJob[], instant: Instant) {
  const context = canvas.getContext('2d');
  const { clientWidth: width, clientHeight: height } = canvas;
  if (context === null || width === 0) return;
  const ratio = devicePixelRatio;
  const own = [width, height].map((length) => Math.round(length * ratio));
  if (canvas.width !== own[0]) canvas.width = own[0];
  if (canvas.height !== own[1]) canvas.height = own[1];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const { at, fall, slots, rows, colours } = instant;
  const each = Math.min(ROW, height / rows);
  const most = Math.max(...jobs.map(({ size }) => size));
  const waits = (row: number, size: number) => ({
    left: 0,
    top: row * each,
    width: (size / most) * (width * QUEUE - 16),
    height: each - GAP,
  });
  const fill = ({ left, top, width, height }: Box, colour: string) => {
    context.fillStyle = colour;
    context.fillRect(left, top, width, height);
  };
  const slotAt = slotsOf(width, height, slots);
  const links = linksAt(jobs, at);
  for (let server = 0; server < SERVERS; server += 1) {
    for (let slot = 0; slot < slots; slot += 1) fill(slotAt(server, slot), colours.idle);
    const link = slotAt(server, -1);
    fill({ ...link, height: LINK }, colours.idle);
    const share = links.get(server) ?? 0;
    fill({ ...link, height: LINK, width: (link.width * Math.min(share, 100)) / 100 }, colours.link);
  }
  for (const [row, { number, size }] of waitingAt(jobs, at).entries())
    fill(waits(row, size), colours.jobs[number % COLOURS]);
  for (const job of jobs) {
    if (at < job.start || at >= job.end) continue;
    // It leaves the queue from the row in which it waited.
    const row = waitingAt(jobs, job.start - 1e-6).findIndex(({ number }) => number === job.number);
    const from = waits(Math.max(row, 0), job.size);
    const done = fall > 0 && row >= 0 ? Math.min(1, (at - job.start) / fall) : 1;
    for (const { server, slot } of job.places)
      fill(between(from, slotAt(server, slot), done), colours.jobs[job.number % COLOURS]);
  }
}

/** The place of a slot of a server; that of its link is below the first. */
function slotsOf(width: number, height: number, slots: number) {
  const left = width * QUEUE;
  const pod = (width - left) / (SERVERS / OF_POD);
  const each = (pod - 10) / OF_POD;
  const high = (height - LINK - GAP) / slots;
  return (server: number, slot: number): Box => ({
    left: left + Math.floor(server / OF_POD) * pod + (server % OF_POD) * each,
    top: slot < 0 ? height - LINK : (slots - 1 - slot) * high,
    width: each - GAP,
    height: high - GAP,
  });
}

function between(from: Box, to: Box, done: number): Box {
  const part = (one: number, other: number) => one + (other - one) * done;
  return {
    left: part(from.left, to.left),
    top: part(from.top, to.top),
    width: part(from.width, to.width),
    height: part(from.height, to.height),
  };
}

/** The page's colours, in its theme. */
export function coloursOf(place: HTMLElement): Colours {
  const probe = document.createElement('i');
  place.append(probe);
  const seen = () => getComputedStyle(probe).color;
  const jobs = Array.from({ length: COLOURS }, (_, position) => {
    probe.className = `series-${position}`;
    return seen();
  });
  const token = (name: string) => {
    probe.style.color = `var(${name})`;
    return seen();
  };
  const colours = { jobs, idle: token('--on-paper'), link: token('--ink') };
  probe.remove();
  return colours;
}
