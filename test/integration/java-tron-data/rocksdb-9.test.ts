import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { unpackStores } from '../../../src/java-tron-data/archive.js';
import { JavaData } from '../../../src/java-tron-data/java-data.js';
import { JavaDataError } from '../../../src/java-tron-data/java-data-error.js';
import { storeOrders } from '../../../src/node/bootstrap/store-orders.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

// Stores of the golden folder `rocksdb`, compacted and extended by RocksDB 9.7.4, which java-tron 4.8 uses on ARM. They
// have tables of version 6 with XXH3, and a log that was not flushed.
const archive = fileURLToPath(new URL('rocksdb-9.tgz', import.meta.url));
const recorded = fileURLToPath(new URL('../../golden/java-data/rocksdb/expected.json', import.meta.url));
const STORES = ['account', 'account-asset', 'contract', 'properties', 'market_pair_price_to_order'];

async function unpacked(t: { teardown(run: () => void): void }): Promise<string> {
  const target = join(temporaryFolder(t), 'stores');
  await unpackStores({ archive, target, stores: new Set(STORES), onProgress: () => {} });
  return target;
}

function sumOf(folder: string, store: string): { readonly rows: number; readonly sha256: string } {
  const rows = new JavaData(folder, storeOrders).rows(store);
  const lines: string[] = [];
  try {
    while (rows.next()) lines.push(`${rows.key.toString('hex')} ${rows.value.toString('hex')}\n`);
  } finally {
    rows.close();
  }
  return { rows: lines.length, sha256: createHash('sha256').update(lines.sort().join('')).digest('hex') };
}

t.test('reads folders of RocksDB 9 with the same rows', async (t) => {
  const { stores } = JSON.parse(readFileSync(recorded, 'utf8')) as { readonly stores: Record<string, object> };
  const folder = await unpacked(t);
  for (const store of STORES) t.same(sumOf(folder, store), stores[store], store);
});

t.test('detects a changed byte anywhere in a table', async (t) => {
  const folder = await unpacked(t);
  const [table] = readdirSync(join(folder, 'account')).filter((file) => file.endsWith('.sst'));
  const path = join(folder, 'account', table!);
  const whole = readFileSync(path);
  const right = sumOf(folder, 'account');
  const seen = { refused: 0, unread: 0 };
  for (let at = whole.length - 1; at >= 0; at -= at > whole.length - 60 ? 1 : 61) {
    const bytes = Buffer.from(whole);
    bytes[at] = bytes[at]! ^ 0x10;
    writeFileSync(path, bytes);
    try {
      // A changed byte in the Bloom filter has no effect, because the node does not read the filter.
      t.same(sumOf(folder, 'account'), right, `byte ${at}`);
      seen.unread++;
    } catch (error) {
      if (!(error instanceof JavaDataError)) throw error;
      t.ok(error.message.includes(table!), error.message);
      seen.refused++;
    }
  }
  t.ok(seen.refused > 150, JSON.stringify(seen));
  t.ok(seen.unread < 20, JSON.stringify(seen));
});
