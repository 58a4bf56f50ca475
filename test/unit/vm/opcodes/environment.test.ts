import t from 'tap';
import { SmartContract } from '../../../../src/codec/generated/messages.js';
import { keccak256 } from '../../../../src/crypto/hash.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { push, returning, runCode } from '../../../support/vm/run-code.js';
import { ALL_SWITCHES, contractAt, OWNER } from '../../../support/vm/vm-world.js';

const SELF = BigInt(`0x${contractAt(0).slice(2)}`);
const SELF_21 = BigInt(`0x${contractAt(0)}`);
const CALLER = BigInt(`0x${OWNER.slice(2)}`);
const EMPTY_HASH = BigInt(`0x${toHex(keccak256(new Uint8Array(0)))}`);
const MISSING = push(0xeen);
const before = (...names: string[]) => ({ switches: ALL_SWITCHES.filter((name) => !names.includes(name)) });

// The block has number 101 and time 1,700,000,003 s. The called contract has 5,000 TRX.
const rows: readonly (readonly [
  name: string,
  code: string,
  words: readonly bigint[],
  options?: Parameters<typeof runCode>[2],
])[] = [
  ['ADDRESS', '30', [SELF]],
  ['ADDRESS has its prefix before multi-sign', '30', [SELF_21], before('ALLOW_MULTI_SIGN')],
  ['BALANCE', `${push(SELF)}31`, [5_000_000_000n]],
  ['BALANCE of a missing account', `${MISSING}31`, [0n]],
  ['SELFBALANCE', '47', [5_000_000_000n]],
  ['SELFBALANCE includes the value of the call', '47', [5_000_000_007n], { value: 7n }],
  ['ORIGIN', '32', [CALLER]],
  ['CALLER', '33', [CALLER]],
  ['CALLVALUE', '34', [7n], { value: 7n }],
  ['CALLDATALOAD', `${push(1)}35`, [0x0203n << 240n], { data: '010203' }],
  ['CALLDATALOAD beyond', `${push(1n << 200n)}35`, [0n], { data: '010203' }],
  ['CALLDATASIZE', '36', [3n], { data: '010203' }],
  ['CODESIZE', '38', [9n]],
  ['GASPRICE is the price of energy in newer contracts', '3a', [100n]],
  ['GASPRICE is 0 in older contracts', '3a', [0n], { version: 0 }],
  ['EXTCODESIZE', `${push(SELF + 1n)}3b`, [2n], { others: ['6000'] }],
  ['RETURNDATASIZE before a call', '3d', [0n]],
  ['EXTCODEHASH of a missing account', `${MISSING}3f`, [0n]],
  ['EXTCODEHASH of an account', `${push(CALLER)}3f`, [EMPTY_HASH]],
  ['BLOCKHASH of the last block', `${push(100)}40`, [100n]],
  ['BLOCKHASH of this block', `${push(101)}40`, [0n]],
  ['TIMESTAMP', '42', [1_700_000_003n]],
  ['NUMBER', '43', [101n]],
  ['DIFFICULTY', '44', [0n]],
  ['GASLIMIT', '45', [0n]],
  ['CHAINID is the end of the genesis id', '46', [0xc0ffee11n]],
  ['CHAINID of a private network', '46', [1337n], { chainId: 1337 }],
  ['BASEFEE', '48', [100n]],
  ['BLOBHASH', `${push(0)}49`, [0n]],
  ['PC', '5858', [1n, 0n]],
  ['MSIZE', `${push(33)}5150${'59'}`, [96n]],
  ['CALLTOKENVALUE', 'd2', [0n]],
  ['CALLTOKENID', 'd3', [0n]],
  ['ISCONTRACT', `${push(SELF)}d4${MISSING}d4`, [0n, 1n]],
];

t.test('reads call, account and block data from a program', async (t) => {
  for (const [name, code, words, options] of rows) {
    t.same(runCode(t, returning(code, words.length), options).words, words, name);
  }
});

t.test('stores a missing code hash when it is requested', async (t) => {
  const { words, state } = runCode(t, returning(`${push(SELF + 1n)}3f`), { others: ['6000'] });
  const hash = keccak256(Uint8Array.of(0x60, 0));
  t.same(words, [BigInt(`0x${toHex(hash)}`)]);
  t.same(state.contracts.get(contractAt(1))?.codeHash, hash);
  const known = Object.assign(new SmartContract(), { codeHash: Uint8Array.of(1) });
  const given = (found: typeof state) => found.contracts.put(contractAt(1), known);
  t.same(runCode(t, returning(`${push(SELF + 1n)}3f`), { others: ['6000'], given }).words, [1n]);
});

t.test('fails for a token id out of range', async (t) => {
  const balance = (id: bigint) => runCode(t, returning(`${push(SELF)}${push(id)}d1`));
  t.same(balance(1_000_001n).words, [0n]);
  t.equal(balance(1_000_000n).exception, 'validateForSmartContract failure:not valid token id');
  t.equal(balance(1n << 64n).exception, 'validateForSmartContract failure:not valid token id');
});
