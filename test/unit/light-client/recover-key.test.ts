import t from 'tap';
import { recoverLightKey } from '../../../src/light-client/recover-key.js';
import { concatBytes, fromHex, toHex } from '../../../src/primitives/bytes.js';
import { recoverKey as recoverKeyOfNode } from '../../../src/state-transition/transactions/recover-key.js';
import { infinitySignature } from '../../support/signatures/infinity-signature.js';

const HASHES = ['00'.repeat(32), 'a5'.repeat(32), 'ff'.repeat(32)].map(fromHex);
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const SMALL = ['01', '02', '05'].map((byte) => byte.padStart(64, '0'));
const EDGES = [...SMALL, '00'.repeat(32), 'ff'.repeat(32), ORDER, `${ORDER.slice(0, 62)}42`, '22'.repeat(32)].map(
  fromHex,
);

const keyOrNone = (recover: typeof recoverLightKey, ...input: Parameters<typeof recoverLightKey>): string => {
  try {
    return toHex(recover(...input));
  } catch {
    return 'none';
  }
};

t.test('recovers the same keys in the page as in a node', async (t) => {
  const crafted = HASHES.map((hash) => infinitySignature(hash, 9n));
  const found = new Set<string>();
  for (const hash of HASHES)
    for (const signature of [...crafted, ...EDGES.flatMap((r) => EDGES.map((s) => concatBytes(r, s)))])
      for (const recovery of [0, 1, 2, 3]) {
        const key = keyOrNone(recoverKeyOfNode, hash, signature, recovery);
        found.add(key);
        const name = `${toHex(hash)} ${toHex(signature)} ${recovery}`;
        t.equal(keyOrNone(recoverLightKey, hash, signature, recovery), key, name);
      }
  t.ok(found.has('00') && found.has('none') && found.size > 100, `${found.size} answers`);
});
