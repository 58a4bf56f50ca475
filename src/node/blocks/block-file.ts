import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ProtobufError } from '../../codec/reader.js';
import { HASH_BYTES } from '../../crypto/hash.js';
import { writeNewFile } from '../../files/new-file.js';
import { systemErrorText } from '../../files/system-error.js';
import { readIntactBlocks } from '../../log/intact-blocks.js';
import { BLOCK_BYTES_MAX } from '../../p2p/wire/large-block.js';
import { present } from '../../primitives/assert.js';
import { concatBytes, equalBytes, fromHex, toHex, utf8 } from '../../primitives/bytes.js';
import { UsageError } from '../../primitives/errors.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { readEncodedBlock } from '../../state-transition/block/encoded-block.js';
import type { Progress } from '../command-line/progress.js';

/**
 * First bytes of a block file. The genesis id follows, then the blocks from height 1. The length of each block precedes
 * it (4 bytes, big-endian).
 */
const MAGIC = utf8('tronicle blocks 1\n');
const READ_BYTES = 1 << 20;
/** Maximum length of a line of JSON, in bytes: a block in hex, and other members. */
const LINE_BYTES_MAX = 2 * BLOCK_BYTES_MAX + (1 << 20);

/**
 * Writes the canonical blocks up to height `until`, inclusive. Starts at height 1. For a log that was pruned, or that a
 * bootstrap created, starts at its first block.
 * @returns size of the file in bytes
 */
export function writeBlockFile(ledger: Ledger, path: string, until: number, progress: Progress): number {
  progress.begin('export', { unit: 'blocks', total: until - ledger.startNumber });
  return writeBlocks(path, present(ledger.blockIdAt(0), 'every chain has a genesis'), (write) => {
    for (let number = ledger.startNumber + 1; number <= until; number++) {
      write(present(ledger.block(number), 'the log contains every block from its start to its head').block);
      progress.add(1);
    }
  });
}

/**
 * Writes the canonical blocks of a damaged log up to `until`. Starts at block 1, or at the first block that was not
 * pruned.
 * @returns size of the file in bytes
 * @throws {UsageError} no block can be read, or `until` is missing or above the last intact block
 */
export function salvageBlockFile(dataDir: string, path: string, until: number | undefined): number {
  let genesisId: Uint8Array | undefined;
  const intact = readIntactBlocks(
    dataDir,
    ({ number, id }) => {
      if (number === 0) genesisId = Uint8Array.from(id);
    },
    (base) => {
      genesisId = Uint8Array.from(base.genesisId);
    },
  );
  if (genesisId === undefined) {
    throw new UsageError(
      `no block of the log in ${dataDir} can be read: ${intact.damage ?? 'the log is empty'}; restore a backup`,
    );
  }
  if (until === undefined || until > intact.untilNumber) {
    throw new UsageError(
      `the log in ${dataDir} ${intact.damage === undefined ? 'ends at' : 'is intact up to'} block ${intact.untilNumber}` +
        `${intact.damage === undefined ? '' : `: ${intact.damage}`}; use --until ${intact.untilNumber}`,
    );
  }
  return writeBlocks(path, genesisId, (write) => {
    readIntactBlocks(dataDir, ({ number, block }) => {
      if (number > 0 && number <= until) write(block);
    });
  });
}

function writeBlocks(path: string, genesisId: Uint8Array, visit: (write: (block: Uint8Array) => void) => void): number {
  const length = Buffer.alloc(4);
  return writeNewFile(path, (write) => {
    write(concatBytes(MAGIC, genesisId));
    visit((block) => {
      length.writeUInt32BE(block.length);
      write(concatBytes(length, block));
    });
  });
}

/**
 * Reads the first block of a file, and returns an iterator over all blocks.
 * @throws {UsageError} as {@link readBlockFile}, if the start of the file is invalid
 */
export async function openBlockFile(path: string, genesisId: Uint8Array): Promise<AsyncIterable<Uint8Array>> {
  const blocks = readBlockFile(path, genesisId);
  const first = await blocks.next();
  if (first.done !== true) requireBlock(first.value, path);
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* blocks;
  })();
}

/**
 * Reads the blocks of a file in file order. Accepts files of `writeBlockFile`, and JSON lines (gzip or plain) whose
 * field `block` is hex.
 * @throws {UsageError} the format is unknown, the file belongs to a different chain, or it is truncated
 */
export async function* readBlockFile(path: string, genesisId: Uint8Array): AsyncGenerator<Uint8Array> {
  const head = await readHead(path);
  if (equalBytes(head.subarray(0, MAGIC.length), MAGIC)) {
    const id = head.subarray(MAGIC.length, MAGIC.length + HASH_BYTES);
    if (!equalBytes(id, genesisId)) {
      throw new UsageError(
        `${path} has blocks of chain ${toHex(id)}, but the data folder has chain ${toHex(genesisId)}`,
      );
    }
    yield* readBinary(path);
  } else if (head[0] === 0x1f || head[0] === 0x7b) {
    yield* readJsonLines(path, head[0] === 0x1f);
  } else {
    throw new UsageError(`${path} is not a block file; expected a file of 'tronicle export' or JSON lines`);
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(systemErrorText(error, path), { cause: error });
  });
  try {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(MAGIC.length + HASH_BYTES),
      0,
      MAGIC.length + HASH_BYTES,
      0,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function* readBinary(path: string): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  let count = 0;
  for await (const chunk of createReadStream(path, { start: MAGIC.length + HASH_BYTES, highWaterMark: READ_BYTES })) {
    rest = concatBytes(rest, chunk as Uint8Array);
    for (;;) {
      const length = rest.length < 4 ? undefined : Buffer.from(rest.buffer, rest.byteOffset).readUInt32BE();
      if (length !== undefined && length > BLOCK_BYTES_MAX) {
        throw new UsageError(`${path} is damaged: block ${count + 1} has a length of ${length} bytes`);
      }
      if (length === undefined || rest.length < 4 + length) break;
      yield rest.subarray(4, 4 + length);
      rest = rest.subarray(4 + length);
      count++;
    }
  }
  if (rest.length > 0) throw new UsageError(`${path} is truncated: it ends after ${count} complete blocks`);
}

async function* readJsonLines(path: string, isCompressed: boolean): AsyncGenerator<Uint8Array> {
  const bytes = createReadStream(path);
  const input = isCompressed ? bytes.pipe(createGunzip()) : bytes;
  let number = 0;
  try {
    for await (const line of linesOf(input, path)) {
      number++;
      if (line.trim() === '') continue;
      const { block } = JSON.parse(line) as { block?: unknown };
      if (typeof block === 'string') yield fromHex(block);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path}: invalid JSON in line ${number} (${(error as Error).message})`, { cause: error });
  }
}

function requireBlock(bytes: Uint8Array, path: string): void {
  try {
    readEncodedBlock(bytes);
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw new UsageError(`${path} is not a block file: its first block is malformed`, { cause: error });
  }
}

/** Splits a stream into lines. @throws {UsageError} a line is longer than any block */
async function* linesOf(input: Readable, path: string): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)]).toString();
      parts = [];
      size = 0;
      from = end + 1;
    }
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > LINE_BYTES_MAX) throw new UsageError(`${path} is not a block file: a line has more than ${size} bytes`);
  }
  if (size > 0) yield Buffer.concat(parts).toString();
}

const LINE_END = 0x0a;
