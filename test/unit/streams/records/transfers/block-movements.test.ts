import t from 'tap';
import * as messages from '../../../../../src/codec/generated/messages.js';
import { fromHex, fromInt64, toHex, utf8 } from '../../../../../src/primitives/bytes.js';
import type { RowChange, StateReader } from '../../../../../src/projections/state/state-reader.js';
import { type StoreName, storeId } from '../../../../../src/projections/state/stores.js';
import type { StreamedTransaction } from '../../../../../src/streams/follow/block-content.js';
import { movementsOf } from '../../../../../src/streams/records/transfers/block-movements.js';

// Each case has transactions with their receipts, the changed rows of the block, and the expected movements.

const address = (digit: string): Uint8Array => fromHex(`41${digit.repeat(40)}`);
const [ALICE, BOB, CAROL, BLACKHOLE] = ['a', 'b', 'c', 'f'].map(address) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const PRECOMPILE = fromHex(`41${'4'.padStart(40, '0')}`);
const names = new Map([
  [toHex(ALICE), 'alice'],
  [toHex(BOB), 'bob'],
  [toHex(CAROL), 'carol'],
  [toHex(BLACKHOLE), 'blackhole'],
  [toHex(PRECOMPILE), 'precompile'],
]);

const ASSET = Object.assign(new messages.AssetIssueContract(), {
  id: '1000001',
  name: utf8('coin'),
  num: 3,
  trxNum: 2,
});

interface Receipt extends Partial<messages.TransactionInfo> {
  readonly internal?: readonly messages.InternalTransaction[];
}

type TypeName = keyof typeof messages.TransactionContractContractType;

function transaction(type: TypeName, parameter: object, { internal = [], ...receipt }: Receipt = {}) {
  const contract = Object.assign(new messages.TransactionContract(), {
    type: messages.TransactionContractContractType[type],
  });
  const info = Object.assign(new messages.TransactionInfo(), receipt);
  const made: StreamedTransaction = {
    message: new messages.Transaction(),
    idHex: '00',
    info,
    internal,
    contract,
    parameter,
  };
  return made;
}

function internal(note: string, caller: Uint8Array, to: Uint8Array, value: bigint, rejected = false) {
  const callValue = Object.assign(new messages.InternalTransactionCallValueInfo(), { callValue: value });
  const fields = {
    callerAddress: caller,
    transferToAddress: to,
    note: utf8(note),
    callValueInfo: [callValue],
    rejected,
  };
  return Object.assign(new messages.InternalTransaction(), fields);
}

const row = (store: StoreName, key: Uint8Array, before?: Uint8Array, after?: Uint8Array): RowChange => ({
  store: storeId(store),
  key,
  before,
  after,
});

interface Holdings {
  readonly trx?: bigint;
  readonly coin?: bigint;
  readonly frozenSupply?: bigint;
}

/**
 * Returns the row change of an account. If `before` or `after` is undefined, the account does not exist at that time.
 */
function account(key: Uint8Array, before: Holdings | undefined, after: Holdings | undefined): RowChange {
  return row('account', key, accountRow(key, before), accountRow(key, after));
}

function accountRow(key: Uint8Array, holdings: Holdings | undefined): Uint8Array | undefined {
  if (holdings === undefined) return undefined;
  const { trx = 0n, coin, frozenSupply } = holdings;
  const made = Object.assign(new messages.Account(), { address: key, balance: trx, assetIssuedID: utf8(ASSET.id) });
  if (coin !== undefined) made.assetV2.set(ASSET.id, coin);
  if (frozenSupply !== undefined)
    made.frozenSupply = [Object.assign(new messages.AccountFrozen(), { frozenBalance: frozenSupply })];
  return messages.Account.encode(made);
}

function property(name: string, before: bigint, after: bigint): RowChange {
  return row('properties', utf8(name), fromInt64(before), fromInt64(after));
}

function order(id: string, owner: Uint8Array, fields: Partial<messages.MarketOrder>): Uint8Array {
  const parties = { orderId: utf8(id), ownerAddress: owner };
  return messages.MarketOrder.encode(Object.assign(new messages.MarketOrder(), parties, fields));
}

const POOL = Object.assign(new messages.Exchange(), {
  exchangeId: 7n,
  firstTokenId: utf8('_'),
  secondTokenId: utf8(ASSET.id),
});

