import { copyPart, EMPTY_BYTES } from '../../primitives/bytes.js';
import { badOffset, checkEnd, type Memory } from '../machine/memory.js';
import type { Engine } from './wasm/engine.js';
import { ARENA } from './wasm/layout.js';

/** Number of zero bytes after the call data, because CALLDATALOAD may read beyond the end of the call data. */
const MARGIN = 32;

/**
 * Memory of one call, inside the linear memory of the WebAssembly engine. The call data and memory of an inner call
 * start after the memory of its caller, because the memory of the caller does not grow during the inner call. When
 * the call ends, all its bytes are set to zero.
 */
export class LinearMemory implements Memory {
  size = 0;
  dataBase = 0;
  base = 0;
  private readonly engine: Engine;
  private readonly below: LinearMemory | undefined;

  constructor(engine: Engine, below: LinearMemory | undefined) {
    this.engine = engine;
    this.below = below;
  }

  /** Maximum `size` in bytes for which the linear memory need not grow. */
  get capacity(): number {
    return this.engine.bytes.length - this.base - MARGIN;
  }

  private get end(): number {
    return this.base + this.size;
  }

  reset(): void {
    this.size = 0;
    this.dataBase = this.below === undefined ? ARENA : this.below.end;
    this.base = this.dataBase;
  }

  /**
   * Copies the call data to the addresses before the memory of the call. The memory must be empty, because its first
   * address changes to the end of the call data.
   */
  storeCallData(data: Uint8Array): void {
    this.base = this.dataBase + ((data.length + MARGIN + 31) & ~31);
    this.engine.reserve(this.base + MARGIN);
    this.engine.bytes.set(data, this.dataBase);
  }

  /** Sets all used bytes to zero. Called when the call ends. */
  release(): void {
    this.engine.bytes.fill(0, this.dataBase, this.end);
  }

  extend(offset: number, size: number): void {
    if (size <= 0) return;
    const end = offset + size;
    if (end <= this.size) return;
    checkEnd(end, this.dataBase - ARENA);
    this.size = (end + 31) & ~31;
    this.engine.reserve(this.end + MARGIN);
  }

  read(offset: number, size: number): Uint8Array {
    if (size <= 0) return EMPTY_BYTES;
    this.extend(offset, size);
    return copyPart(this.engine.bytes, this.base + offset, this.base + offset + size);
  }

  view(offset: number, size: number): Uint8Array {
    if (size <= 0) return EMPTY_BYTES;
    this.extend(offset, size);
    return this.engine.bytes.subarray(this.base + offset, this.base + offset + size);
  }

  write(offset: number, data: Uint8Array): void {
    if (data.length === 0) return;
    this.extend(offset, data.length);
    if (offset < 0) throw badOffset(offset, data.length, this.size);
    this.engine.bytes.set(data, this.base + offset);
  }

  writeLimited(offset: number, data: Uint8Array, size: number): void {
    const count = Math.min(size, data.length, this.size - offset);
    if (count > 0) this.engine.bytes.set(data.subarray(0, count), this.base + offset);
  }
}
