import type { BlockContent } from '../../follow/block-content.js';
import type { EventObject } from '../event-value.js';

/** `blockTrigger`. Reference: BlockLogTrigger. @param removed whether the block was taken back; undefined: not told */
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

/** `solidityTrigger`. Reference: SolidityTrigger. */
export function solidityTrigger({ number, timeMs }: BlockContent): EventObject {
  return { timeStamp: timeMs, triggerName: 'solidityTrigger', latestSolidifiedBlockNumber: number };
}
