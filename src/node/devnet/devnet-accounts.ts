import { createHash, pbkdf2Sync } from 'node:crypto';
import * as HdKey from 'ox/HdKey';
import type { NodeConfig } from '../../config/load-config.js';
import { encodeBase58Check } from '../../crypto/base58-check.js';
import { keyAddress } from '../../crypto/key-address.js';
import { fromHex, toHex } from '../../primitives/bytes.js';

/** Account of the private network. Its key is public. */
interface DevnetAccount {
  readonly address: string;
  readonly privateKey: string;
}

type AccountRules = Pick<NodeConfig['tronicle']['devnet'], 'accounts' | 'mnemonic'>;

const MAIN_NET_PREFIX = 0x41;
/** BIP-44 derivation path of TRON's wallets, without the index of the account. */
const HD_PATH = "m/44'/195'/0'/0/";
/** Rounds of PBKDF2 that derive a BIP-39 seed from a mnemonic. */
const SEED_ROUNDS = 2048;
/** Length of a BIP-39 seed, in bytes. */
const SEED_BYTES = 64;

/**
 * Returns the funded accounts in configuration order. Their keys are derived from the mnemonic. If the mnemonic is
 * empty, each key is the SHA-256 of a public text.
 */
export function devnetAccounts({ accounts, mnemonic }: AccountRules): DevnetAccount[] {
  const keyOf = mnemonic === '' ? textKey : mnemonicKeys(mnemonic);
  return Array.from({ length: accounts }, (_, at) => {
    const key = keyOf(at);
    return { address: encodeBase58Check(keyAddress(key, MAIN_NET_PREFIX)), privateKey: toHex(key) };
  });
}

/** Returns the funded accounts in the form of the TronBox Runtime Environment's `/admin/accounts-json`. */
export function accountsJson(rules: AccountRules): object {
  const { mnemonic } = rules;
  const privateKeys = devnetAccounts(rules).map(({ privateKey }) => privateKey);
  return { hdPath: mnemonic === '' ? '' : HD_PATH, mnemonic, privateKeys, more: [] };
}

function textKey(at: number): Uint8Array {
  return createHash('sha256').update(`tronicle devnet account ${at}`).digest();
}

/**
 * Returns a function that derives the key of an account index from a mnemonic with an empty passphrase. Reference:
 * BIP-39, BIP-32, BIP-44.
 */
function mnemonicKeys(mnemonic: string): (at: number) => Uint8Array {
  const seed = pbkdf2Sync(mnemonic.normalize('NFKD'), 'mnemonic', SEED_ROUNDS, SEED_BYTES, 'sha512');
  const master = HdKey.fromSeed(seed);
  return (at) => fromHex(master.derive(`${HD_PATH}${at}`).privateKey.slice(2));
}
