/** What the build names by its contents, relative to any script of the page. */
declare const BUILT: {
  /** The script around the core. */
  script: string;
  /** The module of the core. */
  module: string;
  /** The script of the workers. */
  worker: string;
};

/**
 * The folder of the release, its pages, and every file of it that is kept; the folder is empty
 * during development.
 */
declare const RELEASE: { folder: string; pages: string[]; files: string[] };
