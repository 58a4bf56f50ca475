import { assemble, I32 } from '../../../crypto/wasm/assembler.js';
import { keccakFunction, keccakTable } from '../../../crypto/wasm/keccak.js';
import {
  compileModule,
  createMemory,
  instantiate,
  PAGE_BYTES,
  PAGES_MAX,
  type WasmMemory,
} from '../../../crypto/wasm/web-assembly.js';
import { onFirstUse } from '../../../primitives/on-first-use.js';
import { divideFunction, divideSmallFunction, reduceFunction } from './division.js';
import { ARENA, LAYOUT } from './layout.js';
import { runFunction } from './loop.js';
import { multiplyFunction, productFunction, squareFunction } from './products.js';

const FIRST_ARENA_BYTES = 4 * 1024 * 1024;

/**
 * Functions with which the loop accesses contract storage. The storage key is the stack word at address `at`. A write
 * takes its value from the stack word just below the key.
 */
export interface StorageHost {
  /** Operation `SLOAD`: replaces the key at address `at` by the value of its storage slot. */
  loadAt(at: number): void;
  storeCostAt(at: number): number;
  storeAt(at: number): void;
}

/**
 * One instance of the compiled loop, with its memory. There is one instance per thread, because a thread runs only
 * one program at a time.
 */
export class Engine {
  /** View of the memory as 32-bit integers. All views are replaced when the memory grows. */
  ints: Int32Array;
  bytes: Uint8Array;
  doubles: Float64Array;
  longs: BigUint64Array;
  view: DataView;
  /** Storage that the loop uses. The caller sets it before each `run`. */
  host: StorageHost = noHost;
  readonly run: () => void;
  readonly keccak: (input: number, length: number, output: number) => void;
  private readonly memory: WasmMemory;

  constructor() {
    const initial = Math.ceil((ARENA + FIRST_ARENA_BYTES) / PAGE_BYTES);
    this.memory = createMemory(initial, PAGES_MAX);
    const env = {
      memory: this.memory,
      load: (at: number) => this.host.loadAt(at),
      storeCost: (at: number) => this.host.storeCostAt(at),
      store: (at: number) => this.host.storeAt(at),
    };
    const { exports } = instantiate<Pick<Engine, 'run' | 'keccak'>>(compiled(), { env });
    this.run = exports.run;
    this.keccak = exports.keccak;
    const buffer = this.memory.buffer;
    this.ints = new Int32Array(buffer);
    this.bytes = new Uint8Array(buffer);
    this.doubles = new Float64Array(buffer);
    this.longs = new BigUint64Array(buffer);
    this.view = new DataView(buffer);
    this.longs.set(keccakTable(), LAYOUT.keccakTable / 8);
  }

  /** Grows the memory so that addresses below `end` are valid. */
  reserve(end: number): void {
    if (end <= this.bytes.length) return;
    const pages = Math.ceil((end + FIRST_ARENA_BYTES) / PAGE_BYTES);
    this.memory.grow(pages - this.bytes.length / PAGE_BYTES);
    const buffer = this.memory.buffer;
    this.ints = new Int32Array(buffer);
    this.bytes = new Uint8Array(buffer);
    this.doubles = new Float64Array(buffer);
    this.longs = new BigUint64Array(buffer);
    this.view = new DataView(buffer);
  }
}

const noHost: StorageHost = {
  loadAt: () => {},
  storeCostAt: () => 0,
  storeAt: () => {},
};

const compiled = onFirstUse(() => compileModule(binary()));

function binary(): Uint8Array<ArrayBuffer> {
  const imports = [
    { name: 'load', params: [I32], results: [] },
    { name: 'storeCost', params: [I32], results: [I32] },
    { name: 'store', params: [I32], results: [] },
  ];
  const functions = [
    keccakFunction(LAYOUT.keccakState, LAYOUT.keccakTable),
    multiplyFunction(),
    productFunction(),
    divideFunction(LAYOUT.divisor),
    squareFunction(),
    divideSmallFunction(),
    reduceFunction(),
  ];
  const callees = {
    load: 0,
    storeCost: 1,
    store: 2,
    keccak: 3,
    mul: 4,
    product: 5,
    divide: 6,
    square: 7,
    divideSmall: 8,
    reduce: 9,
  };
  return assemble(imports, [...functions, runFunction(callees)]);
}
