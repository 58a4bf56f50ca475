import { PROOF_BYTES } from '../../crypto/wasm/bls12-381/groth16.js';
import { concatBytes, toHex } from '../../primitives/bytes.js';
import { WORD_BYTES } from '../../primitives/units.js';
import {
  booleanWord,
  FAILED,
  type Precompile,
  type PrecompileOutput,
  padded,
  safeInt,
  safeLong,
  success,
} from './precompile.js';
import { insertLeaves, TREE_WIDTH } from './sapling/note-tree.js';
import { type Output, readOutput, readSpend, type Spend } from './sapling/notes.js';
import { merkleNode } from './sapling/pedersen-hash.js';
import { areProven, isBalanced, isSpendSigned } from './sapling/proofs.js';

const NO = success(new Uint8Array(WORD_BYTES));
/** Maximum level of a tree node. Reference: librustzcash, Personalization::MerkleTree. */
const LEVEL_MAX = 62;
const SIGNATURE_BYTES = 64;
const FRONTIER_WORDS = 33;

/**
 * Verifies a deposit (one output note) and returns the next root of the note tree. Reference:
 * PrecompiledContracts.VerifyMintProof.
 */
export const verifyMintProof: Precompile = {
  energy: () => 150_000,
  isSlowHere: true,
  run(data) {
    if (data.length !== 1504) return NO;
    const count = safeLong(wordFrom(data, 1472));
    if (count >= TREE_WIDTH) return NO;
    const commitment = wordFrom(data, 0);
    const output = outputAt(data, 0);
    if (output === undefined) return NO;
    const values = { spends: [], outputs: [output], balance: -safeLong(wordFrom(data, 352)) };
    const signature = data.subarray(288, 288 + SIGNATURE_BYTES);
    // The checks have java-tron's order, so that an invalid proof fails as early as in java-tron.
    const isValid = areProven([], [output]) && isBalanced(values, wordFrom(data, 384), signature);
    return isValid ? withLeaves(data, 416, count, [commitment]) : NO;
  },
};

const TRANSFER_SIZES: readonly number[] = [2080, 2368, 2464, 2752];
const SPEND_BYTES = 320;
const OUTPUT_BYTES = 288;

/**
 * Verifies a transfer of one or two spends and one or two outputs. Reference: PrecompiledContracts.VerifyTransferProof.
 */
export const verifyTransferProof: Precompile = {
  energy: () => 200_000,
  isSlowHere: true,
  run(data) {
    if (!TRANSFER_SIZES.includes(data.length)) return NO;
    const leaves = safeLong(wordFrom(data, 1280));
    if (leaves >= TREE_WIDTH - 1n) return NO;
    const [spendsAt, signaturesAt, outputsAt] = [0, 32, 64].map((at) => safeInt(wordFrom(data, at))) as [
      number,
      number,
      number,
    ];
    const spendCount = safeInt(wordFrom(data, spendsAt));
    const outputCount = safeInt(wordFrom(data, outputsAt));
    if (spendCount !== safeInt(wordFrom(data, signaturesAt))) return NO;
    if (spendCount < 1 || spendCount > 2 || outputCount < 1 || outputCount > 2) return NO;
    const ends = [
      spendsAt + 32 + SPEND_BYTES * spendCount,
      signaturesAt + 32 + SIGNATURE_BYTES * spendCount,
      outputsAt + 32 + OUTPUT_BYTES * outputCount,
    ];
    if (Math.max(...ends) > data.length) return NO;
    const spendOffsets = Array.from({ length: spendCount }, (_, i) => spendsAt + 32 + SPEND_BYTES * i);
    const outputOffsets = Array.from({ length: outputCount }, (_, i) => outputsAt + 32 + OUTPUT_BYTES * i);
    const commitments = outputOffsets.map((at) => data.subarray(at, at + 32));
    if (hasTwice(spendOffsets.map((at) => data.subarray(at, at + 32))) || hasTwice(commitments)) return NO;
    const spends = allOf(spendOffsets.map((at, i) => spendAt(data, at, signaturesAt + 32 + SIGNATURE_BYTES * i)));
    const outputs = allOf(outputOffsets.map((at) => outputAt(data, at)));
    if (spends === undefined || outputs === undefined) return NO;
    const hash = wordFrom(data, 160);
    const values = { spends, outputs, balance: safeLong(wordFrom(data, 192)) };
    // Proofs are verified last, because this node can verify a spend proof only if the key of the spend circuit is
    // configured.
    const isValid =
      isBalanced(values, hash, data.subarray(96, 96 + SIGNATURE_BYTES)) &&
      spends.every((spend) => isSpendSigned(spend, hash)) &&
      areProven(spends, outputs);
    return isValid ? withLeaves(data, 224, leaves, commitments) : NO;
  },
};

