import t from 'tap';
import { release472 } from '../../../../src/state-transition/releases/release-4.7.2.js';
import { release482 } from '../../../../src/state-transition/releases/release-4.8.2.js';

t.test('uses the error texts of 4.8.2', async (t) => {
  const { texts } = release482;
  t.equal(texts.tooBig('ab', 5, 4), 'Too big transaction, TxId ab, the size is 5 bytes, maxTxSize 4');
  t.equal(
    texts.merkleRoot(7, Uint8Array.of(1), Uint8Array.of(2)),
    'merkle root mismatch for block 7: expected 01, actual 02',
  );
  t.equal(
    texts.foreignSigner({ signature: Uint8Array.of(1), hash: Uint8Array.of(3) }, 'TXYZ'),
    '03 is signed by TXYZ but it is not contained of permission.',
  );
  t.equal(texts.overflow('checkedMultiply', 1n, 2n), 'long overflow');
  t.equal(texts.refusals.BLOCK_SIGN_ERROR, 'BLOCK_SIGN_INVALID');
});

t.test('requires 70 % of the witnesses for two versions and marks one more migration', async (t) => {
  t.same(
    release482.forkVersions.filter(({ rate }) => rate === 70).map(({ version }) => version),
    [33, 35],
  );
  t.same(
    release482.firstStart.filter((name) => !release472.firstStart.includes(name)),
    ['TURKISH_KEY_MIGRATION_DONE'],
  );
});
