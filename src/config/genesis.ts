import { decodeBase58Check } from '../crypto/base58-check.js';
import { toHex } from '../primitives/bytes.js';
import { UsageError } from '../primitives/errors.js';
import {
  asInt64,
  asObject,
  asObjects,
  asText,
  type HoconObject,
  type HoconValue,
  hoconInt64,
  originText,
  unwrappedText,
  valueAt,
} from './hocon/hocon-value.js';
import { type ConfigKey, type Described, described, row } from './row.js';
import type { ConfigSource } from './source.js';

type GenesisAccountType = 'Normal' | 'AssetIssue' | 'Contract';

/**
 * An initial account. `address` is 42 hex digits; `balance` is in SUN. As in java-tron, `type` is ignored, and every
 * account has the type Normal.
 */
interface GenesisAccount {
  readonly name: string;
  readonly type: GenesisAccountType;
  readonly address: string;
  readonly balance: bigint;
}
/** An initial witness. `address` is 42 hex digits. */
interface GenesisWitness {
  readonly address: string;
  readonly url: string;
  readonly voteCount: bigint;
}

/**
 * Configuration of block 0. `timestamp` is in ms. `parentHash` is hex with as many digits as configured; without the
 * section, it is "00".
 */
interface Genesis {
  readonly timestamp: number;
  readonly parentHash: string;
  readonly accounts: readonly GenesisAccount[];
  readonly witnesses: readonly GenesisWitness[];
}

const KEY = 'genesis.block';
const NO_GENESIS: Genesis = { timestamp: 0, parentHash: '00', accounts: [], witnesses: [] };
const TYPES: readonly GenesisAccountType[] = ['Normal', 'AssetIssue', 'Contract'];

/**
 * Section `genesis.block`. Reference: GenesisBlock, Account, Witness.
 * @throws {UsageError} a value is invalid; the text is that of java-tron
 */
export const genesisRow: ConfigKey<Genesis> = {
  ...row(KEY, 'object', NO_GENESIS, 'block 0 and the initial state', readGenesis),
  fallback: 'absent: timestamp 0, parent hash 00, no accounts',
  also: members(),
};

function readGenesis(value: HoconValue, _key: string, source: ConfigSource): Genesis {
  asObject(value, KEY);
  const { root } = source;
  const list = <T>(name: string, read: (object: HoconObject) => T): readonly T[] => {
    const found = valueAt(root, `${KEY}.${name}`);
    return found === undefined ? [] : asObjects(found, `${KEY}.${name}`).map(read);
  };
  const prefix = addressPrefix(source);
  return {
    timestamp: readTimestamp(root),
    parentHash: readParentHash(root),
    accounts: list('assets', (object) => readAccount(object, prefix)),
    witnesses: list('witnesses', (object) => readWitness(object, prefix)),
  };
}

/** Returns the first byte of every address of the network: 0x41, or 0xa0 if `net.type` is testnet. */
export function addressPrefix({ root }: ConfigSource): number {
  const type = valueAt(root, 'net.type');
  return type !== undefined && asText(type, 'net.type').toLowerCase() === 'testnet' ? 0xa0 : 0x41;
}

/**
 * Returns the 21 bytes of an address in hex; undefined if it is not an address of this network.
 * Reference: Commons.decodeFromBase58Check.
 */
export function decodeAddress(text: string, prefix: number): string | undefined {
  const bytes = decodeBase58Check(text);
  return bytes?.length === 21 && bytes[0] === prefix ? toHex(bytes) : undefined;
}

function readTimestamp(root: HoconObject): number {
  const text = required(root, 'timestamp');
  const ms = hoconInt64(text);
  if (ms === undefined || ms < 0n) throw new UsageError(`Timestamp(${text}) must be a Long type.`);
  return Number(ms);
}

function readParentHash(root: HoconObject): string {
  const text = required(root, 'parentHash').replace(/^0x/, '');
  if (!/^[0-9a-fA-F]*$/.test(text)) throw new UsageError(`${KEY}.parentHash(${text}) must be hex digits.`);
  return (text.length % 2 === 0 ? text : `0${text}`).toLowerCase();
}

function required(root: HoconObject, name: string): string {
  const value = valueAt(root, `${KEY}.${name}`);
  if (value === undefined) throw new UsageError(`No configuration setting found for key '${KEY}.${name}'`);
  return asText(value, `${KEY}.${name}`);
}

function readAccount(object: HoconObject, prefix: number): GenesisAccount {
  const name = member(object, 'assets', 'accountName');
  if (name.trim() === '') throw new UsageError('Account name must be not be empty.');
  const accountType = member(object, 'assets', 'accountType').toUpperCase();
  const type = TYPES.find((known) => known.toUpperCase() === accountType);
  if (type === undefined) throw new UsageError('Account type error: Not a Normal/AssetIssue/Contract');
  const address = readAddress(object, 'assets', prefix);
  const balance = member(object, 'assets', 'balance');
  const amount = hoconInt64(balance);
  if (amount === undefined) throw new UsageError(`Balance(${balance}) must be a Long type.`);
  return { name, type, address, balance: amount };
}

function readWitness(object: HoconObject, prefix: number): GenesisWitness {
  const address = readAddress(object, 'witnesses', prefix);
  const url = member(object, 'witnesses', 'url');
  if (url.trim() === '') throw new UsageError(`The url(${url}) format error.`);
  const voteCount = object.fields.get('voteCount');
  if (voteCount === undefined) throw missing(object, 'witnesses', 'voteCount');
  return { address, url, voteCount: asInt64(voteCount, `${KEY}.witnesses.voteCount`) };
}

/**
 * Decodes an address of a list of genesis. The error text for an invalid address contains an empty address, because
 * java-tron has no decoded bytes to print.
 */
function readAddress(object: HoconObject, list: string, prefix: number): string {
  const address = decodeAddress(member(object, list, 'address'), prefix);
  if (address !== undefined) return address;
  throw new UsageError(`The address() must be 21 bytes. (${originText(object.origin)})`);
}

function member(object: HoconObject, list: string, name: string): string {
  const value = object.fields.get(name);
  if (value === undefined) throw missing(object, list, name);
  return unwrappedText(value, `${KEY}.${list}.${name}`);
}

function missing(object: HoconObject, list: string, name: string): UsageError {
  return new UsageError(`${originText(object.origin)}: an element of ${KEY}.${list} has no ${name}`);
}

function members(): readonly Described[] {
  const assets =
    'initial accounts { accountName, accountType, address, balance }; Zion, Sun and Blackhole have special roles';
  return [
    described(
      `${KEY}.timestamp`,
      'string int64',
      'required',
      'time of block 0, and of the first maintenance (ms since 1970)',
      '>= 0',
    ),
    described(`${KEY}.parentHash`, 'string hex', 'required', 'parent hash of block 0'),
    {
      ...described(`${KEY}.assets`, 'object[]', '[]', assets),
      members: ['accountName', 'accountType', 'address', 'balance'],
    },
    {
      ...described(`${KEY}.witnesses`, 'object[]', '[]', 'initial witnesses { address, url, voteCount }'),
      members: ['address', 'url', 'voteCount'],
    },
  ];
}
