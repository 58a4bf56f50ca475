import { Worker } from 'node:worker_threads';
import t from 'tap';
import type { LogEntry } from '../../../src/log/log-entry.js';
import { toHex } from '../../../src/primitives/bytes.js';
import type { Ledger, NewBlock } from '../../../src/projections/ledger/ledger.js';
import { eachItem } from '../../support/log/each-item.js';
import { blockId, open, temporaryFolder } from '../../support/projections/chain.js';
import { appendCounterBlock, LAG } from '../../support/projections/counter-chain.js';

t.test('joins past and new entries without gaps or duplicates', async (t) => {
  const ledger = await open(temporaryFolder(t));
  for (let i = 0; i < 30; i++) appendCounterBlock(ledger);
  await ledger.flush();
  const read: LogEntry[] = [];
  const reading = (async () => {
    for await (const entry of eachItem(ledger.pages({ fromSeq: 0 }))) {
      read.push(entry);
      if (entry.seq % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
  })();
  for (let round = 0; round < 40; round++) {
    appendCounterBlock(ledger, String(round % 3));
    if (round % 4 === 1) ledger.revert();
    if (round % 3 === 0) await ledger.flush();
    if (round % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await ledger.flush();
  const { seq } = ledger.position;
  while (read.length <= seq) await new Promise((resolve) => setTimeout(resolve, 2));
  const [again, last] = [ledger.entry(12), ledger.entry(seq)];
  await ledger.close();
  await reading;
  t.strictSame(
    read.map((entry) => entry.seq),
    Array.from({ length: seq + 1 }, (_, i) => i),
  );
  t.strictSame(read[12], again);
  t.strictSame(read[seq], last);
});

t.test('hides entries until they are flushed', async (t) => {
  const ledger = await open(temporaryFolder(t));
  appendCounterBlock(ledger);
  const seqs: number[] = [];
  for await (const { seq } of eachItem(ledger.pages({ fromSeq: 0, follow: false }))) seqs.push(seq);
  t.strictSame(seqs, [0]);
  await ledger.close();
});

t.test('rejects a reader that is ahead of the log', async (t) => {
  const ledger = await open(temporaryFolder(t));
  const first = eachItem(ledger.pages({ fromSeq: 9 }))
    [Symbol.asyncIterator]()
    .next();
  await t.rejects(first, { code: 'SEQ_UNKNOWN' });
  await ledger.close();
});

t.test('ends a waiting reader by an abort signal', async (t) => {
  const ledger = await open(temporaryFolder(t));
  const stop = new AbortController();
  const reading = (async () => {
    for await (const _ of eachItem(ledger.pages({ fromSeq: 1, signal: stop.signal })))
      t.fail('the reader received an entry');
  })();
  setTimeout(() => stop.abort(), 10);
  await reading;
  await ledger.close();
});

t.test('follows the log with the same views in another thread', async (t) => {
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir);
  appendCounterBlock(ledger);
  await ledger.flush();
  const toSeq = 60;
  const workerData = { dataDir, notifier: ledger.notifierBuffer, toSeq };
  const worker = new Worker(new URL('../../support/projections/start-reader-thread.mjs', import.meta.url), {
    workerData,
  });
  const answer = new Promise<Record<string, unknown>>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  while (ledger.position.seq < toSeq) {
    appendCounterBlock(ledger);
    await ledger.flush();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const { headNumber, digest, seq } = ledger.position;
  const { seqs, ...views } = await answer;
  t.strictSame(seqs, Array.from({ length: seq + 1 }, (_, i) => i).slice(0, (seqs as number[]).length));
  t.match(views, { headNumber, digest: toHex(digest) });
  t.equal(Buffer.from(views['value'] as Uint8Array).toString(), String(headNumber));
  t.equal(Buffer.from(views['solidified'] as Uint8Array).toString(), String(headNumber - LAG));
  await ledger.close();
});

t.test('rejects a second ledger on the same folder', async (t) => {
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir);
  await t.rejects(open(dataDir), { code: 'USAGE', message: /in use by another process/ });
  await ledger.close();
  await (await open(dataDir)).close();
});

t.test('finds no ids or transactions outside the chain', async (t) => {
  const ledger = await open(temporaryFolder(t));
  appendCounterBlock(ledger);
  const { headId } = ledger.position;
  appendCounterBlock(ledger);
  ledger.revert();
  t.equal(ledger.numberOf(headId), 1);
  for (const byte of [0x00, 0x7f, 0xff]) {
    t.equal(ledger.numberOf(Buffer.alloc(32, byte)), undefined);
    t.equal(ledger.transactionAt(Buffer.alloc(32, byte)), undefined);
  }
  t.equal(ledger.blockIdAt(2), undefined);
  t.equal(ledger.block(2), undefined);
  t.throws(() => ledger.at(2), { code: 'HEIGHT_UNKNOWN' });
  t.throws(() => ledger.append({ ...nextBlock(ledger), number: 5 }), { code: 'LOG_HOLE' });
  t.throws(() => ledger.append({ ...nextBlock(ledger), parentId: Buffer.alloc(32) }), { code: 'LOG_HOLE' });
  await ledger.close();
});

t.test('rejects a change that does not match the stored value before storing anything', async (t) => {
  const ledger = await open(temporaryFolder(t));
  const changes = [{ store: 1, key: Buffer.from('k'), before: Buffer.from('x'), after: Buffer.from('y') }];
  ledger.append({ ...nextBlock(ledger), changes });
  await t.rejects(ledger.flush(), { code: 'CHANGES_MISMATCH' });
  t.equal(ledger.storedSeq, 0);
  await t.rejects(ledger.close(), { code: 'CHANGES_MISMATCH' });
});

function nextBlock(ledger: Ledger): NewBlock {
  const { headNumber, headId } = ledger.position;
  const empty = {
    results: new Uint8Array(0),
    transactionIds: [],
    changes: [],
    internalTransactions: new Uint8Array(0),
  };
  return {
    number: headNumber + 1,
    id: blockId(headNumber + 1, 'n'),
    parentId: headId,
    bytes: Buffer.from('b'),
    ...empty,
  };
}
