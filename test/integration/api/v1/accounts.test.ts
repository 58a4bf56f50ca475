import t from 'tap';
import { Account } from '../../../../src/codec/generated/messages.js';
import { storeId } from '../../../../src/projections/state/stores.js';
import {
  addressOf,
  contractRows,
  hexOf,
  type Item,
  type MadeChain,
  makeChain,
  numberWord,
  SLOT_MS,
  textOf,
  topicOf,
  wordOf,
} from '../../../support/v1/made-chain.js';

const TRANSFER = topicOf('Transfer(address,address,uint256)');
/** Code that returns the text `TKN` for any call. */
const TOKEN_CODE = `6060600c60003960606000f3${numberWord(32)}${numberWord(3)}${Buffer.from('TKN').toString('hex').padEnd(64, '0')}`;

const transfer = (token: string, from: string, to: string, value: number) => ({
  contract: token,
  topics: [TRANSFER, wordOf(from), wordOf(to)],
  data: numberWord(value),
});

const ROUNDS = 12;

/**
 * Appends four blocks per round. In them, ann pays bob, bob pays ann, ann calls a token that pays bob, and bob calls a
 * bank that pays ann and cid.
 */
async function filled(t: Parameters<typeof makeChain>[0], names?: readonly string[]): Promise<MadeChain> {
  const chain = await makeChain(t, names);
  for (let round = 0; round < ROUNDS; round++) {
    const changes = round === 0 ? contractRows('token', [], TOKEN_CODE) : [];
    chain.append([{ from: 'ann', to: 'bob' }], { changes });
    chain.append([{ from: 'bob', to: 'ann' }]);
    chain.append([{ from: 'ann', to: 'token', logs: [transfer('token', 'ann', 'bob', round + 1)] }]);
    const internal = [
      { from: 'bank', to: 'ann', amount: 5n },
      { from: 'bank', to: 'cid', amount: 6n },
    ];
    chain.append(
      [
        {
          from: 'bob',
          to: 'bank',
          logs: [transfer('other', 'bank', 'ann', 7), transfer('token', 'bob', 'ann', 8)],
          internal,
        },
      ],
      round === ROUNDS - 1 ? { solidified: 20 } : {},
    );
  }
  await chain.settled();
  return chain;
}

const heights = (items: readonly Item[]): number[] =>
  items.map((item) => Number(item['blockNumber'] ?? Number(item['block_timestamp']) / SLOT_MS));
const every = (rounds: readonly number[], places: readonly number[]): number[] =>
  rounds.flatMap((round) => places.map((at) => round * 4 + at)).sort((a, b) => b - a);
const ROUND_NUMBERS = Array.from({ length: ROUNDS }, (_, at) => at);

t.test('returns transactions of an account', async (t) => {
  const chain = await filled(t);
  const ann = `/v1/accounts/${textOf('ann')}/transactions`;
  const own = await chain.get(`${ann}?limit=1&order_by=block_timestamp,asc`);
  t.match(own.data, [
    {
      ret: [{ contractRet: 'SUCCESS', fee: 7 }],
      txID: /^[0-9a-f]{64}$/,
      raw_data_hex: String,
      raw_data: { contract: [{ parameter: { value: { owner_address: hexOf('ann'), to_address: hexOf('bob') } } }] },
      blockNumber: 1,
      block_timestamp: SLOT_MS,
      net_usage: 0,
      net_fee: 0,
      energy_usage: 0,
      energy_fee: 0,
      energy_usage_total: 0,
      internal_transactions: [],
    },
  ]);
  const all = await chain.all(`${ann}?limit=5`);
  t.same(
    heights(all.items),
    every(ROUND_NUMBERS, [1, 2, 3, 4]),
    'returns internal transactions where the outer call does not name the account',
  );
  t.equal(all.pages, Math.ceil((ROUNDS * 4) / 5));
  const ascending = await chain.all(`${ann}?limit=5&order_by=block_timestamp,asc`);
  t.same([...ascending.items].reverse(), all.items);
  t.match(all.items[0], {
    internal_tx_id: /^[0-9a-f]{64}$/,
    tx_id: /^[0-9a-f]{64}$/,
    from_address: hexOf('bank'),
    to_address: hexOf('ann'),
    block_timestamp: ROUNDS * 4 * SLOT_MS,
    data: { note: '63616c6c', rejected: false, call_value: { _: 5 } },
  });
  for (const [query, rounds, places] of [
    ['search_internal=false', ROUND_NUMBERS, [1, 2, 3]],
    ['only_from=true', ROUND_NUMBERS, [1, 3]],
    ['only_to=true', ROUND_NUMBERS, [2, 4]],
    ['only_to=true&only_from=true', ROUND_NUMBERS, [1, 2, 3, 4]],
    ['only_confirmed=true', [0, 1, 2, 3, 4], [1, 2, 3, 4]],
    ['only_unconfirmed=true&only_to=true&searchInternal=false', ROUND_NUMBERS.slice(5), [2]],
    [`min_timestamp=${9 * SLOT_MS}&max_timestamp=${12 * SLOT_MS}`, [2], [1, 2, 3, 4]],
  ] as const)
    t.same(heights((await chain.all(`${ann}?limit=3&${query}`)).items), every(rounds, places), query);

  const cid = await chain.all(`/v1/accounts/${textOf('cid')}/transactions?limit=4`);
  t.same(heights(cid.items), every(ROUND_NUMBERS, [4]), 'a contract that only receives TRX of internal transactions');
  const token = await chain.all(`/v1/contracts/${textOf('token')}/transactions?limit=5`);
  t.same(heights(token.items), every(ROUND_NUMBERS, [3]), 'all calls of the contract');
  t.same((await chain.get(`/v1/accounts/${textOf('nobody')}/transactions`)).data, []);
});

