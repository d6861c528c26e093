// Results as files: the same to the byte as the command line's, the same each time, and opened
// again to the same answer.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { DAILY_ENGINES, ENGINES } from './browser.js';
import { commandLine } from './built.js';
import { SMALL, core, runToEnd, scenario } from './core.js';
import { bring, log } from './log.js';
import {
  answer,
  catchFiles,
  compare,
  enter,
  filesHandedOut,
  lookAtFirstJob,
  read,
  run,
  share,
} from './visitor.js';
import { visitsIn } from './visits.js';

const visit = visitsIn(ENGINES);

const PAIRS = [
  ['jobs', '60'],
  ['reps', '3'],
  ['k', '4'],
  ['policy', 'easy,sbf(blocked=skip)'],
  ['x', 'load:0.5,0.9'],
  ['y', 'fabric:aggregated,single-root'],
];

/** A board with all outcomes of a scenario. */
function simulated(text) {
  const board = new core.Board(text);
  for (const cell of board.left()) {
    const one = runToEnd(text, cell);
    board.add(one.outcome());
  }
  return board;
}

/**
 * Asserts that a figure's source for LaTeX is whole and takes its numbers from columns that its
 * table has.
 */
function consistent(source, table, name) {
  const columns = new Set(table.slice(0, table.indexOf('\n')).split(','));
  const taken = [...source.matchAll(/table *\[([^\]]*)\] *\{([^}]*)\}/g)];
  assert.ok(taken.length > 0, source);
  for (const [, options, file] of taken) {
    assert.equal(file, name);
    for (const [, column] of options.matchAll(/(?:^|,)\s*(?:x|y|y error|x error)\s*=\s*([\w.]+)/g))
      assert.ok(columns.has(column), `${column} in ${[...columns]}`);
  }
  assert.equal(
    taken.length,
    (table.slice(0, table.indexOf('\n')).match(/mean/g) ?? []).length,
    'every curve',
  );
  let open = 0;
  for (const brace of source.replace(/\\[{}]/g, '').match(/[{}]/g)) {
    open += brace === '{' ? 1 : -1;
    assert.ok(open >= 0);
  }
  assert.equal(open, 0);
  const parts = (/** @type {RegExp} */ pattern) =>
    [...source.matchAll(pattern)].map(([, part]) => part);
  assert.deepEqual(parts(/\\begin\{(\w+)\}/g).toSorted(), parts(/\\end\{(\w+)\}/g).toSorted());
}

/** Why figures cannot be set here, if they cannot. */
function withoutLatex() {
  const found = ['standalone.cls', 'pgfplots.sty'].every(
    (file) => spawnSync('kpsewhich', [file]).status === 0,
  );
  return !found && 'pdflatex with standalone and pgfplots is not installed';
}

