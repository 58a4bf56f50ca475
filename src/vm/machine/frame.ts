import { type Address, addressBytes } from '../../primitives/address.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import type { VmError } from '../../state-transition/vm-error.js';
import type { Memory } from './memory.js';

/** What a call is made with. */
export interface FrameInput {
  readonly code: Uint8Array;
  /** Whose code it is; differs from `context` in a delegate call. */
  readonly codeAddress: Address;
  /** Whose balance and storage it works on. */
  readonly context: Address;
  /** `context`, 21 bytes, where they are at hand. */
  readonly contextBytes?: Uint8Array;
  /** As on the stack: 21 bytes, prefix included. */
  readonly caller: bigint;
  readonly callValue: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
  readonly data: Uint8Array;
  readonly depth: number;
  readonly isStatic: boolean;
  readonly energyLimit: number;
  readonly contractVersion: number;
  /**
   * Hash of the internal transaction that this call is, parent of those that it makes; undefined: it is the transaction
   * itself.
   */
  readonly hash: Uint8Array | undefined;
}

/**
 * One running program. Energy is a number: limits stay far below 2^53 (fee limits and stakes bound them).
 * Reference: Program.
 */
export class CallFrame {
  readonly code: Uint8Array;
  readonly codeAddress: Address;
  readonly context: Address;
  readonly caller: bigint;
  readonly callValue: bigint;
  readonly tokenValue: bigint;
  readonly tokenId: bigint;
  readonly data: Uint8Array;
  readonly depth: number;
  readonly isStatic: boolean;
  readonly energyLimit: number;
  readonly contractVersion: number;
  readonly hash: Uint8Array | undefined;
  readonly memory: Memory;
  energyUsed = 0;
  /** Energy paid on top because contracts were hot, of calls inside included. */
  penalty = 0;
  /** Energy that counts for how hot this contract is: without penalties and without what was given to calls. */
  usage = 0;
  /** Price of energy in this contract, in 1/10000. */
  factor = 10_000;
  returnData: Uint8Array = EMPTY_BYTES;
  /** What the last call made from here returned: RETURNDATASIZE. */
  returnBuffer: Uint8Array = EMPTY_BYTES;
  exception: VmError | undefined = undefined;
  isRevert = false;
  /** Operation that the run ended with. */
  lastOpcode = 0;
  /** Number under which its storage is found; -1 until it is first touched. */
  storageOwner = -1;
  private bytes: Uint8Array | undefined;

  constructor(input: FrameInput, memory: Memory) {
    this.code = input.code;
    this.codeAddress = input.codeAddress;
    this.context = input.context;
    this.bytes = input.contextBytes;
    this.caller = input.caller;
    this.callValue = input.callValue;
    this.tokenValue = input.tokenValue;
    this.tokenId = input.tokenId;
    this.data = input.data;
    this.depth = input.depth;
    this.isStatic = input.isStatic;
    this.energyLimit = input.energyLimit;
    this.contractVersion = input.contractVersion;
    this.hash = input.hash;
    this.memory = memory;
  }

  get contextWord(): bigint {
    return BigInt(`0x${this.context}`);
  }

  /** `context`, 21 bytes: for reading only. */
  get contextBytes(): Uint8Array {
    this.bytes ??= addressBytes(this.context);
    return this.bytes;
  }

  get energyLeft(): number {
    return this.energyLimit - this.energyUsed;
  }

  get isFailed(): boolean {
    return this.exception !== undefined || this.isRevert;
  }
}
