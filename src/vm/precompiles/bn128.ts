import { addPoints, isPairingOne, multiplyPoint } from './curves/bn128.js';
import { booleanWord, FAILED, type Precompile, type PrecompileOutput, success } from './precompile.js';

const PAIR_BYTES = 192;

/** Adds two points of bn128. Reference: PrecompiledContracts.BN128Addition. */
export const bnAdd: Precompile = {
  energy: (_, { istanbul }) => (istanbul ? 150 : 500),
  run: (data) => outputOf(addPoints(data)),
};

/** Multiplies a point of bn128. Reference: BN128Multiplication. */
export const bnMultiply: Precompile = {
  energyPerMs: 5000,
  energy: (_, { istanbul }) => (istanbul ? 6000 : 40_000),
  run: (data) => outputOf(multiplyPoint(data)),
};

/** Checks a product of pairings on bn128. Reference: BN128Pairing. */
export const bnPairing: Precompile = {
  energyPerMs: 2000,
  energy(data, { istanbul }) {
    const pairs = Math.floor(data.length / PAIR_BYTES);
    return istanbul ? 34_000 * pairs + 45_000 : 80_000 * pairs + 100_000;
  },
  run(data) {
    if (data.length % PAIR_BYTES > 0) return FAILED;
    const isOne = isPairingOne(data);
    return isOne === undefined ? FAILED : success(booleanWord(isOne));
  },
};

function outputOf(point: Uint8Array | undefined): PrecompileOutput {
  return point === undefined ? FAILED : success(point);
}
