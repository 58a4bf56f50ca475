import {
  SmartContractABI,
  SmartContractABIEntry,
  SmartContractABIEntryParam,
} from '../../../src/codec/generated/messages.js';
import { keccak256 } from '../../../src/crypto/hash.js';
import { concatBytes, utf8 } from '../../../src/primitives/bytes.js';
import { everybody } from './actors.js';
import type { Dice } from './dice.js';
import { wordOf } from './puppet-code.js';

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

/** Returns the entries of a random ABI: mostly well-formed events, and other entries. */
export function randomAbi(dice: Dice): SmartContractABI {
  const entrys = Array.from({ length: dice.pick([1, 2, 3, 6]) }, () =>
    dice.chance(0.9) ? eventEntry(dice) : other(dice),
  );
  return Object.assign(new SmartContractABI(), { entrys });
}

function other(dice: Dice): SmartContractABIEntry {
  return Object.assign(new SmartContractABIEntry(), {
    type: dice.pick([0, 1, 2, 4, 5, 6, 9]),
    name: dice.pick(EVENT_NAMES),
    inputs: dice.chance(0.5) ? [parameter(dice)] : [],
    constant: dice.chance(0.3),
  });
}

function eventEntry(dice: Dice): SmartContractABIEntry {
  return Object.assign(new SmartContractABIEntry(), {
    type: EVENT,
    name: dice.pick(EVENT_NAMES),
    anonymous: dice.chance(0.08),
    inputs: Array.from({ length: dice.pick([0, 1, 2, 2, 3, 3, 4, 12]) }, () => parameter(dice)),
  });
}

function parameter(dice: Dice): SmartContractABIEntryParam {
  const kind = dice.below(20);
  const type = kind < 14 ? dice.pick(WORD_TYPES) : kind < 18 ? dice.pick(['string', 'bytes']) : dice.pick(LIST_TYPES);
  return Object.assign(new SmartContractABIEntryParam(), { type, name: dice.pick(NAMES), indexed: dice.chance(0.35) });
}

export function topicOf({ name, inputs }: Entry): bigint {
  let types = '';
  // As in java-tron, no comma follows while the text is empty.
  for (const { type } of inputs) types += types === '' ? type : `,${type}`;
  const signature = `${name}(${types})`;
  return BigInt(`0x${Buffer.from(keccak256(utf8(signature))).toString('hex')}`);
}

/** Returns a log that matches its event or nearly matches it: at most four topics, and data. */
export function logOf(entry: Entry, dice: Dice): { topics: bigint[]; data: Uint8Array } {
  const indexed = entry.inputs.filter((input) => input.indexed);
  const topics = [...(entry.anonymous ? [] : [topicOf(entry)]), ...indexed.map(() => wordFor(dice))];
  if (dice.chance(0.06)) topics.push(wordFor(dice));
  if (dice.chance(0.06)) topics.pop();
  const plain = entry.inputs.filter((input) => !input.indexed).map(({ type }) => type);
  return { topics: topics.slice(0, 4), data: spoiled(encoded(plain, dice), dice) };
}

function wordFor(dice: Dice): bigint {
  const kind = dice.below(8);
  if (kind < 2) return dice.upTo(10n ** 20n);
  if (kind === 2) return dice.pick([0n, 1n, 2n ** 255n, 2n ** 256n - 1n, 2n ** 160n, 2n ** 128n - 1n]);
  const { bytes } = dice.pick(everybody);
  if (kind < 5) return BigInt(`0x${Buffer.from(bytes.subarray(kind === 3 ? 1 : 0)).toString('hex')}`);
  return BigInt(`0x00${Buffer.from(dice.bytes(kind < 7 ? 32 : 8)).toString('hex')}`);
}

const isDynamic = (type: string): boolean =>
  ['string', 'bytes', 'string[]', 'tuple[]'].includes(type) || type.endsWith('[]');

/** Encodes words. A dynamic value has an offset in its place, and its length and bytes follow after all words. */
function encoded(types: readonly string[], dice: Dice): Uint8Array {
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let tailAt = 32 * types.length;
  for (const type of types) {
    if (!isDynamic(type)) {
      heads.push(wordOf(wordFor(dice)));
      continue;
    }
    const bytes =
      type === 'string' && dice.chance(0.6) ? utf8(dice.pick(TEXTS)) : dice.bytes(dice.pick([0, 1, 31, 32, 33, 80]));
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

/** Returns the data, sometimes shortened, extended, or with another word. */
function spoiled(data: Uint8Array, dice: Dice): Uint8Array {
  const kind = dice.below(12);
  if (kind === 0) return data.subarray(0, dice.below(data.length + 1));
  if (kind === 1) return concatBytes(data, dice.bytes(dice.below(70)));
  if (kind !== 2 || data.length === 0) return data;
  const changed = Uint8Array.from(data);
  changed.set(
    wordOf(dice.chance(0.5) ? dice.pick(ODD_WORDS) : BigInt(dice.below(data.length + 40))),
    32 * dice.below(data.length / 32),
  );
  return changed;
}
