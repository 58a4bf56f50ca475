import type { TransactionInfoLog } from '../../../codec/generated/messages.js';
import { BARE_ADDRESS_BYTES } from '../../../primitives/address.js';
import { memberTest } from '../../../primitives/member-test.js';

/**
 * Conditions for logs. The contract address must be one of `addresses`. The topic at each position must be one of the
 * topics for that position. An empty list matches every address or topic.
 */
export interface LogFilter {
  readonly addresses: readonly Uint8Array[];
  readonly topics: readonly (readonly Uint8Array[])[];
}

/** Memory of an address or topic of a filter, in bytes (measured: 120). */
const WORD_BYTES = 128;

/** Returns the memory of the addresses and topics of a filter, in bytes. */
export function bytesOfFilter({ addresses, topics }: LogFilter): number {
  return topics.reduce((count, words) => count + words.length, addresses.length) * WORD_BYTES;
}

/** A filter with its block range. If `to` is undefined, the range has no upper end. */
export interface LogQuery {
  readonly filter: LogFilter;
  readonly from: number;
  readonly to: number | undefined;
}

/**
 * Returns a function that tests a log. Its time does not depend on the number of addresses and topics. Reference:
 * LogFilter.matchesExactly.
 */
export function logTest({
  addresses,
  topics,
}: LogFilter): (log: Pick<TransactionInfoLog, 'address' | 'topics'>) => boolean {
  const hasAddress = addresses.length === 0 ? undefined : memberTest(addresses);
  const hasTopic = topics.map((accepted) => (accepted.length === 0 ? undefined : memberTest(accepted)));
  return (log) => {
    if (hasAddress !== undefined && !hasAddress(log.address.subarray(-BARE_ADDRESS_BYTES))) return false;
    return hasTopic.every((test, at) => {
      const found = log.topics[at];
      return found !== undefined && (test === undefined || test(found));
    });
  };
}
