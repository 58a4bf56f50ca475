import t from 'tap';
import { fromHex } from '../../../../src/primitives/bytes.js';
import { jumpDestinations, wordBehind, wordBytesBehind } from '../../../../src/vm/opcodes/code-layout.js';

t.test('has data bytes only after PUSH1 to PUSH32', async (t) => {
  for (let opcode = 0; opcode < 256; opcode++) {
    const expected = opcode >= 0x60 && opcode <= 0x7f ? opcode - 0x5f : 0;
    if (wordBytesBehind(opcode) !== expected) t.equal(wordBytesBehind(opcode), expected, opcode.toString(16));
  }
  t.equal(wordBytesBehind(0x5f), 0, 'PUSH0');
});

t.test('pads a truncated PUSH with zeros', async (t) => {
  const cases: readonly (readonly [code: string, word: bigint])[] = [
    ['5f', 0n],
    ['6001', 1n],
    ['6101', 0x0100n],
    ['65010203040506', 0x010203040506n],
    ['6601020304050607', 0x01020304050607n],
    [`7f${'ff'.repeat(32)}`, (1n << 256n) - 1n],
    ['7f01', 1n << 248n],
    ['60', 0n],
  ];
  for (const [code, word] of cases) t.equal(wordBehind(fromHex(code), 0), word, code);
  t.equal(wordBehind(fromHex('005b61aabb'), 2), 0xaabbn, 'data within the code');
});

t.test('ignores a JUMPDEST inside PUSH data', async (t) => {
  const code = fromHex('5b605b5b615b5b5b7f5b');
  t.same([...jumpDestinations(code)], [1, 0, 0, 1, 0, 0, 0, 1, 0, 0]);
  t.equal(jumpDestinations(code), jumpDestinations(code), 'computed once per code');
});
