import { assemble } from './assembler.js';
import { keccakFunction, keccakTable } from './keccak.js';
import { compileModule, createMemory, instantiate, PAGE_BYTES, PAGES_MAX } from './web-assembly.js';

const STATE = 256;
const OUTPUT = 512;
const INPUT = 1024;

const memory = createMemory(1, PAGES_MAX);
interface Functions {
  keccak(input: number, length: number, output: number): void;
}

const binary = assemble([], [keccakFunction(STATE, 0)]);
const { keccak } = instantiate<Functions>(compileModule(binary), { env: { memory } }).exports;
let bytes = new Uint8Array(memory.buffer);
new BigUint64Array(memory.buffer).set(keccakTable());

/** Returns the Keccak-256 hash of the concatenated parts. */
export function hashKeccak(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  if (INPUT + length > bytes.length) {
    memory.grow(Math.ceil((INPUT + length - bytes.length) / PAGE_BYTES));
    bytes = new Uint8Array(memory.buffer);
  }
  let at = INPUT;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  keccak(INPUT, length, OUTPUT);
  return bytes.slice(OUTPUT, OUTPUT + 32);
}
