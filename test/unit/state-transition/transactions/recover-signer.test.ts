import t from 'tap';
import { ChainError } from '../../../../src/state-transition/errors.js';
import type { Release } from '../../../../src/state-transition/releases/release.js';
import { release472 } from '../../../../src/state-transition/releases/release-4.7.2.js';
import { release482 } from '../../../../src/state-transition/releases/release-4.8.2.js';
import { signerBy } from '../../../../src/state-transition/transactions/recover-signer.js';
import { stateWith } from '../../../support/vm/state-with.js';

const HASH = new Uint8Array(32).fill(1);

/** Returns r, s and the header byte. For r = 5, recovery fails, because no point has 5 as its x coordinate. */
function signature(r: number, header: number): Uint8Array {
  const bytes = new Uint8Array(65);
  bytes[31] = r;
  bytes[63] = 1;
  bytes[64] = header;
  return bytes;
}

function failureOf(release: Release, bytes: Uint8Array): string {
  try {
    signerBy(stateWith({}, release).rules, [HASH, bytes]);
  } catch (error) {
    if (error instanceof ChainError) return `${error.exception} ${error.text} ${error.checked}`;
    throw error;
  }
  return 'none';
}

t.test('reports every failed recovery as a SignatureException since 4.8.2', async (t) => {
  t.equal(failureOf(release472, signature(5, 0)), 'IllegalArgumentException Invalid point compression false');
  t.equal(
    failureOf(release482, signature(5, 0)),
    'SignatureException java.lang.IllegalArgumentException: Invalid point compression true',
  );
  t.equal(failureOf(release472, signature(1, 9)), 'SignatureException Header byte out of range: 36 true');
  t.equal(
    failureOf(release482, signature(1, 9)),
    'SignatureException java.security.SignatureException: Header byte out of range: 36 true',
  );
  t.equal(failureOf(release482, signature(1, 0)), 'none');
});
