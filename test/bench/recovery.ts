import { createHash } from 'node:crypto';
import secp256k1 from 'secp256k1';

const SIGNATURES = 2000;
const ROUNDS = 5;

/**
 * Returns the number of public keys that the native library recovers per second on this thread. It is the best of
 * several rounds.
 */
export function measureRecovery(): number {
  const items = Array.from({ length: SIGNATURES }, (_, at) => {
    const key = createHash('sha256').update(`bench key ${at}`).digest();
    const hash = createHash('sha256').update(`bench hash ${at}`).digest();
    return { hash, ...secp256k1.ecdsaSign(hash, key) };
  });
  let best = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    for (const { hash, signature, recid } of items) secp256k1.ecdsaRecover(signature, recid, hash, false);
    best = Math.max(best, (SIGNATURES * 1000) / (performance.now() - started));
  }
  return best;
}