t.test('reaches the next match after many filtered rows', async (t) => {
  const chain = await makeChain(t);
  chain.append([{ from: 'ann', to: 'bob' }]);
  for (let at = 0; at < 20; at++) chain.append([{ from: 'bob', to: 'ann' }]);
  await chain.settled();
  const path = `/v1/accounts/${textOf('ann')}/transactions?only_from=true&limit=2`;
  t.match(
    await chain.get(path),
    { data: [], meta: { page_size: 0, fingerprint: String } },
    'the page ends with a fingerprint to continue from',
  );
  const { items, pages } = await chain.all(path);
  t.same(heights(items), [1]);
  t.equal(pages, 3);
});

t.test('returns TRC20 transfers of an account', async (t) => {
  const chain = await filled(t);
  const ann = `/v1/accounts/${textOf('ann')}/transactions/trc20`;
  const all = await chain.all(`${ann}?limit=5`);
  t.same(heights(all.items), every(ROUND_NUMBERS, [3, 4, 4]));
  t.equal(all.pages, Math.ceil((ROUNDS * 3) / 5));
  t.match(all.items[0], {
    transaction_id: /^[0-9a-f]{64}$/,
    token_info: { symbol: 'TKN', name: 'TKN', address: textOf('token'), decimals: 32 },
    block_timestamp: ROUNDS * 4 * SLOT_MS,
    from: textOf('bob'),
    to: textOf('ann'),
    type: 'Transfer',
    value: '8',
  });
  const other = await chain.all(`${ann}?limit=5&contract_address=${textOf('other')}`);
  t.equal(other.items.length, ROUNDS);
  t.match(
    other.items[0],
    { token_info: { symbol: null, name: null, decimals: null }, value: '7' },
    'a token address without a contract has no name',
  );
  for (const [query, places] of [
    ['only_from=true', [3]],
    ['only_to=true', [4, 4]],
    [`only_to=true&contract_address=${hexOf('token')}`, [4]],
  ] as const)
    t.same(heights((await chain.all(`${ann}?limit=5&${query}`)).items), every(ROUND_NUMBERS, places), query);
  t.same(heights((await chain.all(`${ann}?only_confirmed=true&order_by=block_timestamp,asc`)).items).slice(-1), [20]);
});

t.test('calls a limited number of tokens for their names per page', async (t) => {
  const chain = await makeChain(t);
  const logs = Array.from({ length: 25 }, (_, at) => transfer(`token${at}`, 'ann', 'bob', at));
  chain.append([{ from: 'ann', to: 'router', logs }]);
  await chain.settled();
  const path = `/v1/accounts/${textOf('ann')}/transactions/trc20?limit=200`;
  t.equal((await chain.get(path)).data.length, 10);
  const { items } = await chain.all(path);
  t.same(new Set(items.map(({ value }) => value)).size, 25, 'all transfers are listed, each once');
  t.equal(items.length, 25);
});

t.test('returns an account', async (t) => {
  const chain = await makeChain(t);
  const row = (balance: bigint): Uint8Array =>
    Account.encode(
      Object.assign(new Account(), { address: addressOf('ann'), balance, assetIssuedID: Buffer.from('1000001') }),
    );
  const change = (before: Uint8Array | undefined, after: Uint8Array) => [
    { store: storeId('account'), key: addressOf('ann'), before, after },
  ];
  chain.append([], { changes: change(undefined, row(5n)) });
  chain.append([], { changes: change(row(5n), row(2n ** 60n)), solidified: 1 });
  await chain.settled();
  const path = `/v1/accounts/${textOf('ann')}`;
  const { data, meta } = await chain.get(path);
  t.equal(meta.page_size, 1);
  t.match(data, [{ address: hexOf('ann'), balance: 2 ** 60, asset_issued_ID: '1000001' }]);
  t.match((await chain.get(`${path}?only_confirmed=true`)).data, [{ balance: 5 }]);
  t.match(await chain.get(`/v1/accounts/${textOf('nobody')}`), { success: true, data: [] });
});

t.test('reports that the account history is disabled', async (t) => {
  const chain = await filled(t, ['address-history']);
  const ann = `/v1/accounts/${textOf('ann')}/transactions`;
  t.same(
    heights((await chain.all(ann)).items),
    every(ROUND_NUMBERS, [1, 2, 3]),
    'without the history, internal transactions are not listed',
  );
  for (const [path, name] of [
    [`${ann}?search_internal=true`, 'internal-transactions'],
    [`${ann}/trc20`, 'token-transfers'],
    [`/v1/contracts/${textOf('token')}/events`, 'contract-events'],
  ] as const) {
    const error = `the index ${name} is off: add it to tronicle.projections`;
    t.match(await chain.get(path), { status: 501, success: false, error }, path);
  }
});
