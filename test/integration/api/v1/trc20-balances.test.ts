import t from 'tap';
import { trc20Balances } from '../../../../src/api/v1/trc20-balances.js';
import type { V1Source } from '../../../../src/api/v1/v1-source.js';
import { Account } from '../../../../src/codec/generated/messages.js';
import type { RowChange } from '../../../../src/projections/state/state-reader.js';
import { storeId } from '../../../../src/projections/state/stores.js';
import {
  addressOf,
  contractRows,
  hexOf,
  type MadeChain,
  makeChain,
  numberWord,
  textOf,
  topicOf,
  wordOf,
} from '../../../support/v1/made-chain.js';

const TRANSFER = topicOf('Transfer(address,address,uint256)');
/** Code that returns the last two bytes of the address in the request. */
const LAST_BYTES = '61ffff6004351660005260206000f3';
const REVERTS = '60006000fd';
const ENDLESS = '5b600056';
const RETURNS_ZERO = '60206000f3';
/** Code that returns two words instead of one. */
const RETURNS_MUCH = '600160005260406000f3';

const balanceOf = (name: string): string => String(Number.parseInt(hexOf(name).slice(-4), 16));
const account = (name: string): RowChange => ({
  store: storeId('account'),
  key: addressOf(name),
  before: undefined,
  after: Account.encode(Object.assign(new Account(), { address: addressOf(name), balance: 5n })),
});
const log = (contract: string, from: string, to: string, isOfOne = false) => ({
  contract,
  topics: [TRANSFER, wordOf(from), wordOf(to), ...(isOfOne ? [numberWord(1)] : [])],
  ...(isOfOne ? {} : { data: numberWord(9) }),
});
const transfers = (...logs: readonly ReturnType<typeof log>[]) => [{ from: 'cid', to: 'router', logs }];

async function filled(
  t: Parameters<typeof makeChain>[0],
  options?: Parameters<typeof makeChain>[2],
): Promise<MadeChain> {
  const chain = await makeChain(t, undefined, options);
  const codes: Readonly<Record<string, string>> = {
    held: LAST_BYTES,
    given: LAST_BYTES,
    late: LAST_BYTES,
    others: LAST_BYTES,
    art: LAST_BYTES,
    reverts: REVERTS,
    endless: ENDLESS,
    empty: RETURNS_ZERO,
    much: RETURNS_MUCH,
  };
  const contracts = Object.entries(codes).flatMap(([name, code]) => contractRows(name, [], code));
  chain.append([], { changes: [account('ann'), account('bob'), account('dan'), ...contracts] });
  chain.append(transfers(log('held', 'bob', 'ann'), log('held', 'bob', 'ann'), log('given', 'ann', 'bob')));
  chain.append(transfers(...['reverts', 'empty', 'much', 'gone'].map((name) => log(name, 'bob', 'ann'))));
  chain.append(transfers(log('endless', 'bob', 'dan')));
  chain.append(transfers(log('held', 'bob', 'ann'), log('others', 'bob', 'cid'), log('art', 'bob', 'ann', true)));
  await chain.settled();
  return chain;
}

const inOrder = (owner: string, ...contracts: readonly string[]): object[] =>
  [...contracts]
    .sort((a, b) => (hexOf(a) < hexOf(b) ? -1 : 1))
    .map((contract) => ({ [textOf(contract)]: balanceOf(owner) }));

t.test('returns for each token received or sent the balance that its contract reports', async (t) => {
  const chain = await filled(t);
  const [ann] = (await chain.get(`/v1/accounts/${textOf('ann')}`)).data;
  t.equal(ann?.['balance'], 5);
  t.same(
    ann?.['trc20'],
    inOrder('ann', 'held', 'given'),
    'without tokens whose call fails, whose balance is 0, or that are not fungible',
  );
  const [bob] = (await chain.get(`/v1/accounts/${textOf('bob')}`)).data;
  t.same(bob?.['trc20'], inOrder('bob', 'held', 'given', 'others'));
  t.match(
    (await chain.get(`/v1/accounts/${textOf('dan')}`)).data,
    [{ trc20: [] }],
    'a token contract with an endless loop is omitted',
  );
  chain.append(transfers(log('late', 'bob', 'ann')));
  await chain.settled();
  t.match((await chain.get(`/v1/accounts/${textOf('ann')}`)).data, [
    { trc20: inOrder('ann', 'held', 'given', 'late') },
  ]);
  chain.revert();
  await chain.settled();
  t.match((await chain.get(`/v1/accounts/${textOf('ann')}`)).data, [{ trc20: inOrder('ann', 'held', 'given') }]);
});

t.test('executes slow token calls in the pool, few per page', async (t) => {
  const chain = await filled(t, { callsArePooled: true });
  const pages = await chain.all(`/v1/accounts/${textOf('ann')}`);
  t.same(
    pages.items.flatMap(({ trc20 }) => trc20),
    inOrder('ann', 'held', 'given'),
  );
  t.equal(pages.pages, 2, 'six contracts, at most three per page');
  const full = await filled(t, { callsArePooled: true, poolIsFull: true });
  t.match(await full.get(`/v1/accounts/${textOf('ann')}`), { status: 503, error: /retry later/ });
});

t.test('returns an account with more tokens than one page lists', async (t) => {
  const chain = await makeChain(t);
  const names = Array.from({ length: 250 }, (_, at) => `token${at}`);
  const contracts = names.flatMap((name) => contractRows(name, [], LAST_BYTES));
  chain.append(transfers(...names.map((name) => log(name, 'bob', 'ann'))), { changes: [account('ann'), ...contracts] });
  await chain.settled();
  const path = `/v1/accounts/${textOf('ann')}`;
  const { items, pages } = await chain.all(path);
  t.equal(pages, 2);
  t.same(
    items.flatMap(({ trc20 }) => trc20),
    inOrder('ann', ...names),
    'each token once',
  );
  const other =
    (await chain.get('/v1/assets?limit=1')).meta.fingerprint ?? Buffer.from('assets:1').toString('base64url');
  t.match(await chain.get(`${path}?fingerprint=${other}`), { status: 400, error: /fingerprint/ });
});

t.test('reports that the tokens of accounts are not indexed', async (t) => {
  const chain = await makeChain(t, ['token-transfers']);
  chain.append([], { changes: [account('ann')] });
  await chain.settled();
  const error = 'the index token-contracts is off: add it to tronicle.projections';
  t.match(await chain.get(`/v1/accounts/${textOf('ann')}`), { status: 501, success: false, error });
});

t.test('refuses TRC20 balances if the log starts above genesis', async (t) => {
  const source = { ledger: { base: { number: 7 } } } as unknown as V1Source;
  const request = { view: 'head', address: addressOf('ann'), fingerprint: undefined } as const;
  await t.rejects(trc20Balances(source, request, undefined as never), { status: 501, message: /starts at block 7/ });
});
