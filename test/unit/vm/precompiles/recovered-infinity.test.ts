import t from 'tap';
import { sha256 } from '../../../../src/crypto/hash.js';
import { toAddress } from '../../../../src/primitives/address.js';
import { concatBytes, fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { newAccount } from '../../../../src/state-transition/state/state.js';
import { batchValidateSign, ecRecover, validateMultiSign } from '../../../../src/vm/precompiles/signatures.js';
import { INFINITY_ADDRESS, infinitySignature } from '../../../support/signatures/infinity-signature.js';
import { NILE_TRANSACTION } from '../../../support/signatures/nile-transaction.js';
import { ALL_SWITCHES, machineOn, OWNER, worldWith } from '../../../support/vm/vm-world.js';

const SWITCHES = ALL_SWITCHES.filter((name) => name !== 'ALLOW_TVM_OSAKA');
const state = worldWith([], { switches: SWITCHES });
const context = { machine: machineOn(state), caller: OWNER };
const word = (value: bigint | number): string => value.toString(16).padStart(64, '0');
const ANSWER = `${'00'.repeat(11)}${INFINITY_ADDRESS}`;

/** Encodes an ABI array with one signature of 65 bytes. */
const signatureArray = (signature: Uint8Array): string =>
  word(1) + word(32) + word(65) + toHex(signature) + '00'.repeat(31);

t.test('returns the address of the point at infinity from ecrecover', async (t) => {
  const { id, signature } = NILE_TRANSACTION;
  const input = (hash: string, v: number, rs: Uint8Array) => fromHex(hash + word(v) + toHex(rs.subarray(0, 64)));
  t.equal(toHex(ecRecover.run(input(id, 27, signature), context).data), ANSWER);
  const hash = 'a5'.repeat(32);
  const crafted = infinitySignature(fromHex(hash), 77n);
  t.equal(toHex(ecRecover.run(input(hash, 27 + (crafted[64] ?? 0), crafted), context).data), ANSWER);
  const zero = '00'.repeat(32);
  const ofZero = infinitySignature(fromHex(zero), 77n);
  t.equal(
    toHex(ecRecover.run(input(zero, 27 + (ofZero[64] ?? 0), ofZero), context).data),
    '',
    's is zero: empty output',
  );
});

t.test('recognises the signer in batchvalidatesign', async (t) => {
  const { id, signature } = NILE_TRANSACTION;
  const input =
    id + word(96) + word(96 + 192) + signatureArray(signature) + word(1) + INFINITY_ADDRESS.padStart(64, '0');
  t.equal(toHex(batchValidateSign.run(fromHex(input), context).data), `01${'00'.repeat(31)}`);
});

t.test('counts the signature for the owner permission in validatemultisign', async (t) => {
  const owner = toAddress(fromHex(INFINITY_ADDRESS));
  state.putAccount(owner, newAccount(owner, {}));
  const content = '77'.repeat(32);
  const hash = sha256(concatBytes(fromHex(INFINITY_ADDRESS), new Uint8Array(4), fromHex(content)));
  const signature = infinitySignature(hash, 1_000_003n);
  const input = INFINITY_ADDRESS.padStart(64, '0') + word(0) + content + word(128) + signatureArray(signature);
  t.equal(toHex(validateMultiSign.run(fromHex(input), context).data), word(1));
});
