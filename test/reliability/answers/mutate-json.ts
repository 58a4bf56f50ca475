import type { Random } from '../../fuzz/random.js';
import { type JsonTree, printTree, raw } from './json-tree.js';

/** Recorded values by field name. The values have their original text. */
export type ValuePool = ReadonlyMap<string, readonly string[]>;

const ODD = [
  ...['null', 'true', 'false', '0', '1', '-1', '""', '" "', '"0x"', '"0"', '"1"', '"zz"', '"0xzz"', '"41"', '"abc"', '[]', '{}', '[null]', '[{}]'],
  ...['2', '3', '10', '99', '100', '101', '1000', '1000001', '2147483647', '2147483648', '-2147483648', '4294967296', '9007199254740993'],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775808', '18446744073709551616', '1.0', '1.5', '-0', '1e3', '1E2', '1e400', '0.1', '0x10', '010', '08', '1L'],
  ...['"9223372036854775807"', '"9223372036854775808"', '"1.5"', '"1.0"', '"-1"', '"+1"', '"1e3"', '" 1"', '"1 "', '"0x1"', '"1_0"', '"true"', '"True"', '"false"', '"null"', '"NULL"', '"yes"', '"1,5"'],
  ...['"\\u0000"', '"\\ud83d\\ude00"', '"\\ud800"', '"é"', '"日本"', '"a\\"b"', '"a\\\\b"', '"\\n"', '"<>&"', '"\\u2028"', '"\\u007f"', '"../"', '"%41"'],
  ...['"latest"', '"earliest"', '"pending"', '"finalized"', '"ENERGY"', '"BANDWIDTH"', '"TRON_POWER"', '"energy"', '"Energy"', '"bandwidth"', '"_"', '"TRX"', 'NaN', 'undefined', 'Infinity', "'x'", 'x', 'TRUE', 'Null'],
  ...['"T0OIl"', '"TJfmyR55zYqC9xUzuCuPA4hHc8TBnoUG7P"', '"410000000000000000000000000000000000000000"', '"0000000000000000000000000000000000000000"'],
]; // biome-ignore format: a table

const EXTRA_NAMES = [
  'visible',
  'int64_as_string',
  'Permission_id',
  'extra_data',
  'unknown',
  '',
  '1',
  '2',
  'fee_limit',
  'call_value',
  'token_id',
  'value',
  'num',
  'id',
  'address',
  'detail',
  'raw_data',
  'txID',
  'signature',
  '@type',
  '$ref',
  'type',
];

/**
 * Returns a value for a field: a recorded value of this field, a recorded value of another field, or a value that is
 * difficult to parse.
 */
export function poolValue(name: string, pool: ValuePool, random: Random): string {
  const share = random.next();
  const own = pool.get(name);
  if (share < 0.5 && own !== undefined) return random.pick(own);
  if (share < 0.65) return random.pick(pool.get(random.pick([...pool.keys()])) ?? ODD);
  if (share < 0.75) return respelt(own === undefined ? random.pick(ODD) : random.pick(own), random);
  return random.pick(ODD);
}

/**
 * Rewrites a JSON scalar: with or without quotes, in upper case, as hex, in a list or an object, or with one more or
 * one fewer digit.
 */
function respelt(text: string, random: Random): string {
  const inner = text.startsWith('"') ? text.slice(1, -1) : text;
  return random.pick([
    () => (text.startsWith('"') ? inner || '""' : `"${text.replaceAll('"', '')}"`),
    () => (text.startsWith('"') ? `"${inner.toUpperCase()}"` : text),
    () => `"0x${inner.replaceAll('"', '')}"`,
    () => `"${inner.replaceAll('"', '').slice(1)}"`,
    () => `"${inner.replaceAll('"', '')}0"`,
    () => `"${Buffer.from(inner.replaceAll('"', '')).toString('hex')}"`,
    () => `[${text}]`,
    () => `{"value":${text}}`,
    () => ` ${text} `,
    () => text.replaceAll('"', "'"),
  ])();
}

