import t from 'tap';
import { push, returning, runCode } from '../../../support/vm/run-code.js';

// Programs that fail, with the error texts of java-tron. Reference: VM.play, Program.verifyJumpDest.
const rows: readonly (readonly [code: string, text: string])[] = [
  ['0c', 'Invalid operation code: opCode[0c];'],
  ['fe', 'Invalid operation code: opCode[fe];'],
  ['01', 'Expected stack size 2 but actual 0;'],
  [`${push(1)}01`, 'Expected stack size 2 but actual 1;'],
  [push(1).repeat(1025), 'Expected: overflow 1024 elements stack limit'],
  [`${push(3)}5600`, "Operation with pc isn't 'JUMPDEST': PC[3];"],
  [`${push(99)}56`, "Operation with pc isn't 'JUMPDEST': PC[99];"],
  [`${push(1n << 40n)}56`, "Operation with pc isn't 'JUMPDEST': PC[-1];"],
  [`${push(4)}56605b00`, "Operation with pc isn't 'JUMPDEST': PC[4];"],
];

t.test('reports why a program stops', async (t) => {
  for (const [code, text] of rows) t.equal(runCode(t, code).exception, text);
});

t.test('updates program counter and stack for jumps, copies and swaps', async (t) => {
  t.same(runCode(t, `${push(4)}56fe5b${returning(push(7))}`).words, [7n], 'a jump over an invalid opcode');
  t.same(
    runCode(t, `${push(0)}${push(0)}57${returning(push(7))}`).words,
    [7n],
    'a conditional jump with a condition of zero',
  );
  t.same(runCode(t, returning(`${push(1)}${push(2)}${push(3)}82`, 4)).words, [1n, 3n, 2n, 1n], 'DUP3');
  t.same(runCode(t, returning(`${push(1)}${push(2)}${push(3)}91`, 3)).words, [1n, 2n, 3n], 'SWAP2');
});

t.test('stops at the end of the code and pads a final push with zeros', async (t) => {
  t.same([runCode(t, push(5)).exception, runCode(t, '61').exception], [undefined, undefined]);
});

t.test('runs a loop of a thousand iterations', async (t) => {
  // A loop that counts down from 1,000 and adds up the counter.
  const loop = `${push(0)}${push(1000)}5b80910190${push(1)}900380${push(5)}57`;
  const { words } = runCode(t, returning(`${loop}50`));
  t.same(words, [500_500n]);
});
