import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Logger } from 'pino';
import { flushFolders } from '../../files/flush-folders.js';
import { UsageError } from '../../primitives/errors.js';
import { ABSENT } from '../state/change-set.js';
import type { StateCursor } from '../state/state-cursor.js';
import type { RowWrite, StateDatabase } from '../state/state-database.js';

const BATCH_FILE = 'batch';
/**
 * Maximum age of a checkpoint in ms, relative to the newest checkpoint, not to the current time. The folder name of a
 * checkpoint is its time. Reference: CHECKPOINT v2.
 */
const EXPIRY_MS = 2 * 60 * 1000;
const KEPT_AT_LEAST = 3;
const MAGIC = 0x54524350;
const HEAD_BYTES = 4 + 8 + 8 + 8 + 32 + 32 + 4;

/**
 * Row writes of one state commit. The node stores them before the commit, and repeats the commit from them after a
 * crash.
 */
interface Checkpoint {
  /** Seq of the newest log entry that the state includes before the commit. */
  readonly fromSeq: number;
  /** Cursor of the state after the commit. */
  readonly cursor: Omit<StateCursor, 'totals'>;
  readonly writes: readonly RowWrite[];
}

/**
 * The checkpoint folders `<data>/checkpoint/<ms>/`, one per state commit. Checkpoint version 2 writes a folder before
 * each state commit. Version 1 writes none.
 */
export class Checkpoints {
  private readonly folder: string;
  private readonly version: 1 | 2;
  private readonly log: Logger;
  private newest = 0;

  /**
   * Opens the checkpoints.
   * @throws {UsageError} version 1 is configured, but checkpoints of version 2 exist. Reference: Manager.checkRecover.
   */
  constructor(dataDir: string, version: 1 | 2, log: Logger) {
    this.folder = join(dataDir, 'checkpoint');
    this.version = version;
    this.log = log;
    if (version === 1 && this.names().length > 0) {
      throw new UsageError("checkpoint check failed, can't convert checkpoint from v2 to v1");
    }
  }

  /**
   * Writes a checkpoint and deletes expired checkpoints, except the newest three. The folder has a temporary name until
   * its file is flushed to disk. Does nothing if checkpoint version 1 is configured.
   */
  write(checkpoint: Checkpoint, now: number = Date.now()): void {
    if (this.version === 1) return;
    this.newest = Math.max(now, this.newest + 1, (this.names().at(-1) ?? 0) + 1);
    const path = join(this.folder, String(this.newest));
    const draft = `${path}.new`;
    try {
      mkdirSync(draft, { recursive: true });
      writeFlushed(join(draft, BATCH_FILE), encodeCheckpoint(checkpoint));
      renameSync(draft, path);
    } catch (error) {
      // The writer retries a failed commit every few seconds. Drafts of earlier attempts would fill the disk.
      rmSync(draft, { recursive: true, force: true });
      throw error;
    }
    flushFolders(this.folder);
    this.prune();
  }

  /** Deletes expired checkpoints, oldest first. Never deletes the newest three. */
  private prune(): void {
    const names = this.names();
    for (const name of expired(names).slice(0, Math.max(0, names.length - KEPT_AT_LEAST))) this.remove(String(name));
  }

