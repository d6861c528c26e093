/**
 * Everything the page says by itself; names and explanations of keys, policies and metrics come
 * from the core.
 */
import { duration, roughly, whole } from './format.ts';
import type { Range } from './forecast.ts';

const plural = (count: number, one: string, many: string) =>
  `${whole(count)} ${count === 1 ? one : many}`;

/** A difference in points: how it is said, or that there is none to be seen. */
const differenceOf = (
  points: number,
  tell: (size: string, way: 'more' | 'less') => string,
  none: string,
) => {
  const size = Math.abs(points).toFixed(1);
  return size === '0.0' ? none : tell(size, points > 0 ? 'more' : 'less');
};

export const texts = {
  dismiss: 'Dismiss',
  theme: { system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' },

  figures: {
    shown: (figures: number, allFigures: number, claims: number, allClaims: number) =>
      `${figures} of ${allFigures} figures and tables, ${claims} of ${allClaims} claims`,
  },

  example: {
    choose: 'Examples',
  },

  glossary: {
    called: (label: string) => `${label}:`,
    source: (source: string) => `Source: ${source}.`,
  },

  scenario: {
    line: (policies: number, workload: string, system: string) =>
      [plural(policies, 'policy', 'policies'), workload, system].join(' · '),
    jobs: (workload: string, jobs: string) => `${workload}, ${jobs} jobs`,
    size: (key: string, values: string[]) => `${key} = ${values.join(', ')}`,
  },

  form: {
    more: 'More settings',
    invalid: 'Not a scenario yet: see the marked fields.',
    swept: (values: string[]) => `Swept: ${values.join(', ')}`,
    sweptShort: 'swept',
    firstPolicy: 'the first policy',
    newSeed: 'New',
    addPolicy: 'Add',
    removePolicy: (label: string) => `Remove ${label}`,
    queue: 'Scheduling policy',
    placement: 'Placement',
    lastPolicy: 'At least one policy is needed.',
    own: 'Make it your own',
    ownOf: (label: string) => `Make it your own: ${label}`,
    sweepNone: 'one value',
    sweepValues: 'Values',
    browse: 'Choose file…',
    noTrace:
      "Choose a log in the Standard Workload Format (.swf, .swf.gz), the output of Slurm's sacct -P, or a job list (.csv). You can also drop the file on the page, or paste its text.",
    reading: (name: string) => `Reading ${name}…`,
    readingShare: (name: string, share: number) => `Reading ${name}: ${Math.round(share * 100)} %`,
  },

  own: {
    title: 'A policy of your own',
    task: 'Which order of the queue makes jobs wait least behind the same reservation? The orders here are published ones. Write one of your own: weigh what a job asks for, such as size and estimate, against how long it has waited.',
    write: 'Write an order…',
    loading: 'Loading its parts…',
    from: (label: string) => `Starts from ${label}.`,
    more: (remark: string) => `${remark} Its closest parts are filled in.`,
    formula: 'Formula',
    ofOwn: 'your own formula',
    same: 'the order of the queue',
    names: 'Names',
    functions: 'Functions',
    operators: (signs: string[]) =>
      `Operators, the loosest first: ${signs.join(' ')}. To choose: if … then … else …`,
    insert: 'A click inserts one at the caret.',
    mistake: (column: number, why: string) => `Column ${column}: ${why}`,
    inRun: (policy: string, given: string) => `In the run that is open (${policy}): ${given}`,
    inSample: (jobs: string[], values: string[], first: number) =>
      `In an example of three waiting jobs (${jobs.join('; ')}): ${values.join(' · ')} → ${first} first`,
    sampleJob: (number: number, size: string, estimate: string, wait: string) =>
      `job ${number}: ${size}, estimate ${estimate}, wait ${wait}`,
    slots: (slots: number) => plural(slots, 'slot', 'slots'),
    present: 'The scenario compares this policy already.',
    add: 'Add',
    replace: (label: string) => `Replace ${label}`,
    startOver: 'Start over',
    close: 'Close',
    failed: (why: string) => `The policy could not be checked: ${why}`,
  },

  trace: {
    jobs: 'Jobs',
    span: 'From first to last submit',
    length: (seconds: number) =>
      seconds < 172800
        ? `${(seconds / 3600).toFixed(1)} hours`
        : `${(seconds / 86400).toFixed(1)} days`,
    widest: 'Largest job',
    machine: 'Machine',
    size: (count: number, areNodes: boolean) =>
      areNodes ? plural(count, 'node', 'nodes') : plural(count, 'processor', 'processors'),
    findings: 'Findings',
    none: 'none',
    notTaken: (rejected: number, lines: number) =>
      `${whole(rejected)} of ${plural(lines, 'line', 'lines')} rejected and not simulated.`,
    begins: 'Start of the log',
    utc: (seconds: number) =>
      `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    memory: 'Memory used to read it',
    megabytes: (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`,
    read: 'Lines read',
    accepted: 'Accepted unchanged',
    repaired: 'Repaired',
    rejected: 'Rejected',
    folded: 'Merged into another job',
    comments: 'Comments and headings',
    blank: 'Blank',
    clean: 'Every line conforms to the format.',
    whole: 'The file as a whole',
    head: {
      found: 'Found',
      lines: 'Lines',
      field: 'Field',
      done: 'What was done',
      remedy: 'What to do',
    },
    mend: 'mend these lines',
    lines: (count: number, first: number[]) =>
      `${whole(count)} (${count === 1 ? 'line' : 'lines'} ${first.join(', ')}${count > first.length ? ', …' : ''})`,
    example: (line: number) => `Line ${line}: `,
    copy: 'Copy as text',
    names: 'The lines are copied as they are, with any names of users.',
    questions: 'Questions about this log',
    failed: (name: string) => `${name} could not be used`,
    wanted: (name: string) => `This link uses the trace ${name}`,
    wantedDetails: (sha: string) =>
      `A trace never travels in a link. Choose the same file here; its contents are checked (sha256 ${sha.slice(0, 12)}…).`,
    wantedUnchecked: 'A trace never travels in a link. Choose the same file here.',
    ofResult: (name: string) => `This result is of the trace ${name}`,
    ofResultDetails: (sha: string) =>
      `To look into one of its runs, choose the same file here${sha === '' ? '' : `; its contents are checked (sha256 ${sha.slice(0, 12)}…)`}.`,
    choose: 'Choose the file…',
    otherFile: (name: string) => `${name} is not the file that is wanted`,
    otherFileDetails: (wanted: string, found: string) =>
      `Expected sha256 ${wanted.slice(0, 16)}…, but this file has ${found.slice(0, 16)}…. Results would differ, so nothing was run.`,
    useAnyway: 'Use this file instead',
  },

  files: {
    drop: 'Drop the file to open it',
    unused: (used: string[], unused: string[]) =>
      `${used.join(' and ')} ${used.length === 1 ? 'is' : 'are'} used; ${unused.join(', ')} ${unused.length === 1 ? 'is' : 'are'} not: one log at a time, and one scenario or result.`,
    pasted: 'pasted',
    failed: (address: string) =>
      `The file ${address}, which the address of this page names, could not be opened`,
    elsewhere: (host: string) =>
      `It lies on ${host}, and this page asks nothing of other hosts. Save it and drop it here.`,
    missing: (status: number) =>
      `The host answered ${status}. Check the name, or choose the file yourself.`,
  },

  doctor: {
    open: 'Report on this log…',
    title: (name: string) => `Report on ${name}`,
    looking: 'Checking it…',
    failed: (why: string) => `It could not be checked: ${why}`,
    cures: 'What can be done',
    curesHelp:
      'Each is a setting of the scenario: it goes into links and files, and can be undone.',
    apply: 'Apply',
    undo: 'Undo',
    facts: 'Notable jobs',
    none: 'Nothing of note.',
    flurries: 'Flurries',
    load: 'Load over time',
    loadSummary: (mean: string, most: string, when: string) =>
      `Submitted work by processors and time: ${mean} on average, at most ${most} around ${when}. Above 1 more arrives than the machine can do.`,
    sizes: 'Jobs by processors',
    estimates: 'Jobs by run time over estimate',
    processors: 'Processors',
    ran: 'Up to',
    jobs: 'Jobs',
    share: 'Share',
    when: 'Time',
    loads: 'Load',
    asTable: 'The same as a table',
    region: 'Load over time as a table',
    close: 'Close',
  },

  run: {
    run: 'Run',
    cells: (cells: number, takes: Range | null) =>
      `${plural(cells, 'run', 'runs')}${takes === null ? '' : `, ${roughly(takes)} here`}`,
    unsure: ': it depends on how long the queue grows',
    progress: (done: number, all: number, left: Range | null) =>
      `${whole(done)} of ${whole(all)} runs${left === null ? '' : `, ${roughly(left)} left`}`,
    done: (cells: number, took: number) => `${plural(cells, 'run', 'runs')} in ${duration(took)}`,
    pause: 'Pause',
    resume: 'Resume',
    paused: (done: number, all: number) => `Paused: ${whole(done)} of ${whole(all)} runs`,
    point: (policy: string, values: string[]) =>
      values.length === 0 ? policy : `${policy} at ${values.join(', ')}`,
    saturated: (point: string, waiting: number) =>
      `${point} is saturated: ${plural(waiting, 'job waits', 'jobs wait')}.`,
    stopPoint: 'Stop these runs, keep the others',
    stopped: (done: number, all: number, points: string[]) =>
      `${whole(done)} of ${whole(all)} runs; stopped: ${points.join('; ')}.`,
    cancelling: 'Cancelling…',
    cancelled: (done: number, all: number) =>
      `Cancelled: ${whole(done)} of ${whole(all)} runs are kept.`,
    failed: 'The run stopped',
    fault: 'The simulator failed with an internal error',
    faultDetails:
      'Finished runs are kept and a new worker is ready. The failed run is not repeated automatically. Message:',
    silent: (seconds: number) =>
      `A worker said nothing for ${whole(seconds)} s, twice over the same run: the browser may have ended it.`,
    needsTrace: 'Choose the trace first.',
    broke: 'This scenario was not started automatically',
    brokeDetails:
      'Its last run in this browser crashed the simulator or the tab. Change it in the form, or run it anyway.',
    runAnyway: 'Run anyway',
    tooBig: (jobs: number, runs: number) =>
      `This is too big for a tab: ${plural(runs, 'run', 'runs')} of ${plural(jobs, 'job', 'jobs')}`,
    tooBigDetails: (most: number, all: number) =>
      `A tab takes at most ${whole(most)} jobs a run and ${whole(all)} in all. The command line has no such limit and gives the same digest, on one machine or in parts on Slurm or HyperQueue.`,
    tooBigTrace: (name: string, sha: string) =>
      `The folders do not contain the trace. Copy ${name} into each${sha === '' ? '' : `; every part checks its SHA-256 (${sha})`}.`,
    tooBigWays: 'This page opens the result.json that each of these writes:',
    folder: (engine: string) => `${engine} folder (.zip)`,
  },

  badge: {
    checking: 'verifying in your browser…',
    identical: (took: number) => `verified in your browser (${duration(took)})`,
    differs: 'DIFFERENT from the answer that this page was built with',
    differsDetails: (built: string, found: string) =>
      `Built in: digest ${built}. Here: ${found}. The numbers shown are those computed here. Please report this with your browser's name and version.`,
    linkIdentical: (took: number) => `identical to the link's result (${duration(took)})`,
    linkDiffers: 'This is not the result that the link was made with',
    linkDiffersDetails: (claimed: string, found: string) =>
      `The link names digest ${claimed}; computed here: ${found}. Its version of Backfill or its trace may be another one; if both are yours, please report it.`,
    running: 'running…',
    paused: 'paused',
    cancelling: 'cancelling…',
    partial: (done: number, all: number) => `partial: ${whole(done)} of ${whole(all)} runs`,
    complete: (took: number) => `computed here (${duration(took)})`,
    stale: 'Settings changed. Run to update.',
  },

  answer: {
    unswept: 'Scenario',
    asGiven: 'as given',
    better: { higher: 'higher is better', lower: 'lower is better', neither: '' },
    metric: 'Metric of this chart',
    tableOf: (label: string, unit: string) => (unit ? `${label} (${unit})` : label),
    otherMetrics: 'All other metrics',
    tableRegion: 'Numbers of the charts',
    chartLabel: (metric: string, x: string) =>
      `${metric} by ${x}. Left and right move along the values, up and down choose a curve, Enter looks into its run, + and − zoom; the table below holds the same numbers.`,
    zoom: {
      in: 'Zoom in',
      out: 'Zoom out',
      whole: 'Reset zoom',
      wholeHelp:
        'The whole chart. Drag over a part to zoom into it, with Shift to move it; Ctrl and the wheel zoom, too.',
      label: (metric: string) => `Zoom of the chart: ${metric}`,
      seen: (seen: number, all: number) =>
        ` Zoomed in: ${whole(seen)} of ${plural(all, 'point is', 'points are')} seen.`,
    },
    opens: (policy: string) => `Enter looks into a run of ${policy}`,
    chartSummary: (x: string, values: string[], curves: string[]) =>
      values.length > 1
        ? `From ${`${x} ${values[0]}`.trim()} to ${values[values.length - 1]}: ${curves.join('; ')}.`
        : `${curves.join('; ')}.`,
    curve: (policy: string, first: string, last: string) =>
      first === last ? `${policy} ${first}` : `${policy} ${first} to ${last}`,
    none: 'no value',
    missing: '–',
    unpointed: 'nothing pointed at',
    noDigest: 'after all runs are done',
  },

  byDay: {
    title: 'By day',
    place: (place: string) => ['Means of each day', place].filter(Boolean).join(', '),
    quantities: ['Slots in use', 'Jobs waiting'],
    chart: (quantity: string) =>
      `${quantity} by day. Left and right move along the days, up and down choose a curve, Enter looks into its run, + and − zoom.`,
    weekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
    date: (weekday: number, day: number, month: number, year: number) =>
      `${texts.byDay.weekdays[weekday]} ${day} ${texts.overTime.months[month]} ${year}`,
    day: (day: number) => `Day ${whole(day)}`,
    use: 'Use these jobs',
    useHelp: (from: string, to: string) =>
      `Runs the scenario over the jobs that were submitted from ${from} to ${to}.`,
    none: 'No job was submitted in this period.',
  },

  surface: {
    metric: 'Metric of the heatmaps',
    about: (x: string, y: string) =>
      `by ${x} and ${y}, one map for each policy and one scale for all. The framed row is what the charts show: a click shows another.`,
    cell: (policy: string, at: string[], value: string) =>
      `${policy} at ${at.join(', ')}: ${value}`,
    numbers: 'The heatmaps as tables',
    region: 'Numbers of the heatmaps',
    corner: (x: string, y: string) => `${y}, by ${x}`,
  },

  fairness: {
    open: 'How waits are spread over the jobs',
    help: 'A mean does not show which jobs wait. This is the distribution of wait times at one point, over all jobs and replications; its runs are repeated to compute it.',
    running: (done: number, all: number) => `${whole(done)} of ${whole(all)} runs analysed…`,
    done: (all: number) => `${plural(all, 'run', 'runs')} analysed`,
    failed: (why: string) => `The runs could not be analysed: ${why}`,
    policy: 'Policy',
    beside: 'The same waits in single numbers',
    besideRegion: 'Single numbers on the waits',
    table: 'The curve as a table',
    tableRegion: 'The curve by share of jobs',
    svg: 'SVG',
    png: 'PNG',
    csv: 'CSV',
  },

  predict: {
    title: 'Before the answer',
    question: (metric: string, better: string, where: string) =>
      `Which policy do you expect to be best by ${metric.toLowerCase()}${where ? ` at ${where}` : ''}? ${better ? `There, ${better}.` : ''}`,
    show: 'Show the answer',
    computing: 'The answer is being computed.',
    choose: 'Choose one, and the answer is shown.',
    right: (policy: string, value: string, level: string[]) =>
      `As you expected: ${policy} comes first with ${value}${level.length === 0 ? '' : `, level with ${level.join(', ')}`}.`,
    wrong: (mine: string, place: string, first: string, value: string) =>
      `You expected ${mine}, which ${place}. First is ${first} with ${value}.`,
    place: (rank: number | null, value: string) =>
      rank === null
        ? `has ${value} but is not ranked, because its accept rate differs`
        : `is number ${rank} with ${value}`,
    value: (mean: string, half: string | null, unit: string) =>
      [mean, half === null ? '' : `± ${half}`, unit].filter(Boolean).join(' '),
    none: (mine: string) =>
      `You expected ${mine}. There is no ranking of these policies here: see the charts.`,
  },

  compare: {
    metric: 'Metric',
    reference: 'Compared with',
    chart: (metric: string, reference: string) => `${metric}: difference from ${reference}`,
    table: 'The differences as a table',
    tableRegion: 'Differences at every value',
    rankingRegion: 'Ranking',
    ranking: (metric: string, where: string) =>
      where ? `${metric}: ranking (${where})` : `${metric}: ranking`,
    differences: (metric: string, unit: string, reference: string, intervals: boolean) =>
      `${metric}${unit ? ` (${unit})` : ''}: difference from ${reference}${intervals ? ', 95 % CI of the pairs' : ''}`,
    columns: {
      rank: 'Rank',
      policy: 'Policy',
      value: 'Mean',
      difference: (unit: string) => (unit ? `Difference (${unit})` : 'Difference'),
      change: 'Change',
      verdict: 'Verdict',
      verdictByInterval: 'Verdict (95 % CI)',
    },
    isReference: 'compared with',
    verdict: {
      better: 'better',
      worse: 'worse',
      different: 'different',
      open: 'no significant difference',
      equal: 'equal',
      single: 'one replication, no CI',
    },
    unranked: 'No run has finished at this value yet.',
    apart: (points: string) => `not ranked: accept rate ${points} points`,
    mark: ' (not ranked)',
    within: 'Run more replications until every interval of this metric is within ±',
    replicate: 'Replicate',
    replications: (n: number) => `n = ${whole(n)} now`,
    reached: (n: number, percent: number) =>
      `Every interval is within ${percent} % of its mean: n = ${whole(n)}.`,
    tooMany: 'That takes more replications than one scenario may have',
  },

  replay: {
    policy: 'Policy',
    beside: 'Beside it',
    alone: 'nothing',
    runningBeside: (label: string) => `Running ${label} to stand beside it…`,
    replication: 'Replication',
    average: 'Averaged over time',
    time: 'Time',
    cell: (name: string, share: string, of: string, paused: boolean) =>
      `${name}: ${share} ${of}${paused ? ', paused' : ''}`,
    hint: 'Point at the picture, or move with the arrow keys, to read it.',
    upTo: (share: number) => `${whole(100 * share)} %`,
    over: 'more than 100 %',
    inUse: ['in use', 'of a link in use', 'Share of each link in use, pod by pod'],
    busiest: 'Busiest instant',
    running: 'Running it again to look inside…',
    averaged: 'whole run',
    failed: 'That run cannot be looked into',
    jobs: (running: number, waiting: number, paused: number, migrations: number) =>
      `${plural(running, 'job', 'jobs')} running${paused > 0 ? ` (${whole(paused)} paused)` : ''}, ${whole(waiting)} waiting${migrations > 0 ? `; ${plural(migrations, 'migration', 'migrations')} so far` : ''}`,
  },

  beside: {
    first: (label: string) => `A: ${label}`,
    second: (label: string) => `B: ${label}`,
    difference: 'A − B',
    differenceOf: (what: string) => `What A has more than B. ${what}`,
    ofSecond: (what: string, label: string) => `${what}: ${label}`,
    cell: (other: string, points: number) =>
      `; ${other} in B: ${differenceOf(points, (size, way) => `${size} points ${way} in A`, 'the same')}`,
    mark: (points: number) => `${points > 0 ? '+' : ''}${points < 0 ? '−' : ''}${Math.abs(points)}`,
    scale: ['points: B has more (hollow)', 'A has more', 'more than 100 points apart'],
    summary: (mean: string, what: string, parts: number) =>
      `On average over ${whole(parts)} cells ${mean} ${what}.`,
    summaryOfBoth: (
      first: string,
      second: string,
      what: string,
      more: number,
      less: number,
      parts: number,
      furthest: string,
    ) =>
      `On average ${first} ${what} in A and ${second} in B. Of ${whole(parts)} cells ${whole(more)} have more in A, ${whole(less)} in B${furthest}.`,
    furthest: (name: string, points: number) =>
      `; furthest apart: ${name}, ${differenceOf(points, (size, way) => `${size} points ${way} in A`, '')}`,
    asTable: 'The cells as a table',
    region: 'Cells of the picture',
    caption: (from: number, until: number, all: number, both: boolean) =>
      all === 0
        ? 'No cell is called that'
        : `Cells ${whole(from)} to ${whole(until)} of ${whole(all)}, ${both ? 'those furthest apart' : 'those with the most'} first`,
    called: 'Only cells called',
    back: 'Cells before',
    ahead: 'Next cells',
    columns: ['Cell', 'A', 'B', 'A − B (points)'],
    points: (points: number) =>
      differenceOf(points, (size, way) => `${way === 'more' ? '+' : '−'}${size}`, '0.0'),
  },

  tree: {
    drawnAs: 'Drawn as',
    tree: 'tree',
    matrix: 'matrix',
    shows: 'Share of each link',
    reserved: 'reserved',
    used: 'in use',
    label: (what: string) =>
      `${what}, drawn as a tree. Left and right go from link to link, up and down from level to level.`,
    levels: (names: string[]) => `From the top: ${names.join(', ')}.`,
  },

  inspector: {
    column: (label: string, kind: string) => (kind === 'rate' ? `${label} (Mbit/s)` : label),
  },

  overTime: {
    title: 'Over time',
    label:
      'Time in this run. Left and right go from event to event, with Shift ten at once; Space plays, + and − zoom.',
    back: 'The event before',
    ahead: 'The next event',
    play: 'Play',
    pause: 'Pause',
    speed: 'Play all in',
    inSeconds: (seconds: number) => `${seconds} s`,
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    whole: 'Whole run',
    colour: 'Slots coloured by',
    plan: (blocks: string[]) =>
      blocks.length === 0
        ? 'Slots'
        : `Slots, from the top: ${blocks.length > 12 ? `${blocks[0]} to ${blocks.at(-1)}` : blocks.join(', ')}`,
    ofRun: (place: number, words: string) => `${'AB'[place]} ${words}`,
    upTo: (most: string) => ` 0 to ${most}`,
    hint: 'Point at the slots to read a job; click to choose it.',
    sinceFirst: 'Time since the first submit',
    dates: 'Date and time (UTC)',
    day: (day: number) => `day ${day}`,
    months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
    dense:
      'A slot is lower than a pixel: the stronger the colour, the more of the slots are in use.',
    apart: 'Neighbouring jobs differ in colour; colours repeat every eight jobs.',
    most: (most: string, label: string) => `${most} (${label.toLowerCase()})`,
    mark: 'Migrated here.',
    hatched: 'Migrating: holds its slots and does not compute yet.',
    moved: (jobs: number, migrations: number, paused: string | null) =>
      `In the whole run ${plural(jobs, 'job', 'jobs')} migrated, ${plural(migrations, 'time', 'times')} in all${paused === null ? '' : `, and held slots for ${paused} without computing`}.`,
  },

  decision: {
    title: 'The decision at this instant',
    back: 'The decision before',
    ahead: 'The next decision',
    stepHelp: 'Where jobs start while more than one waits',
    now: (when: string, free: number, slots: number, waiting: number) =>
      `At ${when}, ${whole(free)} of ${plural(slots, 'slot', 'slots')} ${free === 1 ? 'was' : 'were'} free and ${waiting === 0 ? 'no job' : plural(waiting, 'job', 'jobs')} waited.`,
    same: (started: string) =>
      ` Started: ${started}. First fit in order of arrival would have started the same.`,
    apart: (started: string, firstFit: string) =>
      ` Started: ${started}. First fit in order of arrival would have started ${firstFit}.`,
    set: (jobs: number, slots: number, worth: string) =>
      jobs === 0
        ? 'none'
        : `${plural(jobs, 'job', 'jobs')} for ${plural(slots, 'slot', 'slots')}, value ${worth}`,
    caption: (shown: number, all: number) =>
      shown < all
        ? `${whole(shown)} of ${whole(all)} waiting jobs: those of the two sets, and the first to arrive`
        : 'The waiting jobs, in order of arrival',
    columns: ['Job', 'Slots requested', 'Waited', 'Value', 'Started on', 'First fit'],
    sums: { jobs: 'Jobs in total', slots: 'Slots requested in total', worth: 'Value in total' },
    region: 'The waiting jobs',
    meaning: (unit: string) =>
      `The value of a job in the 0-1 program is half its slots, plus as much again per ${unit} of waiting, so that large and long-waiting jobs come first. First fit tries the jobs in order of arrival and starts each that fits.`,
    look: (number: number) => `Look into job ${number}`,
  },

  job: {
    title: 'The chosen job',
    none: 'Choose a job above or below to see where it runs and why it waits.',
    called: (number: string) => `Job ${number}`,
    slots: (name: string, slots: number) => `${name} (${slots})`,
    link: (name: string, mbps: number) => `${name} (${whole(mbps)} Mbit/s)`,
    more: (rest: number) => ` and ${whole(rest)} more`,
    runsOn: 'Runs on',
    ranOn: 'Not running at this instant; nearest to it on',
    reserves: 'Reserves',
    reserved: 'Reserved',
    gets: (share: string, speed: string, least: string, most: string) =>
      `It gets ${share} of the bandwidth it asks for at this instant and runs at ${speed} of its undisturbed speed. From its start to its end it gets ${least} to ${most}.`,
    slowed: 'It is slowed by the link',
    fullAlone: ', which is full.',
    fullWith: (jobs: string) => `, which is full. It shares this link with ${jobs}.`,
    withJobs: (numbers: number[]) =>
      `${numbers.length === 1 ? 'job' : 'jobs'} ${numbers.join(', ')}`,
    shareOverTime: 'Share of the bandwidth it asks for, 0 to 100 %, from its start to its end',
    notSlowed: 'It is never slowed.',
    slowedMore: (more: number) => `It is slowed in shorter stretches, too: ${whole(more)}.`,
    pays: (until: string) => `It pays for its migration until ${until}.`,
    showLink: 'Show this link in the picture',
    marked: (number: string) => `held by job ${number}`,
    markedThen: (number: string, from: string, until: string) =>
      `held by job ${number} from ${from} to ${until}`,
    migrated: (when: string, worksFrom: string | null) =>
      `It migrated there at ${when}${worksFrom === null ? '' : `, and works from ${worksFrom} on`}.`,
    ofAllocations: (allocations: number) => `. It had ${whole(allocations)} allocations.`,
    atOnce: 'It started as soon as it arrived.',
    looking: 'Looking into it…',
    whyThen: (when: string) => `Why does it wait at ${when}?`,
    goThere: 'Show this instant',
    unexplained: (why: string) => `No explanation: ${why}`,
  },

  jobs: {
    title: 'Jobs',
    outcome: 'Outcome',
    any: 'any',
    filter: 'Only those with',
    example: (one: string, other: string) => `${one}>60 ${other}>=8, or a number`,
    found: (found: number, all: number) =>
      found === all
        ? `${plural(all, 'job', 'jobs')}. Click a row, or press Enter, to look into one.`
        : `${whole(found)} of ${plural(all, 'job', 'jobs')}`,
    order: 'Sort those that wait by a formula, smallest first',
    orderExample: 'wait/estimate*size',
    mistake: (why: string) => `Formula, ${why}`,
    value: (job: number, value: string) => `job ${job}: ${value}`,
    notFinite: 'no finite number, so last',
    examples: (at: string, waiting: number, values: string[], first: number) =>
      `At ${at}, of ${plural(waiting, 'waiting job', 'waiting jobs')}: ${values.join(' · ')} → ${first} first`,
    nobodyWaits: 'Nobody ever waits in this run.',
  },

  link: {
    bad: 'This link cannot be opened',
    none: 'This scenario has no link',
    badZoom: 'An axis is shown whole',
    badZoomDetails: (said: string) =>
      `${said} in the link is no part of an axis: write two numbers, the smaller one first, with + between them.`,
    openDefault: 'Open the opening scenario instead',
    title: 'Share this scenario',
    about: (length: number) =>
      `${whole(length)} characters. The link holds the whole scenario and the digest of its result; whoever opens it sees whether theirs is identical.`,
    withoutDigest: (length: number) =>
      `${whole(length)} characters. The link holds the whole scenario. Run it to the end first to add the digest of the result.`,
    traceStays: (name: string) =>
      `${name} itself stays with you: whoever opens the link is asked for that file.`,
    copied: 'Copied to the clipboard.',
    copyByHand: 'The browser did not allow copying: press Ctrl+C.',
    copy: 'Copy',
    close: 'Close',
    label: 'Link',
    called: 'A scenario in Backfill',
    form: 'As',
    forms: { link: 'Link', markdown: 'Markdown', embed: 'HTML to embed', command: 'Command line' },
    commandAbout:
      'The command line runs the same simulator without a tab’s limits; with --json FILE it writes a result that this page opens.',
    file: 'Save as a file',
    lesson: 'For a lesson: hide parts of the page',
    lessonHelp:
      'Whoever opens the link sees the page without these parts, and a button that shows them all.',
    parts: {
      scenario: 'The scenario',
      tools: 'Examples, files and theme',
      compare: 'The comparison',
      fairness: 'How waits are spread',
      inside: 'Inside a run',
      numbers: 'The numbers as a table',
      prediction: 'The answer, until a prediction is made',
    },
    note: 'A note with this link',
    noteLabel: 'A note above the page',
    hides: 'This link hides parts of the page.',
    showAll: 'Show everything',
    otherCore: (theirs: string, mine: string) =>
      `The link was made with Backfill ${theirs}; this is ${mine}. Its digest is compared all the same.`,
    openRelease: (theirs: string) => `Open it with Backfill ${theirs}`,
    noRelease: (theirs: string) => `There is no page of Backfill ${theirs} here to open it with.`,
  },

  export: {
    title: 'Export',
    figure: 'Figure',
    metric: 'Metric',
    width: 'Width',
    screen: 'Screen (720 × 440)',
    inches: (inches: string) =>
      inches === '7' ? 'Page, 7 in, 8 pt' : `Column, ${inches} in, 8 pt`,
    svg: 'SVG',
    png: 'PNG',
    latex: 'LaTeX (pgfplots + CSV)',
    numbers: 'Numbers and scenario',
    csv: 'CSV of every run',
    json: 'JSON of the whole result',
    toml: 'Scenario file',
    run: 'The jobs of one run',
    swf: 'SWF',
    method: 'Method, to cite',
    bib: 'Sources as BibTeX',
    writing: 'Writing…',
    saved: 'Saved among your downloads.',
    failed: (why: string) => `That could not be written: ${why}`,
  },

  history: {
    none: 'Finished runs appear here.',
    passing: 'This browser keeps nothing for the page: the list is gone when it is closed.',
    noRoom: 'The browser has no room left to keep this.',
    keepTraces: 'Keep traces in this browser, too',
    trace: (name: string, bytes: number) => `${name}, ${whole(Math.ceil(bytes / 1000))} kB`,
    lost: 'This browser keeps nothing more for the page',
    lostDetails: (why: string) =>
      `Its storage failed (${why}). Runs and traces of this visit stay in the list until the page is closed.`,
    forget: 'Remove everything kept here',
    pin: (name: string) => `Pin ${name}`,
    unpin: (name: string) => `Unpin ${name}`,
    rename: (name: string) => `Rename ${name}`,
    remove: (name: string) => `Remove ${name}`,
    name: 'Name of this run',
    undo: 'Undo (Ctrl+Z)',
    redo: 'Redo (Ctrl+Shift+Z)',
    log: (name: string) => `Log ${name}`,
    value: (label: string, value: string) => `${label} ${value}`,
    changed: (label: string, before: string, now: string) => `${label} ${before} → ${now}`,
    swept: (label: string, values: string) => `${label} swept: ${values}`,
    notSwept: 'Nothing swept',
    added: (policy: string) => `+\u00a0${policy}`,
    removed: (policy: string) => `−\u00a0${policy}`,
    differences: (named: string[], more: number) =>
      named.join(', ') + (more === 0 ? '' : ` and ${plural(more, 'more change', 'more changes')}`),
    same: 'Same settings',
    otherVersion: (version: string) => `Backfill ${version}`,
    restored: 'kept from before',
    opened: (name: string) => `from ${name}`,
    about: (policies: string, x: string) => (x ? `${policies} by ${x}` : policies),
    fileFailed: (name: string) => `${name} could not be opened`,
    keptFailed: 'This kept run cannot be shown',
    otherCore: (theirs: string, mine: string) =>
      `Backfill ${theirs} made this result; this is ${mine}.`,
    lacks: (metrics: string[]) =>
      metrics.length === 0
        ? 'It has every metric that this version shows. Press Run to compute it here.'
        : `It lacks ${plural(metrics.length, 'metric', 'metrics')} that this version shows: ${metrics.join('; ')}. Press Run to compute it here.`,
    unnamed: (theirs: string) =>
      `Backfill ${theirs} kept this run without the names of its metrics`,
    unnamedDetails:
      'Its values cannot be assigned to metrics. Its scenario is in the form: press Run to compute it here.',
  },

  keys: {
    title: 'Keys',
    close: 'Close',
    list: [
      [['Ctrl', 'Enter'], 'Run the scenario'],
      [['Esc'], 'Cancel the run, or close what is open'],
      [['?'], 'Show these keys'],
      [['Ctrl', 'K'], 'Find anything on the page by its name, and do it or go there'],
      [['Ctrl', 'V'], 'Open what was copied: a log, a job list, a scenario, a result or a link'],
      [['Tab'], 'Go to the next control; with Shift, to the one before'],
      [['←', '→'], 'On a chart: the value before, the next one'],
      [['Home', 'End'], 'On a chart: the first value, the last one'],
      [
        ['+', '−', '0'],
        'On a chart: zoom in, out, show the whole; Shift and an arrow move what is seen',
      ],
      [['←', '→', '↑', '↓'], 'On the picture of a run: the neighbouring link or server'],
      [['←', '→'], 'Over time: the event before, the next one; with Shift, ten at once'],
      [['Space'], 'Over time: play or pause'],
      [['+', '−', '0'], 'Over time: zoom in, out, show the whole run'],
      [['↑', '↓', 'Enter'], 'In the jobs: the row above, below; look into it'],
    ] as [string[], string][],
  },

  print: { title: 'Scenario', policies: 'Policies' },

  palette: {
    title: 'Find on this page',
    label: 'What to do, or where to go',
    act: (name: string) => name,
    example: (name: string) => `Example: ${name}`,
    go: (name: string) => `Go to: ${name}`,
    set: (name: string) => `Set: ${name}`,
    /** Other words by which the parts of the page are found. */
    words: {
      '#run': 'start simulate compute',
      '#cancel': 'stop abort',
      '#open': 'open load log trace file swf sacct slurm csv drop upload import result scenario',
      '#share': 'link url address copy lesson embed command line',
      '#export': 'save download figure picture svg png pdf latex csv json swf bibtex cite print',
      '#keys': 'keyboard shortcuts help',
      '#example': 'examples start question',
      '[href="./papers.html"]': 'papers figures claims reproduce',
      '[href="./changes.html"]': 'changelog version news',
      '[data-key="policy"]': 'add policy remove scheduler queue placement compare',
      '[data-key="file"]': 'open log trace swf sacct slurm csv',
      '#numbers': 'table values csv',
      '#compare': 'ranking difference significant better best',
      '#fairness': 'distribution percentile spread gini',
      '#inside': 'gantt plan schedule explain why wait job network links heatmap tree replay',
      '.over-time': 'gantt plan schedule timeline play utilisation',
      '.one-job': 'explain why wait rejected placement',
      '.decision': 'explain why start pass',
      '.jobs': 'list table filter sort',
      '#past > summary': 'history runs kept restore before',
    } as { [selector: string]: string },
    ofTheme: 'theme colours appearance mode night day',
    found: (count: number) =>
      count === 0 ? 'Nothing of that name.' : plural(count, 'match', 'matches'),
  },

  offline: {
    kept: 'Kept in this browser: it also opens without a network.',
    newer: 'A newer release of Backfill is ready',
    newerDetails:
      'This tab goes on with the one it has. The address keeps the scenario; what is running would begin again.',
    reload: 'Reload',
  },

  core: {
    version: (version: string) => `Backfill ${version}.`,
    missing: 'The simulator could not be loaded',
    missingDetails:
      'The answer below is the one this page was built with. Reload the page to try again; WebAssembly is needed to run scenarios.',
    loading: (bytes: number) => `Loading the simulator: ${(bytes / 1e6).toFixed(1)} MB so far.`,
    noPart: 'This part of the page could not be loaded',
    noPartDetails: (why: string) =>
      `Check the connection and try again, or reload the page: the address keeps the scenario. (${why})`,
    noWorker: (why: string) =>
      `A worker could not be started${why ? ` (${why})` : ''}: check the connection and try again.`,
    broken: 'The page failed with an internal error',
    brokenDetails:
      'Reload the page to go on; the link in the address bar keeps the scenario. Message:',
  },
};
