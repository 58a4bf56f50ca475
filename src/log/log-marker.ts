import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checksum64 } from '../crypto/checksum.js';
import { HASH_BYTES } from '../crypto/hash.js';

/** The newest entry that was reported as committed. */
export interface Marker {
  readonly seq: number;
  readonly hash: Uint8Array;
}

const BYTES = 8 + HASH_BYTES + 8;

/**
 * The file `<data>/log/head`, which names the newest committed entry. The file is written after each commit without a
 * flush, so it may be older than the log, but never newer.
 *
 * LMDB opens an emptied file as a new log, and a file with an outdated meta page as an older log. The marker reveals
 * both.
 */
export class LogMarker {
  readonly path: string;
  private file: number | undefined;

  constructor(dataDir: string) {
    this.path = join(dataDir, 'log', 'head');
  }

  /** Returns the marker; `missing` before the first commit, `damaged` if the checksum does not match. */
  read(): Marker | 'missing' | 'damaged' {
    if (!existsSync(this.path)) return 'missing';
    const bytes = readFileSync(this.path);
    if (bytes.length !== BYTES || bytes.readBigUInt64BE(BYTES - 8) !== checksum64(bytes.subarray(0, -8)))
      return 'damaged';
    return { seq: Number(bytes.readBigUInt64BE(0)), hash: bytes.subarray(8, 8 + HASH_BYTES) };
  }

  write({ seq, hash }: Marker): void {
    const bytes = Buffer.alloc(BYTES);
    bytes.writeBigUInt64BE(BigInt(seq), 0);
    bytes.set(hash, 8);
    bytes.writeBigUInt64BE(checksum64(bytes.subarray(0, -8)), BYTES - 8);
    if (this.file === undefined) {
      mkdirSync(dirname(this.path), { recursive: true });
      this.file = openSync(this.path, existsSync(this.path) ? 'r+' : 'w');
    }
    writeSync(this.file, bytes, 0, BYTES, 0);
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }
}
