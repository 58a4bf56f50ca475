import t from 'tap';
import type { ChainView } from '../../../../../src/api/context/api-context.js';
import { LogSearch } from '../../../../../src/api/jsonrpc/logs/find-logs.js';
import { apiRelease } from '../../../../../src/api/releases/releases.js';
import { TransactionInfo, TransactionInfoLog, TransactionRet } from '../../../../../src/codec/generated/messages.js';

const RELEASE = apiRelease('4.7.2');

const sender = new Uint8Array(20).fill(7);
const ALL = { addresses: [], topics: [] };
const FROM_SENDER = { addresses: [sender], topics: [] };

/** Returns a view in which each block has `logsPerBlock` logs of one address. */
function viewOf(headNumber: number, logsPerBlock: number): ChainView {
  const log = Array.from({ length: logsPerBlock }, () => Object.assign(new TransactionInfoLog(), { address: sender }));
  const transactioninfo = [Object.assign(new TransactionInfo(), { id: new Uint8Array(32), log })];
  const results = TransactionRet.encode(Object.assign(new TransactionRet(), { transactioninfo }));
  const blockIdAt = (number: number) => Uint8Array.from(Buffer.from(String(number)));
  return { headNumber, blockIdAt, block: () => ({ block: new Uint8Array(0), results }) } as unknown as ChainView;
}

t.test('accepts ranges inside the chain, beyond the head and at the newest block', async (t) => {
  const view = viewOf(20, 1);
  t.equal(new LogSearch(RELEASE).find(view, { filter: FROM_SENDER, from: 3, to: 5 }).length, 3);
  t.equal(new LogSearch(RELEASE).find(view, { filter: FROM_SENDER, from: 18, to: undefined }).length, 3);
  t.equal(new LogSearch(RELEASE).find(view, { filter: FROM_SENDER, from: 21, to: 30 }).length, 0);
  t.equal(
    new LogSearch(RELEASE).find(view, { filter: ALL, from: 2 ** 63, to: undefined }).length,
    1,
    'a range beyond int64 means the newest block',
  );
  t.equal(
    new LogSearch(RELEASE).find(view, { filter: { addresses: [new Uint8Array(20)], topics: [] }, from: 0, to: 20 })
      .length,
    0,
  );
});

t.test('rejects log queries that are too large before it executes them', async (t) => {
  const refusal = { message: 'query returned more than 10000 results' };
  t.throws(
    () => new LogSearch(RELEASE).find(viewOf(20_000, 1), { filter: ALL, from: 0, to: 9_999 }),
    refusal,
    'every block counts as a candidate',
  );
  t.equal(new LogSearch(RELEASE).find(viewOf(20_000, 0), { filter: ALL, from: 0, to: 9_998 }).length, 0);
  t.throws(
    () => new LogSearch(RELEASE).find(viewOf(2, 6_000), { filter: FROM_SENDER, from: 1, to: 2 }),
    refusal,
    'the number of logs is limited',
  );
  t.throws(
    () => new LogSearch(RELEASE).find(viewOf(20_000, 1), { filter: FROM_SENDER, from: 0, to: 20_000 }),
    refusal,
    'the number of blocks is limited',
  );
  t.throws(() => new LogSearch(RELEASE).find(viewOf(200_000, 0), { filter: FROM_SENDER, from: 0, to: 150_000 }), {
    message: 'query covers more than 100000 blocks',
  });
});
