import type { Address } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import type { Deadline } from '../../primitives/deadline.js';
import { ArithmeticError } from '../../primitives/int64.js';
import { VmAccounts } from '../../state-transition/balances/accounts.js';
import { ChainError } from '../../state-transition/errors.js';
import { addHeat, energyFactor } from '../../state-transition/resources/dynamic-energy.js';
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

/** Depth at which a program may not call any more. */
export const CALL_DEPTH_MAX = 64;

/** A log record; its address is 20 bytes. */
interface VmLog {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** What programs see of the block that they run in. */
export interface BlockEnvironment {
  readonly number: number;
  readonly timestamp: number;
  /** Address of the producer, 21 bytes; empty outside of a block. */
  readonly coinbase: Uint8Array;
  /** Id of an earlier block of this chain; undefined when there is none. */
  readonly blockId: (number: number) => Uint8Array | undefined;
}

interface MachineOptions {
  readonly state: State;
  readonly rules: RuleSet;
  readonly block: BlockEnvironment;
  /** As on the stack: 21 bytes. */
  readonly origin: bigint;
  /** Its id is asked for by creations and calls that become internal transactions, and worked out then. */
  readonly transaction: { readonly id: Uint8Array };
  /** Asked by an API: nothing is kept. */
  readonly isConstant: boolean;
  readonly interpreter: Interpreter;
  readonly hooks?: VmHooks | undefined;
  /** When a run that nobody signed for ends; undefined: never. */
  readonly deadline?: Deadline | undefined;
  /** Depth of the deepest program that may run; below it the stack is taken for full. Default: any. */
  readonly nestingMax?: number;
}

/** Runs code. */
export interface Interpreter {
  /** Empty memory for a call at a depth; there is one at each depth at a time. */
  memory(depth: number): Memory;
  /** Runs the frame's code until it stops. @throws {VmError} */
  run(machine: Machine, frame: CallFrame): void;
}

/** Point to which a failed call goes back. */
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

/** Everything that the programs of one transaction share. */
export class Machine {
  readonly state: State;
  readonly rules: RuleSet;
  readonly block: BlockEnvironment;
  readonly origin: bigint;
  readonly isConstant: boolean;
  readonly hooks: VmHooks | undefined;
  /** Undefined: any time. */
  readonly time: TimeLimit | undefined;
  private readonly nestingMax: number;
  readonly accounts: VmAccounts;
  readonly storage: StorageCache;
  readonly logs: VmLog[] = [];
  /** Contracts to be deleted, in order, repeated ones included. */
  readonly deleted: Address[] = [];
  /**
   * Contracts that destroyed themselves, those that stay since proposal 94 too.
   * Reference: RepositoryImpl.isSelfDestructed.
   */
  readonly destroyed = new AddressMarks();
  readonly transient = new TransientStorage();
  /** Contracts that the transaction made. Reference: RepositoryImpl.isNewContract. */
  readonly created = new AddressMarks();
  readonly internal: InternalCall[] = [];
  /** Counts calls, creations and stake operations: part of addresses and hashes. */
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
   * Runs a program; how it failed is in the frame. Reference: VM.play.
   * @throws {VmError} OUT_OF_TIME, JVM_STACK_OVER_FLOW and others that end the calls around it as well
   */
  play(frame: CallFrame, kind: string): void {
    this.hooks?.enter?.(frame, kind);
    try {
      if (frame.depth > this.nestingMax) throw stackOverflow();
      if (this.rules.dynamicEnergy) frame.factor = energyFactor(this.state, frame.context);
      this.interpreter.run(this, frame);
      if (this.rules.dynamicEnergy) addHeat(this.state, frame.context, frame.usage);
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
   * Runs a program that another one called or creates. When the time is over, the calls around end too, and what this
   * one had logged and noted is lost, as nobody merges it.
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

  /** A call at `depth` failed: nothing of it stays but its entries among the internal transactions. */
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

  /** Notes an internal transaction of a program. Reference: Program.addInternalTx. */
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

  /** Marks the internal transactions from `start` on as undone. */
  reject(start: number): void {
    for (let i = start; i < this.internal.length; i++) itemAt(this.internal, i).isRejected = true;
  }

  /** Address of a word: its last 20 bytes behind the network's prefix. Reference: DataWord.toTronAddress. */
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

/** What a failure inside the rules looks like to a program. @throws anything that is no failure of the program */
function vmErrorOf(error: unknown): VmError {
  if (error instanceof VmError) return error;
  if (error instanceof ArithmeticError) return javaFailure('ArithmeticException', error.message);
  if (error instanceof ChainError) return javaFailure(error.exception, error.text);
  throw error;
}
