import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Account } from '../../../src/codec/generated/messages.js';
import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import { indexDefinitions, indexProjections } from '../../../src/projections/indexes/indexes.js';
import { storeId } from '../../../src/projections/state/stores.js';
import { serveRecording } from '../../support/graphql/served-chain.js';
import { until } from '../../support/until.js';
import {
  addressOf,
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

t.test('documents every index', async (t) => {
  const key = textAt('src/config/rows/tronicle-rows.ts');
  const documents = textAt('docs/indexes.md');
  for (const name of indexProjections(0x41).keys()) {
    t.ok(key.includes(name), `the description of tronicle.projections names ${name}`);
    t.ok(documents.includes(`\`${name}\``), `docs/indexes.md has ${name}`);
  }
  for (const { columns, name } of indexDefinitions)
    for (const column of Object.keys(columns)) t.ok(documents.includes(`\`${column}\``), `${name}: ${column}`);
});
