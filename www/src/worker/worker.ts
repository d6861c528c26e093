/**
 * A worker: it reads traces, simulates cells in slices, and keeps one run for inspection. It
 * receives messages from its first moment; requests before the core is ready wait in the queue.
 */
import { restTexts } from '../texts/rest.ts';
import { CANCELLED, answer, start, wanted } from './context.ts';
import { handlers } from './handlers.ts';
import type { Build, CallName, Given, Request, ToWorker } from './messages.ts';

/** What the script around the core exports. */
type Joined = typeof import('../joined.ts');

let ready: Promise<void>;
/** Why the rest of the core could not be had where it was needed; empty if it could. */
let noRest = '';
/** Puts the rest of the core into its place. */
let join: ReturnType<Joined['joinRest']>;
let queue: Request[] = [];
let busy = false;
/** Ends a pause. */
let goOn = () => {};

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'start') {
    ready = begin(data);
    ready.then(() => answer({ type: 'ready' }), fault);
  } else if (data.type === 'pause') {
    wanted.going = new Promise((resolve) => {
      goOn = resolve;
    });
  } else if (data.type === 'resume') {
    goOn();
  } else if (data.type === 'cancel') {
    goOn();
    for (const { id } of queue) answer({ id, type: 'cancelled' });
    queue = [];
    if (busy) wanted.cancelled = true;
    else answer({ type: 'idle' });
  } else if (data.type === 'stop') {
    const waits = queue.some(({ id }) => id === data.id);
    queue = queue.filter(({ id }) => id !== data.id);
    if (waits) answer({ id: data.id, type: 'cancelled' });
    else if (busy) wanted.stopped = data.id;
  } else {
    queue.push(data);
    if (!busy) void work();
  }
};

async function begin({ module, script }: Build) {
  const core: Joined = await import(script);
  const exports = await core.default({ module_or_path: module });
  start(core, exports.memory);
  join = core.joinRest(exports, (why) => {
    noRest = why;
  });
  core.on_panic((words: string) => answer({ type: 'fault', words }));
}

async function work() {
  busy = true;
  try {
    await ready;
    settle();
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
      await wanted.going;
      await serve(request);
      settle();
    }
  } catch (error) {
    fault(error);
    return;
  }
  busy = false;
}

async function serve(request: Request) {
  const { id, rest } = request;
  try {
    if (rest !== null) join(rest);
    const result = await perform(request.type, request, id);
    answer({ id, type: 'done', result }, pixels(result));
  } catch (error) {
    // The core rejects an input with a sentence; anything else is a bug in the core.
    if (typeof error === 'string') answer({ id, type: 'refused', words: error });
    else if (error === CANCELLED) answer({ id, type: 'cancelled' });
    else {
      if (noRest !== '') answer({ id, type: 'refused', words: restTexts.missing(noRest) });
      throw error;
    }
  } finally {
    // Another client, with its own numbers, may have this worker next.
    wanted.stopped = null;
  }
}

/** Tells the page, if it has cancelled everything, that this is done: what it asks for since is served. */
function settle() {
  if (!wanted.cancelled) return;
  wanted.cancelled = false;
  answer({ type: 'idle' });
}

function perform<Name extends CallName>(name: Name, given: Given<Name>, id: number) {
  return handlers[name](given, id);
}

/**
 * The long series in a result, which are transferred instead of copied; shared memory cannot be.
 */
function pixels(result: unknown): Transferable[] {
  if (result === null || typeof result !== 'object') return [];
  const parts: unknown[] = ArrayBuffer.isView(result) ? [result] : Object.values(result);
  return parts.flatMap((part) =>
    ArrayBuffer.isView(part) && part.buffer instanceof ArrayBuffer ? part.buffer : [],
  );
}

function fault(error: unknown) {
  answer({ type: 'fault', words: String(error) });
}
