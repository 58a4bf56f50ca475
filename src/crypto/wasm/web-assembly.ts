/**
 * Memory of a WebAssembly module. This file declares the parts of the global object `WebAssembly` that Tronicle uses,
 * because the TypeScript libraries declare this object for browsers only.
 */
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

/** Size of a memory page in bytes. */
export const PAGE_BYTES = 65_536;
/** Maximum number of memory pages of WebAssembly. */
export const PAGES_MAX = 65_536;
/** Size of a vector (v128), in bytes. */
export const VECTOR_BYTES = 16;

/** Creates a memory. @param initial number of pages @param maximum number of pages */
export function createMemory(initial: number, maximum: number): WasmMemory {
  return new WebAssembly.Memory({ initial, maximum });
}

export function compileModule(binary: Uint8Array): object {
  return new WebAssembly.Module(binary);
}

/** Creates an instance of a module. @typeParam Functions exports of the module; their types are not checked */
export function instantiate<Functions>(module: object, imports: object): WasmInstance<Functions> {
  return new WebAssembly.Instance<Functions>(module, imports);
}
