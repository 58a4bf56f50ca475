import secp256k1 from 'secp256k1';
import t from 'tap';
import { Permission } from '../../../../src/codec/generated/messages.js';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { VERSION } from '../../../../src/state-transition/parameters/block-versions.js';
import { release472 } from '../../../../src/state-transition/releases/release-4.7.2.js';
import { release482 } from '../../../../src/state-transition/releases/release-4.8.2.js';
import { keyOf } from '../../../../src/state-transition/state/permissions.js';
import type { State } from '../../../../src/state-transition/state/state.js';
import { recoverSigner } from '../../../../src/state-transition/transactions/recover-signer.js';
import { weigh } from '../../../../src/state-transition/transactions/validate-signature.js';
import { stateWith } from '../../../support/vm/state-with.js';

const HASH = new Uint8Array(32).fill(1);
/** Order of the secp256k1 group. */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const { signature: compact, recid } = secp256k1.ecdsaSign(HASH, new Uint8Array(32).fill(7));
const signature = Uint8Array.of(...compact, recid);
const signer = recoverSigner(HASH, signature, 0x41);
const permission = Object.assign(new Permission(), { threshold: 2n, keys: [keyOf(signer), keyOf(new Uint8Array(21))] });

/** Returns the second valid signature of the same key and hash: −s, with the other parity. */
function malleated(): Uint8Array {
  const s = N - BigInt(`0x${toHex(compact.subarray(32))}`);
  return Uint8Array.of(...compact.subarray(0, 32), ...fromHex(s.toString(16).padStart(64, '0')), recid ^ 1);
}

function weightOf(state: State, ...signatures: readonly Uint8Array[]): bigint | string {
  try {
    return weigh(state, permission, signatures, HASH).weight;
  } catch (error) {
    return (error as { text: string }).text;
  }
}

const chains = [release472, release482].map((release) => {
  const before = stateWith({}, release);
  const after = stateWith({ latest_block_header_timestamp: BigInt(Date.UTC(2024, 0)) }, release);
  after.properties.setForkStats(VERSION.V4_7_1, new Uint8Array(27).fill(1));
  return { before, after };
});

t.test('counts only the first 65 bytes of a longer signature on the main net', async (t) => {
  for (const { before, after } of chains)
    for (const state of [before, after]) {
      t.equal(weightOf(state, Uint8Array.of(...signature, 1, 2, 3)), 1n);
      t.equal(weightOf(state, signature.subarray(0, 64)), 'Signature size is 64');
    }
});

t.test(
  'counts a key twice for two different signatures, but once for equal ones, before 4.7.1 on the main net',
  async (t) => {
    t.same(recoverSigner(HASH, malleated(), 0x41), signer);
    for (const { before, after } of chains) {
      t.equal(weightOf(before, signature, malleated()), 2n);
      t.match(weightOf(before, signature, signature), /has signed twice!$/);
      t.match(weightOf(before, signature, Uint8Array.of(...signature, 9)), /has signed twice!$/);
      t.match(weightOf(before, signature, Uint8Array.of(...compact, recid + 27)), /has signed twice!$/);
      t.match(weightOf(after, signature, malleated()), /has signed twice!$/);
    }
  },
);
