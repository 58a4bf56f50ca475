import { BLOCK_TAGS } from '../../codec/block-tags.js';
import { BlockHeader, BlockHeaderRaw } from '../../codec/generated/messages.js';
import { Reader } from '../../codec/reader.js';
import { sha256 } from '../../crypto/hash.js';
import { type Address, toAddress } from '../../primitives/address.js';
import { concatBytes, fromInt64, toHex } from '../../primitives/bytes.js';

/**
 * A block whose header is decoded, but not its transactions. Queued and recent blocks use this form, because decoded
 * transactions would stay in memory for a long time, and each garbage collection would copy them.
 */
export interface EncodedBlock {
  readonly raw: BlockHeaderRaw;
  readonly witnessSignature: Uint8Array;
  /** Bytes as received, or as this node encoded them. */
  readonly bytes: Uint8Array;
  /** Block id: the height in the first 8 bytes, then the last 24 bytes of the header's hash. */
  readonly id: Uint8Array;
  readonly idHex: string;
  readonly number: number;
  readonly timeMs: number;
  readonly parentIdHex: string;
  readonly witness: Address;
  readonly transactionCount: number;
}

/**
 * Decodes the header of a block. The transactions may still be malformed.
 * @throws {ProtobufError} the fields of the block or the header are malformed
 */
export function readEncodedBlock(bytes: Uint8Array): EncodedBlock {
  const { header, transactionCount } = Reader.decode(bytes, BlockParts);
  return encodedBlock({ header, transactionCount }, bytes);
}

/**
 * Builds an encoded block from its decoded header.
 * @param header header of the block in `bytes`; undefined if the block has none
 */
export function encodedBlock(
  { header, transactionCount }: { readonly header: BlockHeader | undefined; readonly transactionCount: number },
  bytes: Uint8Array,
): EncodedBlock {
  const { rawData: raw = new BlockHeaderRaw(), witnessSignature } = header ?? new BlockHeader();
  const id = blockId(raw);
  return {
    raw,
    witnessSignature,
    bytes,
    id,
    idHex: toHex(id),
    number: Number(raw.number),
    timeMs: Number(raw.timestamp),
    parentIdHex: toHex(raw.parentHash),
    witness: toAddress(raw.witnessAddress),
    transactionCount,
  };
}

/**
 * Returns a new object with only the fields of an encoded block, so that the transactions of a decoded block are not
 * retained in memory.
 */
export function encodedOf(block: EncodedBlock): EncodedBlock {
  const { raw, witnessSignature, bytes, id, idHex, number, timeMs, parentIdHex, witness, transactionCount } = block;
  return { raw, witnessSignature, bytes, id, idHex, number, timeMs, parentIdHex, witness, transactionCount };
}

/**
 * Returns the block id: the height in the first 8 bytes, then the last 24 bytes of the header's hash. Reference:
 * BlockCapsule.BlockId.
 */
export function blockId(raw: BlockHeaderRaw): Uint8Array {
  return concatBytes(fromInt64(raw.number), headerHash(raw).subarray(8));
}

/** Returns the hash that a witness signs: SHA-256 of the encoded header. */
export function headerHash(raw: BlockHeaderRaw): Uint8Array {
  return sha256(BlockHeaderRaw.encode(raw));
}

/** Decoder of `protocol.Block` that decodes only the header. */
class BlockParts {
  header: BlockHeader | undefined;
  transactionCount = 0;
  $unknown: Uint8Array | undefined;

  static read<Parts extends BlockParts>(reader: Reader, end: number, parts: Parts): Parts {
    while (reader.position < end) {
      const tag = reader.tag();
      if (tag === BLOCK_TAGS.blockHeader) parts.header = reader.single(BlockHeader, parts.header);
      else if (tag === BLOCK_TAGS.transactions) parts.takeTransaction(reader);
      else reader.skip(tag);
    }
    return parts;
  }

  protected takeTransaction(reader: Reader): void {
    this.transactionCount++;
    reader.skip(BLOCK_TAGS.transactions);
  }
}

/** Decoder of `protocol.Block` that decodes the header and collects the encoded transactions. */
export class BlockPartsInBytes extends BlockParts {
  readonly transactions: Uint8Array[] = [];

  protected override takeTransaction(reader: Reader): void {
    this.transactionCount++;
    this.transactions.push(reader.bytes());
  }
}
