import { readSync } from 'node:fs';
import { resolve } from 'node:path';
import { keccak256 } from '../crypto/hash.js';
import { readKeystore } from '../crypto/keystore/key-file.js';
import { secp256k1 } from '../crypto/secp256k1.js';
import { fromHex, toHex } from '../primitives/bytes.js';
import { KeystoreLoadError, TronError, UsageError } from '../primitives/errors.js';
import { addressPrefix, decodeAddress } from './genesis.js';
import { asText, asTexts } from './hocon/hocon-value.js';
import { type Described, described } from './row.js';
import type { ConfigSource } from './source.js';

/**
 * Keys of the local witness: 64 hex digits each, never to be printed. `accountAddress`: 42 hex digits, the configured
 * one or the first key's own; absent without keys or, unless configured, with SM2.
 * `enabled`: blocks are produced (`--witness`).
 */
export interface WitnessConfig {
  readonly enabled: boolean;
  readonly privateKeys: readonly string[];
  readonly accountAddress?: string;
}

export const witnessKeys: readonly Described[] = [
  described('localwitness', 'string[]', 'absent', "the witness's private keys", '64 hex digits, with or without 0x'),
  described(
    'localWitnessAccountAddress',
    'string',
    'absent',
    "the witness's account, when the key is of its witness permission",
  ),
  described(
    'localwitnesskeystore',
    'string[]',
    'absent',
    'keystore file (the first entry, relative to the working directory); read with --witness, without -p and localwitness',
  ),
];

const WRONG_ADDRESS = 'The localWitnessAccountAddress format is incorrect, ignored';
const NO_KEYS = 'This is a witness node, but localWitnesses is null';
const KEY_LENGTH = 64;

/** Where releases differ. */
interface WitnessRules {
  /**
   * What is wrong with keys and addresses ends the start, in the words of a later release, which reads none without
   * `--witness`.
   */
  readonly isStrict: boolean;
  /** Keys are wanted all the same. */
  readonly readsKeys: boolean;
}

/**
 * `-p` wins over `localwitness`, that over the keystore.
 * @throws {UsageError} a wrong key or keystore.
 * Reference: Args.setParam.
 */
export function readWitness(source: ConfigSource, engine: 'eckey' | 'sm2', rules: WitnessRules): WitnessConfig {
  const { flags } = source;
  const enabled = flags.witness === true;
  if (rules.isStrict && !enabled && !rules.readsKeys) return { enabled, privateKeys: [] };
  const prefix = addressPrefix(source);
  const privateKeys = readKeys(source, rules);
  if (enabled && privateKeys.length === 0) {
    if (rules.isStrict) throw new UsageError(NO_KEYS);
    source.warn(NO_KEYS);
  }
  if (rules.isStrict && enabled) checkAddress(source, privateKeys.length, prefix);
  const configured = isGiven(flags.privateKey)
    ? configuredAddress(source, flags.witnessAddress, prefix)
    : configuredAddress(source, textAt(source, 'localWitnessAccountAddress'), prefix);
  const [first] = privateKeys;
  const accountAddress = configured ?? (first && engine === 'eckey' ? addressOf(first, prefix) : undefined);
  return { enabled, privateKeys, ...(accountAddress && { accountAddress }) };
}

/** A later release does not start where a witness's address is wrong. Reference: WitnessInitializer. */
function checkAddress(source: ConfigSource, keys: number, prefix: number): void {
  const { privateKey, witnessAddress } = source.flags;
  const isFlag = isGiven(privateKey);
  const text = isFlag ? witnessAddress : textAt(source, 'localWitnessAccountAddress');
  if (text === undefined || text === '') return;
  if (!isFlag && keys !== 1) {
    throw new UsageError('LocalWitnessAccountAddress can only be set when there is only one private key');
  }
  if (decodeAddress(text, prefix) !== undefined) return;
  throw new UsageError(`LocalWitnessAccountAddress format from ${isFlag ? 'cmd' : 'config'} is incorrect`);
}

function readKeys(source: ConfigSource, rules: WitnessRules): readonly string[] {
  const { privateKey } = source.flags;
  if (isGiven(privateKey)) return [checkKey(privateKey, '--private-key', rules)];
  const keys = source.value('localwitness');
  const given = keys === undefined ? undefined : asTexts(keys, 'localwitness');
  // An empty list keeps an older release from the keystore.
  if (given !== undefined && (given.length > 0 || !rules.isStrict))
    return given.map((key) => checkKey(key, 'localwitness', rules));
  const stores = source.value('localwitnesskeystore');
  if (stores === undefined || source.flags.witness !== true) return [];
  const [file] = asTexts(stores, 'localwitnesskeystore');
  return file === undefined ? [] : [loadKeystore(file, source)];
}

/** @throws {KeystoreLoadError} a file that is not there, is none, or has another password */
function loadKeystore(file: string, { flags }: ConfigSource): string {
  try {
    return readKeystore(resolve(file), flags.password || askPassword());
  } catch (error) {
    throw error instanceof TronError ? new KeystoreLoadError(error.message, { cause: error }) : error;
  }
}

/** Keys are never part of a message. */
function checkKey(text: string, key: string, { isStrict }: WitnessRules): string {
  const digits = text.replace(/^0x/i, '');
  if (digits.length !== KEY_LENGTH)
    throw new UsageError(
      isStrict
        ? `private key must be ${KEY_LENGTH} hex string, actual: ${digits.trim() === '' ? 0 : digits.length}`
        : `private key must be ${KEY_LENGTH}-bits hex string, actual: ${digits.length}`,
    );
  if (isStrict && !/^[0-9a-fA-F]+$/.test(digits)) throw new UsageError('private key must be hex string');
  if (!/^[0-9a-fA-F]+$/.test(digits) || !secp256k1.isPrivateKey(fromHex(digits)))
    throw new UsageError(`Check ${key}, a private key is not a number in hex that the curve allows`);
  return digits.toLowerCase();
}

function configuredAddress(source: ConfigSource, text: string | undefined, prefix: number): string | undefined {
  if (!isGiven(text)) return undefined;
  const address = decodeAddress(text, prefix);
  if (address === undefined) source.warn(WRONG_ADDRESS);
  return address;
}

function addressOf(privateKey: string, prefix: number): string {
  const point = secp256k1.publicKeyOf(fromHex(privateKey)).subarray(1);
  return toHex(Uint8Array.of(prefix)) + toHex(keccak256(point).subarray(-20));
}

function askPassword(): string {
  process.stdout.write('Please input your password.\n');
  const buffer = Buffer.alloc(1024);
  const length = readSync(0, buffer, 0, buffer.length, null);
  return buffer.toString('utf8', 0, length).split(/\r?\n/)[0] ?? '';
}

function textAt(source: ConfigSource, key: string): string | undefined {
  const value = source.value(key);
  return value && asText(value, key);
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}
