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
 * Keys of the local witness. `privateKeys` have 64 hex digits each and must never be printed. `enabled` is true with
 * `--witness`, and the node then produces blocks.
 *
 * `accountAddress` has 42 hex digits. It is the configured address, or else the address of the first key. It is absent
 * if no address is configured, and there is no key or the keys are for SM2.
 */
export interface WitnessConfig {
  readonly enabled: boolean;
  readonly privateKeys: readonly string[];
  readonly accountAddress?: string;
}

export const witnessKeys: readonly Described[] = [
  described('localwitness', 'string[]', 'absent', 'private keys of the witness', '64 hex digits, with or without 0x'),
  described(
    'localWitnessAccountAddress',
    'string',
    'absent',
    'account address of the witness; needed if the private key belongs to the witness permission of the account',
  ),
  described(
    'localwitnesskeystore',
    'string[]',
    'absent',
    'path of a keystore file, relative to the working directory; only the first entry is used. Read only with --witness, and only without -p and localwitness',
  ),
];

const WRONG_ADDRESS = 'The localWitnessAccountAddress format is incorrect, ignored';
export const NO_KEYS = 'This is a witness node, but localWitnesses is null';
const KEY_LENGTH = 64;

/** Rules for witness keys. They differ between releases. */
interface WitnessRules {
  /**
   * True since release 4.8.2, which does not start with an invalid key or address, has its own error texts, and reads
   * no keys without `--witness`.
   */
  readonly isStrict: boolean;
  /** True to read keys even without `--witness`. */
  readonly readsKeys: boolean;
}

/**
 * Reads the witness keys. `-p` takes precedence over `localwitness`, and `localwitness` over the key file. Reference:
 * Args.setParam.
 * @throws {UsageError} invalid key or key file; since 4.8.2 also if a witness has no key
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

/**
 * Checks the witness address. Release 4.7.2 does not make this check.
 * Reference: WitnessInitializer.
 * @throws {UsageError} the address is invalid, or it is configured for a number of keys other than one
 */
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
  const privateKeys = keys === undefined ? undefined : asTexts(keys, 'localwitness');
  // If the list of keys is present, release 4.7.2 does not read the key file, even if the list is empty.
  if (privateKeys !== undefined && (privateKeys.length > 0 || !rules.isStrict)) {
    // Release 4.7.2 accepts blank keys. Only a witness needs a valid key.
    const usable = rules.isStrict || source.flags.witness === true ? privateKeys : privateKeys.filter(isGiven);
    return usable.map((key) => checkKey(key, 'localwitness', rules));
  }
  const stores = source.value('localwitnesskeystore');
  if (stores === undefined || source.flags.witness !== true) return [];
  const [file] = asTexts(stores, 'localwitnesskeystore');
  return file === undefined ? [] : [loadKeystore(file, source)];
}

/**
 * Returns the private key (hex) in a key file. @throws {KeystoreLoadError} missing or malformed file, or wrong password
 */
function loadKeystore(file: string, { flags }: ConfigSource): string {
  try {
    return readKeystore(resolve(file), flags.password || promptPassword());
  } catch (error) {
    throw error instanceof TronError ? new KeystoreLoadError(error.message, { cause: error }) : error;
  }
}

/**
 * Returns the digits of a private key in lower case. Error texts never contain the key.
 * @throws {UsageError} the key is invalid
 */
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
    throw new UsageError(`Check ${key}, must be 64 hex digits that are a secp256k1 private key`);
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

function promptPassword(): string {
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
