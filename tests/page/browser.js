// Real browsers for tests of the page, behind one small interface.
//
// Chromium is driven by playwright-core and Firefox by puppeteer-core, each the installed one:
// neither library can drive both without a browser of its own making, and each is loaded where it is
// used. Every launch starts from a profile that no page has seen, and every tab has storage of its
// own.
//
//   const host = await serve(site);
//   const browser = await launch('chromium', { dark: true });
//   const tab = await browser.open(host.url, { width: 320 });
//   await tab.click('#run');
//   await tab.waitFor(() => document.querySelector('output').value !== '');
//   assert.deepEqual(await tab.faults(), []);
//   await browser.close();
//   await host.close();
//
// A tab collects its faults from the first byte on: errors on the console, uncaught exceptions,
// breaches of the content security policy, failed requests and requests to any other host. A test
// that expects one of them takes it out with `takeFaults`; every other test asserts that there is
// none.

import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtOf } from './built.js';

export { dist, site, traces } from './built.js';

/**
 * The engines of tests of what each of them does in its own way: numbers in wasm, input, canvas,
 * layout, files, storage, workers, and pages without a network.
 */
export const ENGINES = ['chromium', 'firefox'];

/** The engines of all other tests: with --long every one. */
export const DAILY_ENGINES = process.env.BACKFILL_LONG ? ENGINES : ['chromium'];

/** A worker's script that runs the assembled page's module and posts its version. */
export const probe = () => `
  import init, { version } from '/${builtOf('src/joined.ts')}';
  await init({ module_or_path: '/${builtOf('pkg/backfill_web_bg.wasm')}' });
  postMessage(version());
`;

/** How long anything may take on a shared machine before a test gives up, in milliseconds. */
const PATIENCE = 60_000;

/**
 * What Firefox reports where a service worker was answering a request of a page that is left. It has
 * other words for an answer that failed.
 */
const CUT_OFF = /A ServiceWorker intercepted the request and encountered an unexpected error/;

const CHROMIUM_SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * @typedef {{ width?: number, height?: number, scale?: number }} Window CSS pixels, and device
 *   pixels per CSS pixel
 */

/**
 * @typedef {object} Circumstances
 * @property {boolean} [dark] whether the system asks for dark colours
 * @property {number} [cores] how many cores the machine says it has, if not the real number
 * @property {() => void} [before] runs in the page before its own scripts; it must survive being
 *   sent
 * @property {object} [emulate] what else Chromium is to be like, in the words of Playwright's
 *   `browser.newContext`
 */

/**
 * Starts a browser with an empty profile.
 *
 * @param {'chromium' | 'firefox'} engine which one
 * @param {Circumstances} [circumstances] under which it runs
 * @returns {Promise<{ open: (url: string, window?: Window) => Promise<Tab>, close: () =>
 *   Promise<void> }>} how to open an address in a tab with storage of its own, and how to end the
 *   browser
 */
export async function launch(engine, circumstances = {}) {
  const { browser, newPage } =
    engine === 'firefox' ? await launchFirefox(circumstances) : await launchChromium(circumstances);
  return {
    async open(url, { width = 1280, height = 800, scale = 1 } = {}) {
      const tab = new Tab(await newPage(width, height, scale), url);
      await tab.goto(url);
      return tab;
    },
    close: () => browser.close(),
  };
}

async function launchChromium({ dark, cores, before, emulate }) {
  const executablePath = program('BACKFILL_CHROMIUM', '/usr/bin/chromium');
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath,
    args: CHROMIUM_SWITCHES,
    timeout: PATIENCE,
  });
  const newPage = async (width, height, deviceScaleFactor) => {
    const colorScheme = dark ? 'dark' : 'light';
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme,
      deviceScaleFactor,
      ...emulate,
    });
    const page = await context.newPage();
    await page.addInitScript(watchPolicy);
    if (cores) await page.addInitScript(claimCores, cores);
    if (before) await page.addInitScript(before);
    return page;
  };
  return { browser, newPage };
}

