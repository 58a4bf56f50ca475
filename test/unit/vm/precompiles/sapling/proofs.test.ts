import t from 'tap';
import { concatBytes, fromHex } from '../../../../../src/primitives/bytes.js';
import { multiplyJubjub, RANDOMNESS_BASE, VALUE_BASE } from '../../../../../src/vm/precompiles/sapling/jubjub.js';
import { areProven, isBalanced } from '../../../../../src/vm/precompiles/sapling/proofs.js';
import { signJubjub } from '../../../../support/vm/precompiles/red-jubjub.js';

t.test('requires that the values of spends and outputs sum up to the balance', async (t) => {
  const commit = (value: bigint, randomness: bigint) => ({
    value: multiplyJubjub(VALUE_BASE, value).add(multiplyJubjub(RANDOMNESS_BASE, randomness)),
  });
  const hash = fromHex('ab'.repeat(32));
  // Spends 100 units. 60 units become a new note, and 40 units are paid out.
  const spends = [commit(100n, 7n)];
  const outputs = [commit(60n, 3n)];
  const key = multiplyJubjub(RANDOMNESS_BASE, 4n);
  const signature = signJubjub(RANDOMNESS_BASE, 4n, concatBytes(key.toBytes(), hash), 55n);
  t.equal(isBalanced({ spends, outputs, balance: 40n }, hash, signature), true);
  t.equal(isBalanced({ spends, outputs, balance: 41n }, hash, signature), false);
});

t.test('does not verify a spend without the key of its circuit', async (t) => {
  const none = new Uint8Array(32);
  const bytes = { nullifier: none, proof: none, keyBytes: none, signature: none };
  const spend = { ...bytes, anchor: 0n, value: VALUE_BASE, key: VALUE_BASE };
  t.throws(() => areProven([spend], []), { code: 'UNDECIDABLE' });
});
