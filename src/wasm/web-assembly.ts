/** The part of the global object that is used here: the compiler's libraries describe it for browsers only. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => WasmInstance;
};

/** @param initial pages of 64 KiB */
export function createMemory(initial: number, maximum: number): WasmMemory {
  return new WebAssembly.Memory({ initial, maximum });
}

export function compileModule(binary: Uint8Array): object {
  return new WebAssembly.Module(binary);
}

export function instantiate(module: object, imports: object): WasmInstance {
  return new WebAssembly.Instance(module, imports);
}
