import { setFlagsFromString } from 'node:v8';

/** The part of the global object that is used here: the compiler's libraries describe it for browsers only. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface WasmInstance<Functions> {
  readonly exports: Functions;
}

declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new <Functions>(module: object, imports: object) => WasmInstance<Functions>;
};

/** Bytes of a page of memory, and so many pages a memory may have. */
export const PAGE_BYTES = 65_536;
export const PAGES_MAX = 65_536;
/** Bytes of a vector (v128). */
export const VECTOR_BYTES = 16;

/** @param initial pages */
export function createMemory(initial: number, maximum: number): WasmMemory {
  return new WebAssembly.Memory({ initial, maximum });
}

export function compileModule(binary: Uint8Array): object {
  return new WebAssembly.Module(binary);
}

const RELAXED = 'experimental-wasm-relaxed-simd';

/**
 * The same of a module with relaxed vector instructions, which older engines know and do not take unasked.
 * @throws {Error} not known
 */
export function compileRelaxed(binary: Uint8Array): object {
  try {
    return compileModule(binary);
  } catch {
    setFlagsFromString(`--${RELAXED}`);
    try {
      return compileModule(binary);
    } finally {
      setFlagsFromString(`--no-${RELAXED}`);
    }
  }
}

/** @typeParam Functions what the module exports, by how it was written: nobody checks that */
export function instantiate<Functions>(module: object, imports: object): WasmInstance<Functions> {
  return new WebAssembly.Instance<Functions>(module, imports);
}
