import { type Address, addressBytes } from '../../primitives/address.js';
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import type { VmError } from '../../state-transition/vm-error.js';
import type { Memory } from './memory.js';

/** Values with which a program starts: those of a call or of the creation of a contract. */
export interface FrameInput {
  readonly code: Uint8Array;
  /**
   * Address of the contract to which the code belongs. It differs from `context` if the caller runs this code in its
   * own context (delegate call or call code).
   */
  readonly codeAddress: Address;
  /** Address whose balance and storage the program uses. */
  readonly context: Address;
  /** `context` as 21 bytes, if the caller already has these bytes. */
  readonly contextBytes?: Uint8Array;
  /** Address of the caller as a number: 21 bytes, including the address prefix of the network. */
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
   * Hash of the internal transaction that represents this call. It is the parent hash of the inner calls. Undefined for
   * the outermost call, which is the transaction itself.
   */
  readonly hash: Uint8Array | undefined;
}

/**
 * One running program. Energy is a number, because fee limits and stakes keep it far below 2^53.
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
  /** Dynamic energy penalty of this call and its inner calls. */
  penalty = 0;
  /** Energy by which the contract's dynamic energy usage grows. It excludes penalties and the energy of inner calls. */
  usage = 0;
  /** Energy factor of the contract in units of 1/10000; 10000 is the normal price. */
  factor = 10_000;
  returnData: Uint8Array = EMPTY_BYTES;
  /** Return data of the last inner call, for RETURNDATASIZE. */
  returnBuffer: Uint8Array = EMPTY_BYTES;
  exception: VmError | undefined = undefined;
  isRevert = false;
  /** Opcode of the last operation. */
  lastOpcode = 0;
  /** Number of the contract in the storage cache; -1 before the first access to its storage. */
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

  /** `context` as 21 bytes. Must not be modified. */
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
