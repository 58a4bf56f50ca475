import type { Random } from './random.js';

/** Values (JSON text) that have caused errors in parsers and handlers. */
const VALUES = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '1',
    '-1',
    '""',
    '"0x"',
    '"0"',
    '"0xz"',
    '"41"',
    '[]',
    '{}',
    '[null]',
    '[[]]',
    '[{}]',
  ],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775808', '1e400', '-0', '1.5', '0x10', '010', '1e3'],
  ...['2147483647', '2147483648', '"9223372036854775808"', '"1.5"', '"-1"', '"true"', '"\\u0000"', '"\\ud800"', '"é"'],
  ...['"TJfmyR55zYqC9xUzuCuPA4hHc8TBnoUG7P"', '"TJfmyR55zYqC9xUzuCuPA4hHc8TBnoUG7Q"', '"T0OIl"'],
  ...['"415f0d2b1d5ad0aafbe2e8b8b43a8c6d5f3d0a1b2c"', '"0x415f0d2b1d5ad0aafbe2e8b8b43a8c6d5f3d0a1b2c"', '"abc"', '"4"'],
  ...['"latest"', '"earliest"', '"pending"', '"0x1"', '"0xffffffffffffffff"', '"100"', 'undefined', 'NaN', "'x'"],
];

/**
 * Functions that change a text. A deeply nested text may get an empty answer, because java-tron overflows its stack.
 */
const mutations: readonly ((text: string, random: Random) => string | Buffer)[] = [
  (text) => text,
  (text, random) => text.slice(0, random.below(text.length + 1)),
  (text, random) => text.slice(random.below(text.length + 1)),
  (text, random) =>
    insert(text, random, random.pick(['"', '\\', '{', '}', '[', ']', ',', ':', '\n', '\r', '#', '//', '\u0000'])),
  (text, random) => insert(text, random, text),
  (text, random) => insert(text, random, '9'.repeat(1 + random.below(5000))),
  (text, random) => insert(text, random, `"${'x'.repeat(random.below(20_000))}"`),
  (text) => text.replaceAll('"', "'"),
  (text) => `\ufeff${text}`,
  (text) => text.replaceAll(':', ' '),
  (text, random) => flip(Buffer.from(text), random),
  (_, random) => random.bytes(random.below(300)),
  (_, random) => random.pick(['[', '{"a":', '[[],', '{"a":[']).repeat(1 + random.below(3000)),
  (text, random) => `${random.pick(['[', '{"a":'])}`.repeat(random.below(200)) + text,
];

/** Returns a random JSON value as text. */
export function value(random: Random): string {
  if (random.chance(0.4)) return `"${random.chance(0.3) ? '0x' : ''}${random.pick(random.known)}"`;
  if (random.chance(0.02)) return `"${random.bytes(1500 + random.below(4000)).toString('hex')}"`;
  if (random.chance(0.8)) return random.pick(VALUES);
  if (random.chance(0.3)) return `"${random.bytes(random.below(70)).toString('hex')}"`;
  const inner = Array.from({ length: random.below(4) }, () => value(random));
  return random.chance(0.5) ? `[${inner.join(',')}]` : `{${inner.map((item, at) => `"k${at}":${item}`).join(',')}}`;
}

/** Returns the text of an object. It has some of the given fields, and sometimes unknown fields. */
export function object(names: readonly string[], random: Random): string {
  const chosen = names.filter(() => random.chance(0.8));
  if (random.chance(0.2))
    chosen.push(
      random.pick(['unknown', '', '1', '__proto__', 'constructor', 'visible', 'Permission_id', 'extra_data']),
    );
  if (random.chance(0.1) && chosen.length > 0) chosen.push(random.pick(chosen));
  return `{${chosen.map((name) => `"${name}":${name === 'visible' ? random.pick(['true', 'false', '1', '"x"']) : value(random)}`).join(',')}}`;
}

export function mutateText(text: string, random: Random): Buffer {
  const made = random.chance(0.4) ? text : random.pick(mutations)(text, random);
  return Buffer.from(made as string);
}

function insert(text: string, random: Random, what: string): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + what + text.slice(at);
}

function flip(bytes: Buffer, random: Random): Buffer {
  for (let times = 1 + random.below(4); times > 0 && bytes.length > 0; times--) {
    bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
  }
  return bytes;
}
