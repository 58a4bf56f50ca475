import { closeSync, createReadStream, existsSync, fsyncSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { checkFreeSpace } from '../files/free-space.js';
import { CHECKPOINT_V2 } from './data-folder.js';
import { JavaDataError } from './java-data-error.js';
import { readTar } from './tar-reader.js';

const GZIP = Buffer.from([0x1f, 0x8b]);
/** Pattern of the names of files that contain no rows. Such files are not extracted. */
const NEEDLESS = /^(LOCK|LOG.*|IDENTITY|OPTIONS-\d+.*|engine\.properties)$/;

/** Number of extracted bytes between two checks of the free disk space. */
const SPACE_BYTES = 4 * 1024 * 1024;

interface UnpackOptions {
  /** Path of the archive; `-` is standard input. */
  readonly archive: string;
  /** Target folder of the stores. Table files are copied unchanged, so they stay compressed. */
  readonly target: string;
  /** Names of the stores to extract. Checkpoints are always extracted. */
  readonly stores: ReadonlySet<string>;
  readonly onProgress: (bytes: number) => void;
}

/**
 * Extracts stores from an archive of a data folder. The files may be in any order. Skips stores that are not listed
 * (history, indexes).
 *
 * Tables stay on disk until the archive is complete, because its manifests and checkpoints may be at the end. Reads
 * only the tables that the manifest of a store lists, because other tables may contain deleted rows. Rows of
 * checkpoints replace rows of stores.
 * @throws {JavaDataError} the archive or its data is damaged
 * @throws {TronError} STORAGE_FULL: the disk has too little space for the stores
 */
export async function unpackStores({ archive, target, stores, onProgress }: UnpackOptions): Promise<void> {
  const input = archive === '-' ? process.stdin : createReadStream(archive, { highWaterMark: 1 << 20 });
  let bytes = 0;
  let files = 0;
  let checkedUpTo = 0;
  for await (const file of readTar(await uncompressed(input), archive)) {
    const path = wantedPath(file.name, stores);
    if (path === undefined) continue;
    files++;
    const to = join(target, path);
    if (existsSync(to)) throw new JavaDataError(file.name, 'the archive contains this file twice');
    mkdirSync(dirname(to), { recursive: true });
    const out = openSync(to, 'wx');
    try {
      for await (const chunk of file.bytes()) {
        if (bytes >= checkedUpTo) {
          checkFreeSpace(target, SPACE_BYTES);
          checkedUpTo = bytes + SPACE_BYTES;
        }
        writeFileSync(out, chunk);
        bytes += chunk.length;
        onProgress(bytes);
      }
      fsyncSync(out);
    } finally {
      closeSync(out);
    }
  }
  if (files === 0)
    throw new JavaDataError(
      archive,
      'the archive contains no database of java-tron; use an archive of its data folder output-directory',
    );
}

/**
 * Returns the path of a file of the archive below the target folder: `<store>/<file>` or `checkpoint/<ms>/<file>`.
 * Returns undefined for a file that is not needed.
 */
function wantedPath(name: string, stores: ReadonlySet<string>): string | undefined {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  const [above = '', store = '', file = ''] = parts.slice(-3);
  if (parts.length < 2 || file === '..' || store === '..' || NEEDLESS.test(file)) return undefined;
  if (above === CHECKPOINT_V2 && /^\d+$/.test(store)) return join(CHECKPOINT_V2, store, file);
  const [inner = '', leaf = ''] = parts.slice(-2);
  return stores.has(inner) ? join(inner, leaf) : undefined;
}

/** Returns the stream, decompressed if it starts with the magic bytes of gzip. */
async function uncompressed(input: Readable): Promise<AsyncIterable<Buffer>> {
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await chunks.next();
  const head: Buffer = first.done === true ? Buffer.alloc(0) : first.value;
  const all = async function* (): AsyncGenerator<Buffer> {
    if (head.length > 0) yield head;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  };
  if (!head.subarray(0, 2).equals(GZIP)) return all();
  const gunzip = createGunzip({ chunkSize: 1 << 18 });
  void feed(all(), gunzip);
  return gunzip as AsyncIterable<Buffer>;
}

async function feed(chunks: AsyncIterable<Buffer>, to: ReturnType<typeof createGunzip>): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (!to.write(chunk)) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
      if (to.destroyed) return;
    }
    to.end();
  } catch (error) {
    to.destroy(error as Error);
  }
}
