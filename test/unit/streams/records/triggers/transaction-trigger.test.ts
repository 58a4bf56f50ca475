import t from 'tap';
import { Transaction } from '../../../../../src/codec/generated/messages.js';
import type { BlockContent, TransactionContent } from '../../../../../src/streams/follow/block-content.js';
import { transactionTrigger } from '../../../../../src/streams/records/triggers/transaction-trigger.js';

const transaction: TransactionContent = {
  message: new Transaction(),
  idHex: 'ab',
  contract: undefined,
  parameter: undefined,
  info: undefined,
  internal: [],
};

for (const [number, asReference, blockNumber] of [
  [0, false, 0],
  [0, true, -1],
  [7, false, 7],
  [7, true, 7],
] as const) {
  t.test(`a transaction of block ${number}${asReference ? ', for event.subscribe' : ''}`, async (t) => {
    const block = { number, id: 'cd', timeMs: 3000n, solidifiedNumber: 0 } as BlockContent;
    t.match(transactionTrigger(block, transaction, { asReference }).event, { blockNumber });
  });
}
