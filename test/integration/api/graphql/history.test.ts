import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { encodeBase58Check } from '../../../../src/crypto/base58-check.js';
import type { Address } from '../../../../src/primitives/address.js';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { type ServedChain, serveRecording } from '../../../support/graphql/served-chain.js';

const ALL = ['address-history', 'token-transfers', 'internal-transactions', 'balance-history', 'stake-history'];

interface Change {
  readonly blockNumber: number;
  readonly before: string;
  readonly after: string;
}

interface Page<Node> {
  readonly nodes: readonly Node[];
  readonly upTo: string;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const shown = (hex: string): string => encodeBase58Check(fromHex(hex));

async function pages<Node>(chain: ServedChain, address: string, field: string, nodes: string): Promise<Node[]> {
  const all: Node[] = [];
  for (let after: string | null = null; ; ) {
    const query = `query($after: Cursor) { account(address: "${address}") { page: ${field}(first: 7, after: $after) { nodes { ${nodes} } upTo pageInfo { hasNextPage endCursor } } } }`;
    const { data, errors } = await chain.query(query, { after });
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    const { page } = (data as { account: { page: Page<Node> } }).account;
    all.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return all;
    after = page.pageInfo.endCursor;
  }
}

async function untilFilled(chain: ServedChain, address: string, field = 'balanceHistory'): Promise<void> {
  const { headNumber } = chain.chain.ledger.position;
  for (let tries = 0; tries < 400; tries++, await sleep(25)) {
    const { data, errors } = await chain.query(`{ account(address: "${address}") { page: ${field} { upTo } } }`);
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    if (Number((data as { account: { page: { upTo: string } } }).account.page.upTo) === headNumber) return;
  }
  throw new Error('the histories were not filled');
}

t.test('returns the history of an account from the log', async (t) => {
  const served = await serveRecording(t, 'off', { projections: ALL });
  const { chain } = served;
  const { headNumber } = chain.ledger.position;
  const accounts = [...chain.state.accounts.range()].map(([address]) => address as Address);
  await untilFilled(served, shown(accounts[0]!));
  for (const field of ['transactions', 'transfers', 'internalTransactions', 'stakeHistory'])
    await untilFilled(served, shown(accounts[0]!), field);
  let seen = 0;
  for (const address of accounts.slice(0, 30)) {
    const changes = await pages<Change>(served, shown(address), 'balanceHistory', 'blockNumber before after');
    const balance = chain.state.account(address)!.balance;
    if (changes[0] !== undefined)
      t.equal(BigInt(changes[0].after), balance, 'the newest change ends with the current balance');
    for (const [at, { after }] of changes.slice(1).entries()) t.equal(after, changes[at]!.before);
    const sent = new Set<string>();
    for (let number = 1; number <= headNumber; number++) {
      for (const { id, owner } of chain.storedBlock(number).transactions) if (owner === address) sent.add(toHex(id));
    }
    const listed = await pages<{ id: string }>(served, shown(address), 'transactions', 'id');
    const ids = listed.map(({ id }) => id.replace(/^0x/, ''));
    t.equal(new Set(ids).size, ids.length, 'no transaction is listed twice');
    t.same(
      [...sent].filter((id) => !ids.includes(id)),
      [],
      'every transaction that the account sent is listed',
    );
    seen += ids.length;
    const transfers = await pages<{ from: string; to: string }>(
      served,
      shown(address),
      'transfers',
      'kind from to amount',
    );
    t.ok(transfers.every(({ from, to }) => from === shown(address) || to === shown(address)));
    await pages(served, shown(address), 'internalTransactions', 'transactionId internal { note rejected }');
    await pages(served, shown(address), 'stakeHistory', 'blockNumber stakedForBandwidth votes');
  }
  t.ok(seen > 200);
});

t.test('removes reverted blocks and reports a disabled history', async (t) => {
  const served = await serveRecording(t, 'off', { until: 120, projections: ['address-history'] });
  const { chain } = served;
  const sendersOf = (from: number, to: number): string[] => {
    const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    return numbers.flatMap((number) => chain.storedBlock(number).transactions.map(({ owner }) => owner));
  };
  const early = new Set(sendersOf(1, 100));
  const owner = shown(sendersOf(111, 120).find((sender) => early.has(sender))!);
  await untilFilled(served, owner, 'transactions');
  const before = await pages(served, owner, 'transactions', 'id');
  chain.rollback(110);
  await chain.ledger.flush();
  await untilFilled(served, owner, 'transactions');
  const between = await pages<{ id: string }>(served, owner, 'transactions', 'id block { number }');
  t.ok(between.length <= before.length);
  await served.pushTo(120);
  await untilFilled(served, owner, 'transactions');
  t.same(await pages(served, owner, 'transactions', 'id'), before);
  const { errors } = await served.query(`{ account(address: "${owner}") { transfers { upTo } } }`);
  t.match(errors, [{ extensions: { code: 'PROJECTION_OFF' }, message: /add it to tronicle.projections/ }]);
});
