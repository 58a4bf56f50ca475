import { TransactionRet } from '../../codec/generated/messages.js';
import { keccak256 } from '../../crypto/hash.js';
import { ADDRESS_BYTES } from '../../primitives/address.js';
import { concatBytes, EMPTY_BYTES } from '../../primitives/bytes.js';
import type { ProjectedBlock, ProjectionRow } from '../runner/projection.js';
import { indexKey } from './history-key.js';

/**
 * Logs by the contract that wrote them, and once more by contract and first topic: each page of either is one range of
 * keys.
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

/** What stands for a contract's events of one kind among the addresses; none begins like it. */
export function eventKey(contract: Uint8Array, topic: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0), keccak256(concatBytes(contract, topic)).subarray(0, ADDRESS_BYTES - 1));
}

/** A log's address with the prefix of addresses, which its 20 bytes lack. */
export function logAddress(address: Uint8Array, addressPrefix: number): Uint8Array {
  return address.length === 20 ? concatBytes(Uint8Array.of(addressPrefix), address) : address;
}
