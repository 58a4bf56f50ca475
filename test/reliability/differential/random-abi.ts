import {
  SmartContractABI,
  SmartContractABIEntry,
  SmartContractABIEntryParam,
} from '../../../src/codec/generated/messages.js';
import { keccak256 } from '../../../src/crypto/hash.js';
import { concatBytes, utf8 } from '../../../src/primitives/bytes.js';
import { everybody } from './actors.js';
import { wordOf } from './proxy-code.js';
import type { RandomChoices } from './random-choices.js';

const EVENT = 3;
const EVENT_NAMES = [
  'Paid',
  'Transfer',
  'e',
  '',
  'Zahl\u00e4',
  'a"b\\c',
  'tab\tend\u007f',
  '\u{1f600}',
  'Long'.repeat(80),
];
const WORD_TYPES = [
  ...[
    'uint256',
    'int256',
    'uint8',
    'int8',
    'uint',
    'int',
    'trcToken',
    'address',
    'bool',
    'bytes32',
    'bytes4',
    'bytes1',
  ],
  ...[
    'int92',
    'uint[',
    'bytes33',
    'bytes0',
    'function',
    'fixed128x18',
    'enum',
    'contract Token',
    ' uint256',
    'uint256[3]',
  ],
];
const LIST_TYPES = ['uint256[]', 'uint8[2][]', 'string[]', 'bytes[2]', 'tuple', 'tuple[]', '(uint256,string)', ''];
const NAMES = [
  '',
  '',
  'a',
  'b',
  'value',
  '0',
  '1',
  '2',
  'from',
  'to',
  'amount',
  '\u0446\u0435\u043d\u0430',
  'a b',
  '"',
  '\u0001',
];
const TEXTS = ['', 'text', 'a "quoted" one\n', '\u00fc\u4e2d\u{1f600}', '\u2028\u007f\u0000', 'x'.repeat(2000)];

type Entry = Pick<SmartContractABIEntry, 'name' | 'inputs' | 'anonymous'>;

/** Returns a random ABI. Most entries are well-formed events. */
export function randomAbi(random: RandomChoices): SmartContractABI {
  const entrys = Array.from({ length: random.pick([1, 2, 3, 6]) }, () =>
    random.chance(0.9) ? eventEntry(random) : other(random),
  );
  return Object.assign(new SmartContractABI(), { entrys });
}

function other(random: RandomChoices): SmartContractABIEntry {
  return Object.assign(new SmartContractABIEntry(), {
    type: random.pick([0, 1, 2, 4, 5, 6, 9]),
    name: random.pick(EVENT_NAMES),
    inputs: random.chance(0.5) ? [parameter(random)] : [],
    constant: random.chance(0.3),
  });
}

function eventEntry(random: RandomChoices): SmartContractABIEntry {
  return Object.assign(new SmartContractABIEntry(), {
    type: EVENT,
    name: random.pick(EVENT_NAMES),
    anonymous: random.chance(0.08),
    inputs: Array.from({ length: random.pick([0, 1, 2, 2, 3, 3, 4, 12]) }, () => parameter(random)),
  });
}

function parameter(random: RandomChoices): SmartContractABIEntryParam {
  const kind = random.below(20);
  const type =
    kind < 14 ? random.pick(WORD_TYPES) : kind < 18 ? random.pick(['string', 'bytes']) : random.pick(LIST_TYPES);
  return Object.assign(new SmartContractABIEntryParam(), {
    type,
    name: random.pick(NAMES),
    indexed: random.chance(0.35),
  });
}

export function topicOf({ name, inputs }: Entry): bigint {
  let types = '';
  // As in java-tron, no comma is added while the text is empty.
  for (const { type } of inputs) types += types === '' ? type : `,${type}`;
  const signature = `${name}(${types})`;
  return BigInt(`0x${Buffer.from(keccak256(utf8(signature))).toString('hex')}`);
}

/** Returns a log that matches its event, or nearly matches it. The log has at most four topics. */
export function logOf(entry: Entry, random: RandomChoices): { topics: bigint[]; data: Uint8Array } {
  const indexed = entry.inputs.filter((input) => input.indexed);
  const topics = [...(entry.anonymous ? [] : [topicOf(entry)]), ...indexed.map(() => wordFor(random))];
  if (random.chance(0.06)) topics.push(wordFor(random));
  if (random.chance(0.06)) topics.pop();
  const plain = entry.inputs.filter((input) => !input.indexed).map(({ type }) => type);
  return { topics: topics.slice(0, 4), data: mutated(encoded(plain, random), random) };
}

function wordFor(random: RandomChoices): bigint {
  const kind = random.below(8);
  if (kind < 2) return random.upTo(10n ** 20n);
  if (kind === 2) return random.pick([0n, 1n, 2n ** 255n, 2n ** 256n - 1n, 2n ** 160n, 2n ** 128n - 1n]);
  const { bytes } = random.pick(everybody);
  if (kind < 5) return BigInt(`0x${Buffer.from(bytes.subarray(kind === 3 ? 1 : 0)).toString('hex')}`);
  return BigInt(`0x00${Buffer.from(random.bytes(kind < 7 ? 32 : 8)).toString('hex')}`);
}

const isDynamic = (type: string): boolean =>
  ['string', 'bytes', 'string[]', 'tuple[]'].includes(type) || type.endsWith('[]');

/**
 * Encodes values of the given types in ABI. A dynamic value is represented by an offset, and its length and bytes
 * follow after all words.
 */
function encoded(types: readonly string[], random: RandomChoices): Uint8Array {
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let tailAt = 32 * types.length;
  for (const type of types) {
    if (!isDynamic(type)) {
      heads.push(wordOf(wordFor(random)));
      continue;
    }
    const bytes =
      type === 'string' && random.chance(0.6)
        ? utf8(random.pick(TEXTS))
        : random.bytes(random.pick([0, 1, 31, 32, 33, 80]));
    const tail = concatBytes(wordOf(BigInt(bytes.length)), bytes, new Uint8Array((32 - (bytes.length % 32)) % 32));
    heads.push(wordOf(BigInt(tailAt)));
    tails.push(tail);
    tailAt += tail.length;
  }
  return concatBytes(...heads, ...tails);
}

const ODD_WORDS = [
  0n,
  1n,
  31n,
  33n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 31n - 33n,
  2n ** 256n - 1n,
  2n ** 256n - 32n,
  2n ** 63n,
];

/** Returns the data, sometimes shortened or extended, or with one word replaced. */
function mutated(data: Uint8Array, random: RandomChoices): Uint8Array {
  const kind = random.below(12);
  if (kind === 0) return data.subarray(0, random.below(data.length + 1));
  if (kind === 1) return concatBytes(data, random.bytes(random.below(70)));
  if (kind !== 2 || data.length === 0) return data;
  const changed = Uint8Array.from(data);
  changed.set(
    wordOf(random.chance(0.5) ? random.pick(ODD_WORDS) : BigInt(random.below(data.length + 40))),
    32 * random.below(data.length / 32),
  );
  return changed;
}
