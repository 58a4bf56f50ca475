/** Elements and texts that all parts of the page are made of. */

export const $ = (id) => document.getElementById(id);

/** Element with attributes and children; text stays text. Children that are not there are left out. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.flat(2).filter(isThere));
  return element;
}

/** Parts that a condition leaves out are no text. */
const isThere = (value) => value !== null && value !== undefined && value !== '' && value !== false;

export const link = (text, query) => make('a', { href: `?q=${encodeURIComponent(query)}`, title: query }, text);
export const short = (text) => (text.length > 14 ? `${text.slice(0, 6)}…${text.slice(-6)}` : text);
export const shortLink = (text) => (text ? link(short(text), text) : '–');
export const count = (text) => BigInt(text).toLocaleString();
export const time = (ms) => new Date(Number(ms)).toLocaleString();

/** A time of today without its day. */
export function clock(ms) {
  const date = new Date(Number(ms));
  const isToday = date.toDateString() === new Date().toDateString();
  return make('time', { title: date.toLocaleString() }, isToday ? date.toLocaleTimeString() : date.toLocaleString());
}

/** An amount in smallest units as a decimal number. */
export function decimal(amount, decimals) {
  const value = BigInt(amount);
  const size = value < 0n ? -value : value;
  const one = 10n ** BigInt(decimals);
  const rest =
    decimals === 0
      ? ''
      : String(size % one)
          .padStart(decimals, '0')
          .replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${(size / one).toLocaleString()}${rest ? `.${rest}` : ''}`;
}

export const trx = (sun) => `${decimal(sun, 6)} TRX`;

/** Few letters for large numbers: 1.2M. */
export const compact = (number) =>
  Number(number).toLocaleString(undefined, { notation: 'compact', maximumFractionDigits: 2 });

/** Pairs of a name and what is said of it; those without a value are left out. */
export function details(pairs) {
  const shown = pairs.filter(([, value]) => isThere(value));
  return make(
    'dl',
    { class: 'details' },
    shown.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
  );
}

/** @param columns titles; one that begins with # holds numbers, one with ~ is left out on a phone */
export function table(columns, rows, empty) {
  const classes = columns.map((title) => ({ '#': 'number', '~': 'wide' })[title[0]] ?? '');
  const cell = (name, value, at) => make(name, classes[at] ? { class: classes[at] } : {}, value);
  const head = columns.map((title, at) => cell('th', title.replace(/^[#~]/, ''), at));
  return make(
    'table',
    {},
    make('thead', {}, make('tr', {}, head)),
    make('tbody', {}, rows.length ? rows.map((cells) => rowOf(cells, cell)) : [nothing(empty, columns.length)]),
  );
}

function rowOf(cells, cell) {
  return make(
    'tr',
    {},
    cells.map((value, at) => cell('td', value, at)),
  );
}

export function nothing(text, columns) {
  return make('tr', {}, make('td', { colspan: String(columns), class: 'quiet' }, text));
}

/** A part of a page with its title. */
export function part(title, ...children) {
  return make('section', { class: 'part' }, make('h3', {}, title), ...children);
}

/** Something that did not work, as a sentence. */
export const complaint = (error) => make('p', { class: 'bad' }, error.message);

export const json = (text) => make('pre', {}, JSON.stringify(JSON.parse(text), null, 2));
