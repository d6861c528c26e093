// Whatever bytes a visitor brings, the module in Node takes them with counters or refuses them with
// one sentence; it never traps. The same inputs and more are tried natively by the suite `readers`.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { traces } from './built.js';
import { core, memoryBytes, readTrace, scenario, simulate } from './core.js';
import { gzipTwice, log } from './log.js';
import { draws } from './random.js';

const HEADING = 'job,submit_us,size,bandwidth_kbps,runtime_us,estimate_us';
const GOOD = '1 100 0 60 4 -1 -1 4 60 -1 1 1 1 1 1 -1 -1 -1';
const MINUS = Array(18).fill('-1').join(' ');

/** A piece of a file as the browser's stream gives it. */
const PIECE = 1 << 16;

/** The report on a file, or the sentence that refuses it. */
function bring(name, content, size = PIECE) {
  const bytes = Buffer.from(content);
  const pieces = [];
  for (let start = 0; start < bytes.length; start += size)
    pieces.push(bytes.subarray(start, start + size));
  try {
    const trace = readTrace(name, pieces);
    const report = trace.report();
    trace.free();
    return report;
  } catch (refusal) {
    // Anything else that is thrown is a trap or a panic.
    if (typeof refusal !== 'string') throw refusal;
    return refusal;
  }
}

/** Asserts what must hold of any file. */
function isAccountedFor(said, what) {
  if (typeof said === 'string') {
    assert.match(said, /^[^\n]{10,}\.$/, what);
    return;
  }
  const rejects = said.findings.filter(({ verdict }) => verdict === 'reject');
  assert.equal(
    rejects.reduce((sum, { count }) => sum + count, 0),
    said.rejected,
    what,
  );
  assert.equal(said.accepted + said.repaired, said.jobs, what);
  assert.ok(said.jobs > 0, what);
  const { read, accepted, repaired, rejected, folded, comments, blank } = said;
  assert.equal(accepted + repaired + rejected + folded + comments + blank, read, what);
  for (const { lines, fields, example } of said.findings) {
    assert.ok(
      lines.every((line) => line >= 1),
      what,
    );
    assert.equal(fields.length, lines.length, what);
    if (example === null) continue;
    assert.ok(example.line >= 1 && example.line <= read, what);
    assert.match(example.text, /^\P{Cc}{0,120}…?$/u, what);
  }
}

const USELESS = [
  ['empty.swf', '', /the file is empty/],
  ['empty.csv', '', /the file is empty/],
  ['empty.swf.gz', gzipSync(''), /the file is empty/],
  ['noise.swf', Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256)), /binary/],
  ['program.swf', '\x7fELF\0\0', /binary/],
  [
    'log.zip',
    Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(64)]),
    /zip archive; unpack it/,
  ],
  ['log.xz', Buffer.from('\xfd7zXZ\0rest', 'latin1'), /xz; unpack it/],
  ['page.swf', '<!doctype html><title>Not found</title>', /web page/],
  ['letters.swf', 'the quick brown fox\njumps over\n', /no usable job in 2 lines .*line 1/],
  ['comments.swf', '; only\n; comments\n', /no usable job/],
  ['minus.swf', `${MINUS}\n`, /no usable job/],
  ['twice.swf.gz', gzipSync(gzipSync(GOOD)), /gzip inside gzip/],
  ['list.csv', 'job,size\n1,2\n', /no column submit_us/],
  ['heading.csv', `${HEADING}\n`, /no usable job/],
  ['log.csv', '; Version: 2.2\n', /no usable job in 1 line; a log in the Standard Workload Format/],
];

test('Node: a file without one usable job is refused in one sentence', () => {
  for (const [name, content, expected] of USELESS) {
    const said = bring(name, content);
    assert.match(String(said), expected, name);
    assert.ok(said.startsWith(`${name}: `), said);
    isAccountedFor(said, name);
  }
});

test('Node: gzip data that is cut anywhere or altered is refused, several members are one file', () => {
  const text = log(60);
  const whole = gzipSync(text);
  for (let end = 1; end < whole.length; end += 7) {
    assert.match(
      String(bring('log.swf.gz', whole.subarray(0, end))),
      /^log\.swf\.gz: /,
      `${end} bytes`,
    );
  }
  const altered = Buffer.from(whole);
  altered[altered.length - 1] ^= 1;
  assert.match(String(bring('log.swf.gz', altered)), /damaged or ends early/);
  const plain = bring('log.swf', text);
  assert.equal(plain.jobs, 60);
  for (const content of [whole, gzipTwice(text)]) {
    for (const size of [1, 100, PIECE]) assert.deepEqual(bring('log.swf.gz', content, size), plain);
  }
});

const DIRTY = [
  ['17 fields', '1 0 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 -1 -1'],
  ['a letter', '1 0 0 x 1 -1 -1 1 1 -1 1 1 1 1 1 -1 -1 -1'],
  ['NaN', '1 0 0 NaN 1 -1 -1 1 1 -1 1 1 1 1 1 -1 -1 -1'],
  ['infinity', '1 inf 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 -1 -1 -1'],
  ['−1 everywhere', MINUS],
  ['half a processor', '1 0 0 1 1 -1 -1 1.5 1 -1 1 1 1 1 1 -1 -1 -1'],
  ['a negative number', '-3 0 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 -1 -1 -1'],
  ['too long a time', '1 0 0 1e10 1 -1 -1 1 1 -1 1 1 1 1 1 -1 -1 -1'],
  ['too many processors', '1 0 0 1 1e10 -1 -1 1 1 -1 1 1 1 1 1 -1 -1 -1'],
  ['a very long line', '9 '.repeat(1 << 17)],
];

