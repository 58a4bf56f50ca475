import t from 'tap';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { referenceInterpreter } from '../../../../src/vm/interpreter/reference-interpreter.js';
import { WasmInterpreter } from '../../../../src/vm/interpreter/wasm-interpreter.js';
import { Seeded } from '../../../support/vm/random-program.js';
import { callWorld, worldWith } from '../../../support/vm/vm-world.js';

const EDGES = [0n, 1n, 2n, 3n, 31n, 32n, 255n, 256n, (1n << 32n) - 1n, 1n << 32n, (1n << 64n) - 1n, 1n << 64n];
const WORDS = [...EDGES, ...EDGES.map((edge) => (1n << 256n) - 1n - edge), 1n << 255n, (1n << 255n) - 1n, 1n << 128n];
const OPERATIONS: readonly (readonly [name: string, byte: number, operands: number])[] = [
  ['ADD', 0x01, 2],
  ['MUL', 0x02, 2],
  ['SUB', 0x03, 2],
  ['DIV', 0x04, 2],
  ['SDIV', 0x05, 2],
  ['MOD', 0x06, 2],
  ['SMOD', 0x07, 2],
  ['ADDMOD', 0x08, 3],
  ['MULMOD', 0x09, 3],
  ['EXP', 0x0a, 2],
  ['SIGNEXTEND', 0x0b, 2],
  ['LT', 0x10, 2],
  ['GT', 0x11, 2],
  ['SLT', 0x12, 2],
  ['SGT', 0x13, 2],
  ['EQ', 0x14, 2],
  ['ISZERO', 0x15, 1],
  ['AND', 0x16, 2],
  ['OR', 0x17, 2],
  ['XOR', 0x18, 2],
  ['NOT', 0x19, 1],
  ['BYTE', 0x1a, 2],
  ['SHL', 0x1b, 2],
  ['SHR', 0x1c, 2],
  ['SAR', 0x1d, 2],
  ['CLZ', 0x1e, 1],
];
const hex = (word: bigint) => word.toString(16).padStart(64, '0');

/** Returns a program that applies an opcode to many lists of operands and returns all results. */
function program(byte: number, tuples: readonly (readonly bigint[])[]): Uint8Array {
  const parts = tuples.map((tuple, i) => {
    const pushes = [...tuple].reverse().map((word) => `7f${hex(word)}`);
    return `${pushes.join('')}${byte.toString(16).padStart(2, '0')}61${(32 * i).toString(16).padStart(4, '0')}52`;
  });
  return fromHex(`${parts.join('')}61${(32 * tuples.length).toString(16).padStart(4, '0')}6000f3`);
}

const fast = new WasmInterpreter();

for (const [name, byte, operands] of OPERATIONS) {
  t.test(`${name} computes the same for edge and random words in both interpreters`, async (t) => {
    const random = new Seeded(byte + 1);
    const word = () => {
      if (random.below(2) === 0) return random.pick(WORDS);
      const bits = BigInt(1 + random.below(256));
      let value = 0n;
      for (let i = 0; i < 8; i++) value = (value << 32n) | BigInt(random.below(2 ** 32));
      return value >> (256n - bits);
    };
    const tuples = Array.from({ length: 400 }, () => Array.from({ length: operands }, word));
    const code = program(byte, tuples);
    const [a, b] = [fast, referenceInterpreter].map((interpreter) => {
      const { run } = callWorld(worldWith([code]), interpreter, { data: new Uint8Array(0), energy: 5_000_000 });
      t.equal(run.exception, undefined);
      return toHex(run.returnData);
    });
    for (const [i, tuple] of tuples.entries()) {
      if (a!.slice(64 * i, 64 * i + 64) === b!.slice(64 * i, 64 * i + 64)) continue;
      t.equal(a!.slice(64 * i, 64 * i + 64), b!.slice(64 * i, 64 * i + 64), `${name} ${tuple.map(hex)}`);
    }
    t.equal(a!.length, 64 * tuples.length);
  });
}

t.test('computes the same as arbitrary-precision integers', async (t) => {
  const cases: readonly (readonly [byte: number, operands: readonly bigint[], result: bigint])[] = [
    [0x05, [1n << 255n, (1n << 256n) - 1n], 1n << 255n],
    [0x07, [(1n << 256n) - 8n, 3n], (1n << 256n) - 2n],
    [0x08, [(1n << 256n) - 1n, 2n, 7n], ((1n << 256n) + 1n) % 7n],
    [0x09, [(1n << 256n) - 1n, (1n << 256n) - 1n, 12345n], ((1n << 256n) - 1n) ** 2n % 12345n],
    [0x0a, [3n, 200n], 3n ** 200n % (1n << 256n)],
    [0x0b, [0n, 0x80n], (1n << 256n) - 0x80n],
    [0x1d, [4n, 1n << 255n], 0xf8n << 248n],
  ];
  for (const [byte, operands, result] of cases) {
    for (const interpreter of [fast, referenceInterpreter]) {
      const state = worldWith([program(byte, [operands])]);
      const { run } = callWorld(state, interpreter, { data: new Uint8Array(0), energy: 100_000 });
      t.equal(toHex(run.returnData), hex(result), `${byte.toString(16)}`);
    }
  }
});
