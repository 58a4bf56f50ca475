import type { TransactionInfoLog } from '../../../codec/generated/messages.js';
import { BARE_ADDRESS_BYTES } from '../../../primitives/address.js';
import { equalBytes } from '../../../primitives/bytes.js';

/**
 * Conditions for logs. The contract address must be one of `addresses`. The topic at each position must be one of the
 * topics for that position. An empty list matches every address or topic.
 */
export interface LogFilter {
  readonly addresses: readonly Uint8Array[];
  readonly topics: readonly (readonly Uint8Array[])[];
}

/** A filter with its block range. If `to` is undefined, the range has no upper end. */
export interface LogQuery {
  readonly filter: LogFilter;
  readonly from: number;
  readonly to: number | undefined;
}

/** Returns true if a log matches a filter. Reference: LogFilter.matchesExactly. */
export function matchesLog(
  { addresses, topics }: LogFilter,
  log: Pick<TransactionInfoLog, 'address' | 'topics'>,
): boolean {
  if (
    addresses.length > 0 &&
    !addresses.some((address) => equalBytes(address, log.address.subarray(-BARE_ADDRESS_BYTES)))
  ) {
    return false;
  }
  return topics.every((accepted, at) => {
    const found = log.topics[at];
    return found !== undefined && (accepted.length === 0 || accepted.some((item) => equalBytes(item, found)));
  });
}
