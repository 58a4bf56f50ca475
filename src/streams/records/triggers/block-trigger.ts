import type { BlockContent } from '../../follow/block-content.js';
import type { EventObject } from '../event-value.js';

/**
 * Creates a `blockTrigger`. Reference: BlockLogTrigger.
 * @param removed true for a reverted block; undefined if the release has no such field
 */
export function blockTrigger(
  { number, id, timeMs, transactions, solidifiedNumber }: BlockContent,
  removed?: boolean,
): EventObject {
  return {
    timeStamp: timeMs,
    triggerName: 'blockTrigger',
    blockNumber: number,
    blockHash: id,
    transactionSize: transactions.length,
    latestSolidifiedBlockNumber: solidifiedNumber,
    transactionList: transactions.map((transaction) => transaction.idHex),
    removed,
  };
}

/** Creates a `solidityTrigger`. Reference: SolidityTrigger. */
export function solidityTrigger({ number, timeMs }: BlockContent): EventObject {
  return { timeStamp: timeMs, triggerName: 'solidityTrigger', latestSolidifiedBlockNumber: number };
}
