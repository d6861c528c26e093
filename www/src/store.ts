/**
 * The browser's storage for the page: runs and traces. Without storage (private windows, storage
 * denied) they are held in memory, and lost with the page.
 */
import { messageOf } from './message.ts';
import type { ResultForm, StoredResult } from '../pkg/backfill_web.js';

/** A whole result. */
export type KeptResult = ResultForm & StoredResult;
/**
 * Its number is the time of storing, in milliseconds since 1970; the view is that of the answer,
 * as in a link.
 */
export type KeptRun = {
  id: number;
  name: string;
  pinned: boolean;
  sentence: string;
  about: string;
  policies?: { value: string; label: string }[];
  view?: string;
} & KeptResult;
/** The readable part of a run stored by a version before 0.2.0, whose metrics have no names. */
export type UnnamedRun = { pairs: [string, string][]; core: string };
export type KeptTrace = { sha256: string; file: File };
/** The values of each store. */
type Kept = { runs: KeptRun; traces: KeptTrace };

const NAME = 'backfill';
const VERSION = 1;
const STORES = { runs: 'id', traces: 'sha256' };

type Store = keyof typeof STORES;

export class Keeper {
  lost: (why: string) => void;
  database: Promise<IDBDatabase | null>;
  memory: { [Name in Store]: Map<number | string, Kept[Name]> };

  /** @param lost called once if the browser fails to store what it could store before */
  constructor(lost: (why: string) => void = () => {}) {
    this.lost = lost;
    this.database = open();
    this.memory = { runs: new Map(), traces: new Map() };
  }

  /** Whether stored values outlast the page. */
  async lasts() {
    return (await this.database) !== null;
  }

  /** @returns all stored values, oldest first */
  all<Name extends Store>(store: Name): Promise<Kept[Name][]> {
    return this.with(
      (database) => answer(database.transaction(store).objectStore(store).getAll()),
      () => [...this.memory[store].values()],
    );
  }

  /** Throws if there is no space for it. */
  put<Name extends Store>(store: Name, value: Kept[Name]) {
    return this.with(
      (database) => written(database, store, (objects) => objects.put(value)),
      () => void this.memory[store].set(keyOf(value), value),
    );
  }

  remove(store: Store, key: number | string) {
    return this.with(
      (database) => written(database, store, (objects) => objects.delete(key)),
      () => void this.memory[store].delete(key),
    );
  }

  /** Removes everything. */
  async clear() {
    for (const store of ['runs', 'traces'] as const) {
      this.memory[store].clear();
      await this.with(
        (database) => written(database, store, (objects) => objects.clear()),
        () => {},
      );
    }
  }

  /**
   * Uses the database, or runs `without` if there is none. A database that fails is not used again,
   * except after running out of space, which may be freed.
   */
  async with<T>(act: (database: IDBDatabase) => Promise<T>, without: () => T): Promise<T> {
    const database = await this.database;
    if (database === null) return without();
    try {
      return await act(database);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'QuotaExceededError') throw error;
      // Of several that fail together one reports it.
      if ((await this.database) !== null) {
        this.database = Promise.resolve(null);
        this.lost(messageOf(error));
      }
      return without();
    }
  }
}

function keyOf(value: KeptRun | KeptTrace) {
  return 'sha256' in value ? value.sha256 : value.id;
}

/** Changes a store, and waits until that is written. */
function written(
  database: IDBDatabase,
  store: Store,
  change: (objects: IDBObjectStore) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, 'readwrite');
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    change(transaction.objectStore(store));
  });
}

async function open(): Promise<IDBDatabase | null> {
  try {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const [store, keyPath] of Object.entries(STORES))
        request.result.createObjectStore(store, { keyPath });
    };
    return await answer(request);
  } catch {
    return null;
  }
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
