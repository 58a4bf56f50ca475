import { link, make, shortLink, table } from './format.js';

/** A value of a declaration: addresses lead on. */
function shownValue({ type, value }) {
  return type === 'address' ? link(value, value) : make('span', { class: 'mono' }, value);
}

function parameterTable({ parameters }) {
  if (parameters.length === 0) return make('p', { class: 'quiet' }, 'Without parameters.');
  const rows = parameters.map((one, at) => [one.name || String(at), one.type, shownValue(one)]);
  return table(['Name', '~Type', 'Value'], rows);
}

/** A call or an event by its declaration. */
export function decodedPart(decoded, ...behind) {
  return make(
    'article',
    { class: 'decoded' },
    make('p', {}, make('strong', {}, decoded.name), ' ', make('code', { class: 'quiet' }, decoded.declaration), behind),
    parameterTable(decoded),
  );
}

/** An event; one that nothing names is shown as it stands in the log. */
export function logPart({ address, topics, data, event }) {
  const by = [' by ', shortLink(address)];
  if (event) return decodedPart(event, by);
  const rows = [...topics.map((topic, at) => [`topic ${at}`, topic]), ['data', data || 'none']];
  const shown = rows.map(([name, value]) => [name, make('span', { class: 'mono' }, value)]);
  return make(
    'article',
    { class: 'decoded' },
    make('p', {}, make('strong', {}, 'Event'), make('span', { class: 'quiet' }, ' without a known declaration'), by),
    table(['Part', 'Value'], shown),
  );
}
