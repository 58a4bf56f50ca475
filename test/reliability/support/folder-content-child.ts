import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { open } from 'lmdb';

/** Prints a hash over all keys and values of log and state in a data folder. Reads them without code of the product. */
const [, , dataDir = ''] = process.argv;
const hash = createHash('sha256');
for (const folder of ['log', 'state']) {
  const options = { readOnly: true, encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Buffer, Buffer>({ path: join(dataDir, folder, 'data.mdb'), noSubdir: true, ...options });
  for (const name of [...root.getKeys()].map(String)) {
    const table = root.openDB<Buffer, Buffer>({ name, ...options });
    for (const { key, value } of table.getRange({})) {
      hash.update(`${folder}/${name} ${key.length} ${value.length} `).update(key).update(value);
    }
  }
  await root.close();
}
console.log(hash.digest('hex'));
