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

/** @param initial pages of 64 KiB */
export function createMemory(initial: number, maximum: number): WasmMemory {
  return new WebAssembly.Memory({ initial, maximum });
}

export function compileModule(binary: Uint8Array): object {
  return new WebAssembly.Module(binary);
}

const RELAXED = 'experimental-wasm-relaxed-simd';

/** The same of a module with relaxed vector instructions, which older engines know and do not take unasked. @throws {Error} not known */
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