test('Node: dirty lines are counted with their line numbers and the run goes on', () => {
  for (const [what, line] of DIRTY) {
    const said = bring('log.swf', [GOOD, line, GOOD].join('\n'));
    assert.deepEqual([said.jobs, said.rejected], [2, 1], `${what}: ${said}`);
    const [reject] = said.findings.filter(({ verdict }) => verdict === 'reject');
    assert.deepEqual(reject.lines, [2], what);
    isAccountedFor(said, what);
  }
  const text = [...DIRTY.map(([, line]) => line), log(40)].join('\n');
  const said = bring('log.swf', text);
  assert.deepEqual([said.jobs, said.rejected], [40, DIRTY.length]);
  const rejected = said.findings
    .filter(({ verdict }) => verdict === 'reject')
    .flatMap(({ lines }) => lines);
  assert.deepEqual(
    rejected.sort((a, b) => a - b),
    DIRTY.map((_, place) => place + 1),
  );
  const trace = readTrace('log.swf', [Buffer.from(text)]);
  const compared = scenario([
    ['workload', 'swf'],
    ['file', 'log.swf'],
    ['load', '0.5'],
    ['reps', '2'],
  ]);
  assert.match(simulate(compared, trace).digest, /^[0-9a-f]{16}$/);
});

test('Node: a job of 10 million processors is read, and is infeasible rather than a fault', () => {
  const large = '2 200 0 60 10000000 -1 -1 10000000 60 -1 1 1 1 1 1 -1 -1 -1';
  const content = Buffer.from([GOOD, large, GOOD].join('\n'));
  const said = bring('log.swf', content);
  assert.deepEqual([said.jobs, said.widest, said.rejected], [3, 10_000_000, 0]);
  for (const system of ['fat-tree', 'nodes']) {
    const text = scenario([
      ['system', system],
      ['workload', 'swf'],
      ['file', 'log.swf'],
      ['load', 'as-logged'],
      ['reps', '1'],
    ]);
    const trace = readTrace('log.swf', [content]);
    for (const cell of core.running_order(text)) {
      const run = new core.Run(text, cell, trace, core.Keep.Metrics);
      while (!run.advance(1000));
      assert.deepEqual([...run.progress()], [3, 3], system);
      run.free();
    }
  }
});

test('Node: no bytes make the readers trap', () => {
  const draw = draws(18);
  const list = `${HEADING}\n${Array.from({ length: 30 }, (_, job) => `${job},${job}000000,2,250000,${60 + job},90`).join('\n')}\n`;
  const files = [
    ['any.swf', Buffer.from(log(30, ['; MaxProcs: 9', MINUS]))],
    ['any.csv', Buffer.from(list)],
    ['any.swf.gz', gzipSync(log(30))],
    ['any.csv.gz', gzipTwice(list)],
  ];
  let refused = 0;
  for (let count = 0; count < 4000; count += 1) {
    const [name, content] = files[count % files.length];
    const bytes = Buffer.from(content);
    for (let changes = draw(8); changes >= 0; changes -= 1) {
      const at = draw(bytes.length);
      // A byte of the file itself is more often nearly right than any byte.
      bytes[at] = draw(2) ? draw(256) : bytes[draw(bytes.length)];
    }
    const said = bring(name, bytes.subarray(draw(20) ? 0 : draw(bytes.length)), 1 + draw(2000));
    isAccountedFor(said, `${name} ${count}`);
    if (typeof said === 'string') refused += 1;
  }
  assert.ok(
    refused > 400 && refused < 3600,
    `${refused} of 4000 refused: one kind of end was hardly tried`,
  );
});

test('Node: no text makes the readers of scenarios and links trap', () => {
  const draw = draws(2000);
  const { keys } = core.tables();
  const parts = [
    '-1',
    '0',
    '1e12',
    'NaN',
    '18446744073709551616',
    '.',
    ':',
    ',',
    '(',
    ')',
    '+',
    '=',
    '%',
    '🌲',
    '\0',
    'none',
    'load',
    'k',
  ];
  parts.push(...keys.flatMap(({ choices }) => choices.map(({ value }) => value)));
  const words = () => Array.from({ length: draw(7) }, () => parts[draw(parts.length)]).join('');
  for (let count = 0; count < 20_000; count += 1) {
    const text = words();
    const key = draw(9) ? keys[draw(keys.length)].name : text;
    for (const { message } of core.read_scenario([[key, text]]).problems)
      assert.match(message, /\S/, `${key} = ${text}`);
    for (const link of [text, `#v1?${text}`, `#v1?${text}&sum=${words()}`]) {
      assert.throws(
        () => core.read_link(link),
        (refusal) => typeof refusal === 'string',
        link,
      );
    }
  }
  for (const [key, value] of [
    ['k', '7'],
    ['slots', '0'],
    ['load', '0'],
    ['jobs', '1e12'],
    ['polcy', 'easy'],
  ]) {
    const { problems } = core.read_scenario([[key, value]]);
    assert.deepEqual(
      problems.map((problem) => problem.key),
      [key],
    );
    assert.match(problems[0].message, /must be|did you mean/);
  }
});

const LARGE = 'RICC-2010-2.swf.gz';
const path = traces && join(traces, LARGE);
const skip = path && existsSync(path) ? false : `BACKFILL_TRACES leads to no ${LARGE}`;

test(`Node: ${LARGE} is read in little memory`, { skip }, () => {
  const begun = performance.now();
  const { jobs } = bring(LARGE, readFileSync(path));
  const seconds = (performance.now() - begun) / 1000;
  const megabytes = memoryBytes() / 2 ** 20;
  console.log(`# read in ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB of memory`);
  assert.equal(jobs, 447_794);
  assert.ok(megabytes <= 512, `${megabytes} MB`);
});