function allOf<T>(items: readonly (T | undefined)[]): readonly T[] | undefined {
  const there = items.filter((item) => item !== undefined);
  return there.length === items.length ? there : undefined;
}

function spendAt(data: Uint8Array, at: number, signatureAt: number): Spend | undefined {
  return readSpend({
    nullifier: data.subarray(at, at + 32),
    anchor: data.subarray(at + 32, at + 64),
    value: data.subarray(at + 64, at + 96),
    key: data.subarray(at + 96, at + 128),
    proof: data.subarray(at + 128, at + 128 + PROOF_BYTES),
    signature: data.subarray(signatureAt, signatureAt + SIGNATURE_BYTES),
  });
}

function outputAt(data: Uint8Array, at: number): Output | undefined {
  return readOutput({
    commitment: data.subarray(at, at + 32),
    value: data.subarray(at + 32, at + 64),
    ephemeralKey: data.subarray(at + 64, at + 96),
    proof: data.subarray(at + 96, at + 96 + PROOF_BYTES),
  });
}

/** Verifies a withdrawal (one spend). Reference: PrecompiledContracts.VerifyBurnProof. */
export const verifyBurnProof: Precompile = {
  energy: () => 150_000,
  isSlowHere: true,
  run(data) {
    if (data.length !== 512) return NO;
    const spend = spendAt(data, 0, 320);
    if (spend === undefined) return NO;
    const hash = wordFrom(data, 480);
    const values = { spends: [spend], outputs: [], balance: safeLong(wordFrom(data, 384)) };
    const isValid =
      isBalanced(values, hash, data.subarray(416, 416 + SIGNATURE_BYTES)) &&
      isSpendSigned(spend, hash) &&
      areProven([spend], []);
    return success(booleanWord(isValid));
  },
};

/** Computes a node of the note tree. Reference: PrecompiledContracts.MerkleHash. */
export const merkleHash: Precompile = {
  energy: () => 500,
  run(data) {
    if (data.length < 3 * WORD_BYTES) return FAILED;
    const level = safeInt(data);
    if (level > LEVEL_MAX) return FAILED;
    return success(merkleNode(level, data.subarray(32, 64), data.subarray(64, 96)));
  },
};

/** Returns the word 1, followed by the tree nodes after the leaves are appended. */
function withLeaves(
  data: Uint8Array,
  frontierAt: number,
  count: bigint,
  leaves: readonly Uint8Array[],
): PrecompileOutput {
  const frontier = Array.from({ length: FRONTIER_WORDS }, (_, i) => wordFrom(data, frontierAt + i * WORD_BYTES));
  return success(concatBytes(booleanWord(true), ...insertLeaves(frontier, count, leaves)));
}

/** Returns the word at a byte offset, padded with zeros. */
function wordFrom(data: Uint8Array, offset: number): Uint8Array {
  return padded(data, offset, WORD_BYTES);
}

function hasTwice(words: readonly Uint8Array[]): boolean {
  return new Set(words.map(toHex)).size < words.length;
}