async function launchFirefox({ dark, cores, before }) {
  const { startFirefox } = await import('./firefox.js');
  const preferences = { 'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1 };
  const browser = await startFirefox(
    program('BACKFILL_FIREFOX', '/usr/bin/firefox-esr'),
    preferences,
    PATIENCE,
  );
  const newPage = async (width, height, deviceScaleFactor) => {
    const page = await browser.newPage();
    await page.setViewport({ width, height, deviceScaleFactor });
    await page.evaluateOnNewDocument(watchPolicy);
    if (cores) await page.evaluateOnNewDocument(claimCores, cores);
    if (before) await page.evaluateOnNewDocument(before);
    return page;
  };
  return { browser, newPage };
}

/** The program named by an environment variable, or the usual place of it. */
function program(variable, usual) {
  const path = process.env[variable] ?? usual;
  if (!existsSync(path))
    throw new Error(`no browser at ${path}: install it or set ${variable} to its path`);
  return path;
}

/** Runs in the page before its own scripts: says on the console what breaks the policy. */
function watchPolicy() {
  addEventListener('securitypolicyviolation', (event) => {
    console.error(
      `content security policy: ${event.violatedDirective} blocked ${event.blockedURI}`,
    );
  });
}

/** Runs in the page before its own scripts: the machine has this many cores. */
function claimCores(cores) {
  Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => cores });
}

/**
 * Runs in the page: scrolls an element to the middle of the window if the bar that stays there covers
 * it. Puppeteer would click on the bar; Playwright scrolls by itself.
 */
function uncover(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  if (above?.closest('.tabs')?.contains(element) === false)
    element.scrollIntoView({ block: 'center' });
  return true;
}

/** A tab with the page in it. */
export class Tab {
  #page;
  #origin;
  #faults = [];
  /** The requests that have not ended. */
  #pending = new Set();
  /** Whether the page is being left for another one, which has not loaded yet. */
  #leaving = false;
  #devTools;

