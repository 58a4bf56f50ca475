import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { encodeBase58Check } from '../../crypto/base58-check.js';
import { sha256Hex } from '../../crypto/hash.js';
import { checkFreeSpace } from '../../files/free-space.js';
import { isPresent } from '../../files/is-present.js';
import { replaceFile } from '../../files/replace-file.js';
import { type Address, addressBytes } from '../../primitives/address.js';
import { DamageError, errorText, TronError } from '../../primitives/errors.js';
import { type EncodedBlock, encodedOf, readEncodedBlock } from '../../state-transition/block/encoded-block.js';

/** Folder of the signed blocks, below the data folder. */
const SIGNED_BLOCKS_FOLDER = 'signed-blocks';

/** JSON form of a signed block. All fields are derived from the block. */
interface SignedBlockRow {
  readonly witness: string;
  readonly height: number;
  /** Start of the block's slot, in ms since 1970. */
  readonly timeMs: number;
  /** Base64 of the encoded block. */
  readonly block: string;
  /** SHA-256 hash of the encoded block, in hex. */
  readonly checksum: string;
}

/** A corrupt record of a signed block. The node must not sign, because the newest signed slot is unknown. */
export class SignedBlocksError extends DamageError {
  constructor(path: string, options?: ErrorOptions) {
    super(
      `${path}: damaged record of the double-sign protection; replace the file by an intact copy, see the section Double-sign protection of docs/operations.md`,
      options,
    );
  }
}

/**
 * The double-sign protection: stores the newest signed block of each witness, one file per witness in
 * `<data>/signed-blocks`. A record is durable before the block is imported or announced. After a crash in between, the
 * node can import the block from its record. A node that was started from an older copy of the data folder detects that
 * its head is too low.
 *
 * A block is pending until this node has imported or rejected it. After a start, all stored blocks are pending.
 */
export class SignedBlocks {
  private readonly dataDir: string;
  private readonly newest = new Map<Address, EncodedBlock>();
  private readonly pendingWitnesses: Set<Address>;

  private constructor(dataDir: string) {
    this.dataDir = dataDir;
    const folder = join(dataDir, SIGNED_BLOCKS_FOLDER);
    const names = isPresent(folder) ? readdirSync(folder).filter((name) => name.endsWith(SUFFIX)) : [];
    for (const name of names) {
      const path = join(folder, name);
      this.take(blockOfRow(readJson(path), path));
    }
    this.pendingWitnesses = new Set(this.newest.keys());
  }

  /**
   * Reads the records of a data folder. A folder without records is valid.
   * @throws {SignedBlocksError} a record is damaged
   */
  static open(dataDir: string): SignedBlocks {
    return new SignedBlocks(dataDir);
  }

  /** Newest signed block of each witness. */
  get all(): readonly EncodedBlock[] {
    return [...this.newest.values()];
  }

  /** Signed blocks that this node has neither imported nor rejected, lowest first. */
  get pending(): readonly EncodedBlock[] {
    return this.all
      .filter(({ witness }) => this.pendingWitnesses.has(witness))
      .sort((one, other) => one.number - other.number);
  }

  /**
   * Returns true if a witness may sign a block. The slot must be later than the slot of the witness's last signed
   * block. While that last block is pending, the new block must also have a greater height. After the import of the
   * last block, a reorg may revert it, and the witness then signs the same height again.
   */
  maySign(witness: Address, { timeMs, height }: { readonly timeMs: number; readonly height: number }): boolean {
    const newest = this.newest.get(witness);
    if (newest === undefined) return true;
    return timeMs > newest.timeMs && (height > newest.number || !this.pendingWitnesses.has(witness));
  }

  /**
   * Stores the newest signed block of its witness durably. Call this before the block is imported or announced.
   * @throws {TronError} STORAGE_FULL, STORAGE_FAILED: the block cannot be stored, and must then not be imported or
   * announced
   */
  record(block: EncodedBlock): void {
    const { witness } = block;
    const text = `${JSON.stringify(rowOf(block))}\n`;
    checkFreeSpace(this.dataDir, text.length);
    const file = this.fileOf(witness);
    try {
      replaceFile(file, text);
    } catch (cause) {
      throw new TronError('STORAGE_FAILED', `cannot write ${file}: ${errorText(cause)}`, { cause });
    }
    this.newest.set(witness, encodedOf(block));
    this.pendingWitnesses.add(witness);
  }

