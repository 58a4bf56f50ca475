import t from 'tap';
import {
  Any,
  CancelAllUnfreezeV2Contract,
  TransactionContractContractType as ContractType,
  DelegateResourceContract,
  FreezeBalanceV2Contract,
  Transaction,
  TransactionContract,
  TransactionInfo,
  TransactionRaw,
  TransferContract,
  UnDelegateResourceContract,
  UnfreezeBalanceContract,
  UnfreezeBalanceV2Contract,
  WithdrawExpireUnfreezeContract,
} from '../../../src/codec/generated/messages.js';
import { addressText } from '../../../src/encoding/address-text.js';
import type { BlockContent, StreamedTransaction } from '../../../src/streams/follow/block-content.js';
import type { LogMove } from '../../../src/streams/follow/log-moves.js';
import { jsonOf } from '../../../src/streams/records/event-json.js';
import type { EventObject } from '../../../src/streams/records/event-value.js';
import { toEventMessage } from '../../../src/streams/records/protobuf/event-messages.js';
import { RecordMaker } from '../../../src/streams/records/record-maker.js';
import { transactionTrigger } from '../../../src/streams/records/triggers/transaction-trigger.js';

const address = (last: number) => Uint8Array.from({ length: 21 }, (_, at) => (at === 0 ? 0x41 : at === 20 ? last : 0));
const [ownerAddress, receiverAddress] = [address(1), address(2)];
const [OWNER, RECEIVER] = [addressText(ownerAddress), addressText(receiverAddress)];
const info = Object.assign(new TransactionInfo(), {
  unfreezeAmount: 11n,
  withdrawExpireAmount: 12n,
  cancelUnfreezeV2Amount: new Map([
    ['BANDWIDTH', 1n],
    ['ENERGY', 2n],
  ]),
});
const block = {
  number: 5,
  id: 'cd',
  parentId: 'ab',
  timeMs: 3000n,
  solidifiedNumber: 3,
  transactions: [] as StreamedTransaction[],
};

function content(
  name: keyof typeof ContractType,
  message: object,
  type: { encode(message: never): Uint8Array },
): StreamedTransaction {
  const value = type.encode(message as never);
  const parameter = Object.assign(new Any(), { typeUrl: `type.googleapis.com/protocol.${name}`, value });
  const contract = Object.assign(new TransactionContract(), { type: ContractType[name], parameter });
  const rawData = Object.assign(new TransactionRaw(), { contract: [contract] });
  const transaction = Object.assign(new Transaction(), { rawData });
  return { message: transaction, idHex: 'ef', contract, parameter: message, info, internal: [] };
}

function eventOf(transaction: StreamedTransaction, removed?: boolean, polled = true): EventObject {
  return transactionTrigger(block as unknown as BlockContent, transaction, { asReference: true, removed, polled })
    .event;
}

function show(transaction: StreamedTransaction, removed?: boolean): Record<string, unknown> {
  const event = eventOf(transaction, removed);
  return JSON.parse(jsonOf(event)) as Record<string, unknown>;
}

const cases = [
  ['UnfreezeBalanceContract', UnfreezeBalanceContract, { receiverAddress }, RECEIVER, 11],
  ['UnfreezeBalanceContract', UnfreezeBalanceContract, {}, null, 11],
  ['FreezeBalanceV2Contract', FreezeBalanceV2Contract, { frozenBalance: 13n }, null, 13],
  ['UnfreezeBalanceV2Contract', UnfreezeBalanceV2Contract, { unfreezeBalance: 14n }, null, 14],
  ['WithdrawExpireUnfreezeContract', WithdrawExpireUnfreezeContract, {}, null, 12],
  ['DelegateResourceContract', DelegateResourceContract, { receiverAddress, balance: 15n }, RECEIVER, 15],
  ['UnDelegateResourceContract', UnDelegateResourceContract, { receiverAddress, balance: 16n }, RECEIVER, 16],
  ['CancelAllUnfreezeV2Contract', CancelAllUnfreezeV2Contract, {}, null, 0],
] as const;

t.test('names the parties of stake contracts', async (t) => {
  for (const [name, type, members, toAddress, assetAmount] of cases) {
    const transaction = content(name, Object.assign(new type(), { ownerAddress, ...members }), type);
    const isCancel = name === 'CancelAllUnfreezeV2Contract';
    const extMap = isCancel ? { BANDWIDTH: 1, ENERGY: 2 } : null;
    const expected = { fromAddress: OWNER, toAddress, assetName: 'trx', assetAmount, extMap, removed: false };
    t.match(show(transaction, false), expected, name);
    t.doesNotThrow(
      () => toEventMessage('transaction', eventOf(transaction, false)),
      'the protobuf record has the member too',
    );
    t.match(show(transaction), { fromAddress: null, toAddress: null, assetName: null, assetAmount: 0 });
    t.notOk('extMap' in show(transaction), 'release 4.7.2 has no such member');
  }
  const amounts = { ownerAddress, toAddress: receiverAddress, amount: 7n };
  const transfer = content('TransferContract', Object.assign(new TransferContract(), amounts), TransferContract);
  t.match(show(transfer, true), {
    fromAddress: OWNER,
    toAddress: RECEIVER,
    assetAmount: 7,
    extMap: null,
    removed: true,
  });
});

t.test('reads receipts in event service 0 only for the ethCompatible format', async (t) => {
  const cancel = content('CancelAllUnfreezeV2Contract', new CancelAllUnfreezeV2Contract(), CancelAllUnfreezeV2Contract);
  const unfreeze = content(
    'UnfreezeBalanceContract',
    Object.assign(new UnfreezeBalanceContract(), { ownerAddress }),
    UnfreezeBalanceContract,
  );
  t.match(eventOf(unfreeze, false, false), { fromAddress: OWNER, assetName: 'trx', assetAmount: 0n });
  t.equal(eventOf(cancel, false, false)['extMap'], null);
  const position = { index: 0, energyUsedBefore: 0n, logsBefore: 0, energyUnitPrice: 100n };
  const form = { asReference: true, removed: false, position };
  t.match(transactionTrigger(block as unknown as BlockContent, unfreeze, form).event, { assetAmount: 11n });
});

t.test('emits a reverted block again with its transactions', async (t) => {
  const transaction = content(
    'WithdrawExpireUnfreezeContract',
    new WithdrawExpireUnfreezeContract(),
    WithdrawExpireUnfreezeContract,
  );
  const move = (change: LogMove['change']) =>
    ({
      change,
      seq: 9,
      number: 5,
      id: 'cd',
      block: { ...block, transactions: [transaction] },
      solid: [],
    }) as unknown as LogMove;
  const triggersOf = (change: LogMove['change'], laterTriggers: boolean) => {
    const sink = {
      topics: ['block', 'transaction'],
      filter: { contractAddress: [], contractTopic: [] },
      asReference: true,
    } as never;
    const maker = new RecordMaker({
      ledger: {} as never,
      sink,
      book: undefined,
      addressPrefix: 0x41,
      blackhole: '',
      parsesContracts: true,
      laterTriggers,
    });
    return maker
      .recordsOfMove(move(change))
      .records.map(({ trigger, payload }) => [trigger, JSON.parse(String(payload)).removed]);
  };
  t.same(triggersOf('applied', true), [
    ['block', false],
    ['transaction', false],
  ]);
  t.same(triggersOf('reverted', true), [
    ['block', true],
    ['transaction', true],
  ]);
  t.same(triggersOf('reverted', false), []);
  t.same(triggersOf('applied', false), [
    ['block', undefined],
    ['transaction', undefined],
  ]);
});
