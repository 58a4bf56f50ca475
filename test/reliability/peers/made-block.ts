import {
  Block,
  BlockHeader,
  BlockHeaderRaw,
  type Transaction,
  TransactionResult,
  TransactionResultContractResult,
} from '../../../src/codec/generated/messages.js';
import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { sha256 } from '../../../src/crypto/hash.js';
import { secp256k1 } from '../../../src/crypto/secp256k1.js';
import { type Address, addressBytes } from '../../../src/primitives/address.js';
import { itemAt, present } from '../../../src/primitives/assert.js';
import { concatBytes, fromHex, fromInt64 } from '../../../src/primitives/bytes.js';
import { type DecodedBlock, decodeBlock, merkleRoot } from '../../../src/state-transition/block/decoded-block.js';
import { absoluteSlot, activeWitnesses, slotAt } from '../../../src/state-transition/consensus/schedule.js';
import { keys, type PeerNode } from '../../support/peers/peer-node.js';

/** Faults that a block can have. */
export const FLAWS = [
  'signer',
  'no signature',
  'short signature',
  'witness',
  'root',
  'number',
  'time',
  'future',
  'version',
] as const;
export type Flaw = (typeof FLAWS)[number];

export interface BlockPlan {
  readonly parentId: Uint8Array;
  readonly timeMs: number;
  readonly transactions?: readonly Transaction[];
  readonly flaw?: Flaw | undefined;
}

const SUCCESS = TransactionResultContractResult.SUCCESS;
const inactiveKey = fromHex(itemAt(Object.values(keys), 7));
export const keyOf = (witness: Address): Uint8Array =>
  fromHex(present(keys[encodeBase58Check(addressBytes(witness))], 'all witnesses have keys'));

/** Creates a block on any parent. Its producer is the witness of the slot at its time. */
export function makeBlock({ node }: PeerNode, { parentId, timeMs, transactions = [], flaw }: BlockPlan): DecodedBlock {
  const { state } = node.chain;
  const packed = transactions.map(successful);
  const at = flaw === 'time' ? timeMs + 1000 : flaw === 'future' ? Date.now() + 600_000 : timeMs;
  const witnesses = activeWitnesses(state);
  const turn = turnAt(node.chain, at) + (flaw === 'witness' ? 1 : 0);
  const witness = itemAt(witnesses, turn % witnesses.length);
  const number = Buffer.from(parentId).readBigUInt64BE(0) + (flaw === 'number' ? 2n : 1n);
  const rawData = Object.assign(new BlockHeaderRaw(), {
    timestamp: BigInt(at),
    txTrieRoot: flaw === 'root' ? sha256(parentId) : merkleRoot(packed),
    parentHash: parentId,
    number,
    witnessAddress: addressBytes(witness),
    version: flaw === 'version' ? 1 : node.chain.recent.head.raw.version,
  });
  const key = flaw === 'signer' ? inactiveKey : keyOf(witness);
  const { signature, recid } = secp256k1.sign(sha256(BlockHeaderRaw.encode(rawData)), key);
  const whole = concatBytes(signature, Uint8Array.of(recid));
  const witnessSignature =
    flaw === 'no signature' ? new Uint8Array(0) : flaw === 'short signature' ? whole.subarray(0, 40) : whole;
  const blockHeader = Object.assign(new BlockHeader(), { rawData, witnessSignature });
  return decodeBlock(Block.encode(Object.assign(new Block(), { blockHeader, transactions: packed })));
}

/** Returns the id of a block that does not exist. */
export function unknownId(number: number, byte = 0xab): Uint8Array {
  return concatBytes(fromInt64(BigInt(number)), new Uint8Array(24).fill(byte));
}

/** Returns the transaction with the result of a successful transfer. */
function successful(transaction: Transaction): Transaction {
  const copy = transaction.clone();
  copy.ret = [Object.assign(new TransactionResult(), { contractRet: SUCCESS })];
  return copy;
}

/**
 * Returns the index of a block time in the schedule of the witnesses. The two slots after a maintenance block belong
 * to no witness and are not counted.
 */
function turnAt({ state, recent }: PeerNode['node']['chain'], timeMs: number): number {
  const slot = slotAt(state, timeMs);
  return slot === 0 ? absoluteSlot(state, timeMs) : absoluteSlot(state, recent.head.timeMs) + slot;
}
