import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Account, TransactionRet } from '../../../src/codec/generated/messages.js';
import { decodeBase58Check, encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { fromHex, toHex, toUnsigned } from '../../../src/primitives/bytes.js';
import { enabledIndexes, indexProjections, indexReference } from '../../../src/projections/indexes/indexes.js';
import type { RowChange } from '../../../src/projections/state/state-reader.js';
import { storeId } from '../../../src/projections/state/stores.js';
import { serveRecording } from '../../support/graphql/served-chain.js';
import { until } from '../../support/until.js';
import {
  addressOf,
  contractRows,
  hexOf,
  type Item,
  type MadeLog,
  makeChain,
  numberWord,
  textOf,
  topicOf,
  wordOf,
} from '../../support/v1/made-chain.js';

const root = new URL('../../../', import.meta.url);
const textAt = (path: string): string => readFileSync(fileURLToPath(new URL(path, root)), 'utf8');

const TRANSFER = topicOf('Transfer(address,address,uint256)');
/** Returns the log of a transfer of a TRC721 token. The token id is a topic. */
const given = (contract: string, from: string, to: string, id: number): MadeLog => ({
  contract,
  topics: [TRANSFER, wordOf(from), wordOf(to), numberWord(id)],
});

/** Orders Base58Check addresses by their bytes. */
const byAddress = (a: string, b: string): number =>
  Buffer.compare(decodeBase58Check(a) as Uint8Array, decodeBase58Check(b) as Uint8Array);
/** Returns the address in the last 20 bytes of a word. */
const addressOfWord = (word: Uint8Array): Uint8Array => Buffer.concat([Uint8Array.of(0x41), word.subarray(-20)]);

t.test('returns the same pages of an index over all interfaces', async (t) => {
  const chain = await makeChain(t);
  const account = Account.encode(Object.assign(new Account(), { address: addressOf('cats') }));
  const changes = [{ store: storeId('account'), key: addressOf('cats'), before: undefined, after: account }];
  for (let id = 1; id <= 5; id++) {
    const logs = [given('cats', 'ann', 'bob', id), given('dogs', 'bob', 'ann', id)];
    chain.append([{ from: 'ann', to: 'cats', logs }], id === 1 ? { changes } : {});
  }
  chain.append([{ from: 'ann', to: 'cats', logs: [given('cats', 'bob', 'ann', 6)] }]);
  chain.revert();
  const [last] = chain.append([{ from: 'bob', to: 'cats', logs: [given('cats', 'bob', 'ann', 2 ** 40)] }], {
    salt: 'other branch',
  });
  await chain.settled();

  const { items, pages } = await chain.all(`/v1/indexes/trc721-transfers/${textOf('cats')}?limit=2`);
  t.equal(pages, 3);
  t.same(
    items.map(({ token_id }) => token_id),
    [String(2 ** 40), '5', '4', '3', '2', '1'],
    'newest first, without the reverted block',
  );
  const expected = {
    block_number: 6,
    transaction_index: 0,
    transaction_id: last,
    from: textOf('bob'),
    to: textOf('ann'),
  };
  t.match(items[0], expected);

  const field = (after: string) =>
    `{ account(address: "${textOf('cats')}") { trc721Transfers(first: 4${after}) {
      nodes { blockNumber transactionId from to tokenId } upTo pageInfo { hasNextPage endCursor } } } }`;
  type Page = { nodes: Item[]; upTo: string; pageInfo: { hasNextPage: boolean; endCursor: string } };
  const pageOf = async (after: string): Promise<Page> =>
    ((await chain.query(field(after)))['account'] as { trc721Transfers: Page }).trc721Transfers;
  const first = await pageOf('');
  t.match(first.nodes[0], { blockNumber: '6', from: textOf('bob'), to: textOf('ann'), tokenId: String(2 ** 40) });
  t.equal(first.pageInfo.hasNextPage, true);
  t.equal(first.upTo, '6');
  const second = await pageOf(`, after: "${first.pageInfo.endCursor}"`);
  t.same(
    [...first.nodes, ...second.nodes].map(({ tokenId }) => tokenId),
    items.map(({ token_id }) => token_id),
  );
  t.equal(second.pageInfo.hasNextPage, false);

  const address = `0x${hexOf('cats')}`;
  const { result } = await chain.rpc('tronicle_getIndex', ['trc721-transfers', address, 5]);
  const { items: found, cursor } = result as { items: Item[]; cursor: string };
  t.match(found[0], {
    blockNumber: '0x6',
    transactionHash: `0x${last}`,
    from: `0x${hexOf('bob').slice(2)}`,
    tokenId: '0x10000000000',
  });
  const { result: rest } = await chain.rpc('tronicle_getIndex', ['trc721-transfers', address, 5, cursor]);
  t.match(rest, { items: [{ tokenId: '0x1' }], cursor: null, upTo: '0x6' });
});

t.test('names the invalid part of a request', async (t) => {
  const chain = await makeChain(t);
  await chain.settled();
  t.match(await chain.get(`/v1/indexes/cats/${textOf('cats')}`), { status: 400, error: /trc721-transfers/ });
  t.match(await chain.get('/v1/indexes/trc721-transfers/nobody'), { status: 400 });
  t.match(await chain.get(`/v1/indexes/contracts-by-creator/${textOf('ann')}`), { status: 501 });
  const address = `0x${hexOf('cats')}`;
  for (const [params, message] of [
    [['cats', address], /unknown index/],
    [['trc721-transfers', '0x12'], /invalid address/],
    [['trc721-transfers', address, 0], /limit must be/],
    [['trc721-transfers', address, 5, 'x'], /invalid cursor/],
    [['contracts-by-creator', address], /tronicle.projections/],
  ] as const)
    t.match(await chain.rpc('tronicle_getIndex', params), { error: { code: -32602, message } }, String(message));
});

/** Contract code that returns a word for every call. */
const returns = (value: string): string => `60${value}60005260206000f3`;

t.test('lists each distinct value once, at any height, with values from the state', async (t) => {
  const chain = await makeChain(t);
  const sent = (from: string, to: string): MadeLog => ({
    contract: 'coin',
    topics: [TRANSFER, wordOf(from), wordOf(to)],
    data: numberWord(1),
  });
  const codeRow = (before: string | undefined, after: string): RowChange => ({
    store: storeId('code'),
    key: addressOf('coin'),
    before: before === undefined ? undefined : fromHex(before),
    after: fromHex(after),
  });
  const coin = contractRows('coin', [], returns('07'));
  chain.append([{ from: 'ann', to: 'coin', logs: [sent('ann', 'bob'), sent('ann', 'bob')] }], { changes: coin });
  chain.append([{ from: 'bob', to: 'coin', logs: [sent('bob', 'cid'), sent('bob', 'bob')] }]);
  chain.append([], { changes: [codeRow(returns('07'), returns('09'))] });
  chain.append([{ from: 'ann', to: 'coin', logs: [sent('ann', 'dan')] }], {
    changes: [codeRow(returns('09'), returns('00'))],
  });
  chain.revert();
  const [last] = chain.append([{ from: 'cid', to: 'coin', logs: [sent('cid', 'ann')] }], { salt: 'other branch' });
  await chain.settled();

  const inOrder = (...names: readonly string[]): string[] => names.map(textOf).sort(byAddress);
  const heldAt = async (height?: number): Promise<Item[]> => {
    const path = `/v1/indexes/token-holders/${textOf('coin')}?limit=2${height === undefined ? '' : `&height=${height}`}`;
    return [...(await chain.all(path)).items];
  };
  const newest = await heldAt();
  t.same(
    newest.map(({ holder }) => holder),
    inOrder('ann', 'bob', 'cid'),
    'the holder in the reverted block is not listed',
  );
  t.same(new Set(newest.map(({ balance }) => balance)), new Set(['9']));
  t.match(
    newest.find(({ holder }) => holder === textOf('ann')),
    { block_number: 4, transaction_id: last },
    'the newest row of the value',
  );
  t.same(
    (await heldAt(1)).map(({ holder, balance, block_number }) => [holder, balance, block_number]),
    [...inOrder('ann', 'bob').map((holder) => [holder, '7', 1])],
  );
  t.same(
    (await heldAt(3)).map(({ balance }) => balance),
    ['9', '9', '9'],
    'balances after the change of the code',
  );
  t.same(await heldAt(0), []);
  t.match(await chain.get(`/v1/indexes/token-holders/${textOf('coin')}?height=9`), { status: 404, error: /block 9/ });

  const address = `0x${hexOf('coin')}`;
  const found: Item[] = [];
  for (let cursor: string | null = null, pages = 0; pages < 4; pages++) {
    const { result } = await chain.rpc('tronicle_getIndex', ['token-holders', address, 2, cursor, '0x2']);
    const page = result as { items: Item[]; cursor: string | null };
    found.push(...page.items);
    cursor = page.cursor;
    if (cursor === null) break;
  }
  t.same(
    found.map(({ holder, balance }) => [holder, balance]),
    inOrder('ann', 'bob', 'cid').map((holder) => [`0x${toHex(decodeBase58Check(holder)!).slice(2)}`, '0x7']),
  );
  t.match(await chain.rpc('tronicle_getIndex', ['token-holders', address, 2, null, '0x9']), {
    error: { message: /header not found/ },
  });
  t.match(await chain.rpc('tronicle_getIndex', ['token-holders', address, 2, '4-0-0']), {
    error: { message: /invalid cursor/ },
  });
  const { items: tokens } = await chain.all(`/v1/indexes/token-contracts/${textOf('bob')}?limit=1`);
  t.match(tokens, [{ contract: textOf('coin'), block_number: 2 }]);
  t.equal(tokens.length, 1);
});

t.test('lists the holders of a token of a recording with the sums of their transfers', async (t) => {
  const served = await serveRecording(t, 'tvm-forks-14-shanghai', { projections: ['token-holders'] });
  const { chain, recorded } = served;
  const head = chain.ledger.position.headNumber;
  // The genesis block has no results.
  const transfers = recorded.flatMap(({ num, infos = '' }) =>
    TransactionRet.decode(fromHex(infos)).transactioninfo.flatMap(({ log }) =>
      log
        .filter(({ topics }) => topics.length === 3 && toHex(topics[0]!) === TRANSFER)
        .map(({ address, topics: [, from, to], data }) => ({
          token: encodeBase58Check(addressOfWord(address)),
          height: num,
          from: encodeBase58Check(addressOfWord(from!)),
          to: encodeBase58Check(addressOfWord(to!)),
          amount: toUnsigned(data),
        })),
    ),
  );
  type Page = { nodes: Item[]; upTo: string; pageInfo: { hasNextPage: boolean; endCursor: string } };
  const page = async (token: string, height: number, after: string | null): Promise<Page> => {
    const query = `query($after: Cursor) { account(address: "${token}", at: ${height}) { tokenHolders(first: 7, after: $after) {
      nodes { holder balance } upTo pageInfo { hasNextPage endCursor } } } }`;
    const { data, errors } = await served.query(query, { after });
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return (data as { account: { tokenHolders: Page } }).account.tokenHolders;
  };
  const [token] = [...new Set(transfers.map(({ token }) => token))];
  await until('the index', async () => Number((await page(token!, head, null)).upTo) === head);
  const heights = [...new Set(transfers.filter((one) => one.token === token).map(({ height }) => height)), head];
  t.ok(heights.length > 3);
  for (const height of heights) {
    const held: Record<string, bigint> = {};
    for (const { from, to, amount } of transfers.filter((one) => one.token === token && one.height <= height)) {
      held[from] = (held[from] ?? 0n) - amount;
      held[to] = (held[to] ?? 0n) + amount;
    }
    const listed: Record<string, bigint> = {};
    for (let after: string | null = null; ; ) {
      const { nodes, pageInfo } = await page(token!, height, after);
      for (const { holder, balance } of nodes) listed[String(holder)] = BigInt(String(balance));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    const positive = Object.entries(held).filter(([, balance]) => balance > 0n);
    t.same(listed, Object.fromEntries(positive), `holders after block ${height}`);
  }
});

t.test('finds every contract of a recording by its creator', async (t) => {
  const served = await serveRecording(t, 'tvm-forks-14-shanghai', { projections: ['contracts-by-creator'] });
  const { chain } = served;
  type Page = { nodes: Item[]; upTo: string; pageInfo: { hasNextPage: boolean; endCursor: string } };
  const listed = async (creator: string): Promise<string[]> => {
    const all: string[] = [];
    for (let after: string | null = null; ; ) {
      const query = `query($after: Cursor) { account(address: "${creator}") { page: contractsByCreator(first: 100, after: $after) {
        nodes { contract } upTo pageInfo { hasNextPage endCursor } } } }`;
      const { data, errors } = await served.query(query, { after });
      if (errors !== undefined) throw new Error(JSON.stringify(errors));
      const { page } = (data as { account: { page: Page } }).account;
      if (Number(page.upTo) < chain.ledger.position.headNumber) return [];
      all.push(...page.nodes.map(({ contract }) => String(contract)));
      if (!page.pageInfo.hasNextPage) return all;
      after = page.pageInfo.endCursor;
    }
  };
  const contracts = [...chain.state.contracts.range()].map(([address]) => address);
  t.ok(contracts.length > 5);
  const creators = new Map<string, string[]>();
  for (const address of contracts) {
    const creator = encodeBase58Check(chain.state.contracts.get(address)!.originAddress);
    creators.set(creator, [...(creators.get(creator) ?? []), encodeBase58Check(fromHex(address))]);
  }
  const [first] = creators.keys();
  await until('the index', async () => (await listed(first!)).length > 0);
  let found = 0;
  for (const [creator, expected] of creators) {
    const all = await listed(creator);
    t.same(
      expected.filter((contract) => !all.includes(contract)),
      [],
      `the index of ${creator} contains all its contracts`,
    );
    found += all.length;
  }
  t.ok(found >= contracts.length);
});

t.test('accepts `all` for every index', (t) => {
  t.same(enabledIndexes(['all']), [...indexProjections(0x41).keys()]);
  t.same(enabledIndexes(['token-holders']), ['token-holders']);
  t.end();
});

t.test('documents every index', (t) => {
  const page = textAt('docs/indexes.md');
  t.ok(page.includes(`\n${indexReference()}\n\n`), 'run `npm run build && node config/document.mjs`');
  for (const name of indexProjections(0x41).keys()) t.ok(indexReference().includes(`\`${name}\``), name);
  t.end();
});
