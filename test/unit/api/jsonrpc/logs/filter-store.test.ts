import t from 'tap';
import type { BlockWithReceipts } from '../../../../../src/api/jsonrpc/block-content.js';
import { FilterStore } from '../../../../../src/api/jsonrpc/logs/filter-store.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';
import { NO_RPC_LIMITS } from '../../../../../src/api/releases/rpc-limits.js';
import { TransactionInfo, TransactionInfoLog } from '../../../../../src/codec/generated/messages.js';
import { ByteBudget } from '../../../../../src/primitives/byte-budget.js';

const FORM = { release: apiRelease('4.7.2'), rpcLimits: NO_RPC_LIMITS };

const ALL = { addresses: [], topics: [] };
const address = (byte: number): Uint8Array => new Uint8Array(20).fill(byte);

/** Returns a block with one transaction, whose receipt has one log for each address. */
function block(number: number, ...senders: number[]): BlockWithReceipts {
  const log = senders.map((byte) =>
    Object.assign(new TransactionInfoLog(), { address: address(byte), topics: [new Uint8Array(32).fill(byte)] }),
  );
  const info = Object.assign(new TransactionInfo(), { id: new Uint8Array(32).fill(number), log });
  return {
    block: { number, id: new Uint8Array(32).fill(number) },
    infos: [info],
    transactionCount: 1,
  } as unknown as BlockWithReceipts;
}

const changes = (store: FilterStore, id: string): unknown[] => JSON.parse(store.take(id));

t.test('returns each change since the last poll once', async (t) => {
  const store = new FilterStore(() => 0, FORM);
  const blocks = store.add(undefined);
  const logs = store.add({ filter: { addresses: [address(2)], topics: [] }, from: 5, to: 6 });
  for (const number of [4, 5, 6, 7]) store.offerBlock(block(number, 1, 2));
  t.equal(changes(store, blocks).length, 4);
  t.same(changes(store, blocks), []);
  t.match(changes(store, logs), [
    { blockNumber: '0x5', logIndex: '0x1', removed: false, address: `0x${'02'.repeat(20)}` },
    { blockNumber: '0x6', logIndex: '0x1', removed: false },
  ]);
  store.offerReverted(block(6, 2));
  t.match(changes(store, logs), [{ blockNumber: '0x6', logIndex: '0x0', removed: true }]);
});

t.test('matches topics by position', async (t) => {
  const store = new FilterStore(() => 0, FORM);
  const word = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
  const either = store.add({ filter: { addresses: [], topics: [[word(1), word(2)]] }, from: 0, to: undefined });
  const deeper = store.add({ filter: { addresses: [], topics: [[], []] }, from: 0, to: undefined });
  store.offerBlock(block(1, 1, 2, 3));
  t.equal(changes(store, either).length, 2);
  t.equal(changes(store, deeper).length, 0, 'a filter with two topics does not match a log with one');
});

t.test('expires a filter that is not polled, and renews it on each poll', async (t) => {
  let now = 0;
  const store = new FilterStore(() => now, FORM);
  const read = store.add(undefined);
  const unread = store.add(undefined);
  now = 200_000;
  store.take(read);
  now = 400_000;
  store.offerBlock(block(1));
  t.equal(changes(store, read).length, 1);
  t.throws(() => store.take(unread), { message: 'filter not found' });
});

// This behaviour was found in the source of java-tron. A running node showed it five minutes after the last poll
// (2026-11-26).
t.test('keeps an expired filter until the next block', async (t) => {
  let now = 0;
  const rpcLimits = { ...NO_RPC_LIMITS, maxBlockFilterNum: 1, maxLogFilterNum: 1 };
  const store = new FilterStore(() => now, { ...FORM, rpcLimits });
  const query = { filter: ALL, from: 0, to: undefined };
  const [blocks, logs] = [store.add(undefined), store.add(query)];
  now = 400_000;
  t.throws(() => store.requireBelowMaximum('log'), { message: 'exceed max log filters: 1, try again later' });
  t.same(store.queryOf(logs), query);
  store.offerBlock({ ...block(1), infos: [], transactionCount: 0 });
  t.throws(() => store.take(blocks), { message: 'filter not found' });
  t.same(changes(store, logs), [], 'logs are searched only in blocks with transactions, and a poll renews the filter');
  now = 800_000;
  store.offerBlock(block(2));
  t.throws(() => store.take(logs), { message: 'filter not found' });
  store.add(query);
});

