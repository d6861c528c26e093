/** The forms in which charts can be copied: what the core can write of each, and links to it. */
import { latexOf, pngOf, svgOf } from './exports.ts';
import { passedOn } from './short-link.ts';
import { digest, facet, forecastJob, validReading } from './state.ts';
import { SCREEN, pictureOf } from './view/export-file.ts';
import { iframeOf } from './view/share.tsx';
import type { Board, Look } from '../pkg/backfill_web.js';
import type { PageParts } from './compose.ts';
import type { Exporting } from './exports.ts';
import type { Copyable } from './state.ts';
import type { Write, Written } from './view/export-file.ts';

/** The forms of a chart, in their order. */
export interface Forms {
  png?: Write;
  svg?: Write;
  csv?: Write;
  tex?: Write;
  link?: Write;
  embed?: Write;
}

/** @param asks writes what Export saves too */
export function formsOf(parts: PageParts, asks: Exporting, chart: Copyable): Forms {
  switch (chart.of) {
    case 'metric':
      return { ...ofMetric(asks, chart.metric), ...links(parts, '', 'charts') };
    case 'differences':
      return {
        png: picture(parts, `differences-${chart.metric}`, (board, canvas, look) =>
          board.draw_differences(canvas, chart.metric, facet.peek(), look),
        ),
        ...links(parts, 'compare'),
      };
    case 'days':
      return {
        png: picture(parts, `by-day-${chart.metric}`, (board, canvas, look) =>
          board.draw_by_day(canvas, chart.metric, chart.x, facet.peek(), look),
        ),
        ...links(parts, '', 'charts'),
      };
    case 'numbers':
      return { csv: chart.csv };
    case 'forecast':
      return { csv: chart.csv, ...(forecastJob.peek() === '' ? {} : { link: asked(parts) }) };
    case 'waits':
      return { ...chart.files, ...links(parts, 'fairness') };
    case 'surface':
      return {
        png: picture(parts, `heatmap-${chart.metric}`, (board, canvas, look) =>
          board.draw_surface(canvas, chart.metric, facet.peek(), look),
        ),
        ...links(parts, '', 'charts'),
      };
    case 'run':
      return links(parts, 'inside', 'inside');
    case 'step':
      return links(parts, 'inside', 'step');
  }
}

function ofMetric(asks: Exporting, metric: string) {
  const figure = { metric, inches: '' };
  return {
    png: () => pngOf(asks, figure),
    svg: () => svgOf(asks, figure),
    csv: async () => (await latexOf(asks, figure))[1],
    tex: async () => inOneFile(await latexOf(asks, figure)),
  };
}

/** Source for LaTeX that brings the numbers along which it reads. */
function inOneFile([source, numbers]: [Written, Written]): Written {
  const { name, contents } = numbers;
  const held = `\\begin{filecontents*}[overwrite]{${name}}\n${String(contents)}\\end{filecontents*}\n`;
  return { ...source, contents: held + String(source.contents) };
}

/** A picture of the answer, as Export makes those of metrics. */
function picture(
  { core, answer }: PageParts,
  stem: string,
  paint: (board: Board, canvas: HTMLCanvasElement, look: Look) => unknown,
): Write {
  return () => {
    const look = core.Look.picture(SCREEN.width, SCREEN.height, SCREEN.ratio);
    try {
      return pictureOf(`${stem}.png`, (canvas) => {
        if (answer.board !== null) paint(answer.board, canvas, look);
      });
    } finally {
      look.free();
    }
  };
}

/**
 * The link to the answer as it is shown, at a part of the page.
 * @param embed what an iframe shows of the page, if that shows the chart
 */
function links({ core, answer, links }: PageParts, section: string, embed?: string) {
  const address = (search: string) => {
    const view = links.viewed('', section);
    const text = answer.text ?? '';
    const hash = core.write_link(text, digest.peek(), view, undefined, answer.maker, true);
    return passedOn(new URL(search + hash, location.href).href);
  };
  const embedded = async () => {
    const contents = iframeOf(await address(`?embed=${embed}`));
    return { name: 'chart.html', contents, type: 'text/html' };
  };
  return {
    link: async () => linked(await address(location.search)),
    ...(embed === undefined ? {} : { embed: embedded }),
  };
}

/** The link to the scenario in the form and to the job whose start was forecast. */
function asked({ core, links }: PageParts): Write {
  return async () => {
    const hash = core.write_link(
      validReading.peek().text,
      '',
      links.viewed('', `when:${forecastJob.peek()}`),
      undefined,
      undefined,
      true,
    );
    return linked(await passedOn(new URL(location.search + hash, location.href).href));
  };
}

function linked(contents: string): Written {
  return { name: 'link.txt', contents, type: 'text/plain' };
}
