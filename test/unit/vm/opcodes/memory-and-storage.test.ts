import t from 'tap';
import { keccak256 } from '../../../../src/crypto/hash.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { push, returning, runCode } from '../../../support/vm/run-code.js';

const word = (bytes: Uint8Array) => BigInt(`0x${toHex(bytes)}`);
/** The first word of the memory, with the bytes 01 02 … 20 (hex). */
const NUMBERS = BigInt(`0x${Array.from({ length: 32 }, (_, at) => (at + 1).toString(16).padStart(2, '0')).join('')}`);
const filled = `${push(NUMBERS)}${push(0)}52`;

const rows: readonly (readonly [name: string, code: string, words: readonly bigint[], data?: string])[] = [
  ['MLOAD of unwritten memory', `${push(64)}51`, [0n]],
  ['MSTORE and MLOAD, unaligned', `${filled}${push(1)}51`, [(NUMBERS << 8n) & ((1n << 256n) - 1n)]],
  ['MSTORE8 keeps the lowest byte', `${push(0x1234)}${push(31)}53${push(0)}51`, [0x34n]],
  ['SHA3', `${filled}${push(1)}${push(0)}20`, [word(keccak256(Uint8Array.of(1)))]],
  ['SHA3 of an empty range', `${push(0)}${push(0)}20`, [word(keccak256(new Uint8Array(0)))]],
  ['CALLDATACOPY reads zeros after the data', `${push(4)}${push(1)}${push(28)}37${push(0)}51`, [0x02030000n], '010203'],
  ['CODECOPY', `${push(2)}${push(0)}${push(30)}39${push(0)}51`, [0x6002n]],
  [
    'MCOPY of overlapping ranges',
    `${filled}${push(4)}${push(0)}${push(1)}5e${push(0)}51`,
    [(0x0101020304n << 216n) | (NUMBERS & ((1n << 216n) - 1n))],
  ],
  ['SLOAD of an absent slot', `${push(7)}54`, [0n]],
  ['SSTORE and SLOAD', `${push(5)}${push(7)}55${push(7)}54`, [5n]],
  ['TSTORE and TLOAD', `${push(5)}${push(7)}5d${push(7)}5c${push(8)}5c`, [0n, 5n]],
  ['POP', `${push(1)}${push(2)}50`, [1n]],
];

t.test('reads, writes and copies memory and storage', async (t) => {
  for (const [name, code, words, data = ''] of rows) {
    t.same(runCode(t, returning(code, words.length), { data }).words, words, name);
  }
});

t.test('limits return data to that of the last call', async (t) => {
  const callee = returning(push(9));
  const call = `${push(0)}${push(0)}${push(0)}${push(0)}${push(BigInt(`0x${'c0'.repeat(19)}01`))}${push(50_000)}fa50`;
  const { words } = runCode(t, returning(`${call}3d${push(32)}${push(0)}${push(0)}3e${push(0)}51`, 2), {
    others: [callee],
  });
  t.same(words, [9n, 32n]);
  const beyond = runCode(t, `${call}${push(2)}${push(31)}${push(0)}3e`, { others: [callee] });
  t.match(
    beyond.exception,
    /^Illegal RETURNDATACOPY arguments: offset \(0*1f\) \+ size \(0*2\) > RETURNDATASIZE \(32\)$/,
  );
});

t.test('stores a slot as a row and deletes the row for zero', async (t) => {
  const rowsOf = (code: string) => [...runCode(t, code).state.storage.range()].length;
  t.equal(rowsOf(`${push(5)}${push(7)}5500`), 1);
  t.equal(rowsOf(`${push(0)}${push(7)}5500`), 0);
});
