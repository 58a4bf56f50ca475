import { createHash } from 'node:crypto';
import { encodeBase58Check } from '../../crypto/base58-check.js';
import { keyAddress } from '../../crypto/key-address.js';
import { toHex } from '../../primitives/bytes.js';

/** An account of the private network; everybody knows its key. */
interface DevnetAccount {
  readonly address: string;
  readonly privateKey: string;
}

/** Funded accounts of `config/devnet.conf`. */
const ACCOUNTS = 10;
const MAIN_NET_PREFIX = 0x41;

/** The funded accounts, in the order of the configuration: keys are SHA-256 of a public text. */
export function devnetAccounts(): DevnetAccount[] {
  return Array.from({ length: ACCOUNTS }, (_, at) => {
    const key = createHash('sha256').update(`tronicle devnet account ${at}`).digest();
    return { address: encodeBase58Check(keyAddress(key, MAIN_NET_PREFIX)), privateKey: toHex(key) };
  });
}
