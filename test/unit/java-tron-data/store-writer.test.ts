import { join } from 'node:path';
import t from 'tap';
import { BYTE_ORDER, JavaStore } from '../../../src/java-tron-data/java-store.js';
import { logRecords, StoreWriter } from '../../../src/java-tron-data/store-writer.js';
import { readRecords } from '../../../src/java-tron-data/tables/record-log.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

t.test('reads back the written data', async (t) => {
  const folder = join(temporaryFolder(t), 'store');
  const rows = Array.from({ length: 5000 }, (_, at) => {
    const key = Buffer.alloc(4 + (at % 3));
    key.writeUInt32BE(at * 7);
    return [key, Buffer.from('value '.repeat(at % 50))] as const;
  });
  const writer = new StoreWriter(folder, BYTE_ORDER.comparator);
  for (const [key, value] of rows) writer.add(key, value);
  writer.finish();
  const found = new JavaStore({ folder }).rows();
  for (const [key, value] of rows) {
    t.ok(found.next());
    if (!found.key.equals(key) || !found.value.equals(value)) t.fail(`row ${key.toString('hex')}`);
  }
  t.notOk(found.next());
  const from = new JavaStore({ folder }).rows({ from: rows[4000]![0] });
  t.ok(from.next());
  t.same(from.key, rows[4000]![0]);
});

t.test('splits a record larger than a log block into fragments', async (t) => {
  const record = Buffer.alloc(100_000, 'abc');
  const bytes = logRecords(record);
  t.same([...readRecords(bytes)], [record]);
  const cut = readRecords(bytes.subarray(0, 90_000));
  const { done, value } = cut.next();
  t.ok(done === true && value !== undefined, 'a truncated record is reported');
});
