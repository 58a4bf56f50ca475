import { keccak256 } from '../../crypto/hash.js';
import { ADDRESS_BYTES } from '../../primitives/address.js';
import { concatBytes, EMPTY_BYTES } from '../../primitives/bytes.js';
import type { HistoryIndex } from './history-index.js';
import { indexKey } from './history-key.js';

/**
 * Events by contract, and events by contract and first topic. An event with topics has a row in both lists, so that
 * every page is a single key range. An event without topics has a row only in the list of its contract. {@link
 * eventKey} returns the key of a list by contract and first topic.
 */
export const contractEventsIndex: HistoryIndex<undefined> = {
  name: 'contract-events',
  version: 1,
  description: 'events of a contract',
  partsAfterHeight: 2,
  rowsOf: ({ entry, receipts, addressPrefix }) =>
    receipts.flatMap(({ log }, index) =>
      log.flatMap(({ address, topics: [topic] }, at) => {
        const contract = logAddress(address, addressPrefix);
        if (contract.length !== ADDRESS_BYTES) return [];
        const keys = topic === undefined ? [contract] : [contract, eventKey(contract, topic)];
        return keys.map((key) => ({ key: indexKey(key, [entry.number, index, at]), value: EMPTY_BYTES }));
      }),
    ),
  decode: () => undefined,
};

/**
 * Returns the list key for events of a contract with the same first topic. The key replaces the address in {@link
 * indexKey}. Its first byte is 0, so the key never equals an address.
 */
export function eventKey(contract: Uint8Array, topic: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0), keccak256(concatBytes(contract, topic)).subarray(0, ADDRESS_BYTES - 1));
}

/**
 * Returns the contract address of an event log, including the address prefix. The event log in a receipt has only the
 * 20 bytes after the prefix.
 */
export function logAddress(address: Uint8Array, addressPrefix: number): Uint8Array {
  return address.length === 20 ? concatBytes(Uint8Array.of(addressPrefix), address) : address;
}
