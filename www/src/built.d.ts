/** What the build names by its contents, relative to any script of the page. */
declare const BUILT: {
  /** The script around the core. */
  script: string;
  /** The module of the core. */
  module: string;
  /** The part of that module that a first visit does not call. */
  rest: string;
  /** The script of the workers. */
  worker: string;
  /** The module that judges claims; workers alone know it. */
  claims: string;
  /**
   * `known`, the scenarios that are published figures, as lines key=value, and `aside`, the keys that
   * do not matter for that, as JSON.
   */
  figures: string;
};

/**
 * The folder of the release, its pages, and every file of it that is kept; the folder is empty
 * during development.
 */
declare const RELEASE: { folder: string; pages: string[]; files: string[] };
