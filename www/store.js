/**
 * The browser's storage for the page: runs and traces. Without storage (private windows, storage
 * denied) they are held in memory, and lost with the page.
 *
 * @typedef {import('./pkg/backfill_web.js').ResultForm &
 *   import('./pkg/backfill_web.js').StoredResult} KeptResult a whole result
 * @typedef {{id: number, name: string, pinned: boolean, sentence: string, about: string,
 *   policies?: {value: string, label: string}[], view?: string} & KeptResult} KeptRun its number is
 *   the time of storing, in milliseconds since 1970; the view is that of the answer, as in a link
 * @typedef {{pairs: [string, string][], core: string}} UnnamedRun the readable part of a run stored
 *   by a version before 0.2.0, whose metrics have no names
 * @typedef {{sha256: string, file: File}} KeptTrace
 *
 * @typedef {{runs: KeptRun, traces: KeptTrace}} Kept the values of each store
 */

const NAME = 'backfill';
const VERSION = 1;
const STORES = { runs: 'id', traces: 'sha256' };

/** @typedef {keyof typeof STORES} Store */

export class Keeper {
  /**
   * @param {(why: string) => void} [lost] called once if the browser fails to store what it could
   *   store before
   */
  constructor(lost = () => {}) {
    this.lost = lost;
    /** @type {Promise<IDBDatabase | null>} */
    this.database = open();
    /** @type {{[Name in Store]: Map<number | string, Kept[Name]>}} */
    this.memory = { runs: new Map(), traces: new Map() };
  }

  /** Whether stored values outlast the page. */
  async lasts() {
    return (await this.database) !== null;
  }

  /**
   * @template {Store} Name
   * @param {Name} store
   * @returns {Promise<Kept[Name][]>} all stored values, oldest first
   */
  all(store) {
    return this.with(
      (database) => answer(database.transaction(store).objectStore(store).getAll()),
      () => [...this.memory[store].values()],
    );
  }

  /**
   * Throws if there is no space for it.
   * @template {Store} Name
   * @param {Name} store
   * @param {Kept[Name]} value
   */
  put(store, value) {
    return this.with(
      (database) => written(database, store, (objects) => objects.put(value)),
      () => void this.memory[store].set(keyOf(value), value),
    );
  }

  /**
   * @param {Store} store
   * @param {number | string} key
   */
  remove(store, key) {
    return this.with(
      (database) => written(database, store, (objects) => objects.delete(key)),
      () => void this.memory[store].delete(key),
    );
  }

  /** Removes everything. */
  async clear() {
    for (const store of /** @type {Store[]} */ (Object.keys(STORES))) {
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
   * @template T
   * @param {(database: IDBDatabase) => Promise<T>} act
   * @param {() => T} without
   * @returns {Promise<T>}
   */
  async with(act, without) {
    const database = await this.database;
    if (database === null) return without();
    try {
      return await act(database);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'QuotaExceededError') throw error;
      // Of several that fail together one reports it.
      if ((await this.database) !== null) {
        this.database = Promise.resolve(null);
        this.lost(error instanceof Error ? error.message : String(error));
      }
      return without();
    }
  }
}

/** @param {KeptRun | KeptTrace} value */
function keyOf(value) {
  return 'sha256' in value ? value.sha256 : value.id;
}

/**
 * Changes a store, and waits until that is written.
 * @param {IDBDatabase} database
 * @param {Store} store
 * @param {(objects: IDBObjectStore) => void} change
 * @returns {Promise<void>}
 */
function written(database, store, change) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, 'readwrite');
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    change(transaction.objectStore(store));
  });
}

/** @returns {Promise<IDBDatabase | null>} */
async function open() {
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

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
