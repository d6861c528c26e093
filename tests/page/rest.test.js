// The module of the page in two parts: a first visit does with the first one, what else is called
// brings the rest, both together give the results of the whole module, and a rest that cannot be
// fetched is said.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINES, launch, site } from './browser.js';
import { core, scenario, simulate } from './core.js';
import { ofParts, REST } from './parts.js';
import { serve } from './server.js';
import {
  answer,
  enter,
  followLink,
  newDigest,
  openExport,
  pressTool,
  scrollToRun,
} from './visitor.js';

const SMALL = [
  ['k', '4'],
  ['jobs', '100'],
  ['x', 'none'],
  ['reps', '1'],
];
/** What no first visit runs. */
const OTHER = scenario([...SMALL, ['system', 'tree'], ['policy', 'easy+slurm-tree']]);

test('Node: both parts of the module give the digests of the whole one', async () => {
  const { core: parted, asked } = await ofParts();
  const opening = scenario(SMALL);
  assert.equal(simulate(opening, parted.Trace.none(), parted).digest, simulate(opening).digest);
  assert.equal(asked.times, 0);
  assert.equal(simulate(OTHER, parted.Trace.none(), parted).digest, simulate(OTHER).digest);
  assert.ok(asked.times > 0, 'the rest was needed');
});

for (const engine of ENGINES) {
  /** Runs `act` with a tab that has answered, and what its host was asked for. */
  const visited = async (extra, act) => {
    const host = await serve(site, extra);
    const browser = await launch(engine);
    try {
      const tab = await browser.open(host.url);
      const { digest } = await answer(tab);
      await act(tab, digest, () => host.requests.filter(({ path }) => path === `/${REST}`).length);
      assert.deepEqual(host.violations, []);
    } finally {
      await browser.close();
      await host.close();
    }
  };

  test(`${engine}: a first visit brings no rest, and what needs it waits for it`, async () => {
    await visited({}, async (tab, opening, brought) => {
      await scrollToRun(tab);
      assert.equal(brought(), 0);

      // A link comes without a touch of the page, which waits for the rest, as do its workers.
      await followLink(tab, core.write_link(OTHER, '', ''));
      const digest = await tab.waitFor(newDigest, opening);
      assert.equal(digest, simulate(OTHER).digest);
      assert.ok(brought() > 0);
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    });
  });

  test(`${engine}: a rest that cannot be fetched is said, and fetched when it can be`, async () => {
    const extra = { [`/${REST}`]: null };
    await visited(extra, async (tab) => {
      await pressTool(tab, '#export');
      await tab.waitFor(() =>
        /A part of the simulator could not be fetched \(404\): check/.test(
          document.querySelector('#export-dialog').innerText,
        ),
      );
      await tab.press('Escape');
      await enter(tab, 'guarantee', '50');
      await tab.click('#run');
      const said = await tab.waitFor(() => document.querySelector('.banner .words')?.textContent);
      assert.equal(
        said,
        'The run stoppedA part of the simulator could not be fetched (404): check the connection and try again.',
      );
      // The page itself needs the rest, too.
      const surface = scenario([
        ['jobs', '40'],
        ['reps', '2'],
        ['y', 'k:4:6:2'],
      ]);
      await followLink(tab, core.write_link(surface, '', ''));
      await tab.waitFor(() =>
        [...document.querySelectorAll('.banner .words')].some(({ textContent }) =>
          /could not be loadedCheck the connection, then reload.*\(404\)/.test(textContent),
        ),
      );

      // Each picture that needs it fails, some of them a moment later.
      const address = await tab.evaluate(() => location.href);
      await tab.goto('about:blank');
      await tab.takeFaults();
      delete extra[`/${REST}`];
      await tab.goto(address);
      await answer(tab);
      await openExport(tab);
      assert.deepEqual(await tab.faults(), []);
      await tab.close();
    });
  });
}
