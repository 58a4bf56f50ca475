import { assemble, type Code, i32, loadVector, multiplyAdd, storeVector } from './assembler.js';
import { compileRelaxed, createMemory, instantiate, VECTOR_BYTES } from './web-assembly.js';

const operand = (at: number): Code => loadVector(i32(at * VECTOR_BYTES));

/**
 * Returns true if multiply-add rounds only once (is fused) on this machine and engine, as on x64 since 2013 and on
 * 64-bit ARM.
 */
export function roundsOnce(): boolean {
  const memory = createMemory(1, 1);
  const body = storeVector(i32(0), multiplyAdd(operand(0), operand(1), operand(2)));
  try {
    const module = compileRelaxed(assemble([], [{ name: 'run', params: [], results: [], locals: [], body }]));
    const doubles = new Float64Array(memory.buffer);
    // (2^27 + 1)² - 2^54 is 2^28 + 1. If the square is rounded before the subtraction, the 1 is lost.
    const odd = 2 ** 27 + 1;
    doubles.set([odd, odd, odd, odd, -(2 ** 54), -(2 ** 54)]);
    instantiate<{ run(): void }>(module, { env: { memory } }).exports.run();
    return doubles[0] === 2 ** 28 + 1 && doubles[1] === 2 ** 28 + 1;
  } catch {
    // The engine does not support the instruction.
    return false;
  }
}