  /**
   * Applies the unexpired checkpoints in order of time. Expired checkpoints are not read, because their deletion may
   * be incomplete.
   *
   * Skips a checkpoint if it does not start at the log entry of the state, if it ends above `lastSeq`, if it is
   * damaged, or if its old values differ from the stored rows. No data is lost, because the log has the same changes.
   * @param lastSeq seq of the newest log entry
   * @returns the cursor of the state after the applied checkpoints
   */
  recover(state: StateDatabase, cursor: StateCursor, lastSeq: number): StateCursor {
    if (!existsSync(this.folder)) return cursor;
    for (const name of readdirSync(this.folder)) if (name.endsWith('.new')) this.remove(name);
    const names = this.names();
    const removed = new Set(expired(names));
    let position = cursor;
    for (const name of names.filter((candidate) => !removed.has(candidate))) {
      const file = join(this.folder, String(name), BATCH_FILE);
      const checkpoint = readCheckpoint(file);
      if (checkpoint === undefined) {
        this.log.warn({ file }, 'checkpoint skipped: damaged');
        continue;
      }
      if (checkpoint.fromSeq !== position.seq || checkpoint.cursor.seq > lastSeq) continue;
      if (state.findMismatch(checkpoint.writes) !== undefined) {
        this.log.warn({ file }, 'checkpoint skipped: does not match the stored rows');
        continue;
      }
      const totals = state.commit(checkpoint.writes, checkpoint.cursor, position.totals);
      position = { ...checkpoint.cursor, totals };
      this.log.info({ file, seq: position.seq, number: position.number }, 'checkpoint applied');
    }
    return position;
  }

  private names(): number[] {
    if (!existsSync(this.folder)) return [];
    const names = readdirSync(this.folder).filter((name) => /^\d+$/.test(name));
    return names.map(Number).sort((a, b) => a - b);
  }

  private remove(name: string): void {
    const path = join(this.folder, name);
    for (const file of readdirSync(path)) unlinkSync(join(path, file));
    rmdirSync(path);
  }
}

function expired(names: readonly number[]): number[] {
  const newest = names.at(-1) ?? 0;
  return names.filter((name) => newest - name > EXPIRY_MS);
}

/**
 * Encodes a checkpoint. The header has magic number, seq before, seq after, block number, block id, digest, row
 * count. Each row has key, old value and new value; the length ffffffff means that the value does not exist. A CRC-32
 * over all preceding bytes follows.
 */
function encodeCheckpoint({ fromSeq, cursor, writes }: Checkpoint): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  let at = head.writeUInt32BE(MAGIC, 0);
  for (const number of [fromSeq, cursor.seq, cursor.number]) at = head.writeBigUInt64BE(BigInt(number), at);
  head.set(cursor.id, at);
  head.set(cursor.digest, at + 32);
  head.writeUInt32BE(writes.length, at + 64);
  const parts: Uint8Array[] = [head];
  for (const { ordered, before, after } of writes) {
    parts.push(lengthBytes(ordered), ordered, lengthBytes(before));
    if (before !== undefined) parts.push(before);
    parts.push(lengthBytes(after));
    if (after !== undefined) parts.push(after);
  }
  // Joins the parts before the CRC, because `crc32(part, previous)` of an empty array can return 0 instead of
  // `previous`.
  const body = Buffer.concat(parts);
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(body), 0);
  return Buffer.concat([body, tail]);
}

/** Returns a checkpoint; undefined if the file is missing or truncated, or has a wrong CRC or magic number. */
function readCheckpoint(file: string): Checkpoint | undefined {
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  const end = bytes.length - 4;
  if (end < HEAD_BYTES || bytes.readUInt32BE(end) !== crc32(bytes.subarray(0, end)) || bytes.readUInt32BE(0) !== MAGIC)
    return undefined;
  const [fromSeq, seq, number] = [4, 12, 20].map((at) => Number(bytes.readBigUInt64BE(at))) as [number, number, number];
  const cursor = { seq, number, id: bytes.subarray(28, 60), digest: bytes.subarray(60, 92) };
  let at = HEAD_BYTES;
  const take = (): Uint8Array | undefined => {
    const length = bytes.readUInt32BE(at);
    at += 4;
    if (length === ABSENT) return undefined;
    at += length;
    return bytes.subarray(at - length, at);
  };
  const writes = Array.from({ length: bytes.readUInt32BE(92) }, () => ({
    ordered: take() ?? new Uint8Array(0),
    before: take(),
    after: take(),
  }));
  return { fromSeq, cursor, writes };
}

function lengthBytes(bytes: Uint8Array | undefined): Buffer {
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(bytes?.length ?? ABSENT, 0);
  return length;
}

function writeFlushed(path: string, bytes: Buffer): void {
  const file = openSync(path, 'w');
  try {
    writeFileSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
