import { randomFillSync } from 'node:crypto';
import t from 'tap';
import { itemAt } from '../../../../../src/primitives/assert.js';
import { Random } from '../../../../fuzz/random.js';
import {
  holds,
  isMultipleOfOrder,
  MUTATION_NAMES,
  mutated,
  native,
  nativeClaims,
  soundClaim,
  toBytes,
} from '../../../../support/signatures/mutated-claim.js';

const random = new Random(1, []);
const claims = nativeClaims(600, (bytes) => randomFillSync(bytes));

for (const name of MUTATION_NAMES) {
  t.test(`${name}: a claim is proven exactly when recovery returns its key`, async (t) => {
    for (let round = 0; round < 40; round++) {
      const claim = mutated(name, soundClaim(random), random);
      const isAccepted = claims.add(claim);
      const expected = holds(claim);
      const text = `${Buffer.from(claim.signature).toString('hex')} of ${Buffer.from(claim.hash).toString('hex')}`;
      t.equal(claims.prove(), isAccepted && expected && !isMultipleOfOrder(claim.hash), text);
      if (expected) t.ok(isAccepted, 'a valid claim can be added');
    }
  });
}

t.test('detects one invalid claim among many, for each window width', async (t) => {
  const keys = Array.from({ length: 40 }, () => random.bytes(32));
  for (const count of [2, 100, 250, 600]) {
    const sound = Array.from({ length: count }, (_, at) => soundClaim(random, itemAt(keys, at % keys.length)));
    for (const claim of sound) t.ok(claims.add(claim));
    t.ok(claims.prove(), `${count} hold`);
    const at = random.below(count);
    for (const name of ['a bit of the hash', 'parity', 'another key']) {
      for (const [index, claim] of sound.entries()) claims.add(index === at ? mutated(name, claim, random) : claim);
      t.notOk(claims.prove(), `${count} claims, one of them with a change: ${name}`);
    }
  }
});

t.test('detects two invalid claims that cancel each other', async (t) => {
  const key = random.bytes(32);
  const [first, second] = [soundClaim(random, key), soundClaim(random, key)];
  for (const claim of [
    { ...first, hash: second.hash },
    { ...second, hash: first.hash },
  ])
    t.ok(claims.add(claim));
  t.notOk(claims.prove());
});

t.test('rejects claims that a proof cannot include and proves the others', async (t) => {
  const claim = soundClaim(random);
  t.ok(claims.add(claim));
  t.notOk(claims.add(claim), 'a nonce that the proof contains already');
  const other = mutated('the opposite key', soundClaim(random), random);
  t.ok(claims.add(soundClaim(random)));
  t.notOk(
    claims.add({ ...other, key: mutated('the opposite key', claim, random).key }),
    'the opposite of a key that the proof contains already',
  );
  for (const [r, s] of [
    [0n, 1n],
    [1n, 0n],
    [5n, 1n],
  ] as const)
    t.notOk(claims.add({ ...claim, signature: Uint8Array.from([...toBytes(r), ...toBytes(s)]) }), `${r}, ${s}`);
  t.equal(claims.length, 2);
  t.ok(claims.prove());
  t.equal(claims.length, 0);
  t.notOk(claims.prove(), 'an empty proof proves nothing');
});

t.test('rejects a proof in which a nonce equals a key', async (t) => {
  // Two points in a bucket rarely have the same x. The test forces this case, because the result must be right for any
  // coefficients.
  const privateKey = toBytes(3n);
  const claim = soundClaim(random, Buffer.from(privateKey));
  const point = native.publicKeyOf(privateKey);
  for (let round = 0; round < 20; round++) {
    claims.add({ ...claim, signature: Uint8Array.from([...point.subarray(1, 33), ...random.bytes(32)]) });
    t.notOk(claims.prove());
  }
});

t.test('limits the number of claims per proof to a minimum and a maximum', async (t) => {
  const few = nativeClaims(2, (bytes) => randomFillSync(bytes));
  t.same(
    [1, 2, 3].map(() => few.add(soundClaim(random))),
    [true, true, false],
  );
  t.ok(few.prove(2));
  few.add(soundClaim(random));
  t.notOk(few.prove(2));
});

t.test('proves no claim if all coefficients are zero', async (t) => {
  const known = nativeClaims(4, (bytes) => bytes.fill(0));
  t.ok(known.add(mutated('a bit of the hash', soundClaim(random), random)));
  t.notOk(known.prove());
});
