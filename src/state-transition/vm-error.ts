import { TronError } from '../primitives/errors.js';

/**
 * What made a program fail: the reference's exception classes that lead to a result code of their own, and the rest.
 */
export type VmFailure =
  | 'ILLEGAL_OPERATION'
  | 'OUT_OF_ENERGY'
  | 'BAD_JUMP_DESTINATION'
  | 'OUT_OF_TIME'
  | 'OUT_OF_MEMORY'
  | 'PRECOMPILED_CONTRACT'
  | 'STACK_TOO_SMALL'
  | 'STACK_TOO_LARGE'
  | 'JVM_STACK_OVER_FLOW'
  | 'TRANSFER_FAILED'
  | 'INVALID_CODE'
  | 'UNKNOWN';

/** A program ends with an exception. `text` is what a receipt shows; null where the reference's exception has none. */
export class VmError extends TronError<VmFailure> {
  readonly text: string | null;
  /** Class of the reference's exception: the answer to a constant call names it. */
  readonly javaClass: string;
  /** It ends the calls around it as well. */
  readonly endsTransaction: boolean;

  constructor(failure: VmFailure, text: string | null, javaClass = javaClasses[failure], isFatal = false) {
    super(failure, text ?? '');
    this.text = text;
    this.javaClass = javaClass;
    this.endsTransaction = isFatal || failure === 'OUT_OF_TIME' || failure === 'JVM_STACK_OVER_FLOW';
  }
}

const PROGRAM = 'org.tron.core.vm.program.Program$';
const javaClasses: Readonly<Record<VmFailure, string>> = {
  ILLEGAL_OPERATION: `${PROGRAM}IllegalOperationException`,
  OUT_OF_ENERGY: `${PROGRAM}OutOfEnergyException`,
  BAD_JUMP_DESTINATION: `${PROGRAM}BadJumpDestinationException`,
  OUT_OF_TIME: `${PROGRAM}OutOfTimeException`,
  OUT_OF_MEMORY: `${PROGRAM}OutOfMemoryException`,
  PRECOMPILED_CONTRACT: `${PROGRAM}PrecompiledContractException`,
  STACK_TOO_SMALL: `${PROGRAM}StackTooSmallException`,
  STACK_TOO_LARGE: `${PROGRAM}StackTooLargeException`,
  JVM_STACK_OVER_FLOW: `${PROGRAM}JVMStackOverFlowException`,
  TRANSFER_FAILED: `${PROGRAM}TransferException`,
  INVALID_CODE: `${PROGRAM}InvalidCodeException`,
  UNKNOWN: `${PROGRAM}BytecodeExecutionException`,
};

/** Something that this node cannot decide: it must stop rather than answer. */
export class UndecidableError extends TronError<'UNDECIDABLE'> {
  constructor(message: string) {
    super('UNDECIDABLE', message);
  }
}

export function invalidOpcode(opcode: number): VmError {
  return new VmError('ILLEGAL_OPERATION', `Invalid operation code: opCode[${opcode.toString(16).padStart(2, '0')}];`);
}

export function stackTooSmall(expected: number, actual: number): VmError {
  return new VmError('STACK_TOO_SMALL', `Expected stack size ${expected} but actual ${actual};`);
}

/** Words that a program's stack may hold. */
export const STACK_MAX = 1024;

export function stackTooLarge(): VmError {
  return new VmError('STACK_TOO_LARGE', `Expected: overflow ${STACK_MAX} elements stack limit`);
}

/** Energy of an operation that cannot be paid. */
interface MissingEnergy {
  /** Of the call. */
  readonly limit: number;
  readonly cost: number;
  /** Spent before the operation. */
  readonly used: number;
}

export function outOfEnergy(name: string, { limit, cost, used }: MissingEnergy): VmError {
  return new VmError(
    'OUT_OF_ENERGY',
    `Not enough energy for '${name}' operation executing: curInvokeEnergyLimit[${limit}], curOpEnergy[${cost}], usedEnergy[${used}]`,
  );
}

