import type { FilterOptions } from '../event-options.js';

/** Properties of a log that are compared: Base58Check address, topics in lower-case hex. */
interface FilteredLog {
  readonly blockNumber: number;
  readonly contractAddress: string;
  readonly topics: readonly string[];
}

export type TriggerFilter = (log: FilteredLog) => boolean;

/**
 * Creates a filter. Every non-empty list must contain a match. Addresses are compared without case. A topic matches at
 * any index and must be lower-case hex without 0x. Reference: EventPluginLoader.matchFilter.
 */
export function createEventFilter({
  fromBlock,
  toBlock,
  contractAddress,
  contractTopic,
}: FilterOptions): TriggerFilter {
  const addresses = new Set(contractAddress.map((address) => address.toLowerCase()));
  const topics = new Set(contractTopic);
  return (log) => {
    if (fromBlock !== undefined && log.blockNumber < fromBlock) return false;
    if (toBlock !== undefined && log.blockNumber > toBlock) return false;
    if (addresses.size > 0 && !addresses.has(log.contractAddress.toLowerCase())) return false;
    return topics.size === 0 || log.topics.some((topic) => topics.has(topic));
  };
}
