import { itemAt } from '../../primitives/assert.js';
import { EMPTY_BYTES, toUnsigned } from '../../primitives/bytes.js';
import { INT64_MAX } from '../../primitives/int64.js';
import { WORD_BYTES } from '../../primitives/units.js';
import { hasPassed } from '../../state-transition/consensus/fork-versions.js';
import { VERSION } from '../../state-transition/parameters/block-versions.js';
import { refusedAsTimeout } from '../../state-transition/vm-error.js';
import { FAILED, type Precompile, padded, safeInt, success } from './precompile.js';

const ARGUMENTS_AT = 3 * WORD_BYTES;
const INT_MAX = 0x7fffffff;

/**
 * Maximum length of each number in bytes, since proposal 96. Before this limit, a call with an empty base, an empty
 * modulus and a long exponent took time, but cost no energy.
 */
const LENGTH_MAX = 1024;

/**
 * Modular exponentiation.
 * Reference: PrecompiledContracts.ModExp (prices of EIP-198, and of TIP-7883 since proposal 96).
 */
export const modExp: Precompile = {
  energyPerMs: 20_000,
  energy(data, { osaka }) {
    const { base, exponent, modulus } = lengthsOf(data);
    const high = part(data, sum(ARGUMENTS_AT, base), Math.min(exponent, WORD_BYTES));
    if (osaka) return energyOfTip7883(Math.max(base, modulus), high, exponent);
    const complexity = complexityOf(BigInt(Math.max(base, modulus)));
    const length = exponentLength(high, exponent, 8);
    const energy = (complexity * BigInt(Math.max(length, 1))) / 20n;
    return Number(energy < INT64_MAX ? energy : INT64_MAX);
  },
  run(data, { machine }) {
    const { rules, state } = machine;
    const { base, exponent, modulus } = lengthsOf(data);
    if (rules.osaka && Math.max(base, exponent, modulus) > LENGTH_MAX) return FAILED;
    if (base === 0 && modulus === 0 && exponent > LENGTH_MAX && hasPassed(state, VERSION.V4_8_1_1)) {
      throw refusedAsTimeout('modExp executing');
    }
    const ofZero = () => success(rules.osaka ? new Uint8Array(modulus) : EMPTY_BYTES);
    const modulusAt = sum(sum(ARGUMENTS_AT, base), exponent);
    // If the modulus is after the end of the input, it is zero. The other length fields then have no effect.
    if (modulus === 0 || modulusAt >= data.length) return ofZero();
    const m = toUnsigned(part(data, modulusAt, modulus));
    if (m === 0n) return ofZero();
    const b = toUnsigned(part(data, ARGUMENTS_AT, base));
    const e = toUnsigned(part(data, sum(ARGUMENTS_AT, base), exponent));
    const digits = Buffer.from(
      power(b, e, m)
        .toString(16)
        .padStart(modulus * 2, '0'),
      'hex',
    );
    return success(digits);
  },
};

function lengthsOf(data: Uint8Array) {
  const length = (index: number) => {
    const bytes = part(data, index * WORD_BYTES, WORD_BYTES);
    return bytes.length === 0 ? 0 : safeInt(bytes);
  };
  return { base: length(0), exponent: length(1), modulus: length(2) };
}

/**
 * Returns bytes of the input, padded with zeros. Returns no bytes if `offset` is after the end of the input. Reference:
 * ByteUtil.parseBytes.
 */
function part(data: Uint8Array, offset: number, length: number): Uint8Array {
  if (offset >= data.length || length === 0) return EMPTY_BYTES;
  return padded(data, offset, length);
}

function sum(a: number, b: number): number {
  return Math.min(a + b, INT_MAX);
}

function complexityOf(x: bigint): bigint {
  if (x <= 64n) return x * x;
  if (x <= 1024n) return (x * x) / 4n + 96n * x - 3072n;
  return (x * x) / 16n + 480n * x - 199_680n;
}

const TIP_7883_MIN = 500n;

/** Returns the energy price since proposal 96. Reference: ModExp.getEnergyTIP7883. */
function energyOfTip7883(longest: number, high: Uint8Array, exponent: number): number {
  const words = BigInt(Math.ceil(longest / 8));
  const complexity = longest <= WORD_BYTES ? 16n : 2n * words * words;
  const energy = complexity * BigInt(Math.max(exponentLength(high, exponent, 16), 1));
  if (energy < TIP_7883_MIN) return Number(TIP_7883_MIN);
  return Number(energy < INT64_MAX ? energy : INT64_MAX);
}

/**
 * Returns the index of the highest set bit in the first 32 bytes of the exponent. Adds `each` for every byte of the
 * exponent after the first 32.
 */
function exponentLength(high: Uint8Array, length: number, each: number): number {
  const first = high.findIndex((byte) => byte !== 0);
  const bits = first < 0 ? 0 : 8 * (high.length - first) - (Math.clz32(itemAt(high, first)) - 24);
  const highest = bits > 0 ? bits - 1 : 0;
  return length <= WORD_BYTES ? highest : each * (length - WORD_BYTES) + highest;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  let square = base % modulus;
  const bits = exponent.toString(2);
  for (let at = bits.length - 1; at >= 0; at--) {
    if (bits[at] === '1') result = (result * square) % modulus;
    if (at > 0) square = (square * square) % modulus;
  }
  return result;
}
