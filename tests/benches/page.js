// How long whole experiments take in the page, beside the command line on as many workers: Chromium
// and the command line run the same scenario one after the other, and must come to one digest.
//
// The page's time goes from following a link to the complete answer, with its progress bar and its
// charts.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { launch } from '../page/browser.js';
import { commandLine, site } from '../page/built.js';
import { core, scenario } from '../page/core.js';
import { serve } from '../page/server.js';
import { answer } from '../page/visitor.js';

/** Long enough for the largest experiment on a busy machine. */
const PATIENCE = 15 * 60_000;

const surface = [...Array(9).keys()].map((step) => `fpfs+a1(lslt=${40 + 10 * step})`);

/** What is timed: its name, its pairs, and what is aimed at in the page. */
const EXPERIMENTS = [
  [
    'embedding, Figure 4, quick: 1,000 jobs, 4 placements, 7 bandwidths, 5 replications',
    [
      ['policy', 'none+adaba,none+oktopus,none+greedy,none+best-fit'],
      ['x', 'bandwidth_mbps:50,150,250,350,450,550,700'],
      ['jobs', '1000'],
      ['reps', '5'],
    ],
    '2 s',
  ],
  [
    'consolidation, Figure 3: 20,000 jobs, 6 policies, 7 loads, 5 replications',
    [
      ['system', 'nodes'],
      ['nodes', '320'],
      ['tiers', '2'],
      ['bandwidth', 'none'],
      ['migration_cost_s', '20'],
      ['jobs', '20000'],
      ['size', 'harmonic:1.5:5:256'],
      ['runtime', 'hyperexponential:0.8:1000:8500:1'],
      ['x', 'load:0.5:1.1:0.1'],
      ['reps', '5'],
      ['policy', 'fcfs,easy,cmbf,ambf,cmcbf,amcbf'],
    ],
    'ratio 2',
  ],
  [
    'multi-clusters, Figure 14: 4 x 4,000 jobs, 8 bandwidths, 9 thresholds',
    [
      ['system', 'multi-cluster'],
      ['load', 'as-logged'],
      ['bandwidth', 'constant'],
      ['interarrival', 'exponential:37.5'],
      ['jobs', '16000'],
      ['size', 'uniform:10:50'],
      ['runtime', 'exponential:450'],
      ['x', 'bandwidth_mbps:200,300,400,500,600,700,800,900'],
      ['reps', '1'],
      ['policy', surface.join()],
    ],
    '5 s',
  ],
  ...['0.25', '0.5', '0.75'].map((share) => [
    `zero-one scheduling, ${share} small jobs: 5,000 jobs, 4 policies, 8 rates, 5 replications`,
    [
      ['system', 'pool'],
      ['bandwidth', 'none'],
      ['load', 'as-logged'],
      ['jobs', '5000'],
      ['size', `harmonic:0:1:8:${share}:16`],
      ['runtime', 'uniform:3600:18000'],
      ['x', 'arrivals_per_hour:5:8.5:0.5'],
      ['reps', '5'],
      ['policy', 'fpfs,ljfs,fair,zomt'],
    ],
    '3.3 s',
  ]),
];

/** The digest and the seconds of a native run. */
function native(pairs) {
  const words = pairs.map(([key, value]) => `${key}=${value}`);
  const workers = String(availableParallelism());
  const begun = performance.now();
  const { stdout, stderr, status } = spawnSync(
    commandLine,
    ['run', ...words, '--workers', workers],
    { encoding: 'utf8' },
  );
  const seconds = (performance.now() - begun) / 1000;
  assert.equal(status, 0, stderr);
  const [, digest] = stdout.match(/^digest ([0-9a-f]{16})$/m);
  return { digest, seconds };
}

/**
 * The seconds from following a link in the open page to its complete answer, which must have this
 * digest.
 */
function inPage(tab, pairs, digest) {
  return tab.waitFor(
    ([link, wanted]) => {
      if (window.followed !== link) {
        window.followed = link;
        window.begun = performance.now();
        location.hash = link;
      }
      const done =
        document.querySelector('#digest').textContent === wanted &&
        document.querySelector('#cancel').disabled;
      return done && (performance.now() - window.begun) / 1000;
    },
    [core.write_link(scenario(pairs), ''), digest],
    PATIENCE,
  );
}

const host = await serve(site);
const browser = await launch('chromium');
try {
  const busy = loadavg()[0].toFixed(1);
  console.log(
    `experiments natively and in the page, in seconds, ${availableParallelism()} workers; load of the machine ${busy}`,
  );
  console.log('  native    page   ratio  aim');
  const tab = await browser.open(host.url);
  await answer(tab);
  for (const [name, pairs, aim] of EXPERIMENTS) {
    const { digest, seconds } = native(pairs);
    const there = await inPage(tab, pairs, digest);
    const cells = [seconds.toFixed(1), there.toFixed(1), (there / seconds).toFixed(2)].map((cell) =>
      cell.padStart(8),
    );
    console.log(`${cells.join('')}  ${aim.padEnd(7)}  ${name}`);
  }
  assert.deepEqual(await tab.faults(), []);
} finally {
  await browser.close();
  await host.close();
}
