import type { BlockContent } from '../../follow/block-content.js';
import { jsonHexList } from './json-text.js';

/** Payload of `blockTrigger`. Reference: BlockLogTrigger. @param removed whether the block was taken back; undefined: not told */
export function blockTrigger(
  { number, id, timeMs, transactions, solidifiedNumber }: BlockContent,
  removed?: boolean,
): string {
  const ids = jsonHexList(transactions.map((transaction) => transaction.id));
  return (
    `{"timeStamp":${timeMs},"triggerName":"blockTrigger","blockNumber":${number},"blockHash":"${id}",` +
    `"transactionSize":${transactions.length},"latestSolidifiedBlockNumber":${solidifiedNumber},"transactionList":${ids}` +
    (removed === undefined ? '}' : `,"removed":${removed}}`)
  );
}

/** Payload of `solidityTrigger`. Reference: SolidityTrigger. */
export function solidityTrigger({ number, timeMs }: BlockContent): string {
  return `{"timeStamp":${timeMs},"triggerName":"solidityTrigger","latestSolidifiedBlockNumber":${number}}`;
}
