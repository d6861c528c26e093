/**
 * Messages between the page and the one that frames or opened it: that one sends scenarios and logs,
 * runs them and gets results. README.md says what each message is.
 *
 * Invariants: only the window that framed or opened this one is heard; what is sent goes to the origin
 * that asked, and to no other; a message does what somebody in the page could do, or is answered by
 * an error and changes nothing; what is known of a log is told only to the page that sent it; messages
 * are served one after the other.
 */
import { messageOf } from './message.ts';
import { once } from './once.ts';
import { pairsIn, problemsInWords } from './scenario-lines.ts';
import { passedOn } from './short-link.ts';
import {
  digest,
  enterAll,
  entries,
  reading,
  summary,
  trace,
  traceFor,
  traceProblem,
  work,
} from './state.ts';
import { messagesTexts } from './texts/messages.ts';
import type { PageParts } from './compose.ts';
import type { TraceFile } from './worker/messages.ts';

/** The version of what is sent, which every message says. */
const VERSION = 1;
/** The most characters of a scenario. */
const LONGEST = 100_000;
/** How many messages may wait. */
const WAITING = 100;

type Message = { id?: unknown; scenario?: unknown; name?: unknown; bytes?: unknown };
type Answer = { [name: string]: unknown };

/** Answers the messages of the window that framed or opened this one. */
export function answerMessages(parts: PageParts) {
  const host: unknown = parent === window ? opener : parent;
  const acts = actsOf(parts);
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  let tellsHeight = false;
  addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    // A sender without an origin cannot be answered alone.
    if (source !== host || origin === 'null' || !isMessage(data)) return;
    const { id, type } = data;
    const send = (answer: Answer) =>
      source?.postMessage({ backfill: VERSION, ...answer }, { targetOrigin: origin });
    if (!tellsHeight) {
      tellsHeight = true;
      tellHeight((height) => send({ type: 'height', height }));
    }
    const serve = async () => {
      try {
        const act = typeof type === 'string' ? acts.get(type) : undefined;
        if (act === undefined) throw new Error(messagesTexts.type([...acts.keys()]));
        send({ id, type, ...(await act(data)) });
      } catch (error) {
        send({ id, type: 'error', message: messageOf(error) });
      } finally {
        waiting -= 1;
      }
    };
    if (waiting === WAITING) {
      send({ id, type: 'error', message: messagesTexts.tooMany(WAITING) });
      return;
    }
    waiting += 1;
    last = last.then(serve);
  });
}

function isMessage(data: unknown): data is Message & { type?: unknown } {
  return (
    typeof data === 'object' && data !== null && 'backfill' in data && data.backfill === VERSION
  );
}

/** Says the height of the page, now and whenever it changes. */
function tellHeight(tell: (height: number) => void) {
  const page = document.documentElement;
  new ResizeObserver(() => tell(page.scrollHeight)).observe(document.body);
}

/** What each type of message does, and what it is answered. */
function actsOf(parts: PageParts) {
  const { core, tables, traces, workbench, answer } = parts;
  /** The files that came by messages. */
  const sent = new WeakSet<File>();
  return new Map<string, (message: Message) => Promise<Answer> | Answer>([
    ['ping', () => ({ version: tables.version })],
    [
      'scenario',
      ({ scenario }) => {
        enter(core, scenario);
        return { scenario: reading.peek()?.text };
      },
    ],
    [
      'log',
      async ({ name, bytes }) => {
        const isBytes = bytes instanceof ArrayBuffer || bytes instanceof Uint8Array;
        if (typeof name !== 'string' || !isBytes) throw new Error(messagesTexts.log);
        const file = new File([new Uint8Array(bytes)], name);
        sent.add(file);
        await traces.take(file);
        const taken = trace.peek();
        // Nothing is told of the one before.
        if (taken?.source.file !== file)
          throw new Error(traceProblem.peek() || messagesTexts.notTaken);
        return { sha256: taken.report.sha256, scenario: reading.peek()?.text };
      },
    ],
    [
      'run',
      async ({ scenario }) => {
        const before = entries.peek();
        if (scenario !== undefined) enter(core, scenario);
        const now = reading.peek();
        try {
          if (now !== null && now.trace !== null) refuseOthers(traceFor(now), sent);
        } catch (error) {
          entries.value = before;
          throw error;
        }
        workbench.cancel();
        await new Promise<void>((resolve) => {
          once(work, ({ phase }) => phase === 'idle', resolve);
        });
        await workbench.run();
        if (digest.peek() === '' || answer.text !== now?.text)
          throw new Error(messagesTexts.notRun);
        return result(parts, sent);
      },
    ],
    ['result', () => result(parts, sent)],
  ]);
}

/** The answer that the page shows, unless it is to a log that a visitor opened. */
async function result({ core, answer }: PageParts, sent: WeakSet<File>): Promise<Answer> {
  if (answer.text === null || digest.peek() === '') throw new Error(messagesTexts.noResult);
  if (core.read_scenario(pairsIn(answer.text)).trace !== null) refuseOthers(answer.source, sent);
  const told = { digest: digest.peek(), summary: summary.peek() };
  const { text, maker } = answer;
  const hash = core.write_link(text, told.digest, undefined, undefined, maker, true);
  return { ...told, link: await passedOn(new URL(hash, location.href).href) };
}

/** Throws unless a log came by a message. */
function refuseOthers(source: TraceFile | null, sent: WeakSet<File>) {
  if (source === null) throw new Error(messagesTexts.noTrace);
  if (!sent.has(source.file)) throw new Error(messagesTexts.notYours);
}

/** Enters a scenario; throws what is wrong with it, and enters nothing then. */
function enter(core: PageParts['core'], scenario: unknown) {
  const pairs = pairsOf(scenario);
  const { problems } = core.read_scenario(pairs);
  if (problems.length > 0) throw new Error(problemsInWords(problems));
  enterAll(pairs);
}

/** The keys of a scenario with their values. */
function pairsOf(scenario: unknown): [string, string][] {
  const wrong = new Error(messagesTexts.scenario(LONGEST));
  if (typeof scenario === 'string' && scenario.length <= LONGEST) return pairsIn(scenario);
  if (typeof scenario !== 'object' || scenario === null) throw wrong;
  return Object.entries(scenario).map(([key, value]: [string, unknown]) => {
    if (typeof value !== 'string' || key.length + value.length > LONGEST) throw wrong;
    return [key, value];
  });
}
