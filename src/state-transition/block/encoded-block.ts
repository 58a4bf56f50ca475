import { BLOCK_TAGS } from '../../codec/block-tags.js';
import { BlockHeader, BlockHeaderRaw } from '../../codec/generated/messages.js';
import { Reader } from '../../codec/reader.js';
import { sha256 } from '../../crypto/hash.js';
import { type Address, toAddress } from '../../primitives/address.js';
import { concatBytes, fromInt64, toHex } from '../../primitives/bytes.js';

/**
 * A block of which the header alone is taken apart. What waits to be executed, or stays for a while after that, is kept
 * so: the objects of its transactions would outlive the collections of garbage, which copy what they find.
 */
export interface EncodedBlock {
  readonly raw: BlockHeaderRaw;
  readonly witnessSignature: Uint8Array;
  /** As received, or as this node wrote it. */
  readonly bytes: Uint8Array;
  /** Height in the first 8 bytes, then the tail of the header's hash. */
  readonly id: Uint8Array;
  readonly idHex: string;
  readonly number: number;
  readonly timeMs: number;
  readonly parentIdHex: string;
  readonly witness: Address;
  readonly transactionCount: number;
}

/**
 * Whether its transactions can be read is not known.
 * @throws {ProtobufError} fields that are none, or a header that cannot be read
 */
export function readEncodedBlock(bytes: Uint8Array): EncodedBlock {
  const { header, transactionCount } = Reader.decode(bytes, BlockParts);
  return encodedBlock({ header, transactionCount }, bytes);
}

/** @param header of the block that the bytes are; undefined for one that came without */
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

/** What is to be kept of a block that is more than that: the rest of it is not held. */
export function encodedOf(block: EncodedBlock): EncodedBlock {
  const { raw, witnessSignature, bytes, id, idHex, number, timeMs, parentIdHex, witness, transactionCount } = block;
  return { raw, witnessSignature, bytes, id, idHex, number, timeMs, parentIdHex, witness, transactionCount };
}

/** Reference: BlockCapsule.BlockId. */
export function blockId(raw: BlockHeaderRaw): Uint8Array {
  return concatBytes(fromInt64(raw.number), headerHash(raw).subarray(8));
}

/** What a witness signs: SHA-256 of the header as written again. */
export function headerHash(raw: BlockHeaderRaw): Uint8Array {
  return sha256(BlockHeaderRaw.encode(raw));
}

/** `protocol.Block` of which the header alone is taken apart. */
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

/** The same with its transactions as bytes. */
export class BlockPartsInBytes extends BlockParts {
  readonly transactions: Uint8Array[] = [];

  protected override takeTransaction(reader: Reader): void {
    this.transactionCount++;
    this.transactions.push(reader.bytes());
  }
}
