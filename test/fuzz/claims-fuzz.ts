import { randomFillSync } from 'node:crypto';
import type { SignatureClaim } from '../../src/crypto/wasm/secp256k1/claims.js';
import { equalBytes, toHex } from '../../src/primitives/bytes.js';
import {
  holds,
  isMultipleOfOrder,
  MUTATION_NAMES,
  mutated,
  nativeClaims,
  soundClaim,
} from '../support/signatures/mutated-claim.js';
import { Random } from './random.js';

/**
 * Numbers of claims per batch. A claim is a signature with the public key that it should have. With these numbers, the
 * bucket sum of the batch verification uses every window width.
 */
const SIZES = [1, 2, 5, 70, 160, 550];
const KEYS = 60;

interface ClaimsFuzz {
  readonly claims: number;
  /** A line for each batch whose result differs from that of signature recovery. */
  readonly failures: readonly string[];
}

/**
 * Compares batch verification of mutated claims with signature recovery by libsecp256k1. Tests at least `count` claims.
 * Equal seeds result in equal claims.
 */
export function fuzzClaims(seed: number, count: number): ClaimsFuzz {
  const random = new Random(seed, []);
  const claims = nativeClaims(Math.max(...SIZES), (bytes) => randomFillSync(bytes));
  const keys = Array.from({ length: KEYS }, () => random.bytes(32));
  const failures: string[] = [];
  let done = 0;
  while (done < count) {
    const accepted: SignatureClaim[] = [];
    const size = random.pick(SIZES);
    for (let at = 0; at < size; at++, done++) {
      const sound = soundClaim(random, random.pick(keys));
      const claim = random.chance(0.5 / size) ? mutated(random.pick(MUTATION_NAMES), sound, random) : sound;
      if (claims.add(claim)) accepted.push(claim);
      else if (claim === sound && !accepted.some(({ key }) => isOpposite(key, claim.key)))
        failures.push(`rejected, although valid: ${textOf(claim)}`);
    }
    const isExpected =
      accepted.length > 0 && accepted.every(holds) && !accepted.every(({ hash }) => isMultipleOfOrder(hash));
    if (claims.prove() !== isExpected) failures.push(`not ${isExpected}: ${accepted.map(textOf).join(' ')}`);
  }
  return { claims: done, failures };
}

/**
 * Returns true if two keys are opposite points, that is, they have the same x and different y. A batch cannot contain
 * both.
 */
function isOpposite(a: Uint8Array, b: Uint8Array): boolean {
  return equalBytes(a.subarray(0, 33), b.subarray(0, 33)) && !equalBytes(a, b);
}

function textOf({ hash, signature, isOdd, key }: SignatureClaim): string {
  return [toHex(hash), toHex(signature), isOdd ? 1 : 0, toHex(key)].join('/');
}
