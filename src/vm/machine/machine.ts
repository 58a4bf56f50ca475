import type { Address } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import type { Deadline } from '../../primitives/deadline.js';
import { ArithmeticError } from '../../primitives/int64.js';
import { VmAccounts } from '../../state-transition/balances/accounts.js';
import { ChainError } from '../../state-transition/errors.js';
import { addContractUsage, energyFactor } from '../../state-transition/resources/dynamic-energy.js';
import type { Mark } from '../../state-transition/state/journal.js';
import type { State } from '../../state-transition/state/state.js';
import { javaFailure, stackOverflow, VmError } from '../../state-transition/vm-error.js';
import { AddressMarks } from './address-marks.js';
import { CallFrame, type FrameInput } from './frame.js';
import type { VmHooks } from './hooks.js';
import { type InternalCall, internalCall } from './internal-transaction.js';
import type { Memory } from './memory.js';
import type { RuleSet } from './rule-set.js';
import { StorageCache } from './storage-cache.js';
import { TimeLimit } from './time-limit.js';
import { TransientStorage } from './transient-storage.js';

/** Maximum depth of nested calls. */
export const CALL_DEPTH_MAX = 64;

/** An event log. Its address has 20 bytes, without the prefix of the network. */
interface VmLog {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** Properties of the block that programs can read. */
export interface BlockEnvironment {
  readonly number: number;
  readonly timestamp: number;
  /** Address of the block producer, 21 bytes; empty outside of a block. */
  readonly coinbase: Uint8Array;
  /** Returns the id of an earlier block of this chain; undefined if there is no such block. */
  readonly blockId: (number: number) => Uint8Array | undefined;
}

interface MachineOptions {
  readonly state: State;
  readonly rules: RuleSet;
  readonly block: BlockEnvironment;
  /** Address of the sender as programs see it: 21 bytes. */
  readonly origin: bigint;
  /**
   * Object with the id of the transaction. Its getter computes the id on first use, because only creations and internal
   * transactions need the id.
   */
  readonly transaction: { readonly id: Uint8Array };
  /** True for a constant call of an API. The caller discards all effects. */
  readonly isConstant: boolean;
  readonly interpreter: Interpreter;
  readonly hooks?: VmHooks | undefined;
  /** Deadline of a run outside of a signed block, such as a constant call. If undefined, the run has no time limit. */
  readonly deadline?: Deadline | undefined;
  /** Maximum depth of nested programs. A deeper call fails with a stack overflow. Default: unlimited. */
  readonly nestingMax?: number;
}

/** Executes bytecode. There are two implementations: the plain interpreter and the WebAssembly interpreter. */
export interface Interpreter {
  /** Returns empty memory for a call. Only one memory per depth is in use at a time. */
  memory(depth: number): Memory;
  /** Runs the frame's code until it stops. @throws {VmError} the program fails */
  run(machine: Machine, frame: CallFrame): void;
}

/** Snapshot of the machine before a call. If the call fails, its effects are reverted to this snapshot. */
export interface CallMark {
  readonly state: Mark;
  readonly storage: number;
  readonly accounts: number;
  readonly logs: number;
  readonly deleted: number;
  readonly destroyed: number;
  readonly created: number;
  readonly transient: number;
  readonly internal: number;
}

/** State shared by all programs of one transaction. */
export class Machine {
  readonly state: State;
  readonly rules: RuleSet;
  readonly block: BlockEnvironment;
  readonly origin: bigint;
  readonly isConstant: boolean;
  readonly hooks: VmHooks | undefined;
  /** Time limit of the transaction; undefined if there is no limit. */
  readonly time: TimeLimit | undefined;
  private readonly nestingMax: number;
  readonly accounts: VmAccounts;
  readonly storage: StorageCache;
  readonly logs: VmLog[] = [];
  /** Contracts to delete after the transaction, in the order of their self-destructions. May contain duplicates. */
  readonly deleted: Address[] = [];
  /**
   * Contracts that executed SELFDESTRUCT. Since proposal 94, only some of them are also deleted.
   * Reference: RepositoryImpl.isSelfDestructed.
   */
  readonly destroyed = new AddressMarks();
  readonly transient = new TransientStorage();
  /** Contracts created by this transaction. Reference: RepositoryImpl.isNewContract. */
  readonly created = new AddressMarks();
  readonly internal: InternalCall[] = [];
  /**
   * Number of calls, creations, self-destructions and stake operations so far. Addresses of new contracts and hashes of
   * internal transactions depend on this number.
   */
  nonce = 0n;
  private readonly interpreter: Interpreter;
  private readonly transaction: MachineOptions['transaction'];

  constructor(options: MachineOptions) {
    this.state = options.state;
    this.rules = options.rules;
    this.block = options.block;
    this.origin = options.origin;
    this.transaction = options.transaction;
    this.isConstant = options.isConstant;
    this.interpreter = options.interpreter;
    this.hooks = options.hooks;
    this.time = options.deadline === undefined ? undefined : new TimeLimit(options.deadline);
    this.nestingMax = options.nestingMax ?? Number.POSITIVE_INFINITY;
    this.accounts = new VmAccounts(options.state);
    this.storage = new StorageCache(options.state, this.accounts, !options.rules.energyLimitFork);
  }