  /** Marks a block as not pending. Called when this node has imported or rejected the block. */
  settle({ witness, idHex }: EncodedBlock): void {
    if (this.newest.get(witness)?.idHex === idHex) this.pendingWitnesses.delete(witness);
  }

  /**
   * Stores the blocks that are newer than the recorded blocks of their witnesses.
   * @throws {TronError} STORAGE_FULL, STORAGE_FAILED: a block cannot be stored
   */
  merge(others: readonly EncodedBlock[]): void {
    for (const block of others) if (this.isNewer(block)) this.record(block);
  }

  /**
   * Deletes the records above a height. Called only for a private network without peers, before the chain reverts to
   * that height.
   */
  deleteAbove(height: number): void {
    for (const { witness, number } of this.all) {
      if (number <= height) continue;
      rmSync(this.fileOf(witness));
      this.newest.delete(witness);
      this.pendingWitnesses.delete(witness);
    }
  }

  private take(block: EncodedBlock): void {
    if (this.isNewer(block)) this.newest.set(block.witness, block);
  }

  private isNewer({ witness, timeMs }: EncodedBlock): boolean {
    return timeMs > (this.newest.get(witness)?.timeMs ?? Number.NEGATIVE_INFINITY);
  }

  private fileOf(witness: Address): string {
    return join(this.dataDir, SIGNED_BLOCKS_FOLDER, `${witnessText(witness)}${SUFFIX}`);
  }
}

const SUFFIX = '.json';

/**
 * Copies the records of a data folder, even while a node writes them.
 * @throws {SignedBlocksError} a record is damaged
 * @throws {TronError} STORAGE_FULL, STORAGE_FAILED: a record cannot be written
 */
export function copySignedBlocks(dataDir: string, target: string): void {
  SignedBlocks.open(target).merge(SignedBlocks.open(dataDir).all);
}

/**
 * Writes the newest signed block of each witness (the double-sign protection) to one file. The file can be imported
 * into another data folder.
 */
export function writeSignedBlocks(path: string, blocks: readonly EncodedBlock[]): void {
  replaceFile(path, `${JSON.stringify({ signedBlocks: blocks.map(rowOf) })}\n`, 0o600);
}

/** Reads a file that {@link writeSignedBlocks} has written. @throws {SignedBlocksError} the file is damaged */
export function readSignedBlocks(path: string): EncodedBlock[] {
  const { signedBlocks } = (readJson(path) ?? {}) as { readonly signedBlocks?: unknown };
  if (!Array.isArray(signedBlocks)) throw new SignedBlocksError(path);
  return signedBlocks.map((row) => blockOfRow(row, path));
}

/** Returns the Base58Check address of a witness. */
export function witnessText(witness: Address): string {
  return encodeBase58Check(addressBytes(witness));
}

function rowOf({ witness, number, timeMs, bytes }: EncodedBlock): SignedBlockRow {
  const block = Buffer.from(bytes).toString('base64');
  return { witness: witnessText(witness), height: number, timeMs, block, checksum: sha256Hex(bytes) };
}

/**
 * Decodes a signed block from its JSON row. To detect any change of the row, encodes the block again and compares the
 * texts.
 * @throws {SignedBlocksError} the row is malformed or was changed
 */
function blockOfRow(row: unknown, path: string): EncodedBlock {
  const { block } = (row ?? {}) as Partial<SignedBlockRow>;
  if (typeof block !== 'string') throw new SignedBlocksError(path);
  const decoded = decodeBase64(block, path);
  if (JSON.stringify(row) !== JSON.stringify(rowOf(decoded))) throw new SignedBlocksError(path);
  return decoded;
}

function decodeBase64(block: string, path: string): EncodedBlock {
  try {
    return readEncodedBlock(Buffer.from(block, 'base64'));
  } catch (cause) {
    throw new SignedBlocksError(path, { cause });
  }
}

function readJson(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SignedBlocksError(path, { cause });
  }
}
