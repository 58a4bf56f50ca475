import { readFileSync, writeFileSync } from 'node:fs';
import { type Figure, HISTORY, type HistoryLine } from './figures.js';

/** Width and height of the chart of one figure, in pixels. */
const [WIDTH, HEIGHT] = [440, 130];
const COLUMNS = 3;
/** Margins around the line of a chart in pixels. The title is above the line, and the commits are below it. */
const [TOP, BOTTOM, SIDE] = [46, 22, 14];

/** Values of one figure in all runs that measured it, oldest first. */
interface Series {
  readonly name: string;
  readonly points: readonly { readonly commit: string; readonly figure: Figure }[];
}

/**
 * Draws the history as one SVG image with a chart per figure. If a figure has a ratio to the baseline of its run, the
 * chart shows the ratio, because the speed of machines differs. Otherwise it shows the value.
 */
export function plotHistory(file: string): void {
  const lines = readFileSync(HISTORY, 'utf8').trim().split('\n');
  const runs = lines.map((line) => JSON.parse(line) as HistoryLine);
  const all = seriesOf(runs);
  const rows = Math.ceil(all.length / COLUMNS);
  const charts = all.map((series, at) => {
    const [x, y] = [(at % COLUMNS) * WIDTH, Math.floor(at / COLUMNS) * HEIGHT];
    return `<g transform="translate(${x} ${y})">${chart(series)}</g>`;
  });
  const style = 'text{font:11px sans-serif;fill:#333}.value{font-weight:bold}.commit{font-size:9px;fill:#777}';
  const size = `width="${COLUMNS * WIDTH}" height="${rows * HEIGHT}"`;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><style>${style}</style>`;
  writeFileSync(file, `${head}<rect ${size} fill="#fff"/>${charts.join('\n')}</svg>\n`);
  console.log(`${all.length} charts of ${runs.length} runs: ${file}`);
}

function seriesOf(runs: readonly HistoryLine[]): readonly Series[] {
  const names = new Set(runs.flatMap(({ figures }) => Object.keys(figures)));
  return [...names].map((name) => ({
    name,
    points: runs.flatMap(({ commit, figures }) => {
      const figure = figures[name];
      return figure === undefined ? [] : [{ commit, figure }];
    }),
  }));
}

/** Draws the chart of a figure. The range of the chart always includes zero. */
function chart({ name, points }: Series): string {
  const values = points.map(({ figure }) => figure.ratio ?? figure.value);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const x = (at: number): number => SIDE + ((WIDTH - 2 * SIDE) * at) / Math.max(1, points.length - 1);
  const y = (value: number): number =>
    HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (value - least)) / (most - least || 1);
  const places = values.map((value, at) => [x(at).toFixed(1), y(value).toFixed(1)] as const);
  const last = points.at(-1)?.figure;
  const value = `${last?.value} ${last?.unit}${last?.ratio === undefined ? '' : `, ratio ${last.ratio}`}`;
  return [
    `<text x="${SIDE}" y="16">${escaped(name)}</text>`,
    `<text x="${SIDE}" y="32" class="value">${escaped(value)}</text>`,
    `<polyline points="${places.join(' ')}" fill="none" stroke="#2563eb" stroke-width="1.5"/>`,
    ...places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="2.5" fill="#2563eb"/>`),
    `<text x="${SIDE}" y="${HEIGHT - 8}" class="commit">${escaped(points[0]?.commit ?? '')}</text>`,
    `<text x="${WIDTH - SIDE}" y="${HEIGHT - 8}" class="commit" text-anchor="end">${escaped(points.at(-1)?.commit ?? '')}</text>`,
  ].join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
