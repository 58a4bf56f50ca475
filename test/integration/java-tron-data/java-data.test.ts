import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { unpackStores } from '../../../src/java-tron-data/archive.js';
import { JavaData } from '../../../src/java-tron-data/java-data.js';
import { JavaDataError } from '../../../src/java-tron-data/java-data-error.js';
import { storeOrders } from '../../../src/node/bootstrap/store-orders.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

// Data folders that java-tron 4.7.2 and its Toolkit have written (November 2026). expected.json has hashes over the
// rows that java-tron reads from them.
const golden = fileURLToPath(new URL('../../golden/java-data', import.meta.url));

interface Expected {
  readonly stores: Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;
}

async function unpacked(
  t: { teardown(run: () => void): void },
  name: string,
): Promise<{ readonly folder: string; readonly expected: Expected }> {
  const expected = JSON.parse(readFileSync(join(golden, name, 'expected.json'), 'utf8')) as Expected;
  const folder = join(temporaryFolder(t), 'stores');
  await unpackStores({
    archive: join(golden, name, 'output-directory.tgz'),
    target: folder,
    stores: new Set([...Object.keys(expected.stores), 'tmp']),
    onProgress: () => {},
  });
  return { folder, expected };
}

/** Returns a hash over lines of key and value in hex, sorted by key, as in expected.json. */
function sumOf(data: JavaData, store: string): { rows: number; sha256: string } {
  const rows = data.rows(store);
  const lines: [string, string][] = [];
  while (rows.next()) lines.push([rows.key.toString('hex'), rows.value.toString('hex')]);
  rows.close();
  lines.sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256');
  for (const [key, value] of lines) hash.update(`${key} ${value}\n`);
  return { rows: lines.length, sha256: hash.digest('hex') };
}

for (const name of ['rocksdb', 'lite-tour']) {
  t.test(`${name}: reads the rows that java-tron has after a start in every store`, async (t) => {
    const { folder, expected } = await unpacked(t, name);
    const data = new JavaData(folder, storeOrders);
    for (const [store, sum] of Object.entries(expected.stores)) t.same(sumOf(data, store), sum, store);
  });
}

t.test('names a damaged, truncated or missing file in the error', async (t) => {
  const { folder, expected } = await unpacked(t, 'rocksdb');
  const stores = Object.keys(expected.stores);
  const readAll = (path: string): void => {
    const data = new JavaData(path, storeOrders);
    for (const store of stores) sumOf(data, store);
  };
  const work = join(temporaryFolder(t), 'copy');
  const files = stores
    .flatMap((store) => readdirSync(join(folder, store)).map((file) => join(store, file)))
    .filter((file) => /\.sst$|MANIFEST|CURRENT/.test(file));
  const damages: readonly ((path: string, at: number) => void)[] = [
    (path, at) => {
      const bytes = readFileSync(path);
      const offset = at % bytes.length;
      bytes[offset] = bytes[offset]! ^ 0x10;
      writeFileSync(path, bytes);
    },
    (path, at) => truncateSync(path, at % statSync(path).size),
    (path) => rmSync(path),
  ];
  for (const [index, file] of files.entries()) {
    cpSync(folder, work, { recursive: true });
    damages[index % damages.length]!(join(work, file), 7919 * (index + 1));
    const error = errorOf(() => readAll(work));
    t.ok(error === undefined ? isHarmless(index) : error instanceof JavaDataError, `${file}: ${error}`);
    rmSync(work, { recursive: true });
  }
  function isHarmless(index: number): boolean {
    // Only damage that changes one bit may have no effect, because the bit may be in a part that is not read. An
    // example is the padding of the footer.
    return index % damages.length === 0;
  }
});

function errorOf(run: () => void): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}

t.test('rejects a truncated or invalid archive, and names it in the error', async (t) => {
  const folder = temporaryFolder(t);
  const whole = readFileSync(join(golden, 'rocksdb', 'output-directory.tgz'));
  const cases = { cut: whole.subarray(0, whole.length / 2), empty: Buffer.alloc(0), text: Buffer.from('no archive') };
  for (const [name, bytes] of Object.entries(cases)) {
    const archive = join(folder, `${name}.tgz`);
    writeFileSync(archive, bytes);
    const unpack = unpackStores({
      archive,
      target: join(folder, name),
      stores: new Set(['account']),
      onProgress: () => {},
    });
    await t.rejects(unpack, { code: 'JAVA_DATA_UNREADABLE', file: archive }, name);
  }
});