const stored = new Map<string, Uint8Array>([
  [`${storeId('asset-issue-v2')} ${toHex(utf8(ASSET.id))}`, messages.AssetIssueContract.encode(ASSET)],
  [`${storeId('asset-issue')} ${toHex(utf8('coin'))}`, messages.AssetIssueContract.encode(ASSET)],
  [`${storeId('exchange-v2')} ${toHex(fromInt64(7n))}`, messages.Exchange.encode(POOL)],
]);
const head: StateReader = { get: (store, key) => stored.get(`${store} ${toHex(key)}`), range: () => [] };

function shown(transactions: readonly StreamedTransaction[], rows: readonly RowChange[]): string[] {
  const context = { rows, head, addressPrefix: 0x41, blackhole: toHex(BLACKHOLE) };
  const text = (account: string | undefined): string => (account === undefined ? '-' : (names.get(account) ?? account));
  return movementsOf({ number: 1, transactions }, context).map(
    ({ kind, token, from, to, amount }) => `${kind} ${token} ${text(from)} ${text(to)} ${amount}`,
  );
}

const owner = { ownerAddress: ALICE };
const FAILED = messages.TransactionInfoCode.FAILED;

interface Case {
  readonly name: string;
  readonly transactions: readonly StreamedTransaction[];
  readonly rows: readonly RowChange[];
  readonly expected: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: 'a transfer, and its fee to the black hole',
    transactions: [transaction('TransferContract', { ...owner, toAddress: BOB, amount: 5n }, { fee: 2n })],
    rows: [
      account(ALICE, { trx: 10n }, { trx: 3n }),
      account(BOB, undefined, { trx: 5n }),
      account(BLACKHOLE, { trx: -9n }, { trx: -7n }),
    ],
    expected: ['transfer TRX alice bob 5', 'fee TRX alice blackhole 2'],
  },
  {
    name: 'burnt fees, which have no recipient',
    transactions: [transaction('AccountCreateContract', owner, { fee: 2n })],
    rows: [account(ALICE, { trx: 10n }, { trx: 8n }), property('BURN_TRX_AMOUNT', 5n, 7n)],
    expected: ['fee TRX alice - 2'],
  },
  {
    name: 'a fee, part of which is added to the fee pool',
    transactions: [transaction('AccountCreateContract', owner, { fee: 5n, packingFee: 2n })],
    rows: [account(ALICE, { trx: 10n }, { trx: 5n }), account(BLACKHOLE, { trx: 0n }, { trx: 3n })],
    expected: ['fee TRX alice blackhole 3', 'fee TRX alice - 2'],
  },
  {
    name: 'only the fee of a failed transaction',
    transactions: [
      transaction(
        'TriggerSmartContract',
        { ...owner, contractAddress: BOB, callValue: 4n, callTokenValue: 0n, tokenId: 0n },
        { fee: 3n, result: FAILED, internal: [internal('call', BOB, CAROL, 4n, true)] },
      ),
    ],
    rows: [account(ALICE, { trx: 10n }, { trx: 7n }), account(BLACKHOLE, { trx: 0n }, { trx: 3n })],
    expected: ['fee TRX alice blackhole 3'],
  },
  {
    name: 'the value of a call and of its internal transactions, without rejected ones',
    transactions: [
      transaction(
        'TriggerSmartContract',
        { ...owner, contractAddress: BOB, callValue: 4n, callTokenValue: 0n, tokenId: 0n },
        { internal: [internal('call', BOB, CAROL, 3n), internal('call', BOB, ALICE, 1n, true)] },
      ),
    ],
    rows: [
      account(ALICE, { trx: 10n }, { trx: 6n }),
      account(BOB, {}, { trx: 1n }),
      account(CAROL, undefined, { trx: 3n }),
    ],
    expected: ['call TRX alice bob 4', 'internal TRX bob carol 3'],
  },
  {
    name: 'stake, unfreezing and reward of a smart contract',
    transactions: [
      transaction(
        'TriggerSmartContract',
        { ...owner, contractAddress: BOB, callValue: 0n, callTokenValue: 0n, tokenId: 0n },
        {
          internal: [
            internal('freezeBalanceV2ForEnergy', BOB, BOB, 6n),
            internal('unfreezeBalanceV2ForEnergy', BOB, BOB, 5n),
            internal('withdrawExpireUnfreezeWhileUnfreezing', BOB, BOB, 2n),
            internal('delegateResourceOfEnergy', BOB, CAROL, 9n),
            internal('withdrawReward', BOB, BOB, 1n),
            internal('unfreezeForBandwidth', BOB, CAROL, 4n),
          ],
        },
      ),
    ],
    rows: [account(BOB, { trx: 10n }, { trx: 11n })],
    expected: ['stake TRX bob - 6', 'unstake TRX - bob 2', 'reward TRX - bob 1', 'unstake TRX - bob 4'],
  },
  {
    name: 'value that a call sends to a precompile, which no internal transaction contains',
    transactions: [
      transaction(
        'TriggerSmartContract',
        { ...owner, contractAddress: BOB, callValue: 0n, callTokenValue: 0n, tokenId: 0n },
        { contractAddress: BOB },
      ),
    ],
    rows: [account(BOB, { trx: 5n }, { trx: 3n }), account(PRECOMPILE, undefined, { trx: 2n })],
    expected: ['internal TRX bob precompile 2'],
  },
  {
    name: 'a self-destruct with reward, unfrozen stake 2.0 and stake 1.0',
    transactions: [
      transaction(
        'TriggerSmartContract',
        { ...owner, contractAddress: BOB, callValue: 0n, callTokenValue: 0n, tokenId: 0n },
        {
          internal: [
            internal('suicide', BOB, CAROL, 8n),
            internal('withdrawExpireUnfreezeWhileSuiciding', BOB, CAROL, 2n),
          ],
        },
      ),
    ],
    rows: [account(BOB, { trx: 5n }, undefined), account(CAROL, {}, { trx: 12n })],
    expected: ['self-destruct TRX bob carol 6', 'unstake TRX - carol 2', 'reward TRX - bob 1', 'unstake TRX - carol 4'],
  },
  {
    name: 'a self-destruct to itself, which sends the balance to the black hole',
    transactions: [
      transaction(
        'TriggerSmartContract',
        { ...owner, contractAddress: BOB, callValue: 0n, callTokenValue: 0n, tokenId: 0n },
        { internal: [internal('suicide', BOB, BOB, 5n)] },
      ),
    ],
    rows: [account(BOB, { trx: 5n }, undefined), account(BLACKHOLE, {}, { trx: 5n })],
    expected: ['self-destruct TRX bob blackhole 5'],
  },
  {
    name: 'stake 1.0 and the unfrozen amount',
    transactions: [
      transaction('FreezeBalanceContract', { ...owner, frozenBalance: 4n }),
      transaction('UnfreezeBalanceContract', owner, { unfreezeAmount: 3n }),
    ],
    rows: [account(ALICE, { trx: 10n }, { trx: 9n })],
    expected: ['stake TRX alice - 4', 'unstake TRX - alice 3'],
  },
  {
    name: 'expired unfreezings, whichever transaction pays them',
    transactions: [
      transaction('UnfreezeBalanceV2Contract', { ...owner, unfreezeBalance: 100n }, { withdrawExpireAmount: 1n }),
      transaction('WithdrawExpireUnfreezeContract', owner, { withdrawExpireAmount: 2n }),
      transaction('CancelAllUnfreezeV2Contract', owner, { withdrawExpireAmount: 3n }),
    ],
    rows: [account(ALICE, {}, { trx: 6n })],
    expected: ['unstake TRX - alice 1', 'unstake TRX - alice 2', 'unstake TRX - alice 3'],
  },
  {
    name: 'a withdrawn reward',
    transactions: [transaction('WithdrawBalanceContract', owner, { withdrawAmount: 8n })],
    rows: [account(ALICE, {}, { trx: 8n })],
    expected: ['reward TRX - alice 8'],
  },
  {
    name: 'the issue of an asset without its frozen supply',
    transactions: [
      transaction(
        'AssetIssueContract',
        Object.assign(ASSET.clone(), {
          ...owner,
          totalSupply: 100n,
          frozenSupply: [Object.assign(new messages.AssetIssueContractFrozenSupply(), { frozenAmount: 30n })],
        }),
        { assetIssueID: ASSET.id },
      ),
    ],
    rows: [account(ALICE, {}, { coin: 70n })],
    expected: ['asset-issue 1000001 - alice 70'],
  },
  {
    name: 'transfers and sales of an asset that is named by its name, and unfrozen supply',
    transactions: [
      transaction('TransferAssetContract', { ...owner, toAddress: CAROL, assetName: utf8('coin'), amount: 5n }),
      transaction('ParticipateAssetIssueContract', {
        ownerAddress: BOB,
        toAddress: ALICE,
        assetName: utf8('coin'),
        amount: 7n,
      }),
      transaction('UnfreezeAssetContract', owner),
    ],
    rows: [
      account(ALICE, { coin: 50n, frozenSupply: 30n }, { trx: 7n, coin: 65n }),
      account(BOB, { trx: 7n }, { coin: 10n }),
      account(CAROL, {}, { coin: 5n }),
    ],
    expected: [
      'transfer 1000001 alice carol 5',
      'asset-sale TRX bob alice 7',
      'asset-sale 1000001 alice bob 10',
      'asset-unfreeze 1000001 - alice 30',
    ],
  },
  {
    name: 'both sides of an exchange trade',
    transactions: [
      transaction(
        'ExchangeTransactionContract',
        { ...owner, exchangeId: 7n, tokenId: utf8('_'), quant: 4n },
        { exchangeReceivedAmount: 9n },
      ),
    ],
    rows: [account(ALICE, { trx: 4n }, { coin: 9n })],
    expected: ['exchange TRX alice - 4', 'exchange 1000001 - alice 9'],
  },
  {
    name: 'a market order, its match, and the rest of a cancelled order',
    transactions: [
      transaction(
        'MarketSellAssetContract',
        { ...owner, sellTokenId: utf8('_'), buyTokenId: utf8(ASSET.id), sellTokenQuantity: 10n, buyTokenQuantity: 5n },
        {
          orderId: utf8('taker'),
          orderDetails: [
            Object.assign(new messages.MarketOrderDetail(), {
              makerOrderId: utf8('maker'),
              takerOrderId: utf8('taker'),
              fillSellQuantity: 6n,
              fillBuyQuantity: 3n,
            }),
          ],
        },
      ),
      transaction('MarketCancelOrderContract', { ownerAddress: BOB, orderId: utf8('maker') }),
    ],
    rows: [
      account(ALICE, { trx: 10n }, { coin: 3n }),
      account(BOB, {}, { trx: 6n, coin: 4n }),
      row(
        'market_order',
        utf8('maker'),
        order('maker', BOB, { sellTokenId: utf8(ASSET.id), sellTokenQuantityRemain: 7n }),
        order('maker', BOB, { sellTokenId: utf8(ASSET.id) }),
      ),
      row(
        'market_order',
        utf8('taker'),
        undefined,
        order('taker', ALICE, { sellTokenId: utf8('_'), sellTokenQuantity: 10n, sellTokenQuantityRemain: 4n }),
      ),
    ],
    expected: ['market TRX alice - 10', 'market 1000001 - alice 3', 'market TRX - bob 6', 'market 1000001 - bob 4'],
  },
  {
    name: 'a difference without a cause',
    transactions: [],
    rows: [account(ALICE, { trx: 5n }, { trx: 3n }), account(BOB, {}, { trx: 2n })],
    expected: ['other TRX alice bob 2'],
  },
];

