import type { BlockParts } from '../codec/block-parts.js';
import { HASH_BYTES, sha256 } from '../crypto/hash.js';
import { equalBytes } from '../primitives/bytes.js';

/** A block that became the head. */
export interface AppliedEntry {
  readonly kind: 'applied';
  readonly seq: number;
  readonly number: number;
  readonly id: Uint8Array;
  readonly parentId: Uint8Array;
  readonly digest: Uint8Array;
  /** XXH64 of the entry's `changes` record. `digest` (SHA-256) also covers the new rows of that record. */
  readonly changesChecksum: bigint;
  /**
   * Transaction ids in block order. The entry contains them so that the lookup tables can be rebuilt from the entries
   * alone.
   */
  readonly transactionIds: readonly Uint8Array[];
  /** The block message as received. */
  readonly block: Uint8Array;
  /** Encoded `protocol.TransactionRet`; empty if the block has no transactions. */
  readonly results: Uint8Array;
  /** Present if the entry can be read in parts. `block`, `results` and `transactionIds` are then read on first use. */
  readonly parts?: BlockParts;
}

/** A block reverted by a reorg. It is always the newest applied block that has not been reverted. */
export interface RevertedEntry {
  readonly kind: 'reverted';
  readonly seq: number;
  readonly number: number;
  readonly id: Uint8Array;
}

/** The newest solidified block. Its height is greater than in the previous entry of this kind. */
export interface SolidifiedEntry {
  readonly kind: 'solidified';
  readonly seq: number;
  readonly number: number;
  readonly id: Uint8Array;
}

/** Entry 0 of a log that does not start at genesis: the state after a block, imported from another source. */
export interface BaseEntry {
  readonly kind: 'base';
  readonly seq: number;
  readonly number: number;
  readonly id: Uint8Array;
  /** Digest over all rows, see `baseDigest`. */
  readonly digest: Uint8Array;
  /** Id of the chain's block 0. */
  readonly genesisId: Uint8Array;
  /** Source of the state, as text for people. */
  readonly source: string;
}

export type LogEntry = AppliedEntry | RevertedEntry | SolidifiedEntry | BaseEntry;

/** Value of the previous hash in entry 0, which has no previous entry. */
export const NO_HASH: Uint8Array = new Uint8Array(HASH_BYTES);

const KINDS = ['applied', 'reverted', 'solidified', 'base'] as const;
const HEAD_BYTES = 1 + 8 + HASH_BYTES + 8 + HASH_BYTES;
const LENGTH_BYTES = 4;
/**
 * Offset of the transaction ids in an `applied` entry, in bytes. The fields before them are parent, digest, checksum
 * and number of ids.
 */
const IDS_AT = HEAD_BYTES + 2 * HASH_BYTES + 8 + LENGTH_BYTES;

/**
 * Encodes an entry: kind, seq, hash of the previous entry, number, id. An `applied` entry also has parent, digest,
 * changes checksum, transaction ids, block and results. A `base` entry also has digest, genesis id and source. The last
 * 32 bytes are SHA-256 of all bytes before: the checksum of the entry and its link in the hash chain.
 */
export function encodeEntry(entry: LogEntry, previousHash: Uint8Array): Buffer {
  const body = entry.kind === 'applied' ? appliedBytes(entry) : entry.kind === 'base' ? baseBytes(entry).length : 0;
  const bytes = Buffer.allocUnsafeSlow(HEAD_BYTES + body + HASH_BYTES);
  bytes[0] = KINDS.indexOf(entry.kind);
  bytes.writeBigUInt64BE(BigInt(entry.seq), 1);
  bytes.set(previousHash, 9);
  bytes.writeBigUInt64BE(BigInt(entry.number), 41);
  bytes.set(entry.id, 49);
  if (entry.kind === 'applied') writeApplied(bytes, entry);
  if (entry.kind === 'base') bytes.set(baseBytes(entry), HEAD_BYTES);
  bytes.set(sha256(bytes.subarray(0, -HASH_BYTES)), bytes.length - HASH_BYTES);
  return bytes;
}

/**
 * Decodes an entry. Returns undefined if the bytes are too short, the hash does not match, or the kind is unknown. The
 * parts of the entry are views into `bytes`.
 */
export function decodeEntry(bytes: Uint8Array): LogEntry | undefined {
  if (bytes.length < HEAD_BYTES + HASH_BYTES) return undefined;
  return equalBytes(sha256(bytes.subarray(0, -HASH_BYTES)), hashOfEntry(bytes)) ? readEntry(bytes) : undefined;
}

/**
 * Decodes the bytes of an entry. Does not check the hash, so the caller must have verified the bytes. Undefined for an
 * unknown kind.
 */
export function readEntry(bytes: Uint8Array): LogEntry | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = KINDS[view[0] ?? -1];
  if (kind === undefined) return undefined;
  if (kind === 'base') return { kind, ...readHead(view), ...readBase(view) };
  if (kind !== 'applied') return { kind, ...readHead(view) };
  return readApplied(view);
}

/** Decodes the fields that all entries have. */
function readHead(view: Buffer): Pick<LogEntry, 'seq' | 'number' | 'id'> {
  return {
    seq: Number(view.readBigUInt64BE(1)),
    number: Number(view.readBigUInt64BE(41)),
    id: view.subarray(49, 49 + HASH_BYTES),
  };
}

