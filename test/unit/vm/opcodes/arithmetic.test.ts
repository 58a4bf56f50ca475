import t from 'tap';
import { push, returning, runCode } from '../../../support/vm/run-code.js';

const MAX = (1n << 256n) - 1n;
const MIN_SIGNED = 1n << 255n;

// The first operand is on top of the stack. Reference: DataWord; the results equal those of the yellow paper.
const rows: readonly (readonly [name: string, byte: string, operands: readonly bigint[], result: bigint])[] = [
  ['ADD wraps', '01', [MAX, 2n], 1n],
  ['MUL wraps', '02', [MIN_SIGNED, 2n], 0n],
  ['SUB wraps', '03', [0n, 1n], MAX],
  ['DIV cuts', '04', [7n, 2n], 3n],
  ['DIV by zero', '04', [7n, 0n], 0n],
  ['SDIV rounds towards zero', '05', [MAX - 6n, 2n], MAX - 2n],
  ['SDIV of the minimum by -1', '05', [MIN_SIGNED, MAX], MIN_SIGNED],
  ['MOD by zero', '06', [7n, 0n], 0n],
  ['SMOD has the sign of the dividend', '07', [MAX - 6n, 4n], MAX - 2n],
  ['ADDMOD does not wrap', '08', [MAX, MAX, MAX - 1n], 2n],
  ['MULMOD does not wrap', '09', [MAX, MAX, 12n], 9n],
  ['ADDMOD by zero', '08', [1n, 2n, 0n], 0n],
  ['EXP', '0a', [2n, 255n], MIN_SIGNED],
  ['EXP with exponent 0', '0a', [0n, 0n], 1n],
  ['SIGNEXTEND', '0b', [0n, 0xffn], MAX],
  ['SIGNEXTEND beyond', '0b', [31n, 0xffn], 0xffn],
  ['LT', '10', [1n, 2n], 1n],
  ['GT', '11', [1n, 2n], 0n],
  ['SLT', '12', [MAX, 0n], 1n],
  ['SGT', '13', [MAX, 0n], 0n],
  ['EQ', '14', [5n, 5n], 1n],
  ['ISZERO', '15', [0n], 1n],
  ['AND', '16', [6n, 3n], 2n],
  ['OR', '17', [6n, 3n], 7n],
  ['XOR', '18', [6n, 3n], 5n],
  ['NOT', '19', [0n], MAX],
  ['BYTE counts from the left', '1a', [31n, 0x1234n], 0x34n],
  ['BYTE beyond', '1a', [32n, MAX], 0n],
  ['SHL', '1b', [255n, 3n], MIN_SIGNED],
  ['SHL beyond', '1b', [256n, 3n], 0n],
  ['SHR', '1c', [255n, MIN_SIGNED], 1n],
  ['SAR beyond', '1d', [1n << 200n, MIN_SIGNED], MAX],
  ['CLZ', '1e', [1n], 255n],
  ['CLZ of 0', '1e', [0n], 256n],
];

t.test('computes with unsigned 256-bit words', async (t) => {
  for (const [name, byte, operands, result] of rows) {
    const code = `${[...operands].reverse().map(push).join('')}${byte}`;
    t.same(runCode(t, returning(code)).words, [result], name);
  }
});
