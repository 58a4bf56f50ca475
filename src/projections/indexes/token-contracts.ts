import { seqKey } from '../../log/block-key.js';
import { ADDRESS_BYTES } from '../../primitives/address.js';
import { concatBytes, EMPTY_BYTES, fromHex } from '../../primitives/bytes.js';
import type { HistoryIndex } from './history-index.js';

/** TRC20 contracts by account that sent or received their tokens. One row per account, contract and block. */
export const tokenContractsIndex: HistoryIndex<undefined> = {
  name: 'token-contracts',
  version: 1,
  partsAfterHeight: 0,
  rowsOf: ({ entry, transfers }) => {
    const pairs = transfers
      .flat()
      .filter(({ text }) => text.kind === 'TRC20')
      .flatMap(({ text: { token, from, to } }) => [from + token, to + token]);
    return [...new Set(pairs)].map((pair) => ({
      key: concatBytes(fromHex(pair), seqKey(entry.number)),
      value: EMPTY_BYTES,
    }));
  },
  decode: () => undefined,
};

/** Returns a key after all rows of an account and a contract, and before the rows of the next contract. */
export function keyAfter(account: Uint8Array, contract: Uint8Array): Uint8Array {
  return concatBytes(account, contract, BEHIND);
}

const BEHIND = new Uint8Array(9).fill(0xff);

/** Decodes contract and block height from the key of a row. */
export function readTokenContractKey(key: Uint8Array): { readonly contract: Uint8Array; readonly height: number } {
  const bytes = Buffer.from(key);
  return {
    contract: Uint8Array.from(bytes.subarray(ADDRESS_BYTES, 2 * ADDRESS_BYTES)),
    height: Number(bytes.readBigUInt64BE(2 * ADDRESS_BYTES)),
  };
}
