import { createHash } from 'node:crypto';
import { encodeBase58Check } from '../../crypto/base58-check.js';
import { keyAddress } from '../../crypto/key-address.js';
import { toHex } from '../../primitives/bytes.js';

/** Account of the private network. Its key is public. */
interface DevnetAccount {
  readonly address: string;
  readonly privateKey: string;
}

/** Number of funded accounts in `config/devnet.conf`. */
const ACCOUNTS = 10;
const MAIN_NET_PREFIX = 0x41;

/** Returns the funded accounts in configuration order. Each key is the SHA-256 of a public text. */
export function devnetAccounts(): DevnetAccount[] {
  return Array.from({ length: ACCOUNTS }, (_, at) => {
    const key = createHash('sha256').update(`tronicle devnet account ${at}`).digest();
    return { address: encodeBase58Check(keyAddress(key, MAIN_NET_PREFIX)), privateKey: toHex(key) };
  });
}
