import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { unpackStores } from '../../../src/java-tron-data/archive.js';
import { JavaData } from '../../../src/java-tron-data/java-data.js';
import { ShapeCheck } from '../../../src/node/bootstrap/row-shapes.js';
import { storeOrders } from '../../../src/node/bootstrap/store-orders.js';
import { javaStoreIds, storeName } from '../../../src/projections/state/stores.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

// Stores that java-tron 4.7.2 wrote (November 2026).
const golden = fileURLToPath(new URL('../../golden/java-data', import.meta.url));
const others = ['block', 'block-index', 'transactionRetStore', 'recent-block', 'recent-transaction'];

/** The first rows of each store, by store name. */
type Rows = ReadonlyMap<string, readonly (readonly [key: Buffer, value: Buffer])[]>;

async function rowsOf(t: { teardown(run: () => void): void }, name: string): Promise<Rows> {
  const folder = join(temporaryFolder(t), 'stores');
  const stores = [...javaStoreIds.map(storeName), ...others];
  const archive = join(golden, name, 'output-directory.tgz');
  await unpackStores({ archive, target: folder, stores: new Set(stores), onProgress: () => {} });
  const data = new JavaData(folder, storeOrders);
  const found = new Map<string, (readonly [Buffer, Buffer])[]>();
  for (const store of stores.filter((name) => data.has(name))) {
    const rows = data.rows(store);
    const storedRows: (readonly [Buffer, Buffer])[] = [];
    while (rows.next()) storedRows.push([Buffer.from(rows.key), Buffer.from(rows.value)]);
    rows.close();
    found.set(store, storedRows);
  }
  return found;
}

function passes(store: string, rows: readonly (readonly [Buffer, Buffer])[]): boolean {
  const check = new ShapeCheck(store);
  return rows.every(([key, value]) => check.isRow(key, value, true)) && check.isStore();
}

for (const name of ['rocksdb', 'lite-tour']) {
  t.test(`${name}: recognises rows of one store as rows of no other store`, async (t) => {
    const rows = await rowsOf(t, name);
    let pairs = 0;
    for (const [store, own] of rows) {
      t.ok(passes(store, own), store);
      for (const [other, foreign] of rows) {
        if (other === store || foreign.length === 0) continue;
        pairs++;
        if (passes(store, foreign)) t.fail(`rows of ${other} are recognised as rows of ${store}`);
      }
    }
    t.ok(pairs > 500, `${pairs} pairs`);
  });
}

t.test('rejects a store without the mandatory row', async (t) => {
  t.notOk(passes('account-index', []));
  t.notOk(passes('witness_schedule', []));
  t.ok(passes('nullifier', []));
});