test('Node: LaTeX sets every figure', { skip: withoutLatex() }, () => {
  const board = simulated(scenario(PAIRS));
  for (const metric of ['accept_rate', 'wait_mean', 'bsd_mean']) {
    const folder = mkdtempSync(join(tmpdir(), 'backfill-latex-'));
    const source = board.latex(metric, 1);
    const [, table] = source.match(/\{([^{}]*\.csv)\}/);
    writeFileSync(join(folder, table), board.figure_csv(metric, 1));
    writeFileSync(join(folder, 'figure.tex'), source);
    const { status, stdout } = spawnSync(
      'pdflatex',
      ['-interaction=nonstopmode', '-halt-on-error', 'figure.tex'],
      { cwd: folder, encoding: 'utf8' },
    );
    assert.equal(status, 0, stdout);
    assert.match(stdout, /Output written on figure\.pdf \(1 page/);
    assert.doesNotMatch(stdout, /Overfull|Missing character|^!/m);
  }
});

test('Node: what the command line writes too is the same to the byte', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backfill-export-'));
  const out = (/** @type {string} */ name) => join(folder, name);
  const options = ['--csv', out('a.csv'), '--json', out('a.json'), '--svg', out('charts')];
  execFileSync(commandLine, ['run', ...PAIRS.map((pair) => pair.join('=')), ...options]);
  const text = (/** @type {string} */ name) => readFileSync(out(name), 'utf8');
  const board = simulated(scenario(PAIRS));
  assert.equal(board.csv(), text('a.csv'));
  assert.equal(board.json(undefined, '', 0), text('a.json'));
  assert.match(board.methods(), new RegExp(`Digest of all runs: ${board.digest()}\\.`));
  assert.match(board.bibliography(), /^@misc\{backfill,/);
  assert.equal(readdirSync(out('charts')).length, 6);
  for (const metric of board.summary(0, undefined, false).headline) {
    for (const y of [0, 1]) {
      const stem = board.stem(metric, y);
      assert.equal(board.svg(metric, y, undefined), text(`charts/${stem}.svg`));
      consistent(board.latex(metric, y), board.figure_csv(metric, y), `${stem}.csv`);
    }
  }

  // The numbers of a figure are the means of the runs.
  const rows = board
    .csv()
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.match(/("[^"]*"|[^,]*)(,|$)/g).map((field) => field.replace(/,$/, '')));
  const [, ...lines] = board
    .figure_csv('wait_mean', 1)
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  for (const [x, mean] of lines) {
    const values = rows
      .filter(
        (row) =>
          row[1] === 'easy+adaba' &&
          row[2] === x &&
          row[3] === 'single-root' &&
          row[5] === 'wait_mean',
      )
      .map((row) => Number(row[6]));
    assert.equal(values.length, 3);
    assert.ok(
      Math.abs(values.reduce((sum, value) => sum + value, 0) / 3 - Number(mean)) <
        1e-9 * Number(mean),
    );
  }

  // The command line's result opens, and a changed one does not.
  const opened = core.open_file(text('a.json'));
  assert.equal(scenario(opened.pairs), scenario(PAIRS));
  const again = new core.Board(scenario(opened.pairs));
  for (const outcome of opened.outcomes) again.add(outcome);
  assert.equal(again.digest(), board.digest());
  const changed = JSON.parse(text('a.json'));
  changed.outcomes[3].digest = '0000000000000000';
  assert.throws(() => core.open_file(JSON.stringify(changed)), /the result was changed/);
  assert.throws(() => core.open_file('{"schema": 1'), /not a result that Backfill wrote/);
  assert.throws(() => core.open_file('k = 7\n'), /line 1: k = 7: must be an even whole number/);
  assert.equal(scenario(core.open_file(board.toml()).pairs), scenario(PAIRS));
});

/** The files of a folder and of those inside: what each holds and whether it may be run. */
function filesOf(/** @type {string} */ folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.toSorted().map((name) => {
    const path = join(folder, name);
    const found = statSync(path);
    const text = found.isDirectory() ? null : readFileSync(path, 'utf8');
    return { name, text, mode: found.mode & 0o777 };
  });
}

/** Unpacks an archive of a study and returns its folder. */
function unpacked(/** @type {Uint8Array} */ archive) {
  const folder = mkdtempSync(join(tmpdir(), 'backfill-study-'));
  writeFileSync(join(folder, 'study.zip'), archive);
  execFileSync('unzip', ['-q', 'study.zip'], { cwd: folder });
  return join(folder, 'study');
}

const withoutUnzip = spawnSync('unzip', ['-v']).error && 'unzip is not installed';

test('Node: a folder for a cluster is that of the command line', { skip: withoutUnzip }, () => {
  for (const name of ['slurm', 'hq']) {
    const archive = core.study_archive(scenario(PAIRS), name, 5_000_000);
    assert.deepEqual(core.study_archive(scenario(PAIRS), name, 5_000_000), archive);
    const folder = unpacked(archive);
    const [, parts] = readFileSync(join(folder, 'README'), 'utf8').match(/24 runs in (\d+) parts/);
    assert.equal(parts, '12');
    const out = join(mkdtempSync(join(tmpdir(), 'backfill-study-')), 'study');
    const words = PAIRS.map((pair) => pair.join('='));
    execFileSync(commandLine, [name, ...words, '--parts', parts, '--out', out], { stdio: 'pipe' });
    const [mine, theirs] = [filesOf(folder), filesOf(out)];
    for (const files of [mine, theirs]) {
      for (const file of files) {
        // The page does not know the path of the program.
        file.text = file.text?.replace(/^This folder must lie.*\n.*\n/m, '') ?? null;
        file.text = file.text?.replaceAll(realpathSync(commandLine), 'backfill') ?? null;
      }
    }
    assert.deepEqual(mine, theirs);
    // Its parts are made, and put together, where `backfill` is in the PATH.
    const PATH = `${dirname(commandLine)}:${process.env.PATH}`;
    const run = (/** @type {string} */ script, /** @type {string[]} */ ...given) =>
      execFileSync(join(folder, script), given, {
        encoding: 'utf8',
        env: { ...process.env, PATH },
      });
    for (let part = 1; part <= 12; part += 1) run('part', `${part}`);
    assert.equal(run('merge'), execFileSync(commandLine, ['run', ...words], { encoding: 'utf8' }));
  }
  const sha256 = 'ab'.repeat(32);
  const ofLog = [
    ['workload', 'swf'],
    ['file', 'long.swf.gz'],
    ['sha256', sha256],
  ];
  const readme = readFileSync(
    join(unpacked(core.study_archive(scenario(ofLog), 'slurm', 3_000_000)), 'README'),
    'utf8',
  );
  assert.match(readme, /Put the log long\.swf\.gz here first\./);
  assert.match(readme, new RegExp(`SHA-256 ${sha256}`));
});

for (const engine of ENGINES) {
  test(`${engine}: a result of merged parts opens, and its runs are looked into`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'backfill-parts-'));
    const text = log(60);
    writeFileSync(join(folder, 'log.swf'), text);
    const words = [
      'workload=swf',
      'file=log.swf',
      'system=nodes',
      'bandwidth=none',
      'policy=fcfs,easy',
      'x=load:0.7,0.9',
      'reps=1',
    ];
    const cli = (/** @type {string[]} */ ...given) =>
      execFileSync(commandLine, given, { cwd: folder, encoding: 'utf8' });
    cli('run', ...words, '--part', '2-3/3', '--out', 'parts');
    cli('run', ...words, '--part', '1/3', '--out', 'parts');
    const printed = cli('merge', 'parts', '--json', 'result.json');
    const [, digest] = printed.match(/^digest ([0-9a-f]{16})$/m);
    cli('run', 'jobs=70', 'reps=2', 'policy=easy', '--json', 'other.json');

    const tab = await visit[engine](SMALL);
    await answer(tab);
    await tab.drop('body', join(folder, 'result.json'));
    await tab.waitFor((wanted) => document.querySelector('#digest').textContent === wanted, digest);
    assert.match((await read(tab)).badge, /from result\.json/);
    // Its log is asked for once the answer is shown.
    await tab.waitFor(() =>
      /This result is of the trace log\.swf/.test(document.querySelector('#banners').textContent),
    );
    // Another trace does not replace it.
    await tab.drop('body', await bring('log.swf', log(50)));
    await tab.waitFor(() => document.querySelector('[data-kind="trace"]') !== null);
    assert.match((await read(tab)).banners.join(), /log\.swf is not the file that is wanted/);
    assert.ok(await tab.evaluate(() => document.querySelector('#inside').hidden));
    // With the trace a run is simulated again, and nothing else is.
    await tab.drop('body', join(folder, 'log.swf'));
    await tab.waitFor(() => !document.querySelector('#inside').hidden);
    await lookAtFirstJob(tab);
    const policies = () =>
      tab.evaluate(() =>
        [...document.querySelector('#replay select').options].map(({ text }) => text),
      );
    assert.deepEqual(await policies(), ['FCFS', 'EASY']);
    const shown = await read(tab);
    assert.equal(shown.digest, digest);
    assert.match(shown.badge, /from result\.json/);
    assert.deepEqual(shown.banners, []);

    // Another result takes the inspector along.
    await tab.drop('body', join(folder, 'other.json'));
    await tab.waitFor(() => document.querySelector('#replay select').options.length === 1);
    await lookAtFirstJob(tab);
    assert.deepEqual(await tab.faults(), []);
    await tab.close();
  });

  test(`${engine}: figures and results are exported, and a fresh visitor opens them to the same answer`, async () => {
    const tab = await visit[engine](SMALL);
    await answer(tab);
    await enter(tab, 'jobs', '60');
    await enter(tab, 'reps', '2');
    await compare(tab, 'fcfs+adaba', 'easy+adaba');
    const { digest } = await run(tab);
    await catchFiles(tab);
    await tab.click('#export');
    await tab.waitFor(() => document.querySelector('#export-dialog textarea')?.value);
    const exported = async (/** @type {string} */ name, count = 1) => {
      await tab.evaluate(
        (file) => document.querySelector(`#export-dialog [data-file="${file}"]`).click(),
        name,
      );
      return filesHandedOut(tab, count);
    };
    const [svg] = await exported('svg');
    assert.match(svg.name, /\.svg$/);
    assert.match(svg.bytes.toString(), /<text[ >]/);
    assert.deepEqual((await exported('svg'))[0].bytes, svg.bytes, 'a figure exported twice');
    const [png] = await exported('png');
    // Width and height of the image, from its header.
    assert.deepEqual([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)], [1440, 880]);
    assert.deepEqual((await exported('png'))[0].bytes, png.bytes, 'a picture exported twice');
    const [tex, numbers] = await exported('tex', 2);
    assert.match(tex.bytes.toString(), /\\begin\{axis\}/);
    assert.match(numbers.bytes.toString(), /^x,mean0,half0,mean1,half1\n0\.3,/);
    const [csv] = await exported('csv');
    assert.match(csv.bytes.toString(), /^system,policy,x,y,rep,metric,value,unit\n/);
    const [swf] = await exported('swf');
    assert.equal(
      swf.bytes
        .toString()
        .split('\n')
        .filter((line) => /^\d/.test(line)).length,
      60,
    );
    const [json] = await exported('json');
    const [toml] = await exported('toml');
    assert.match(
      await tab.evaluate(() => document.querySelector('#export-dialog textarea').value),
      new RegExp(`Digest of all runs: ${digest}`),
    );
    assert.deepEqual(await tab.faults(), []);
    await tab.close();

    const other = await visit[engine]();
    await answer(other);
    await other.choose('#file', await bring('result.json', json.bytes));
    await other.waitFor(
      (wanted) => document.querySelector('#digest').textContent === wanted,
      digest,
    );
    assert.match((await read(other)).badge, /from result\.json/);
    await enter(other, 'seed', '77');
    await other.drop('body', await bring('scenario.toml', toml.bytes));
    await other.waitFor(() => document.querySelector('[data-key="seed"] input').value !== '77');
    assert.equal((await run(other)).digest, digest);
    assert.deepEqual(await other.faults(), []);
    await other.close();
  });
}

