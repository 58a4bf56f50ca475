import t from 'tap';
import {
  badJump,
  beyondReturnData,
  failure,
  heapExhausted,
  invalidOpcode,
  javaFailure,
  longRange,
  outOfEnergy,
  outOfEnergyAhead,
  outOfEnergyWithPenalty,
  outOfTime,
  stackOverflow,
  stackTooLarge,
  stackTooSmall,
  staticViolation,
  type VmError,
} from '../../../src/state-transition/vm-error.js';

const PROGRAM = 'org.tron.core.vm.program.Program$';

// Error texts in receipts and in answers to constant calls. Reference: Program.Exception.
const rows: readonly (readonly [error: VmError, javaClass: string, text: string | null])[] = [
  [invalidOpcode(0x0c), `${PROGRAM}IllegalOperationException`, 'Invalid operation code: opCode[0c];'],
  [stackTooSmall(2, 1), `${PROGRAM}StackTooSmallException`, 'Expected stack size 2 but actual 1;'],
  [stackTooLarge(), `${PROGRAM}StackTooLargeException`, 'Expected: overflow 1024 elements stack limit'],
  [
    outOfEnergy('SSTORE', { limit: 10, cost: 20, used: 5 }),
    `${PROGRAM}OutOfEnergyException`,
    "Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[10], curOpEnergy[20], usedEnergy[5]",
  ],
  [
    outOfEnergyWithPenalty('SSTORE', { limit: 10, cost: 20, penalty: 3, used: 5 }),
    `${PROGRAM}OutOfEnergyException`,
    "Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[10], curOpEnergy[20], penaltyEnergy[3], usedEnergy[5]",
  ],
  [
    outOfEnergyAhead('CALL', 7n, 6),
    `${PROGRAM}OutOfEnergyException`,
    "Not enough energy for 'CALL' operation executing: opEnergy[7], programEnergy[6]",
  ],
  [badJump(-1), `${PROGRAM}BadJumpDestinationException`, "Operation with pc isn't 'JUMPDEST': PC[-1];"],
  [
    staticViolation(),
    `${PROGRAM}StaticCallModificationException`,
    'Attempt to call a state modifying opcode inside STATICCALL',
  ],
  [
    beyondReturnData(1n, 2n, 0),
    `${PROGRAM}ReturnDataCopyIllegalBoundsException`,
    `Illegal RETURNDATACOPY arguments: offset (${'0'.repeat(63)}1) + size (${'0'.repeat(63)}2) > RETURNDATASIZE (0)`,
  ],
  [longRange(), 'java.lang.ArithmeticException', 'BigInteger out of long range'],
  [javaFailure('NullPointerException', null), 'java.lang.NullPointerException', null],
  [failure(null), `${PROGRAM}BytecodeExecutionException`, null],
];

t.test("ends a program with java-tron's exception class and text", async (t) => {
  for (const [error, javaClass, text] of rows) t.same([error.javaClass, error.text], [javaClass, text], String(text));
});

t.test('ends the outer calls too on a timeout, stack overflow or heap exhaustion', async (t) => {
  for (const error of [outOfTime('ADD'), stackOverflow(), heapExhausted()]) t.ok(error.endsTransaction, error.code);
  for (const [error] of rows) t.notOk(error.endsTransaction, error.code);
});