for (const { name, transactions, rows, expected } of cases)
  t.test(`reports ${name}`, async (t) => {
    t.same(shown(transactions, rows), expected);
  });

t.test('reports transfers of token contracts; minted tokens have no sender', async (t) => {
  const word = (bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.alloc(12), bytes.subarray(1)]);
  const topic = fromHex('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef');
  const log = Object.assign(new messages.TransactionInfoLog(), {
    address: CAROL.subarray(1),
    topics: [topic, Buffer.alloc(32), word(BOB), Buffer.concat([Buffer.alloc(31), Uint8Array.of(9)])],
  });
  const call = { ...owner, contractAddress: CAROL, callValue: 0n, callTokenValue: 0n, tokenId: 0n };
  const context = { rows: [], head, addressPrefix: 0x41, blackhole: toHex(BLACKHOLE) };
  const transactions = [transaction('TriggerSmartContract', call, { log: [log] })];
  const [movement, ...others] = movementsOf({ number: 1, transactions }, context);
  t.match(movement, {
    kind: 'event',
    standard: 'TRC721',
    token: toHex(CAROL),
    tokenId: '9',
    from: undefined,
    to: toHex(BOB),
    amount: 1n,
  });
  t.same(others, []);
});

t.test('takes the initial balances from genesis, also a negative one', async (t) => {
  const genesis = [
    [BOB, 7n],
    [BLACKHOLE, -9n],
  ] as const;
  const transactions = genesis.map(([toAddress, amount]) =>
    transaction('TransferContract', Object.assign(new messages.TransferContract(), { toAddress, amount })),
  );
  const context = { rows: [], head, addressPrefix: 0x41, blackhole: toHex(BLACKHOLE) };
  const movements = movementsOf({ number: 0, transactions }, context);
  t.match(movements, [
    { kind: 'genesis', from: undefined, to: toHex(BOB), amount: 7n },
    { kind: 'genesis', from: toHex(BLACKHOLE), to: undefined, amount: 9n },
  ]);
});
