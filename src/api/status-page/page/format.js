/** Functions that create elements and format texts, for all parts of the page. */

export const $ = (id) => document.getElementById(id);

/** Creates an element with attributes and children. Strings become text nodes. Omits absent children. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.flat(2).filter(isThere));
  return element;
}

/** Returns false for a child that `make` omits. */
const isThere = (value) => value !== null && value !== undefined && value !== '' && value !== false;

export const link = (text, query) => make('a', { href: `?q=${encodeURIComponent(query)}`, title: query }, text);
export const short = (text) => (text.length > 14 ? `${text.slice(0, 6)}…${text.slice(-6)}` : text);
export const shortLink = (text) => (text ? link(short(text), text) : '–');
export const count = (text) => BigInt(text).toLocaleString();
export const time = (ms) => new Date(Number(ms)).toLocaleString();

/** Formats a time. Omits the date if the date is today. */
export function clock(ms) {
  const date = new Date(Number(ms));
  const isToday = date.toDateString() === new Date().toDateString();
  return make('time', { title: date.toLocaleString() }, isToday ? date.toLocaleTimeString() : date.toLocaleString());
}

/** Formats an amount in the smallest unit as a decimal number. */
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

/** Formats a large number in short form: 1.2M. */
export const compact = (number) =>
  Number(number).toLocaleString(undefined, { notation: 'compact', maximumFractionDigits: 2 });

/** Returns a list of names and values. Omits pairs without a value. */
export function details(pairs) {
  const shown = pairs.filter(([, value]) => isThere(value));
  return make(
    'dl',
    { class: 'details' },
    shown.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
  );
}

/**
 * Returns a table. Without rows, it shows the text `empty`.
 * @param columns titles; # marks a column of numbers, ~ a column that is hidden on a phone
 */
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

/** Returns a section with a title. */
export function part(title, ...children) {
  return make('section', { class: 'part' }, make('h3', {}, title), ...children);
}

/** Returns an element with an error message. */
export const complaint = (error) => make('p', { class: 'bad' }, error.message);

export const json = (text) => make('pre', {}, JSON.stringify(JSON.parse(text), null, 2));
