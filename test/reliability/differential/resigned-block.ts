import { Block, type BlockHeaderRaw } from '../../../src/codec/generated/messages.js';
import { secp256k1 } from '../../../src/crypto/secp256k1.js';
import { present } from '../../../src/primitives/assert.js';
import { concatBytes } from '../../../src/primitives/bytes.js';
import { type DecodedBlock, toDecodedBlock } from '../../../src/state-transition/block/decoded-block.js';
import { headerHash } from '../../../src/state-transition/block/encoded-block.js';
import type { Actor } from './actors.js';

/** Returns a changed copy of a block with a new signature. */
export function resigned(
  block: DecodedBlock,
  signer: Actor,
  change: (message: Block, raw: BlockHeaderRaw) => void,
): DecodedBlock {
  const message = Block.decode(block.bytes);
  const header = present(message.blockHeader, 'a made block has a header');
  const raw = present(header.rawData, 'a made block has a header');
  change(message, raw);
  const { signature, recid } = secp256k1.sign(headerHash(raw), signer.key);
  header.witnessSignature = concatBytes(signature, Uint8Array.of(recid));
  return toDecodedBlock(message);
}
