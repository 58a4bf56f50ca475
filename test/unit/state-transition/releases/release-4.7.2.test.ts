import t from 'tap';
import { release472 } from '../../../../src/state-transition/releases/release-4.7.2.js';

// Error texts that clients of 4.7.2 receive, and the two rules of 4.7.2 for votes on block versions.
t.test('uses the error texts of 4.7.2 and no rule of 4.8.2', async (t) => {
  const { texts, rules } = release472;
  t.equal(texts.tooBig('ab', 5, 4), 'Too big transaction, the size is 5 bytes');
  t.equal(texts.merkleRoot(7, Uint8Array.of(1), Uint8Array.of(2)), 'The merkle hash is not validated for 7');
  t.equal(
    texts.foreignSigner({ signature: Uint8Array.of(1, 2), hash: Uint8Array.of(3) }, 'TXYZ'),
    '0102 is signed by TXYZ but it is not contained of permission.',
  );
  t.equal(texts.overflow('checkedAdd', 1n, 2n), 'overflow: checkedAdd(1, 2)');
  t.equal(texts.mostDelegated('FreezeEnergyV2'), 'delegateBalance must be less than available FreezeEnergyV2 balance');
  t.ok(Object.values(rules).every((rule) => rule === false));
});

t.test('accepts versions up to 16 by number, and later ones with 80 % from a date', async (t) => {
  const byRate = (rate: number) =>
    release472.forkVersions.filter((fork) => fork.rate === rate).map(({ version }) => version);
  t.same(byRate(0), [5, 6, 7, 8, 9, 10, 16]);
  t.same(byRate(80), [17, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28]);
});
