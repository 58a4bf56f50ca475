import { make } from './format.js';

/** Size of the SVG drawing in its own coordinates. The page scales the drawing. */
const WIDTH = 600;
const HEIGHT = 140;
/** Space above the highest and below the lowest value if the axis does not start at 0, as a part of the range. */
const MARGIN = 0.08;

/**
 * Returns a plot over time as SVG: lines with areas, or bars. The title shows the value under the pointer, else the
 * newest value.
 * @param series [{ name, values }], values in the order of `points`; points: [{ x, label }], x ascending
 * @param options.format formats a value; options.isFloating: the axis need not start at 0; options.kind: line or bars
 */
export function plot({ title, points, series, format, kind = 'line', isFloating = false, empty }) {
  const readout = make('output', { class: 'readout' });
  const legend = series.length > 1 && series.map(({ name }, at) => make('span', { class: `key k${at}` }, name));
  const caption = make(
    'figcaption',
    {},
    make('span', { class: 'plot-title' }, title),
    readout,
    legend ? make('span', { class: 'legend' }, legend) : '',
  );
  const figure = make('figure', { class: 'plot' }, caption);
  const all = series.flatMap(({ values }) => values).filter((value) => value !== undefined);
  if (points.length === 0 || all.length === 0 || (empty && all.every((value) => value === 0))) {
    figure.append(make('p', { class: 'empty' }, empty ?? 'No data yet.'));
    return figure;
  }
  const scale = scaleOf(points, all, isFloating);
  const drawing = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  for (const share of [0, 0.5, 1])
    drawing.append(svg('line', { class: 'grid', x1: 0, x2: WIDTH, y1: share * HEIGHT, y2: share * HEIGHT }));
  series.forEach(({ values }, at) => {
    drawing.append(...(kind === 'bars' ? bars(values, at) : lines(points, values, at)));
  });
  const mark = svg('line', { class: 'mark', y1: 0, y2: HEIGHT, x1: 0, x2: 0 });
  const hide = () => mark.setAttribute('visibility', 'hidden');
  hide();
  drawing.append(mark);
  const place = (at) => (kind === 'bars' ? ((at + 0.5) / points.length) * WIDTH : scale.x(points[at].x));
  const show = (at) => {
    const texts = series.map(({ values }) => (values[at] === undefined ? '–' : format(values[at])));
    readout.textContent = `${texts.join(' · ')} · ${points[at].label}`;
  };
  show(points.length - 1);
  drawing.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = drawing.getBoundingClientRect();
    const wanted = ((clientX - left) / width) * WIDTH;
    const at = points.reduce(
      (best, _, i) => (Math.abs(place(i) - wanted) < Math.abs(place(best) - wanted) ? i : best),
      0,
    );
    for (const end of ['x1', 'x2']) mark.setAttribute(end, place(at));
    mark.setAttribute('visibility', 'visible');
    show(at);
  });
  drawing.addEventListener('pointerleave', () => {
    hide();
    show(points.length - 1);
  });
  const frame = make('div', { class: 'frame', role: 'img', 'aria-label': `${title}: ${readout.textContent}` }, drawing);
  frame.append(
    make('span', { class: 'top' }, format(scale.most)),
    isFloating ? make('span', { class: 'bottom' }, format(scale.least)) : '',
  );
  const ends = make('div', { class: 'ends' }, make('span', {}, points[0].label), make('span', {}, points.at(-1).label));
  figure.append(frame, ends);
  return figure;

  function lines(at, values, index) {
    const known = at.map(({ x }, i) => [x, values[i]]).filter(([, y]) => y !== undefined);
    if (known.length === 0) return [];
    // Draws steps, because each value stays the same until the next known value.
    let path = `M${scale.x(known[0][0])} ${scale.y(known[0][1])}`;
    for (const [x, y] of known.slice(1)) path += `H${scale.x(x)}V${scale.y(y)}`;
    if (known.length === 1) path += `H${WIDTH}`;
    const end = known.length === 1 ? WIDTH : scale.x(known.at(-1)[0]);
    const area = `${path}H${end}V${HEIGHT}H${scale.x(known[0][0])}Z`;
    return [svg('path', { class: `area s${index}`, d: area }), svg('path', { class: `line s${index}`, d: path })];
  }

  function bars(values, index) {
    const step = WIDTH / points.length;
    return values.map((value, i) => {
      const y = scale.y(value ?? 0);
      const height = value ? Math.max(HEIGHT - y, 1.5) : 0;
      return svg('rect', {
        class: `bar s${index}`,
        x: i * step + step * 0.1,
        y: HEIGHT - height,
        width: step * 0.8,
        height,
      });
    });
  }
}

function scaleOf(points, values, isFloating) {
  const [first, last] = [points[0].x, points.at(-1).x];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const isFlat = least === most;
  const span = isFlat ? Math.abs(most) || 1 : most - least;
  const bottom = isFloating ? least - span * MARGIN : Math.min(0, least);
  const top = isFloating ? most + span * MARGIN : most + (most - bottom || 1) * MARGIN;
  return {
    least,
    most,
    x: (x) => (last === first ? 0 : ((x - first) / (last - first)) * WIDTH),
    y: (y) => HEIGHT - ((y - bottom) / (top - bottom)) * HEIGHT,
  };
}

function svg(name, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** Returns up to `countMax` heights from first to last, both included. */
export function heightsBetween(first, last, countMax) {
  const steps = Math.min(countMax - 1, last - first);
  if (steps <= 0) return [last];
  return Array.from({ length: steps + 1 }, (_, at) => Math.round(first + ((last - first) * at) / steps));
}
