import { toHex } from '../../log/domain/bytes.js';
import { UndecidableError } from '../interpreter/vm-error.js';
import { merkleNode } from './pedersen-hash.js';
import { FAILED, type Precompile, safeInt, safeLong, success, WORD_BYTES, wordAt } from './precompile.js';

/** Leaves of the note tree. */
const TREE_WIDTH = 1n << 32n;
const NO = success(new Uint8Array(WORD_BYTES));
/** Levels above this one have no name in the hash. Reference: librustzcash, Personalization::MerkleTree. */
const LEVEL_MAX = 62;

/** Checks of shielded TRC20 that this release cannot make: it says so, and the node stops, rather than answer unchecked. */
function undecidable(name: string): never {
  throw new UndecidableError(`precompile ${name}: this node cannot verify shielded TRC20 proofs`);
}

/** A deposit: an output proof, and the next root. Reference: PrecompiledContracts.VerifyMintProof. */
export const verifyMintProof: Precompile = {
  energy: () => 150_000,
  run(data) {
    if (data.length !== 1504 || safeLong(wordFrom(data, 1472)) >= TREE_WIDTH) return NO;
    return undecidable('verifyMintProof');
  },
};

const TRANSFER_SIZES: readonly number[] = [2080, 2368, 2464, 2752];

/** Spends and outputs. Reference: PrecompiledContracts.VerifyTransferProof. */
export const verifyTransferProof: Precompile = {
  energy: () => 200_000,
  run(data) {
    if (!TRANSFER_SIZES.includes(data.length)) return NO;
    if (safeLong(wordFrom(data, 1280)) >= TREE_WIDTH - 1n) return NO;
    const [spendsAt, signaturesAt, outputsAt] = [0, 32, 64].map((at) => safeInt(wordFrom(data, at)));
    const spends = safeInt(wordFrom(data, spendsAt!));
    const outputs = safeInt(wordFrom(data, outputsAt!));
    if (spends !== safeInt(wordFrom(data, signaturesAt!))) return NO;
    if (spends < 1 || spends > 2 || outputs < 1 || outputs > 2) return NO;
    const spendEnd = spendsAt! + 32 + 320 * spends;
    const outputEnd = outputsAt! + 32 + 288 * outputs;
    if (Math.max(spendEnd, outputEnd, signaturesAt! + 32 + 64 * spends) > data.length) return NO;
    if (hasTwice(data, spendsAt! + 32, 320, spends) || hasTwice(data, outputsAt! + 32, 288, outputs)) return NO;
    return undecidable('verifyTransferProof');
  },
};

/** A withdrawal: a spend proof. Reference: PrecompiledContracts.VerifyBurnProof. */
export const verifyBurnProof: Precompile = {
  energy: () => 150_000,
  run: (data) => (data.length === 512 ? undecidable('verifyBurnProof') : NO),
};

/** A node of the note tree. Reference: PrecompiledContracts.MerkleHash. */
export const merkleHash: Precompile = {
  energy: () => 500,
  run(data) {
    const level = data.length === 0 ? 0 : safeInt(wordFrom(data, 0));
    if (data.length < 96 || level > LEVEL_MAX) return FAILED;
    return success(merkleNode(level, wordAt(data, 1), wordAt(data, 2)));
  },
};

/** A word at any offset, zeros where the input has ended. */
function wordFrom(data: Uint8Array, offset: number): Uint8Array {
  return wordAt(data.subarray(Math.min(offset, data.length)), 0);
}

/** Whether two records begin with the same word: a note spent, or made, twice. */
function hasTwice(data: Uint8Array, offset: number, size: number, count: number): boolean {
  const words = Array.from({ length: count }, (_, i) => toHex(wordFrom(data, offset + i * size)));
  return new Set(words).size < count;
}
