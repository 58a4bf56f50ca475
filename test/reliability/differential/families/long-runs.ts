import { proxyCall, proxyCode } from '../proxy-code.js';
import { PAYLOAD } from '../proxy-orders.js';
import { randomProgramOf } from '../random-code.js';
import type { Family, Scene } from '../scene.js';
import { scriptCode } from '../script-code.js';
import { deploy } from './contracts.js';

const COUNTER = [0x60, 0, 0x51] as const;

/** Loop bodies (bytecode), each with its maximum number of rounds. A body reads the loop counter from the stack. */
const bodies: readonly (readonly [rounds: number, body: readonly number[]])[] = [
  // SSTORE, SLOAD, and both. Each round uses another slot.
  [450, [...COUNTER, ...COUNTER, 0x55]],
  [9000, [...COUNTER, 0x54, 0x50]],
  [300, [...COUNTER, 0x54, 0x50, ...COUNTER, 0x80, 0x60, 3, 0x06, 0x90, 0x55]],
  // SSTORE. The rounds use the same few slots.
  [1500, [...COUNTER, ...COUNTER, 0x60, 3, 0x06, 0x55]],
  // TSTORE and TLOAD.
  [5000, [...COUNTER, ...COUNTER, 0x5d, 0x60, 5, 0x5c, 0x50]],
  // LOG0 and LOG1.
  [900, [0x60, 32, 0x60, 0, 0xa0]],
  [900, [...COUNTER, 0x60, 0, 0x60, 7, 0xa1]],
  // MSTORE and MSTORE8 at growing offsets, up to the memory limit.
  [3072, [...COUNTER, 0x80, 0x61, 4, 0, 0x02, 0x52]],
  [3100, [...COUNTER, 0x80, 0x61, 4, 0, 0x02, 0x53]],
  // Pushes a word in each round and keeps it on the stack.
  [1030, [...COUNTER]],
  // BALANCE and EXTCODEHASH of accounts that do not exist.
  [2000, [...COUNTER, 0x31, 0x50, ...COUNTER, 0x3f, 0x50]],
  // CREATE and CREATE2 of empty code, and of code that is one zero byte.
  [150, [0x60, 0, 0x60, 0, 0x60, 0, 0xf0, 0x50]],
  [60, [...COUNTER, 0x60, 5, 0x60, 27, 0x60, 0, 0xf5, 0x50]],
  // CALL of the identity precompile. The input is the whole memory, which grows in each round.
  [500, [0x60, 0, 0x60, 0, 0x59, 0x60, 0, 0x60, 0, 0x60, 4, 0x61, 0xff, 0xff, 0xf1, 0x50, 0x60, 1, 0x59, 0x53]],
];

const two = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];

/** Returns init code that repeats an operation many times and then ends in a random way. */
function loopCode({ random }: Scene): Uint8Array {
  const [most, body] = random.pick(bodies);
  const rounds = random.chance(0.5) ? most - random.below(20) : random.between(1, most);
  const prefix = [0x61, ...two(rounds), 0x60, 0, 0x52];
  const loop = prefix.length;
  const next = [0x60, 1, ...COUNTER, 0x03, 0x80, 0x60, 0, 0x52, 0x61, ...two(loop), 0x57];
  const end = random.pick([[0x00], [0x60, 0, 0x60, 0, 0xfd], [0xfe], [0x33, 0xff], [0x60, 40, 0x60, 0, 0xf3]]);
  return Uint8Array.from([...prefix, 0x5b, ...body, ...next, ...end]);
}

/** Maximum call depth. Under older rules, CREATE2 did not check the depth. Reference: Program.MAX_DEPTH. */
const DEPTH_MAX = 64;

/**
 * Returns init code that creates a contract with init code of the same kind. The nesting ends near the maximum depth.
 */
function deepCode(scene: Scene): Uint8Array {
  const { random } = scene;
  const isFirst = random.chance(0.7);
  let code = random.chance(0.5) ? proxyCode : randomProgramOf(scene);
  for (let left = DEPTH_MAX + random.between(-2, 4); left > 0; left--) {
    const area = [0n, PAYLOAD, BigInt(code.length)];
    const order =
      isFirst || random.chance(0.8)
        ? proxyCall('create2', [...area, BigInt(random.below(3))], code)
        : proxyCall('create', area, code);
    code = scriptCode([{ order }], random);
  }
  return code;
}

export const runLong: Family = (scene) => deploy(scene, scene.random.chance(0.85) ? loopCode(scene) : deepCode(scene));
