/** The runs that move on a first visit, as they were built in: which job is where at an instant. */

/** A job: its slots, its submit, start and end in seconds, and what it holds and reserves. */
type Job = [
  size: number,
  submit: number,
  start: number,
  end: number,
  held: [server: number, slots: number][],
  reserved: [server: number, percent: number][],
];

export interface Runs {
  /** The slots of a server. */
  slots: number;
  policies: { name: string; jobs: Job[] }[];
  /** The link to a pass of the last policy, step by step. */
  steps: string;
}

/** A place of a job: a server, and its slot there from below. */
type Place = { server: number; slot: number };

/** A job as it is drawn. */
export interface MovingJob {
  /** Its number in the order of submits. */
  number: number;
  size: number;
  submit: number;
  start: number;
  end: number;
  places: Place[];
  reserved: [server: number, percent: number][];
}

/** The jobs of a policy in the order of their submits, each with slots of its own. */
export function movingJobs(jobs: Job[], slots: number): MovingJob[] {
  const placed: MovingJob[] = [];
  for (const [size, submit, start, end, held, reserved] of jobs) {
    const others = placed.filter((other) => other.end > start);
    const isTaken = (server: number, slot: number) =>
      others.some(({ places }) =>
        places.some((place) => place.server === server && place.slot === slot),
      );
    const places = held.flatMap(([server, count]) => {
      const free = Array.from({ length: slots }, (_, slot) => slot);
      const mine = free.filter((slot) => !isTaken(server, slot)).slice(0, count);
      return mine.map((slot) => ({ server, slot }));
    });
    placed.push({ number: 0, size, submit, start, end, places, reserved });
  }
  placed.sort((one, other) => one.submit - other.submit);
  return placed.map((job, number) => ({ ...job, number }));
}

/** The jobs that wait at an instant, in the order of their submits. */
export function waitingAt(jobs: MovingJob[], at: number) {
  return jobs.filter(({ submit, start }) => submit <= at && at < start);
}

/** How long the jobs have waited together until an instant, in seconds. */
export function waitedUntil(jobs: MovingJob[], at: number) {
  return jobs.reduce(
    (sum, { submit, start }) => sum + Math.max(0, Math.min(at, start) - submit),
    0,
  );
}

/** The share of each server's link that is reserved at an instant, in percent. */
export function linksAt(jobs: MovingJob[], at: number) {
  const links = new Map<number, number>();
  for (const { start, end, reserved } of jobs) {
    if (at < start || at >= end) continue;
    for (const [server, percent] of reserved) links.set(server, (links.get(server) ?? 0) + percent);
  }
  return links;
}

/** The instant at which most jobs wait, and how many. */
export function busiest(jobs: MovingJob[]) {
  const counts = jobs.map(({ submit }) => waitingAt(jobs, submit).length);
  const waiting = Math.max(...counts);
  return { at: jobs[counts.indexOf(waiting)]?.submit ?? 0, waiting };
}
