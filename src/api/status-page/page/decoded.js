import { link, make, shortLink, table } from './format.js';

/** Returns an element for a decoded value. Addresses are links. */
function shownValue({ type, value }) {
  return type === 'address' ? link(value, value) : make('span', { class: 'mono' }, value);
}

function parameterTable({ parameters }) {
  if (parameters.length === 0) return make('p', { class: 'quiet' }, 'No parameters.');
  const rows = parameters.map((one, at) => [one.name || String(at), one.type, shownValue(one)]);
  return table(['Name', '~Type', 'Value'], rows);
}

/** Returns an element for a decoded call or event. */
export function decodedPart(decoded, ...behind) {
  return make(
    'article',
    { class: 'decoded' },
    make('p', {}, make('strong', {}, decoded.name), ' ', make('code', { class: 'quiet' }, decoded.declaration), behind),
    parameterTable(decoded),
  );
}

/** Returns an element for a log. If no ABI has the event, shows the topics and data in hex. */
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
