// What a visitor does on the page and sees there, in the page's own terms.

import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until the page has nothing to do and all its parts are there, and returns what it says of
 * its answer.
 */
export async function answer(tab) {
  await tab.waitFor(() => {
    const run = document.querySelector('#run');
    const cancel = document.querySelector('#cancel');
    const told = /run/.test(document.querySelector('#status').textContent);
    const whole =
      document.querySelector('#undo[data-hint]') !== null &&
      document.querySelector('#comparison').childElementCount > 0;
    return (
      whole &&
      told &&
      !run.disabled &&
      cancel.disabled &&
      document.querySelector('#badge').textContent !== ''
    );
  });
  await drawn(tab);
  return read(tab);
}

/**
 * Waits until what has been shown is drawn too, and answer and comparison, which are written in
 * parts over several frames, stay as they are; a tab in the background draws nothing.
 */
function drawn(tab) {
  return tab.evaluate(
    () =>
      new Promise((resolve) => {
        setTimeout(resolve, 1000);
        let still = 0;
        const changes = new MutationObserver(() => {
          still = 0;
        });
        for (const part of document.querySelectorAll('#answer, #compare'))
          changes.observe(part, { subtree: true, childList: true, characterData: true });
        const next = () => {
          still += 1;
          if (still > 4) resolve(undefined);
          else requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
  );
}

/** Runs in the page: its digest, once that is one and not this, which was there before. */
export function newDigest(before) {
  const { textContent } = document.querySelector('#digest');
  return /^[0-9a-f]{16}$/.test(textContent) && textContent !== before && textContent;
}

/** Opens a log, and waits for the answer about it, which is that of another scenario before. */
export async function answerOf(tab, path) {
  const { digest } = await answer(tab);
  await tab.choose('#file', path);
  await tab.waitFor(newDigest, digest);
  return answer(tab);
}

/** What the page says of its answer now. */
export function read(tab) {
  return tab.evaluate(() => {
    const text = (/** @type {string} */ selector) =>
      document.querySelector(selector)?.textContent?.trim() ?? '';
    return {
      badge: text('#badge'),
      status: text('#status'),
      digest: text('#digest'),
      sentence: text('#sentence'),
      policies: [...document.querySelectorAll('#legend > *')].map((each) => each.textContent),
      hidden: document.querySelector('#answer').hidden,
      banners: [...document.querySelectorAll('.banner .words')].map((each) => each.textContent),
    };
  });
}

/** Enters a text for a key, and returns what the page finds wrong with it. */
export async function enter(tab, key, text) {
  await unfold(tab, key);
  const field = `[data-key="${key}"] input[type="text"]`;
  await tab.type(field, text);
  return tab.evaluate(
    (name) => document.querySelector(`[data-key="${name}"] .wrong`).textContent,
    key,
  );
}

/**
 * Enters these values until what is expected of them comes: on a busy machine the trials by which
 * the page foretells a run may mislead it, and what is typed again is tried again.
 *
 * @param {() => Promise<unknown>} came waits for what is expected, and throws if it does not come
 */
export async function enterUntil(tab, pairs, came) {
  for (let tries = 1; ; tries += 1) {
    for (const [key, text] of pairs) await enter(tab, key, text);
    try {
      return await came();
    } catch (error) {
      if (tries === 10) throw error;
    }
  }
}

/** Chooses a value of a key. */
export async function choose(tab, key, value) {
  await unfold(tab, key);
  await tab.evaluate(
    ([name, chosen]) => {
      const select = document.querySelector(`[data-key="${name}"] select`);
      select.value = chosen;
      if (select.value !== chosen) throw new Error(`${name} offers no ${chosen}`);
      select.dispatchEvent(new Event('change', { bubbles: true }));
    },
    [key, value],
  );
}

/** Leaves exactly these policies, each `queue+placement`, chosen. */
export async function compare(tab, ...policies) {
  const row = '[data-key="policy"]';
  for (const policy of policies) {
    const [queue, placement] = policy.split('+');
    await tab.evaluate(
      ([queue, placement]) => {
        const [queues, placements] = document.querySelectorAll('[data-key="policy"] .pair select');
        queues.value = queue;
        placements.value = placement;
        if (queues.value !== queue || placements.value !== placement)
          throw new Error(`the form offers no ${queue}+${placement}`);
        queues.dispatchEvent(new Event('change'));
        document.querySelector('[data-key="policy"] .pair button').click();
      },
      [queue, placement],
    );
  }
  const wanted = await tab.evaluate(
    ([row, policies]) => {
      const [queues, placements] = document.querySelectorAll(`${row} .pair select`);
      const label = (/** @type {HTMLSelectElement} */ select, /** @type {string} */ value) =>
        [...select.options].find((option) => option.value === value)?.textContent;
      return policies.map((policy) => {
        const [queue, placement] = policy.split('+');
        return `${label(queues, queue)} + ${label(placements, placement)}`;
      });
    },
    [row, policies],
  );
  // Removing one draws the list again.
  await tab.evaluate(
    ([row, wanted]) => {
      const unwanted = () =>
        [...document.querySelectorAll(`${row} .policy`)].find(
          (each) => !wanted.includes(each.querySelector('.called').textContent),
        );
      for (let each = unwanted(); each; each = unwanted())
        each.querySelector('button:not(.own)').click();
    },
    [row, wanted],
  );
}

/** Presses the card of the question about a log that has these words. */
export async function ask(tab, words) {
  await tab.evaluate((part) => {
    const cards = [...document.querySelectorAll('#log .card')];
    cards.find((card) => card.textContent.includes(part)).click();
  }, words);
  await tab.waitFor(
    (part) => document.querySelector('#log .card[aria-pressed="true"]')?.textContent.includes(part),
    words,
  );
}

/** Follows a link in the open page, as if it were put into its address. */
export function followLink(tab, link) {
  return tab.evaluate((hash) => {
    location.hash = hash;
  }, link);
}

/** Presses Run, as soon as that can be pressed, and waits for the end. */
export async function run(tab) {
  await tab.waitFor(() => !document.querySelector('#run').disabled);
  await tab.click('#run');
  return answer(tab);
}

/** Waits until a run is kept to look into, which comes after the answer. */
export function runIsKept(tab) {
  return tab.waitFor(() => !document.querySelector('#inside').hidden);
}

/**
 * Scrolls to the picture of the run that is kept, as soon as there is one: nothing scrolls to a part
 * that is still hidden, and the picture is filled once it is in view.
 */
export async function scrollToRun(tab) {
  await runIsKept(tab);
  await tab.evaluate(() => document.querySelector('#replay .map').scrollIntoView());
}

/** Looks into the run that is kept, and at its first job. */
export async function lookAtFirstJob(tab) {
  await scrollToRun(tab);
  await tab.waitFor(
    () =>
      document.querySelector('.jobs tbody tr') !== null &&
      document.querySelector('.stack canvas.plan').width > 0,
  );
  await tab.waitFor(() => {
    // An answer that is given by itself shows its own run, where no job is chosen yet.
    if (document.querySelector('.jobs tr[aria-selected="true"]') === null)
      document.querySelector('.jobs tbody tr').click();
    return (
      /^Job \d/.test(document.querySelector('.one-job h3').textContent) &&
      document.querySelector('.one-job .why').textContent !== ''
    );
  });
}

/** Presses a button of the header, which may be in its menu. */
export async function pressTool(tab, selector) {
  const isSeen = await tab.evaluate(
    (button) => document.querySelector(button).checkVisibility(),
    selector,
  );
  if (!isSeen) await tab.click('#menu > summary');
  await tab.click(selector);
}

/** Presses Share. */
export const pressShare = (tab) => pressTool(tab, '#share');

/** Opens the dialog that shares, and returns its link. */
export async function openShare(tab) {
  await pressShare(tab);
  return tab.waitFor(() => document.querySelector('dialog[open] textarea')?.value);
}

/** Opens the dialog that exports. */
export async function openExport(tab) {
  await pressTool(tab, '#export');
  await tab.waitFor(() => document.querySelector('#export-dialog[open] textarea')?.value);
}

/** The dialogs of the header, each in place of the one before. */
export const dialogs = (tab) => ({
  sharing: async () => {
    await tab.press('Escape');
    await openShare(tab);
  },
  exporting: async () => {
    await tab.press('Escape');
    await openExport(tab);
  },
  'the keys': async () => {
    await tab.press('Escape');
    await openKeys(tab);
  },
});

/** Opens the sheet of keys. */
export async function openKeys(tab) {
  await pressTool(tab, '#keys');
  await tab.waitFor(() => document.querySelector('dialog[open] .keys') !== null);
}

/** Presses Share and returns the link. */
export async function share(tab) {
  const link = await openShare(tab);
  await tab.press('Escape');
  return link;
}

/** Opens the report on the log, and returns what it copies as text. */
export async function copiedReport(tab) {
  await tab.evaluate(() => {
    window.copied = '';
    const writeText = async (text) => {
      window.copied = text;
    };
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
  });
  await tab.click('.field .doctor');
  await tab.waitFor(() => document.querySelector('.diagnosis .cures') !== null);
  await tab.click('dialog[open] .copy button');
  return tab.waitFor(() => window.copied);
}

/** From now on remembers what the page exports as files, instead of downloading it. */
export function catchFiles(tab) {
  return tab.evaluate(() => {
    const blobs = new Map();
    window.exported = [];
    const address = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
      const url = address(blob);
      blobs.set(url, blob);
      return url;
    };
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function () {
      if (!blobs.has(this.href)) return click.call(this);
      window.exported.push({ name: this.download, blob: blobs.get(this.href) });
    };
  });
}

/**
 * The files exported since, each with its name and its bytes as base 64, which are then
 * forgotten.
 */
export async function filesHandedOut(tab, count) {
  const files = await tab.waitFor(async (wanted) => {
    if (window.exported.length < wanted) return null;
    const files = window.exported.splice(0);
    return Promise.all(
      files.map(async ({ name, blob }) => {
        const bytes = new Uint8Array(await blob.arrayBuffer());
        let text = '';
        for (const byte of bytes) text += String.fromCharCode(byte);
        return { name, base64: btoa(text) };
      }),
    );
  }, count);
  return files.map(({ name, base64 }) => ({ name, bytes: Buffer.from(base64, 'base64') }));
}

/** Waits until something is drawn on a canvas. */
export function untilInked(tab, selector) {
  return tab.waitFor((where) => {
    const canvas = document.querySelector(where);
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set();
    for (let i = 0; i < data.length; i += 4)
      colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return colours.size > 4;
  }, selector);
}

/** Opens the folded settings of a key. */
async function unfold(tab, key) {
  await tab.evaluate((name) => {
    document.querySelector('#scenario').open = true;
    const fold = document.querySelector(`[data-key="${name}"]`)?.closest('details.more');
    if (fold) fold.open = true;
  }, key);
}

/**
 * Presses the pointer on the plot of a chart and moves it, in shares of the canvas; as a mouse or a
 * finger. Returns whether that brushed an area.
 */
export function dragOver(tab, selector, from, to, given = {}) {
  return tab.evaluate(
    ([selector, from, to, given]) => {
      const plot = document.querySelector(selector);
      // What the page makes of a pointer that a script made up, browsers refuse to capture.
      plot.setPointerCapture = () => {};
      const canvas = plot.querySelector('canvas');
      const box = canvas.getBoundingClientRect();
      const tell = (kind, [x, y], buttons) =>
        canvas.dispatchEvent(
          new PointerEvent(kind, {
            bubbles: true,
            pointerId: 1,
            pointerType: 'mouse',
            button: 0,
            buttons,
            clientX: box.left + x * box.width,
            clientY: box.top + y * box.height,
            ...given,
          }),
        );
      tell('pointerdown', from, 1);
      tell('pointermove', to, 1);
      const brushed = plot.querySelector('.brush').getBoundingClientRect().width > 0;
      tell('pointerup', to, 0);
      return brushed;
    },
    [selector, from, to, given],
  );
}

/** Waits until a canvas shows another picture. */
export const untilDrawnAnew = (tab, canvas, was) =>
  tab.waitFor(([where, was]) => document.querySelector(where).toDataURL() !== was, [canvas, was]);

/** What is read, once it is the same twice: no curve is on its way from that of the answer before. */
export async function atRest(read) {
  for (let before = await read(); ; ) {
    await sleep(200);
    const now = await read();
    if (JSON.stringify(now) === JSON.stringify(before)) return now;
    before = now;
  }
}
