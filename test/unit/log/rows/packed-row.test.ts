import t from 'tap';
import { encodeEntry, type LogEntry, NO_HASH } from '../../../../src/log/log-entry.js';
import { openEntry, packChanges, packEntry, unpackRow } from '../../../../src/log/rows/packed-row.js';
import { itemAt } from '../../../../src/primitives/assert.js';
import { Random } from '../../../fuzz/random.js';

const random = new Random(7, []);
/** Returns the row of an entry in the older format without a checksum. */
const unsealed = (row: Buffer): Buffer => row.subarray(9);
const repeated = (bytes: number): Buffer =>
  Buffer.concat(Array.from({ length: bytes / 50 }, () => Buffer.alloc(50, 'row')));

function applied(transactions: number, makeResults: (ids: readonly Buffer[]) => Buffer): Buffer {
  const ids = Array.from({ length: transactions }, () => random.bytes(32));
  const entry: LogEntry = {
    kind: 'applied',
    seq: 7,
    number: 5,
    id: random.bytes(32),
    parentId: random.bytes(32),
    digest: random.bytes(32),
    changesChecksum: 77n,
    transactionIds: ids,
    block: repeated(200 * transactions),
    results: makeResults(ids),
  };
  return encodeEntry(entry, NO_HASH);
}

const named = (ids: readonly Buffer[]): Buffer =>
  Buffer.concat(ids.flatMap((id) => [Buffer.from([0x1a, 0x30, 0x0a, 0x20]), id, Buffer.from('other fields')]));

t.test('decodes an unchanged entry', async (t) => {
  const cases: readonly (readonly [name: string, bytes: Buffer, packed: 'packed' | 'plain'])[] = [
    ['results that name the transactions', applied(100, named), 'packed'],
    ['results farther from the transactions than the window of snappy', applied(3000, named), 'packed'],
    ['results that name them in another order', applied(100, (ids) => named([...ids].reverse())), 'packed'],
    ['results that name all but one', applied(100, (ids) => named(ids.slice(1))), 'packed'],
    [
      'an id far after the transactions',
      applied(20, (ids) => Buffer.concat([Buffer.alloc(70_000), named(ids)])),
      'packed',
    ],
    ['no results', applied(100, () => Buffer.alloc(0)), 'packed'],
    ['no transaction', applied(0, () => Buffer.alloc(0)), 'plain'],
    [
      'a solidified block',
      encodeEntry({ kind: 'solidified', seq: 1, number: 2, id: random.bytes(32) }, NO_HASH),
      'plain',
    ],
  ];
  for (const [name, bytes, expected] of cases) {
    const packed = packEntry(bytes);
    t.equal(packed.length < bytes.length, expected === 'packed', name);
    t.same(unpackRow(packed), bytes, name);
    const rows = expected === 'plain' ? [bytes] : [packed, unsealed(packed), bytes];
    for (const row of rows) t.same(openEntry(row)?.bytes, bytes, name);
  }
});

t.test('does not store the transaction ids of results twice', async (t) => {
  const bytes = applied(1000, named);
  const packed = packEntry(bytes).length;
  t.ok(packed < 60 * 1000, `${packed}: about 32 bytes per transaction id`);
});

t.test('decodes unchanged row changes', async (t) => {
  for (const bytes of [repeated(5000), repeated(100), Buffer.concat([Buffer.from([1]), random.bytes(2000)])]) {
    const packed = packChanges(bytes);
    t.ok(packed.length <= bytes.length);
    t.same(unpackRow(packed), bytes);
  }
});

t.test('never decodes an entry from bytes that the packer did not write', async (t) => {
  const bytes = applied(50, named);
  const sealed = packEntry(bytes);
  for (const packed of [sealed, unsealed(sealed), bytes]) {
    const read: number[] = [];
    for (let at = 0; at < packed.length; at++) {
      const broken = Buffer.from(packed);
      broken[at] = itemAt(broken, at) ^ (1 << (at & 7));
      const found = openEntry(broken);
      if (found !== undefined && !found.bytes.equals(bytes)) read.push(at);
      if (openEntry(packed.subarray(0, at)) !== undefined) read.push(at);
    }
    t.same(read, [], `positions of wrong entries within ${packed.length} bytes`);
  }
  for (const first of [0x80, 0x81, 0x82, 0x83]) {
    for (let length = 0; length < 40; length++)
      t.doesNotThrow(() => unpackRow(Buffer.concat([Buffer.from([first]), random.bytes(length)])));
    const huge = Buffer.from([first, 0, 0, 0, 1, 0, 0, 0, 5, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    t.equal(unpackRow(huge), undefined, 'a length above the size of any block');
  }
});
