import { secp256k1 } from '@noble/curves/secp256k1.js';
import t from 'tap';
import { keccak256, sha256 } from '../../../../src/crypto/hash.js';
import { fromHex, toHex, utf8 } from '../../../../src/primitives/bytes.js';
import { VmError } from '../../../../src/state-transition/vm-error.js';
import { readRuleSet } from '../../../../src/vm/machine/rule-set.js';
import type { Precompile } from '../../../../src/vm/precompiles/precompile.js';
import { findPrecompile, precompileRows } from '../../../../src/vm/precompiles/table.js';
import { ALL_SWITCHES, machineOn, OWNER, worldWith } from '../../../support/vm/vm-world.js';

const state = worldWith([], {
  switches: ALL_SWITCHES.filter((name) => name !== 'ALLOW_TVM_OSAKA' && name !== 'ALLOW_TVM_SELFDESTRUCT_RESTRICTION'),
});
state.properties.set('ALLOW_SHIELDED_TRC20_TRANSACTION', 1n);
state.properties.set('UNFREEZE_DELAY_DAYS', 14n);
const rules = readRuleSet(state);
const machine = machineOn(state);
const word = (value: bigint | number) => value.toString(16).padStart(64, '0');

function run(address: number, input: string): { energy: number; output: string | undefined } {
  const precompile = findPrecompile(BigInt(address), rules) as Precompile;
  const data = fromHex(input);
  const { isSuccess, data: output } = precompile.run(data, { machine, caller: OWNER });
  return { energy: precompile.energy(data, rules), output: isSuccess ? toHex(output) : undefined };
}

/** Returns the output of a precompile; undefined if it throws. */
function answerOf(precompile: Precompile, data: Uint8Array): Uint8Array | undefined {
  try {
    return precompile.run(data, { machine, caller: OWNER }).data;
  } catch (error) {
    if (error instanceof VmError) return undefined;
    throw error;
  }
}

t.test('assigns one address and its proposal to each precompile', async (t) => {
  t.equal(precompileRows.length, 34);
  t.equal(new Set(precompileRows.map(([address]) => address)).size, 34);
  t.equal(findPrecompile(0x09n, { ...rules, solidity059: false }), undefined);
  t.equal(findPrecompile((1n << 255n) + 1n, rules), undefined, 'all bytes of the address word are compared');
});

t.test('never returns a view of the input memory', async (t) => {
  for (const [address, precompile] of precompileRows) {
    for (const length of [0, 1, 32, 65, 96, 128, 160, 213]) {
      const input = new Uint8Array(length);
      t.not(answerOf(precompile, input)?.buffer, input.buffer, `0x${address.toString(16)}, ${length} bytes`);
    }
  }
});

t.test('computes hashes', async (t) => {
  t.same(run(2, ''), { energy: 60, output: toHex(sha256(new Uint8Array(0))) });
  const twice = sha256(sha256(utf8('abc')).subarray(0, 20));
  t.same(run(3, toHex(utf8('abc'))), { energy: 720, output: toHex(twice) });
  t.same(run(0x20003, toHex(utf8('abc'))), {
    energy: 720,
    output: `${'00'.repeat(12)}8eb208f7e05d987a9b044a8e98c6b087f15a0bfc`,
  });
  t.same(run(4, 'c0ffee'), { energy: 18, output: 'c0ffee' });
});

t.test('computes the BLAKE2b compression of EIP-152', async (t) => {
  const h =
    '48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b';
  const m = `616263${'00'.repeat(125)}`;
  const t0 = `03${'00'.repeat(15)}`;
  t.same(run(0x20009, `0000000c${h}${m}${t0}01`), {
    energy: 12,
    output:
      'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
  });
  t.same(run(0x20009, `00000000${h}${m}${t0}01`).output?.slice(0, 32), '08c9bcf367e6096a3ba7ca8485ae67bb');
  t.equal(run(0x20009, `0000000c${h}${m}${t0}02`).output, undefined);
});

t.test('computes the modular powers of EIP-198', async (t) => {
  const p = (1n << 256n) - (1n << 32n) - 977n;
  const fermat = `${word(1)}${word(32)}${word(32)}03${word(p - 1n)}${word(p)}`;
  t.same(run(5, fermat), { energy: 13056, output: word(1) });
  t.equal(run(5, `${word(0)}${word(32)}${word(32)}${word(p - 1n)}${word(p)}`).output, word(0));
  t.equal(run(5, `${word(1)}${word(1)}${word(0)}0302`).output, '');
  t.equal(run(5, '').output, '');
});

t.test('computes sums, multiples and pairings on BN-128', async (t) => {
  const g = word(1) + word(2);
  const minus = word(1) + word(0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd45n);
  const double =
    '030644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd3' +
    '15ed738c0e0a7c92e7845f96b2ae9c0a68a6a449e3538fc7ff3ebf7a5a18a2c4';
  t.same(run(6, g + g), { energy: 150, output: double });
  t.equal(run(6, g + minus).output, '00'.repeat(64));
  t.equal(run(6, word(1) + word(1)).output, undefined);
  t.same(run(7, g + word(2)), { energy: 6000, output: double });
  t.equal(run(7, g + word(0)).output, '00'.repeat(64));
  const h =
    '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2' +
    '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed' +
    '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b' +
    '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa';
  t.same(run(8, g + h + minus + h), { energy: 113_000, output: word(1) });
  t.equal(run(8, g + h + g + h).output, word(0));
  t.equal(run(8, '').output, word(1));
  t.equal(run(8, '00').output, undefined);
});

t.test('recovers signers', async (t) => {
  const key = fromHex('11'.repeat(32));
  const address = toHex(keccak256(secp256k1.getPublicKey(key, false).subarray(1)).subarray(12));
  const hash = sha256(utf8('message'));
  const signature = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
  const [v, r, s] = [27 + signature[0]!, toHex(signature.subarray(1, 33)), toHex(signature.subarray(33))];
  t.same(run(1, toHex(hash) + word(v) + r + s), { energy: 3000, output: `${'00'.repeat(11)}41${address}` });
  t.equal(run(1, toHex(hash) + word(29) + r + s).output, '');
  const bytes = `${word(65)}${r}${s}${v.toString(16)}${'00'.repeat(31)}`;
  const batch = (who: string) =>
    toHex(hash) + word(96) + word(288) + word(1) + word(32) + bytes + word(1) + who.padStart(64, '0');
  t.equal(run(9, batch(address)).output, `01${'00'.repeat(31)}`);
  t.equal(run(9, batch('22'.repeat(20))).output, word(0));
  t.equal(run(9, 'ff').output, word(0));
});
