import { BLOCK_TAGS } from '../../codec/block-tags.js';
import { FieldScanner } from '../../codec/field-scanner.js';
import { BlockHeader, BlockHeaderRaw } from '../../codec/generated/messages.js';
import { toHex } from '../../primitives/bytes.js';
import { blockId } from '../../state-transition/block/encoded-block.js';
import { P2pError } from '../p2p-error.js';
import type { Steps } from '../peer-slices.js';

/** Maximum size of a block message, in bytes. Reference: BlockMsgHandler.maxBlockSize. */
export const BLOCK_BYTES_MAX = 2_001_000;
/** Minimum size in bytes of a block that is checked before it is decoded. */
const LARGE_BYTES = 128 * 1024;
/** Minimum size of a transaction, in bytes. The type name of its contract alone is longer than this. */
const TRANSACTION_BYTES_MIN = 32;
/** Number of fields that are read before the caller may pause. */
const FIELDS = 1024;

/**
 * Checks a large block before it is decoded completely. Decoding 10 MB of empty transactions would allocate several GB.
 * @param isRequested returns true if a block with this id is accepted, because it was requested or the peer is trusted
 * @throws {P2pError | ProtobufError} BAD_MESSAGE: the block is not accepted, or is too large; PARSE_MESSAGE_FAILED: a
 * transaction is invalid
 */
export function* checkLargeBlock(body: Uint8Array, isRequested: (idHex: string) => boolean): Steps {
  if (body.length < LARGE_BYTES) return;
  if (body.length > BLOCK_BYTES_MAX) throw new P2pError('BAD_MESSAGE', `block too large: ${body.length} bytes`);
  const header: Uint8Array[] = [];
  let fields = 0;
  const scanner = new FieldScanner(body);
  while (scanner.next()) {
    const { tag, start, end } = scanner;
    if (tag === BLOCK_TAGS.transactions && end - start < TRANSACTION_BYTES_MIN)
      throw new P2pError('PARSE_MESSAGE_FAILED', `transaction too short: ${end - start} bytes`);
    if (tag === BLOCK_TAGS.blockHeader) header.push(body.subarray(start, end));
    if (++fields % FIELDS === 0) yield;
  }
  // If a header field occurs twice, both occurrences are merged, as protobuf requires.
  const { rawData = new BlockHeaderRaw() } = BlockHeader.decode(Buffer.concat(header));
  const idHex = toHex(blockId(rawData));
  // The text is java-tron's: this node has not requested the block from the peer.
  if (!isRequested(idHex)) throw new P2pError('BAD_MESSAGE', 'no request');
}
