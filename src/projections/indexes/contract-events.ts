import { TransactionRet } from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import { ADDRESS_BYTES } from '../../primitives/address.js';
import { concatBytes, EMPTY_BYTES } from '../../primitives/bytes.js';
import type { ProjectedBlock, ProjectionRow } from '../runner/projection.js';
import { indexKey } from './history-key.js';

/**
 * Returns two index rows per event log: one by contract, one by contract and first topic. A page of either index is one
 * key range.
 */
export function eventRows(block: ProjectedBlock, addressPrefix: number): ProjectionRow[] {
  return TransactionRet.decode(block.entry.results).transactioninfo.flatMap(({ log }, index) =>
    log.flatMap(({ address, topics: [topic] }, at) => {
      const contract = logAddress(address, addressPrefix);
      if (contract.length !== ADDRESS_BYTES) return [];
      const place = [block.entry.number, index, at] as const;
      const keys = topic === undefined ? [contract] : [contract, eventKey(contract, topic)];
      return keys.map((key) => ({ key: indexKey(key, place), value: EMPTY_BYTES }));
    }),
  );
}

/**
 * Returns the index key for events of a contract with the same first topic. It starts with 0, so it never equals an
 * address.
 */
export function eventKey(contract: Uint8Array, topic: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0), keccak256(concatBytes(contract, topic)).subarray(0, ADDRESS_BYTES - 1));
}

/** Returns the address of a log with the address prefix. Logs store only the 20 bytes after the prefix. */
export function logAddress(address: Uint8Array, addressPrefix: number): Uint8Array {
  return address.length === 20 ? concatBytes(Uint8Array.of(addressPrefix), address) : address;
}
