import { TronError } from '../primitives/errors.js';

/**
 * Causes of a program failure. Each exception class of java-tron that has its own result code is one cause. UNKNOWN
 * represents all other exceptions.
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

/** Failure of a program. `text` is the text in the receipt; null if java-tron's exception has none. */
export class VmError extends TronError<VmFailure> {
  readonly text: string | null;
  /** Class of java-tron's exception. Answers to constant calls contain it. */
  readonly javaClass: string;
  /** True if the failure also ends all outer calls of the transaction. */
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

/**
 * Thrown if this node cannot determine a result. The node must then stop, because a guessed result could fork the
 * chain.
 */
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

/** Maximum number of words on a program's stack. */
export const STACK_MAX = 1024;

export function stackTooLarge(): VmError {
  return new VmError('STACK_TOO_LARGE', `Expected: overflow ${STACK_MAX} elements stack limit`);
}

/** Amounts in the text of an out-of-energy error, in energy units. `cost` is the price of the operation. */
interface MissingEnergy {
  /** Energy limit of the call, in energy units. */
  readonly limit: number;
  readonly cost: number;
  /** Energy that the call had used before the operation. */
  readonly used: number;
}

export function outOfEnergy(name: string, { limit, cost, used }: MissingEnergy): VmError {
  return new VmError(
    'OUT_OF_ENERGY',
    `Not enough energy for '${name}' operation executing: curInvokeEnergyLimit[${limit}], curOpEnergy[${cost}], usedEnergy[${used}]`,
  );
}

/**
 * Returns the out-of-energy error for a contract with a dynamic energy penalty. `cost` does not include the penalty.
 */
export function outOfEnergyWithPenalty(
  name: string,
  { limit, cost, penalty, used }: MissingEnergy & { readonly penalty: number },
): VmError {
  return new VmError(
    'OUT_OF_ENERGY',
    `Not enough energy for '${name}' operation executing: curInvokeEnergyLimit[${limit}], curOpEnergy[${cost}], penaltyEnergy[${penalty}], usedEnergy[${used}]`,
  );
}

/**
 * Returns the out-of-energy error of calls and logs. Its text differs from `outOfEnergy`, because these operations
 * check the energy before they charge it.
 */
export function outOfEnergyAhead(name: string, cost: number | bigint, left: number): VmError {
  return new VmError(
    'OUT_OF_ENERGY',
    `Not enough energy for '${name}' operation executing: opEnergy[${cost}], programEnergy[${left}]`,
  );
}

export function memoryOverflow(name: string): VmError {
  return new VmError('OUT_OF_MEMORY', `Out of Memory when '${name}' operation executing`);
}

/**
 * Returns the error for a jump to an invalid target.
 * @param target the target as java-tron prints it: an int32, or -1 for a word of more than four bytes
 */
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
 * Returns a timeout error for a violated rule. In newer block versions, java-tron reports some rule violations of a
 * program as timeouts.
 * @param what the rule, in java-tron's words
 */
export function refusedAsTimeout(what: string): VmError {
  return new VmError('OUT_OF_TIME', `CPU timeout for ${what}`);
}

/**
 * Returns the error for a transaction that timed out while this node built the block. When this node then applies the
 * block, it does not run the program again.
 */
export function alreadyOutOfTime(): VmError {
  return new VmError('OUT_OF_TIME', 'Already Time Out');
}

/** Returns the error for an overflow of java-tron's Java stack. Reference: JVMStackOverFlowException. */
export function stackOverflow(): VmError {
  return new VmError('JVM_STACK_OVER_FLOW', 'StackOverflowError:  exceed default JVM stack size!');
}

/** Returns the error for an invalid transfer in a call. The program fails, but keeps its unused energy. */
export function transferFailed(text: string): VmError {
  return new VmError('TRANSFER_FAILED', text);
}

/** Returns an error without its own result code. Receipts show it as UNKNOWN. */
export function failure(text: string | null): VmError {
  return new VmError('UNKNOWN', text);
}

/** Returns an exception of the Java runtime. @param name class name in `java.lang` */
export function javaFailure(name: string, text: string | null): VmError {
  return new VmError('UNKNOWN', text, `java.lang.${name}`);
}

/** Returns Java's error for an array that does not fit into the heap. This error also ends all outer calls. */
export function heapExhausted(): VmError {
  return new VmError('UNKNOWN', 'Unknown Throwable', 'java.lang.RuntimeException', true);
}

/** Returns Java's error for a number that does not fit a long. Reference: BigInteger.longValueExact. */
export function longRange(): VmError {
  return javaFailure('ArithmeticException', 'BigInteger out of long range');
}

/** Returns the error for a RETURNDATACOPY beyond the return data. Reference: ReturnDataCopyIllegalBoundsException. */
export function beyondReturnData(offset: bigint, size: bigint, length: number): VmError {
  const hex = (word: bigint) => word.toString(16).padStart(64, '0');
  const text = `Illegal RETURNDATACOPY arguments: offset (${hex(offset)}) + size (${hex(size)}) > RETURNDATASIZE (${length})`;
  return new VmError('UNKNOWN', text, `${PROGRAM}ReturnDataCopyIllegalBoundsException`);
}