/** Decodes the fields of an `applied` entry up to its transaction ids. */
function readAppliedHead(view: Buffer): Omit<AppliedEntry, 'transactionIds' | 'block' | 'results' | 'parts'> {
  const digestAt = HEAD_BYTES + HASH_BYTES;
  const checksumAt = digestAt + HASH_BYTES;
  return {
    kind: 'applied',
    ...readHead(view),
    parentId: view.subarray(HEAD_BYTES, digestAt),
    digest: view.subarray(digestAt, checksumAt),
    changesChecksum: view.readBigUInt64BE(checksumAt),
  };
}

/**
 * Decodes an `applied` entry that is read in parts.
 * @param before the entry up to its transaction ids
 * @param whole returns the bytes of the entry, and throws if they are corrupt
 */
export function readEntryInParts(before: Buffer, parts: BlockParts, whole: () => Uint8Array): AppliedEntry | undefined {
  if (KINDS[before[0] ?? -1] !== 'applied' || before.length !== IDS_AT) return undefined;
  let known: AppliedEntry | undefined;
  const entry = (): AppliedEntry => {
    known ??= readEntry(whole()) as AppliedEntry;
    return known;
  };
  return {
    ...readAppliedHead(before),
    parts,
    // Defined on the object itself and not on a prototype, so that a spread copy of the entry includes these
    // properties.
    get transactionIds() {
      return (
        known?.transactionIds ?? Array.from({ length: parts.transactionCount }, (_, at) => parts.transactionId(at))
      );
    },
    get block() {
      return entry().block;
    },
    get results() {
      return entry().results;
    },
  };
}

/**
 * Returns the offsets of transaction ids and block in an `applied` entry. Undefined for an entry of another kind, or if
 * the bytes end before the block.
 */
export function entryParts(
  bytes: Buffer,
): { idsAt: number; idsEnd: number; blockAt: number; blockEnd: number } | undefined {
  if (KINDS[bytes[0] ?? -1] !== 'applied' || bytes.length < IDS_AT) return undefined;
  const idsEnd = IDS_AT + bytes.readUInt32BE(IDS_AT - LENGTH_BYTES) * HASH_BYTES;
  const blockAt = idsEnd + LENGTH_BYTES;
  if (bytes.length < blockAt) return undefined;
  return { idsAt: IDS_AT, idsEnd, blockAt, blockEnd: blockAt + bytes.readUInt32BE(idsEnd) };
}

/** Returns the last 32 bytes: the hash that the next entry contains. */
export function hashOfEntry(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(bytes.length - HASH_BYTES);
}

/** Returns the hash of the previous entry. */
export function previousHashOfEntry(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(9, 9 + HASH_BYTES);
}

function baseBytes({ digest, genesisId, source }: BaseEntry): Buffer {
  return Buffer.concat([digest, genesisId, Buffer.from(source)]);
}

function readBase(view: Buffer): Omit<BaseEntry, 'kind' | 'seq' | 'number' | 'id'> {
  const genesisAt = HEAD_BYTES + HASH_BYTES;
  const sourceAt = genesisAt + HASH_BYTES;
  return {
    digest: view.subarray(HEAD_BYTES, genesisAt),
    genesisId: view.subarray(genesisAt, sourceAt),
    source: view.toString('utf8', sourceAt, view.length - HASH_BYTES),
  };
}

function appliedBytes(entry: AppliedEntry): number {
  return 2 * HASH_BYTES + 20 + entry.transactionIds.length * HASH_BYTES + entry.block.length + entry.results.length;
}

function writeApplied(bytes: Buffer, entry: AppliedEntry): void {
  let at = HEAD_BYTES;
  for (const hash of [entry.parentId, entry.digest]) {
    bytes.set(hash, at);
    at += HASH_BYTES;
  }
  at = bytes.writeBigUInt64BE(entry.changesChecksum, at);
  at = bytes.writeUInt32BE(entry.transactionIds.length, at);
  for (const id of entry.transactionIds) {
    bytes.set(id, at);
    at += HASH_BYTES;
  }
  for (const part of [entry.block, entry.results]) {
    at = bytes.writeUInt32BE(part.length, at);
    bytes.set(part, at);
    at += part.length;
  }
}

/** Decodes an `applied` entry. Transaction ids are decoded on first use, because most readers do not need them. */
function readApplied(view: Buffer): AppliedEntry {
  let at = IDS_AT - LENGTH_BYTES;
  const take = (length: number): Buffer => {
    at += length;
    return view.subarray(at - length, at);
  };
  const takeLength = (): number => take(LENGTH_BYTES).readUInt32BE();
  const packedIds = take(takeLength() * HASH_BYTES);
  let ids: readonly Uint8Array[] | undefined;
  return {
    ...readAppliedHead(view),
    // Defined on the object itself and not on a prototype, so that a spread copy of the entry includes this property.
    get transactionIds() {
      ids ??= Array.from({ length: packedIds.length / HASH_BYTES }, (_, index) =>
        packedIds.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
      );
      return ids;
    },
    block: take(takeLength()),
    results: take(takeLength()),
  };
}