/** As `outOfEnergy`, while a hot contract pays a penalty; `cost` is without it. */
export function outOfEnergyWithPenalty(
  name: string,
  { limit, cost, penalty, used }: MissingEnergy & { readonly penalty: number },
): VmError {
  return new VmError(
    'OUT_OF_ENERGY',
    `Not enough energy for '${name}' operation executing: curInvokeEnergyLimit[${limit}], curOpEnergy[${cost}], penaltyEnergy[${penalty}], usedEnergy[${used}]`,
  );
}

/** The form of the text where the energy is looked at before it is spent (calls and logs). */
export function outOfEnergyAhead(name: string, cost: number | bigint, left: number): VmError {
  return new VmError(
    'OUT_OF_ENERGY',
    `Not enough energy for '${name}' operation executing: opEnergy[${cost}], programEnergy[${left}]`,
  );
}

export function memoryOverflow(name: string): VmError {
  return new VmError('OUT_OF_MEMORY', `Out of Memory when '${name}' operation executing`);
}

/** @param target as the reference prints it: an int32, -1 for what has more than four bytes */
export function badJump(target: number): VmError {
  return new VmError('BAD_JUMP_DESTINATION', `Operation with pc isn't 'JUMPDEST': PC[${target}];`);
}

export function staticViolation(): VmError {
  const text = 'Attempt to call a state modifying opcode inside STATICCALL';
  return new VmError('UNKNOWN', text, `${PROGRAM}StaticCallModificationException`);
}

export function outOfTime(name: string): VmError {
  return new VmError('OUT_OF_TIME', `CPU timeout for '${name}' operation executing`);
}

/**
 * The reference calls a timeout what it refuses in the middle of a program, since a block version.
 * @param what as its text has it
 */
export function refusedAsTimeout(what: string): VmError {
  return new VmError('OUT_OF_TIME', `CPU timeout for ${what}`);
}

/** What a producer says about a timeout when it applies its own block: it did not run the program again. */
export function alreadyOutOfTime(): VmError {
  return new VmError('OUT_OF_TIME', 'Already Time Out');
}

/** The reference's Java stack is full. Reference: JVMStackOverFlowException. */
export function stackOverflow(): VmError {
  return new VmError('JVM_STACK_OVER_FLOW', 'StackOverflowError:  exceed default JVM stack size!');
}

/** A transfer inside a call that the rules refuse: the program fails, but keeps the energy it has not used. */
export function transferFailed(text: string): VmError {
  return new VmError('TRANSFER_FAILED', text);
}

/** The machine's own exception for all that has no class. */
export function failure(text: string | null): VmError {
  return new VmError('UNKNOWN', text);
}

/** An exception of the Java runtime. @param name of its class in `java.lang` */
export function javaFailure(name: string, text: string | null): VmError {
  return new VmError('UNKNOWN', text, `java.lang.${name}`);
}

/** An array longer than any heap: an error of Java, which no call around it survives. */
export function heapExhausted(): VmError {
  return new VmError('UNKNOWN', 'Unknown Throwable', 'java.lang.RuntimeException', true);
}

/** What Java says about a number that does not fit a long. Reference: BigInteger.longValueExact. */
export function longRange(): VmError {
  return javaFailure('ArithmeticException', 'BigInteger out of long range');
}

/** Reference: ReturnDataCopyIllegalBoundsException. */
export function beyondReturnData(offset: bigint, size: bigint, length: number): VmError {
  const hex = (word: bigint) => word.toString(16).padStart(64, '0');
  const text = `Illegal RETURNDATACOPY arguments: offset (${hex(offset)}) + size (${hex(size)}) > RETURNDATASIZE (${length})`;
  return new VmError('UNKNOWN', text, `${PROGRAM}ReturnDataCopyIllegalBoundsException`);
}
