import type { FilterOptions } from '../event-options.js';

/** Properties of a log for a filter. The address is Base58Check text, and the topics are lower-case hex. */
interface FilteredLog {
  readonly blockNumber: number;
  readonly contractAddress: string;
  readonly topics: readonly string[];
}

export type TriggerFilter = (log: FilteredLog) => boolean;

/**
 * Creates a filter. A log matches if every list contains a match; an empty list always matches. Addresses are compared
 * without case. A topic matches at any index, and must be lower-case hex without 0x. Reference:
 * EventPluginLoader.matchFilter.
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
