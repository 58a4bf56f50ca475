import t from 'tap';
import {
  decodeEntry,
  encodeEntry,
  hashOfEntry,
  type LogEntry,
  NO_HASH,
  previousHashOfEntry,
} from '../../../src/log/log-entry.js';

const id = Buffer.alloc(32, 7);
const entries: readonly LogEntry[] = [
  {
    kind: 'applied',
    seq: 2 ** 40,
    number: 2 ** 33,
    id,
    parentId: Buffer.alloc(32, 8),
    digest: Buffer.alloc(32, 9),
    changesChecksum: 2n ** 64n - 1n,
    transactionIds: [Buffer.alloc(32, 1), Buffer.alloc(32, 2)],
    block: Buffer.from('block'),
    results: Buffer.from('results'),
  },
  { kind: 'reverted', seq: 5, number: 4, id },
  { kind: 'solidified', seq: 6, number: 0, id },
];

for (const entry of entries) {
  t.test(`${entry.kind}: decodes an entry from exactly its bytes`, async (t) => {
    const bytes = encodeEntry(entry, NO_HASH);
    const read = decodeEntry(bytes);
    t.same({ ...read }, entry);
    t.same(read, entry);
    t.same(previousHashOfEntry(bytes), NO_HASH);
    for (let at = 0; at < bytes.length; at++) {
      const wrong = Buffer.from(bytes);
      wrong[at] = (wrong[at] as number) ^ 0x10;
      if (decodeEntry(wrong) !== undefined) t.fail(`byte ${at}`);
      if (decodeEntry(bytes.subarray(0, at)) !== undefined) t.fail(`cut at ${at}`);
    }
  });
}

t.test('binds an entry to its predecessor', async (t) => {
  const [entry] = entries as [LogEntry];
  t.notSame(hashOfEntry(encodeEntry(entry, NO_HASH)), hashOfEntry(encodeEntry(entry, id)));
});
