import { itemAt } from '../../primitives/assert.js';
import type { CallFrame } from '../machine/frame.js';
import { CALL_DEPTH_MAX, type Interpreter, type Machine } from '../machine/machine.js';
import { instructionSets } from '../opcodes/table.js';
import { CodePreparer } from './code-preparer.js';
import { LinearMemory } from './linear-memory.js';
import { referenceInterpreter, runReference } from './reference-interpreter.js';
import { Engine } from './wasm/engine.js';
import { ARENA } from './wasm/layout.js';
import { type Program, WasmRun } from './wasm-run.js';

const FACTOR_ONE = 10_000;
/**
 * Maximum share of the code area that prepared code may use, from 0 to 1. Above this share, the node deletes all
 * prepared code between two transactions.
 */
const FULL = 0.5;
/**
 * Maximum space for call data and memory of programs in an engine, in bytes. WebAssembly memory cannot shrink. If an
 * engine has more, the node replaces it and its prepared code before the next transaction.
 */
const KEPT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The interpreter for blocks: a WebAssembly loop over prepared code. The loop executes arithmetic, memory, jumps and
 * storage itself. For all other operations, it calls the same JavaScript functions as the plain interpreter.
 */
export class WasmInterpreter implements Interpreter {
  private engine = new Engine();
  private preparer = new CodePreparer(this.engine);
  private memories: LinearMemory[] = [];

  memory(depth: number) {
    if (depth > CALL_DEPTH_MAX) return referenceInterpreter.memory(depth, CALL_DEPTH_MAX + 1);
    if (depth === 0) this.tidy();
    while (this.memories.length <= depth) {
      this.memories.push(new LinearMemory(this.engine, this.memories.at(-1)));
    }
    const memory = itemAt(this.memories, depth);
    memory.reset();
    return memory;
  }

  private tidy(): void {
    if (this.preparer.fill > FULL) this.preparer.clear();
    if (this.engine.bytes.length - ARENA <= KEPT_BYTES_MAX) return;
    this.engine = new Engine();
    this.preparer = new CodePreparer(this.engine);
    this.memories = [];
  }

  run(machine: Machine, frame: CallFrame): void {
    const { memory } = frame;
    if (!(memory instanceof LinearMemory)) {
      runReference(machine, frame);
      return;
    }
    try {
      const program = machine.hooks === undefined ? this.prepare(machine, frame) : undefined;
      if (program === undefined) runReference(machine, frame);
      else new WasmRun(this.engine, machine, frame, program).run();
    } finally {
      memory.release();
    }
  }

  /**
   * Prepares the code of a frame. Returns undefined if the code area is full. Does not cache init code, because it
   * usually runs only once.
   */
  private prepare({ state, rules }: Machine, { code, codeAddress, factor }: CallFrame): Program | undefined {
    const instructions = instructionSets.of(rules);
    const prepared = this.preparer.prepare(code, instructions, state.code.get(codeAddress) === code);
    if (prepared === undefined) return undefined;
    const segments =
      factor > FACTOR_ONE ? this.preparer.hotSegments(code, instructions, prepared, factor) : prepared.segments;
    return segments === undefined ? undefined : { instructions, prepared, segments };
  }
}