for (const engine of DAILY_ENGINES) {
  test(`${engine}: a lesson's link hides parts of the page, and shows them when asked`, async () => {
    const tab = await visit[engine](SMALL);
    await answer(tab);
    await enter(tab, 'jobs', '60');
    await enter(tab, 'reps', '2');
    await run(tab);
    await tab.click('#legend button');
    await tab.click('#share');
    await tab.waitFor(() => document.querySelector('dialog[open] textarea')?.value);
    await tab.evaluate(() =>
      document.querySelector('dialog[open] input[value="scenario"]').click(),
    );
    const [link, markdown, embed, command] = await tab.evaluate(() => {
      const form = document.querySelector('dialog[open] select');
      return [...form.options].map(({ value }) => {
        form.value = value;
        form.dispatchEvent(new Event('change'));
        return document.querySelector('dialog[open] textarea').value;
      });
    });
    assert.match(link, /hide=scenario/);
    assert.match(link, /view=off:0/);
    assert.equal(markdown, `[A scenario in Backfill](<${link}>)`);
    assert.match(embed, /^<iframe src="http:\/\/127\.0\.0\.1:\d+\/#v1\?[^"]*&amp;/);
    assert.match(command, /^backfill run jobs=60 reps=2$/);
    await tab.close();

    const other = await visit[engine](link);
    const { badge } = await answer(other);
    assert.match(badge, /^identical to the link/);
    assert.equal(
      await other.evaluate(() => document.querySelector('#scenario').getClientRects().length),
      0,
    );
    assert.equal(
      await other.evaluate(() =>
        document.querySelector('#legend button').getAttribute('aria-pressed'),
      ),
      'false',
    );
    assert.equal(
      await share(other).then((text) => new URL(text).hash.includes('view=off:0')),
      true,
    );
    await other.click('[data-kind="hides"] button');
    assert.ok(
      await other.evaluate(() => document.querySelector('#scenario').getClientRects().length > 0),
    );
    assert.deepEqual(await other.faults(), []);
    await other.close();
  });
}

test('chromium: what is too big for a tab is refused with the commands and folders that run it', async () => {
  const tab = await visit.chromium();
  const { digest } = await answer(tab);
  await enter(tab, 'jobs', '5000000');
  await tab.click('#run');
  const said = await tab.waitFor(() => document.querySelector('[data-kind="big"]')?.textContent);
  assert.match(said, /too big for a tab: 160 runs of 5,000,000 jobs/);
  assert.match(said, /backfill run jobs=5000000 --json result\.json/);
  assert.match(said, /backfill slurm jobs=5000000 --out STUDY/);
  assert.match(said, /backfill hq jobs=5000000 --out STUDY/);
  await catchFiles(tab);
  for (const [place, name] of ['slurm', 'hq'].entries()) {
    await tab.click(`[data-kind="big"] button:nth-of-type(${place + 1})`);
    const [file] = await filesHandedOut(tab, 1);
    assert.equal(file.name, `${name}-study.zip`);
    const written = core.study_archive(scenario([['jobs', '5000000']]), name, 5_000_000);
    assert.deepEqual(file.bytes, Buffer.from(written));
  }
  assert.equal((await read(tab)).digest, digest, 'the answer stands');
  assert.deepEqual(await tab.faults(), []);
  await tab.close();
});