  /** Not for tests: `open` makes tabs. */
  constructor(page, url) {
    this.#page = page;
    this.#origin = new URL(url).origin;
    page.on('console', (message) => {
      if (message.type() === 'error') this.#faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => {
      const message = String(error.message ?? error);
      if (!this.#leaving || !CUT_OFF.test(message)) this.#faults.push(`uncaught: ${message}`);
    });
    page.on('request', (request) => {
      this.#pending.add(request);
      const { protocol, origin } = new URL(request.url());
      const inside = protocol === 'data:' || protocol === 'blob:' || origin === this.#origin;
      if (!inside) this.#faults.push(`request to another host: ${request.url()}`);
    });
    page.on('requestfinished', (request) => this.#pending.delete(request));
    page.on('requestfailed', (request) => {
      this.#pending.delete(request);
      // Leaving a page cuts off what it was fetching.
      const left = /ABORTED/.test(request.failure()?.errorText ?? '');
      if (!left) this.#faults.push(`request failed: ${request.url()}`);
    });
  }

  /**
   * Leaves the page by `load`, once what it fetches has come, for which it waits a second at most.
   * Its icon may be asked for even later, and be cut off, which is no fault.
   */
  async #leave(load) {
    const end = Date.now() + 1000;
    while (this.#pending.size > 0 && Date.now() < end) await sleep(20);
    this.#pending.clear();
    this.#leaving = true;
    await load({ waitUntil: 'load', timeout: PATIENCE });
    this.#leaving = false;
  }

  /** Loads an address and waits for its `load` event. */
  goto(url) {
    return this.#leave((options) => this.#page.goto(url, options));
  }

  /** Loads the same address again. */
  reload() {
    return this.#leave((options) => this.#page.reload(options));
  }

  /** What `call(argument)` returns in the page. Both it and its result must survive being sent. */
  async evaluate(call, argument) {
    return this.#page.evaluate(call, argument);
  }

  /** What `call(argument)` returns in the first frame of the page. */
  evaluateInFrame(call, argument) {
    return this.#page.mainFrame().childFrames()[0].evaluate(call, argument);
  }

  /**
   * Waits until `call(argument)` returns something true in the page, and returns that. What it
   * throws until then counts as not yet: the page may be drawing what it looks for, or be changing.
   */
  async waitFor(call, argument, patience = PATIENCE) {
    const end = Date.now() + patience;
    for (;;) {
      let thrown = '';
      const result = await this.evaluate(call, argument).catch((error) => {
        thrown = String(error);
      });
      if (result) return result;
      if (Date.now() > end) {
        throw new Error(
          `waited ${patience} ms in vain for ${call}; ${thrown}; faults: ${JSON.stringify(this.#faults)}`,
        );
      }
      await sleep(50);
    }
  }

  /**
   * Clicks the middle of the first element that matches, once it is at rest and can be clicked.
   */
  async click(selector) {
    if ('setInputFiles' in this.#page) await this.#page.click(selector, { timeout: PATIENCE });
    else await this.#page.locator(selector).filter(uncover).setTimeout(PATIENCE).click();
  }

  /** Points at the middle of the first element that matches, with a mouse. */
  async point(selector) {
    await this.#page.hover(selector);
  }

  /** Taps the middle of the first element that matches, with a finger. */
  async tap(selector) {
    await this.#page.tap(selector);
  }

  /** Presses a key, for instance `Tab`, `Enter` or `ArrowRight`. */
  async press(key) {
    await this.#page.keyboard.press(key);
  }

  /** Replaces what a text field holds, as a user does: by selecting all and typing. */
  async type(selector, text) {
    await this.evaluate((field) => {
      const element = document.querySelector(field);
      element.focus();
      element.select();
    }, selector);
    await this.#page.keyboard.press('Delete');
    await this.#page.keyboard.type(text);
  }

  /** Gives a file input the files at these paths. */
  async choose(selector, ...paths) {
    if ('setInputFiles' in this.#page) {
      await this.#page.setInputFiles(selector, paths);
    } else {
      const input = await this.#page.$(selector);
      await input.uploadFile(...paths);
    }
  }

  /** Drops the files at these paths on the first element that matches. */
  async drop(selector, ...paths) {
    await this.evaluate(() => {
      const input = document.createElement('input');
      input.type = 'file';
      input.multiple = true;
      input.id = 'dropped-by-the-test';
      input.hidden = true;
      document.body.append(input);
    });
    await this.choose('#dropped-by-the-test', ...paths);
    await this.evaluate((to) => {
      const input = document.querySelector('#dropped-by-the-test');
      const dataTransfer = new DataTransfer();
      for (const file of input.files) dataTransfer.items.add(file);
      input.remove();
      const target = document.querySelector(to);
      for (const type of ['dragenter', 'dragover', 'drop']) {
        target.dispatchEvent(
          new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }),
        );
      }
    }, selector);
  }

  /**
   * Changes the window's size in CSS pixels, and in Firefox the device pixels to each of them, as
   * zooming does.
   */
  async resize(width, height, deviceScaleFactor) {
    if ('setViewportSize' in this.#page) await this.#page.setViewportSize({ width, height });
    else await this.#page.setViewport({ width, height, deviceScaleFactor });
  }

  /** What Chromium is like from now on, in the words of Playwright's `page.emulateMedia`. */
  async emulate(media) {
    await this.#page.emulateMedia(media);
  }

  /** Slows the processor by this factor, in Chromium only. */
  async slowDown(times) {
    await this.#command('Emulation.setCPUThrottlingRate', { rate: times });
  }

  /**
   * Makes the network as slow as Lighthouse's slow 4G, in Chromium alone: 1.6 Mbit/s, and 150 ms to
   * and fro.
   */
  async slowNetwork() {
    const bytes = (/** @type {number} */ bits) => bits / 8;
    await this.#command('Network.enable');
    await this.#command('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: bytes(1.6e6),
      uploadThroughput: bytes(0.75e6),
    });
  }

  /** How many bytes the page's scripts use once garbage is collected, in Chromium alone. */
  async heap() {
    await this.#command('HeapProfiler.collectGarbage');
    return (await this.#command('Runtime.getHeapUsage')).usedSize;
  }

  /** A command of the DevTools protocol, in Chromium alone. */
  async #command(name, given) {
    this.#devTools ??= await this.#page.context().newCDPSession(this.#page);
    return this.#devTools.send(name, given);
  }

  /** A picture of the window as PNG, also written to `path` where one is given. */
  async screenshot(path) {
    return Buffer.from(await this.#page.screenshot(path ? { path } : {}));
  }

  /** The faults so far, one line each. */
  async faults() {
    // Events that happened before this call have been reported once the browser has answered it.
    await this.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
    return [...this.#faults];
  }

  /** The faults so far, which are then forgotten. */
  async takeFaults() {
    const faults = await this.faults();
    this.#faults.length = 0;
    return faults;
  }

  /** Closes the tab and forgets its storage. */
  async close() {
    const context = this.#page.browserContext?.() ?? this.#page.context();
    await context.close();
  }
}
