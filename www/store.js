/**
 * What the browser keeps for the page: runs and traces. Where it keeps nothing (private windows, storage
 * denied) they are held in memory, and gone with the page.
 *
 * @typedef {{id: number, name: string, pinned: boolean, sentence: string, about: string} & import('./pkg/backfill_web.js').KeptResult} KeptRun
 * @typedef {{pairs: [string, string][], core: string}} UnnamedRun what is read of a run that a version before 0.2.0 kept, whose metrics have no names
 * @typedef {{sha256: string, file: File}} KeptTrace
 */

const NAME = 'backfill';
const VERSION = 1;
const STORES = { runs: 'id', traces: 'sha256' };

/** @typedef {keyof typeof STORES} Store */

export class Keeper {
  constructor() {
    /** @type {Promise<IDBDatabase | null>} */
    this.database = open();
    /** @type {{[store in Store]: Map<number | string, any>}} */
    this.memory = { runs: new Map(), traces: new Map() };
  }

  /** Whether what is kept outlasts the page. */
  async lasts() {
    return (await this.database) !== null;
  }

  /**
   * @param {Store} store
   * @returns {Promise<any[]>} all that is kept there, oldest first
   */
  async all(store) {
    const database = await this.database;
    if (database === null) return [...this.memory[store].values()];
    return answer(database.transaction(store).objectStore(store).getAll());
  }

  /**
   * @param {Store} store
   * @param {any} value
   */
  async put(store, value) {
    const database = await this.database;
    if (database === null) this.memory[store].set(value[STORES[store]], value);
    else await answer(database.transaction(store, 'readwrite').objectStore(store).put(value));
  }

  /**
   * @param {Store} store
   * @param {number | string} key
   */
  async remove(store, key) {
    const database = await this.database;
    if (database === null) this.memory[store].delete(key);
    else await answer(database.transaction(store, 'readwrite').objectStore(store).delete(key));
  }

  /** Removes everything. */
  async clear() {
    const database = await this.database;
    for (const store of /** @type {Store[]} */ (Object.keys(STORES))) {
      this.memory[store].clear();
      if (database !== null) await answer(database.transaction(store, 'readwrite').objectStore(store).clear());
    }
  }
}

/** @returns {Promise<IDBDatabase | null>} */
async function open() {
  try {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const [store, keyPath] of Object.entries(STORES)) request.result.createObjectStore(store, { keyPath });
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
