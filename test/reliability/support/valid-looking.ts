import secp256k1 from 'secp256k1';
import {
  Block,
  BlockHeader,
  BlockHeaderRaw,
  PBFTMessage,
  PBFTMessageDataType,
  PBFTMessageMsgType,
  PBFTMessageRaw,
} from '../../../src/codec/generated/messages.js';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { sha256 } from '../../../src/crypto/hash.js';
import { encodeMessage } from '../../../src/p2p/wire/messages.js';
import { concatBytes, fromHex, fromInt64 } from '../../../src/primitives/bytes.js';
import { keys } from '../../support/peers/peer-node.js';

/** Address of a witness of the recording. It is the first of the accounts. */
const [witness = ''] = Object.keys(keys);
const inactive = Object.keys(keys).at(-1)!;

/** A block without transactions that is valid except for its signer. */
export interface MadeBlock {
  readonly id: Uint8Array;
  readonly message: Uint8Array;
}

export interface BlockPlan {
  readonly parentId: Uint8Array;
  /** Time of the block in ms since 1970. Blocks with different times are different blocks. */
  readonly timeMs: number;
  /** Producer that the block names. The block is always signed with the key of another account. */
  readonly by: 'witness' | 'stranger';
}

function signed(hash: Uint8Array): Uint8Array {
  const { signature, recid } = secp256k1.ecdsaSign(hash, fromHex(keys[inactive]!));
  return concatBytes(signature, Uint8Array.of(recid));
}

export function makeBlock({ parentId, timeMs, by }: BlockPlan): MadeBlock {
  const number = Buffer.from(parentId).readBigUInt64BE(0) + 1n;
  const rawData = Object.assign(new BlockHeaderRaw(), {
    timestamp: BigInt(timeMs),
    // Merkle root of a block without transactions.
    txTrieRoot: new Uint8Array(32),
    parentHash: parentId,
    number,
    witnessAddress: decodeBase58Check(by === 'witness' ? witness : inactive)!,
    version: 28,
  });
  const hash = sha256(BlockHeaderRaw.encode(rawData));
  const blockHeader = Object.assign(new BlockHeader(), { rawData, witnessSignature: signed(hash) });
  const id = Buffer.concat([fromInt64(number), hash.subarray(8)]);
  return { id, message: encodeMessage('BLOCK', Block.encode(Object.assign(new Block(), { blockHeader }))) };
}

/** Creates a vote for a block. The signature is valid, but the signer has no right to vote. */
export function makeVote(blockId: Uint8Array, viewN: bigint): Uint8Array {
  const rawData = Object.assign(new PBFTMessageRaw(), {
    msgType: PBFTMessageMsgType.PREPARE,
    dataType: PBFTMessageDataType.BLOCK,
    viewN,
    epoch: 2_000_000_000_000n,
    data: blockId,
  });
  const signature = signed(sha256(PBFTMessageRaw.encode(rawData)));
  return encodeMessage('PBFT_MSG', PBFTMessage.encode(Object.assign(new PBFTMessage(), { rawData, signature })));
}
