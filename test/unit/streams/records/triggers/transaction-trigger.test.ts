import t from 'tap';
import {
  TransactionResultContractResult as ContractResult,
  TransactionContractContractType as ContractType,
  Transaction,
  TransactionContract,
  TransactionInfo,
  TransactionResult,
} from '../../../../../src/codec/generated/messages.js';
import type { BlockContent, StreamedTransaction } from '../../../../../src/streams/follow/block-content.js';
import { transactionTrigger, writesResults } from '../../../../../src/streams/records/triggers/transaction-trigger.js';

const transaction: StreamedTransaction = {
  message: new Transaction(),
  idHex: 'ab',
  contract: undefined,
  parameter: undefined,
  info: undefined,
  internal: [],
};

const INFO = new TransactionInfo();
const NOTHING: readonly number[] = [];
const TRIGGER = Object.assign(new TransactionContract(), { type: ContractType.TriggerSmartContract });

t.test('reports the execution result, not the one stated in the block, if no program runs', async (t) => {
  const transactionWith = (
    results: readonly number[],
    more: Partial<StreamedTransaction> = {},
  ): StreamedTransaction => {
    const ret = results.map((contractRet) => Object.assign(new TransactionResult(), { contractRet }));
    return { ...transaction, info: INFO, message: Object.assign(new Transaction(), { ret }), ...more };
  };
  const other = transactionWith([ContractResult.SUCCESS]);
  const resultOf = (one: StreamedTransaction, runs = true, transactions = [one, other]): unknown => {
    const block = { number: 7, id: 'cd', timeMs: 3000n, solidifiedNumber: 0, transactions } as unknown as BlockContent;
    const hasOwnResults = writesResults(block, () => runs);
    return transactionTrigger(block, one, { asReference: true, hasOwnResults }).event['result'];
  };
  t.equal(resultOf(transactionWith([ContractResult.REVERT])), 'SUCCESS');
  t.equal(resultOf(transactionWith([99])), 'SUCCESS');
  t.equal(resultOf(transactionWith(NOTHING)), 'SUCCESS');
  const silent = transactionWith(NOTHING);
  t.equal(resultOf(silent, true, [silent]), null, 'a block without a stated result has no result');
  t.equal(
    resultOf(transactionWith([ContractResult.REVERT]), false),
    'REVERT',
    'before smart contracts, the stated result is returned',
  );
  t.equal(resultOf(transactionWith(NOTHING), false), null);
  t.equal(resultOf(transactionWith([ContractResult.REVERT], { contract: TRIGGER })), 'REVERT');
  t.equal(resultOf(transactionWith([99], { info: undefined })), 'UNRECOGNIZED', 'the genesis block was not executed');
});

for (const [number, asReference, blockNumber] of [
  [0, false, 0],
  [0, true, -1],
  [7, false, 7],
  [7, true, 7],
] as const) {
  t.test(`formats a transaction of block ${number}${asReference ? ', for event.subscribe' : ''}`, async (t) => {
    const block = { number, id: 'cd', timeMs: 3000n, solidifiedNumber: 0 } as BlockContent;
    t.match(transactionTrigger(block, transaction, { asReference }).event, { blockNumber });
  });
}
