import type { TransactionInfoLog } from '../../../codec/generated/messages.js';
import { BARE_ADDRESS_BYTES } from '../../../primitives/address.js';
import { equalBytes } from '../../../primitives/bytes.js';
import { type LoggedBlock, logResult } from '../block-results.js';

/** Which logs are asked for: any of the addresses, and at each place any of the topics; empty means all. */
export interface LogFilter {
  readonly addresses: readonly Uint8Array[];
  readonly topics: readonly (readonly Uint8Array[])[];
}

/** A filter with its blocks; without end when `to` is undefined. */
export interface LogQuery {
  readonly filter: LogFilter;
  readonly from: number;
  readonly to: number | undefined;
}

/** Reference: LogFilter.matchesExactly. */
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
  return topics.every((wanted, at) => {
    const found = log.topics[at];
    return found !== undefined && (wanted.length === 0 || wanted.some((item) => equalBytes(item, found)));
  });
}

/** The logs of a block that a filter asks for. Reference: LogMatch.matchBlock. */
export function matchBlock(filter: LogFilter, content: LoggedBlock, removed: boolean, hasTime: boolean): object[] {
  const found: object[] = [];
  let logIndex = 0;
  for (const [index, { log: logs }] of content.infos.entries()) {
    for (const [at, log] of logs.entries()) {
      if (matchesLog(filter, log))
        found.push(logResult(content, { transaction: index, at, logIndex, removed, hasTime }));
      logIndex++;
    }
  }
  return found;
}