  get transactionId(): Uint8Array {
    return this.transaction.id;
  }

  frame(input: FrameInput): CallFrame {
    return new CallFrame(input, this.interpreter.memory(input.depth));
  }

  /**
   * Runs a program. A failure is stored in the frame. Reference: VM.play.
   * @throws {VmError} the failure also ends the outer calls, such as OUT_OF_TIME and JVM_STACK_OVER_FLOW
   */
  play(frame: CallFrame, kind: string): void {
    this.hooks?.enter?.(frame, kind);
    try {
      if (frame.depth > this.nestingMax) throw stackOverflow();
      if (this.rules.dynamicEnergy) frame.factor = energyFactor(this.state, frame.context);
      this.interpreter.run(this, frame);
      if (this.rules.dynamicEnergy) addContractUsage(this.state, frame.context, frame.usage);
    } catch (error) {
      const cause = vmErrorOf(error);
      if (cause.code !== 'TRANSFER_FAILED') frame.energyUsed = frame.energyLimit;
      if (cause.endsTransaction) throw cause;
      frame.exception =
        cause.text === null || cause.text === '' ? javaFailure('RuntimeException', 'Unknown Exception') : cause;
    } finally {
      this.hooks?.leave?.(frame);
    }
  }

  /**
   * Runs a program that another program called or created. If an error also ends the outer calls, discards the event
   * logs and internal transactions of this call, because in java-tron a caller adopts them only after the call
   * returns.
   */
  playInside(
    callee: CallFrame,
    kind: string,
    { mark, internalStart }: { mark: CallMark; internalStart: number },
  ): void {
    try {
      this.play(callee, kind);
    } catch (error) {
      this.internal.length = Math.min(this.internal.length, internalStart);
      this.logs.length = mark.logs;
      throw error;
    }
  }

  mark(): CallMark {
    return {
      state: this.state.mark(),
      storage: this.storage.mark(),
      accounts: this.accounts.mark(),
      logs: this.logs.length,
      deleted: this.deleted.length,
      destroyed: this.destroyed.mark(),
      created: this.created.mark(),
      transient: this.transient.mark(),
      internal: this.internal.length,
    };
  }

  /**
   * Reverts the effects of a failed call at `depth` to the snapshot `mark`. Keeps the internal transactions of the
   * call.
   */
  revertTo(mark: CallMark, depth: number): void {
    this.state.revertTo(mark.state);
    this.storage.revertTo(mark.storage, depth);
    this.accounts.revertTo(mark.accounts);
    this.logs.length = mark.logs;
    this.deleted.length = mark.deleted;
    this.destroyed.revertTo(mark.destroyed);
    this.created.revertTo(mark.created);
    this.transient.revertTo(mark.transient);
  }

  keep(mark: CallMark, depth: number): void {
    this.storage.keep(depth);
    this.accounts.keep(mark.accounts, depth);
  }

  /** Records an internal transaction. Reference: Program.addInternalTx. */
  note(
    frame: CallFrame,
    fields: {
      receiver: Address | undefined;
      value: bigint;
      note: string;
      data?: Uint8Array;
      tokens?: readonly (readonly [string, bigint])[];
    },
  ): InternalCall {
    const call = internalCall({
      parentHash: frame.hash ?? this.transactionId,
      sender: frame.context,
      receiver: fields.receiver,
      value: fields.value,
      data: fields.data ?? EMPTY_BYTES,
      note: fields.note,
      nonce: this.nonce,
      tokens: fields.tokens ?? [],
      depth: frame.depth,
    });
    this.internal.push(call);
    return call;
  }

  /** Marks the internal transactions from index `start` on as rejected, because the call that made them failed. */
  reject(start: number): void {
    for (let i = start; i < this.internal.length; i++) itemAt(this.internal, i).isRejected = true;
  }

  /** Returns the address in a word: the network's prefix and the last 20 bytes. Reference: DataWord.toTronAddress. */
  addressOf(word: bigint): Address {
    const digits = (word & ADDRESS_MASK).toString(16).padStart(40, '0');
    return (this.state.rules.addressPrefix.toString(16) + digits) as Address;
  }

  codeOf(address: Address): Uint8Array {
    return this.state.code.get(address) ?? EMPTY_BYTES;
  }

  storageOwner(frame: CallFrame): number {
    if (frame.storageOwner < 0) frame.storageOwner = this.storage.owner(frame.context, frame.depth);
    return frame.storageOwner;
  }
}

export const ADDRESS_MASK = (1n << 160n) - 1n;

/** Converts an error of the rules to a program failure. @throws any error that is not a failure of the program */
function vmErrorOf(error: unknown): VmError {
  if (error instanceof VmError) return error;
  if (error instanceof ArithmeticError) return javaFailure('ArithmeticException', error.message);
  if (error instanceof ChainError) return javaFailure(error.exception, error.text);
  throw error;
}
