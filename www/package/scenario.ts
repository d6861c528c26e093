/** Scenarios as others write them, and as the core checks them. */
import { lengthened } from '../src/short-link.ts';
import { pairsIn, problemsInWords } from '../src/scenario-lines.ts';
import type { Reading } from '../pkg/backfill_web.js';
import type { Core } from '../src/core.ts';
import type { Entries, Scenario, Value } from './types.ts';

const LINK = /^(?:[a-z]+:\/\/[^#\s]*)?(#\S*)$/i;
/** A line of a scenario's file that is more than a key and its bare value. */
const NOT_BARE = /^\s*(?:[[{]|\w+\s*=\s*["'[{])/m;

/** The keys of a scenario; throws what is wrong with a link or a file. */
export function entriesOf(core: Core, scenario: Scenario): Entries {
  if (typeof scenario !== 'string') {
    const entries = Object.entries(scenario).map(([key, value]) => [key, textOf(value)]);
    return Object.fromEntries(entries);
  }
  const link = linkIn(scenario);
  if (link !== null) return Object.fromEntries(core.read_link(link).pairs);
  if (NOT_BARE.test(scenario)) return Object.fromEntries(core.open_file(scenario).pairs);
  return Object.fromEntries(pairsIn(scenario));
}

/** The same scenario; if it is a short link, as a plain one. */
export async function unpacked(scenario: Scenario): Promise<Scenario> {
  const link = typeof scenario === 'string' ? linkIn(scenario) : null;
  return link === null ? scenario : lengthened(link);
}

/** The part of an address that is a link to a scenario; null where a text is none. */
export function linkIn(text: string): string | null {
  return LINK.exec(text.trim())?.[1] ?? null;
}

function textOf(value: Value) {
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

/** A scenario as the core reads it; throws what is wrong with it. */
export function checked(core: Core, entries: Entries): Reading {
  const reading = core.read_scenario(Object.entries(entries));
  if (reading.problems.length === 0) return reading;
  throw problemsInWords(reading.problems);
}