/** Returns a tree with `count` random changes. */
export function mutate(tree: JsonTree, pool: ValuePool, random: Random, count: number): JsonTree {
  let changed = structuredClone(tree);
  for (let times = 0; times < count; times++) changed = mutateOnce(changed, '', pool, random);
  return changed;
}

function mutateOnce(tree: JsonTree, name: string, pool: ValuePool, random: Random): JsonTree {
  if (tree.kind === 'raw' || random.chance(0.03)) return raw(poolValue(name, pool, random));
  if (tree.kind === 'array') {
    mutateList(
      tree.items,
      () => raw(poolValue(name, pool, random)),
      random,
      (item) => mutateOnce(item, name, pool, random),
    );
    return tree;
  }
  const { members } = tree;
  const change = random.next();
  const at = random.below(members.length);
  const member = members[at];
  if (member === undefined || change < 0.15) {
    const added = random.chance(0.5) ? random.pick(EXTRA_NAMES) : random.pick([...pool.keys()]);
    members.splice(random.below(members.length + 1), 0, [`"${added}"`, raw(poolValue(added, pool, random))]);
  } else if (change < 0.25) members.splice(at, 1);
  else if (change < 0.3)
    members.splice(random.below(members.length + 1), 0, [member[0], raw(poolValue(plain(member[0]), pool, random))]);
  else if (change < 0.35) members[at] = [renamed(member[0], random), member[1]];
  else if (change < 0.38) members.reverse();
  else members[at] = [member[0], mutateOnce(member[1], plain(member[0]), pool, random)];
  return tree;
}

function mutateList(
  items: JsonTree[],
  make: () => JsonTree,
  random: Random,
  change: (item: JsonTree) => JsonTree,
): void {
  const at = random.below(items.length);
  const item = items[at];
  const share = random.next();
  if (item === undefined || share < 0.15) items.splice(random.below(items.length + 1), 0, make());
  else if (share < 0.25) items.splice(at, 1);
  else if (share < 0.32) items.push(item);
  else items[at] = change(item);
}

function plain(name: string): string {
  return name.replaceAll('"', '');
}

function renamed(name: string, random: Random): string {
  const text = plain(name);
  return random.pick([
    text,
    `'${text}'`,
    `"${text.toUpperCase()}"`,
    `"${text}x"`,
    `" ${text}"`,
    `"${text[0]?.toUpperCase()}${text.slice(1)}"`,
    `"${text.replaceAll('_', '')}"`,
    '""',
    '"1"',
    '1',
  ]);
}

/** Percent-encoded bytes that are invalid or incomplete UTF-8. */
const UNREADABLE = [
  '%ff',
  '%c3%28',
  '%ed%a0%80',
  '%f0%9f%98',
  '%e2%82',
  '%80',
  '%',
  '%4',
  '%zz',
  '+%2b',
  '%c0%80',
  '%f5%80%80%80x',
];

/** Returns the fields of a tree as a query string. Objects and lists are written as JSON. */
export function queryOf(tree: JsonTree, random: Random): string {
  if (tree.kind !== 'object') return '';
  const parts = tree.members.map(([name, value]) => {
    const text = printTree(value).replace(/^"(.*)"$/s, '$1');
    // Writes the value without percent-encoding. Only characters that a request line cannot contain are replaced.
    const raw = text.replace(/[^\x21-\x7e]|[#\\]/g, '+');
    const written = random.chance(0.93) ? encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '')) : raw;
    if (random.chance(0.02)) return `${encodeURIComponent(plain(name))}=${raw.slice(0, 3)}${random.pick(UNREADABLE)}`;
    return random.chance(0.97) ? `${encodeURIComponent(plain(name))}=${written}` : encodeURIComponent(plain(name));
  });
  return parts.join('&');
}
