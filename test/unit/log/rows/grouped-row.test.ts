import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { ReceiptFigures } from '../../../../src/codec/block-figures.js';
import type { BlockSums } from '../../../../src/codec/block-parts.js';
import { Block, Transaction, TransactionInfo, TransactionRet } from '../../../../src/codec/generated/messages.js';
import { type AppliedEntry, encodeEntry, NO_HASH, readEntry, readEntryInParts } from '../../../../src/log/log-entry.js';
import { EntryParts } from '../../../../src/log/rows/entry-parts.js';
import { isGrouped, packGroups, readRowHead, unpackGroups } from '../../../../src/log/rows/grouped-row.js';
import { openEntry, packEntry } from '../../../../src/log/rows/packed-row.js';
import { decodeBlock, sumsOfBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { StoredBlock } from '../../../../src/state-transition/block/stored-block.js';
import { Random } from '../../../fuzz/random.js';
import { golden } from '../../../support/tronicle.js';

const random = new Random(11, []);

/** Returns an entry with a block whose transactions have the given sizes in bytes. */
function entryOf(sizes: readonly number[], { receipts = true, block: change = (bytes: Buffer) => bytes } = {}): Buffer {
  const ids = sizes.map(() => random.bytes(32));
  const transactions = sizes.map((size) =>
    Object.assign(new Transaction(), { signature: [random.bytes(65), Buffer.alloc(size, 'transaction')] }),
  );
  const transactioninfo = ids.map((id, index) =>
    Object.assign(new TransactionInfo(), {
      id,
      fee: BigInt(index),
      contractResult: [Buffer.alloc(32, index)],
      log: Array.from({ length: index % 3 }, () => ({})),
    }),
  );
  const results = Object.assign(new TransactionRet(), { blockNumber: 7n, blockTimeStamp: 21_000n, transactioninfo });
  for (const [index, info] of transactioninfo.entries()) {
    info.log = info.log.map(() => TransactionInfo.decode(new Uint8Array([0x42, 0])).log[0]!);
    info.receipt = TransactionInfo.decode(new Uint8Array([0x3a, 2, 0x20, index % 100])).receipt;
  }
  const entry: AppliedEntry = {
    kind: 'applied',
    seq: 7,
    number: 5,
    id: random.bytes(32),
    parentId: random.bytes(32),
    digest: random.bytes(32),
    changesChecksum: 77n,
    transactionIds: ids,
    block: change(Buffer.from(Block.encode(Object.assign(new Block(), { transactions })))),
    results: receipts ? TransactionRet.encode(results) : new Uint8Array(0),
  };
  return encodeEntry(entry, NO_HASH);
}

function inParts(bytes: Buffer, sums?: BlockSums): AppliedEntry | undefined {
  const row = packGroups(bytes, sums);
  const head = row && readRowHead(row);
  if (head === undefined) return undefined;
  const refuse = (): never => {
    throw new Error('corrupt');
  };
  const parts = new EntryParts({ head, row: () => row!, refuse });
  return readEntryInParts(head.before, parts, () => unpackGroups(row!) ?? refuse());
}

t.test('returns the written entry', (t) => {
  const cases: readonly (readonly [string, Buffer])[] = [
    ['one transaction', entryOf([900])],
    ['many small ones', entryOf(Array.from({ length: 700 }, () => 100))],
    ['one that is larger than a group', entryOf([10, 60_000, 10, 90_000])],
    ['without receipts', entryOf([500, 500, 500], { receipts: false })],
  ];
  for (const [name, bytes] of cases) {
    const row = packEntry(bytes);
    t.ok(isGrouped(row), name);
    t.same(openEntry(row)?.bytes, bytes, name);
    t.same(openEntry(packEntry(bytes, { encodedSize: 7, feeLimits: -7n }))?.bytes, bytes, `${name}, with sums`);
  }
  t.end();
});

t.test('reads single transactions and receipts equal to those of the complete entry', (t) => {
  for (const receipts of [true, false]) {
    const bytes = entryOf(
      Array.from({ length: 333 }, (_, at) => 20 + 80 * (at % 9)),
      { receipts },
    );
    const whole = new StoredBlock(readEntry(bytes) as AppliedEntry);
    const lazy = new StoredBlock(inParts(bytes)!);
    t.ok(readRowHead(packGroups(bytes)!)!.groups.length > 3, 'several groups');
    for (const name of [
      'number',
      'id',
      'transactionCount',
      'receiptCount',
      'blockBytes',
      'resultBytes',
      'encodedSize',
    ] as const)
      t.same(lazy[name], whole[name], name);
    for (let index = 0; index < 333; index += 37) {
      t.same(lazy.transactionBytes(index), whole.transactionBytes(index));
      t.same(lazy.transactionId(index), whole.transactionId(index));
      t.same(lazy.infoAt(index), whole.infoAt(index));
      if (receipts) t.same(lazy.sumBefore(index), whole.sumBefore(index));
    }
    t.equal(lazy.infoAt(333), undefined);
    t.same(
      { ...lazy.entry, parts: undefined },
      { ...whole.entry, parts: undefined },
      'a copy of the entry contains all parts',
    );
  }
  t.end();
});

t.test('reads recorded blocks', (t) => {
  const lines = gunzipSync(readFileSync(join(golden, 'stake', 'blocks.ndjson.gz')))
    .toString()
    .trim()
    .split('\n');
  let grouped = 0;
  for (const line of lines.slice(0, 200)) {
    const { block: hex, infos } = JSON.parse(line) as { block?: string; infos?: string };
    if (hex === undefined) continue;
    const decoded = decodeBlock(Buffer.from(hex, 'hex'));
    const { transactions, bytes: block, id, number } = decoded;
    const results = Buffer.from(infos ?? '', 'hex');
    const { transactioninfo } = TransactionRet.decode(results);
    const parts = { parentId: id, digest: id, changesChecksum: 0n, transactionIds: transactions.map((own) => own.id) };
    const bytes = encodeEntry({ kind: 'applied', seq: 3, number, id, block, results, ...parts }, NO_HASH);
    t.same(openEntry(packEntry(bytes))?.bytes, bytes, `block ${number}`);
    const lazy = inParts(bytes);
    const sums = sumsOfBlock(decoded);
    const summed = inParts(bytes, sums);
    if (lazy === undefined || summed === undefined) continue;
    grouped++;
    const stored = new StoredBlock(lazy);
    t.same(summed.parts?.sums, sums);
    for (const one of [stored, new StoredBlock(summed)]) {
      t.equal(one.encodedSize, Block.encode(Block.decode(block)).length);
      t.equal(
        one.feeLimits,
        transactions.reduce((sum, { raw }) => sum + raw.feeLimit, 0n),
      );
    }
    t.same(stored.header, decodeBlock(Buffer.from(hex, 'hex')).raw);
    t.same(stored.infos, transactioninfo);
    t.same(
      stored.receiptFigures,
      transactioninfo.map((info) => ReceiptFigures.of(TransactionInfo.encode(info))),
    );
  }
  t.ok(grouped > 20, `${grouped} blocks in groups`);
  t.end();
});

t.test('does not group the parts of an entry with an unusual encoding', (t) => {
  const header = Buffer.from([0x12, 0]);
  const first = entryOf([900, 900], { block: (bytes) => Buffer.concat([header, bytes]) });
  t.equal(packGroups(first), undefined, 'the header precedes the transactions');
  const between = entryOf([900, 900], { block: (bytes) => Buffer.concat([bytes, header, Buffer.from([0x0a, 0])]) });
  t.equal(packGroups(between), undefined, 'more transactions than ids');
  t.equal(packGroups(entryOf([900], { block: () => Buffer.from([0xff]) })), undefined, 'a malformed block');
  for (const bytes of [first, between]) t.same(openEntry(packEntry(bytes))?.bytes, bytes);
  t.end();
});

t.test('never reads a part from bytes that the packer did not write', (t) => {
  const bytes = entryOf([400, 400, 34_000, 400]);
  const packed = packGroups(bytes, { encodedSize: 5, feeLimits: 6n })!;
  const wrong: number[] = [];
  const expected = readRowHead(packed)!;
  const expectedParts = new EntryParts({
    head: expected,
    row: () => packed,
    refuse: () => t.fail('the row is intact') as never,
  });
  for (let at = 0; at < packed.length; at += 3) {
    const broken = Buffer.from(packed);
    broken[at] = broken[at]! ^ (1 << (at & 7));
    if (unpackGroups(broken)?.equals(bytes) === false) wrong.push(at);
    const head = readRowHead(broken);
    if (head === undefined) continue;
    const refuse = (): never => {
      throw new Error('corrupt');
    };
    const parts = new EntryParts({ head, row: () => broken, refuse });
    for (const index of [0, 3]) {
      for (const read of ['transaction', 'transactionId', 'receipt'] as const) {
        try {
          if (!Buffer.from(parts[read](index)).equals(expectedParts[read](index))) wrong.push(at);
        } catch (error) {
          if ((error as Error).message !== 'corrupt') wrong.push(at);
        }
      }
    }
  }
  t.same(wrong, []);
  t.end();
});
