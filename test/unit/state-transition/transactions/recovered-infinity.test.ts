import t from 'tap';
import { Transaction, TransactionRaw } from '../../../../src/codec/generated/messages.js';
import { toAddress } from '../../../../src/primitives/address.js';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { release472 } from '../../../../src/state-transition/releases/release-4.7.2.js';
import { release482 } from '../../../../src/state-transition/releases/release-4.8.2.js';
import { newAccount } from '../../../../src/state-transition/state/state.js';
import { decodeTransaction } from '../../../../src/state-transition/transactions/decode-transaction.js';
import { recoverSigner, recoverSignerKey } from '../../../../src/state-transition/transactions/recover-signer.js';
import { validateSignature } from '../../../../src/state-transition/transactions/validate-signature.js';
import { INFINITY_ADDRESS, infinitySignature } from '../../../support/signatures/infinity-signature.js';
import { NILE_TRANSACTION } from '../../../support/signatures/nile-transaction.js';
import { stateWith } from '../../../support/vm/state-with.js';

const OWNER = toAddress(fromHex(INFINITY_ADDRESS));
const { id, rawData, signature } = NILE_TRANSACTION;

t.test('recovers the key 00 and its address from the signature of the Nile transaction', async (t) => {
  t.equal(toHex(recoverSignerKey(fromHex(id), signature)), '00');
  t.equal(toHex(recoverSigner(fromHex(id), signature, 0x41)), INFINITY_ADDRESS);
});

t.test('recovers the key 00 from crafted signatures, and another key from the opposite s', async (t) => {
  for (const k of [1n, 2n, 3n, 1n << 200n]) {
    for (const byte of [1, 0x7f, 0xff]) {
      const hash = new Uint8Array(32).fill(byte);
      const crafted = infinitySignature(hash, k);
      t.equal(toHex(recoverSignerKey(hash, crafted)), '00', `k ${k}, hash of bytes ${byte}`);
      const other = crafted.with(64, (crafted[64] ?? 0) ^ 1);
      t.equal(recoverSignerKey(hash, other).length, 65, 'the other parity recovers another point');
    }
  }
});

t.test('recovers the key 00 where s and the hash are zero', async (t) => {
  const crafted = infinitySignature(new Uint8Array(32), 5n);
  t.same(crafted.subarray(32, 64), new Uint8Array(32), 's is zero');
  t.equal(toHex(recoverSignerKey(new Uint8Array(32), crafted)), '00');
});

t.test('accepts the Nile transaction when its owner has an account', async (t) => {
  for (const release of [release472, release482]) {
    const state = stateWith({}, release);
    state.putAccount(OWNER, newAccount(OWNER, { balance: 10n ** 9n }));
    const message = Object.assign(new Transaction(), {
      rawData: TransactionRaw.decode(rawData),
      signature: [signature],
    });
    const transaction = decodeTransaction(message);
    t.equal(toHex(transaction.id), id);
    t.equal(transaction.owner, OWNER);
    t.doesNotThrow(() => validateSignature(state, transaction));
    const other = Object.assign(message.clone(), { signature: [signature.with(64, 1)] });
    t.throws(() => validateSignature(state, decodeTransaction(other)), { code: 'ValidateSignatureException' });
  }
});