t.test('bounds filters and their queued results', async (t) => {
  const store = new FilterStore(() => 0, FORM);
  const first = store.add({ filter: ALL, from: 0, to: undefined });
  const senders = Array.from({ length: 20_000 }, () => 1);
  for (let number = 1; number <= 6; number++) store.offerBlock(block(number, ...senders));
  t.throws(
    () => store.take(first),
    { message: 'filter not found' },
    'a filter with too many queued results is removed',
  );
  const second = store.add(undefined);
  for (let count = 0; count < 10_000; count++) store.add(undefined);
  t.throws(() => store.take(second), { message: 'filter not found' }, 'the oldest filter is removed');
});

t.test('reads each block once for all filters', async (t) => {
  const store = new FilterStore(() => 0, FORM);
  const ids = Array.from({ length: 100 }, () => store.add({ filter: ALL, from: 0, to: undefined }));
  let reads = 0;
  const { infos } = block(1, 1, 2);
  store.offerBlock({
    ...block(1),
    get infos() {
      reads++;
      return infos;
    },
  });
  for (const id of ids) t.equal(changes(store, id).length, 2);
  t.equal(reads, 1);
});

t.test('deletes a filter whose unread blocks exceed the memory of a port', async (t) => {
  const store = new FilterStore(() => 0, FORM);
  const large = (number: number): BlockWithReceipts => {
    const content = block(number, 1);
    for (const log of content.infos[0]!.log) log.data = new Uint8Array(1024 * 1024);
    return content;
  };
  const unread = store.add({ filter: ALL, from: 0, to: undefined });
  for (let number = 1; number <= 20; number++) store.offerBlock(large(number));
  const read = store.add({ filter: ALL, from: 0, to: undefined });
  for (let number = 21; number <= 40; number++) store.offerBlock(large(number));
  t.throws(() => store.take(unread), { message: 'filter not found' });
  t.equal(changes(store, read).length, 20);
});

t.test('rejects unknown, removed and missing filter ids', async (t) => {
  const store = new FilterStore(() => 0, FORM);
  const id = store.add(undefined);
  store.remove(id);
  t.throws(() => store.remove(id), { message: 'filter not found' });
  t.throws(() => store.queryOf('0x12'), { message: 'filter not found' });
  t.throws(() => store.take(null), { code: 'java.lang.NullPointerException' });
});

t.test('rejects and deletes the filters with the most addresses if all filters use too much memory', async (t) => {
  const budget = new ByteBudget({ bytesMax: 20_000 });
  const store = new FilterStore(() => 0, FORM, budget);
  const filter = (count: number) => ({
    filter: { addresses: Array.from({ length: count }, (_, byte) => address(byte)), topics: [] },
    ...{ from: 0, to: undefined },
  });
  const small = store.add(filter(1));
  const large = store.add(filter(100));
  t.throws(() => store.add(filter(120)), { message: /too many addresses and topics/ });
  const medium = store.add(filter(80));
  t.throws(() => store.take(large), { message: 'filter not found' }, 'the largest filter is deleted');
  store.offerBlock(block(1, 0, 79, 80));
  t.equal(changes(store, small).length, 1);
  t.equal(changes(store, medium).length, 2);
  for (const id of [small, medium]) store.remove(id);
  t.equal(budget.bytes, 0);
});

t.test('matches short and long lists of addresses and topics', async (t) => {
  const store = new FilterStore(() => 0, FORM);
  const words = (count: number, length: number) =>
    Array.from({ length: count }, (_, byte) => new Uint8Array(length).fill(byte));
  for (const count of [1, 8, 9, 100]) {
    const id = store.add({
      filter: { addresses: words(count, 20), topics: [words(count, 32)] },
      from: 0,
      to: undefined,
    });
    store.offerBlock(block(1, 0, count - 1, count));
    t.equal(changes(store, id).length, 2, `${count} values`);
  }
});
