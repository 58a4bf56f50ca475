import { BLOCK_TAGS } from '../../codec/block-tags.js';
import { FieldScanner } from '../../codec/field-scanner.js';
import { BlockHeader, BlockHeaderRaw } from '../../codec/generated/messages.js';
import { toHex } from '../../primitives/bytes.js';
import { blockId } from '../../state-transition/block/encoded-block.js';
import { P2pError } from '../p2p-error.js';
import type { Steps } from '../peer-turns.js';

/** Bytes of a block message at most. Reference: BlockMsgHandler.maxBlockSize. */
export const BLOCK_BYTES_MAX = 2_001_000;
/** Bytes from which on a block is looked at before it is read. */
const LARGE_BYTES = 128 * 1024;
/** No transaction is shorter: the name of its contract's type alone is not. */
const TRANSACTION_BYTES_MIN = 32;
/** Fields between two rests. */
const FIELDS = 1024;

/**
 * Looks at a large block before all of it is read: of 10 MB of empty transactions reading makes several GB.
 * @param isAsked whether the block of an id was asked for
 * @throws {P2pError | ProtobufError} BAD_MESSAGE: it was not, or it is too large; PARSE_MESSAGE_FAILED: a transaction
 * that is none
 */
export function* checkLargeBlock(body: Uint8Array, isAsked: (idHex: string) => boolean): Steps {
  if (body.length < LARGE_BYTES) return;
  if (body.length > BLOCK_BYTES_MAX) throw new P2pError('BAD_MESSAGE', `a block of ${body.length} bytes`);
  const header: Uint8Array[] = [];
  let fields = 0;
  const scanner = new FieldScanner(body);
  while (scanner.next()) {
    const { tag, start, end } = scanner;
    if (tag === BLOCK_TAGS.transactions && end - start < TRANSACTION_BYTES_MIN)
      throw new P2pError('PARSE_MESSAGE_FAILED', `a transaction of ${end - start} bytes`);
    if (tag === BLOCK_TAGS.blockHeader) header.push(body.subarray(start, end));
    if (++fields % FIELDS === 0) yield;
  }
  // Parts of a message that come one by one are one message.
  const { rawData = new BlockHeaderRaw() } = BlockHeader.decode(Buffer.concat(header));
  const idHex = toHex(blockId(rawData));
  if (!isAsked(idHex)) throw new P2pError('BAD_MESSAGE', 'no request');
}
