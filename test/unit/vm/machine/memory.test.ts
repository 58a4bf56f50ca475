import t from 'tap';
import type { LinearMemory } from '../../../../src/vm/interpreter/linear-memory.js';
import { WasmInterpreter } from '../../../../src/vm/interpreter/wasm-interpreter.js';
import { type Memory, PlainMemory } from '../../../../src/vm/machine/memory.js';

/** Implementations of memory. Both must pass the same tests. */
const kinds: readonly (readonly [name: string, fresh: () => Memory & { reset(): void }])[] = [
  ['plain', () => new PlainMemory()],
  ['linear', () => new WasmInterpreter().memory(0)],
];

for (const [name, fresh] of kinds) {
  t.test(`${name} memory grows by words and is zero where not written`, async (t) => {
    const memory = fresh();
    memory.extend(31, 2);
    t.equal(memory.size, 64);
    memory.extend(0, 1);
    memory.extend(1000, 0);
    t.equal(memory.size, 64, 'memory never shrinks, and an empty range does not extend it');
    memory.write(30, Uint8Array.of(1, 2, 3));
    t.same([...memory.read(29, 5)], [0, 1, 2, 3, 0]);
    t.same([...memory.read(90, 10)], new Array(10).fill(0), 'a read extends the memory');
    t.equal(memory.size, 128);
  });

  t.test(`${name} memory is read as a copy or as a view`, async (t) => {
    const memory = fresh();
    memory.write(0, Uint8Array.of(1));
    const copy = memory.read(0, 1);
    const view = memory.view(0, 1);
    memory.write(0, Uint8Array.of(2));
    t.same([...copy], [1]);
    t.same([...view], [2]);
    t.equal(memory.view(40, 2).length, 2);
    t.equal(memory.size, 64, 'a view extends the memory');
  });

  t.test(`${name} memory reads no more than requested and nothing beyond its end`, async (t) => {
    const memory = fresh();
    memory.extend(0, 32);
    memory.writeLimited(30, Uint8Array.of(1, 2, 3, 4), 4);
    t.same([...memory.read(30, 2)], [1, 2]);
    memory.writeLimited(0, Uint8Array.of(9, 9, 9), 1);
    t.same([...memory.read(0, 2)], [9, 0]);
    t.equal(memory.size, 32);
  });

  t.test(`${name} memory fails like Java above java-tron's limit`, async (t) => {
    const memory = fresh();
    t.throws(() => memory.extend(2 ** 31, 1), { message: 'integer overflow' });
    t.throws(() => memory.extend(2 ** 29, 1), { message: "CPU timeout for 'CALL' operation executing" });
    memory.reset();
    memory.write(50 * 2 ** 20, Uint8Array.of(7));
    t.equal(memory.size, 50 * 2 ** 20 + 32, 'memory up to a size that is filled quickly is allowed');
    memory.reset();
    t.throws(() => memory.write(-1, Uint8Array.of(1)), { message: 'Index: 0, Size: 0' });
    memory.write(0, new Uint8Array(10));
    t.throws(() => memory.write(-(2 ** 31) + 1000, new Uint8Array(24)), { message: 'Index: -2097151, Size: 1' });
    t.throws(() => memory.write(-(2 ** 31) + 1000, new Uint8Array(23)), { message: /^CPU timeout/ });
    memory.write(0, new Uint8Array(1025));
    t.throws(() => memory.write(-1024, Uint8Array.of(1)), { message: 'Index: -1, Size: 2' });
    const shortlyBefore = 'arraycopy: destination index -1023 out of bounds for byte[1024]';
    t.throws(() => memory.write(-1023, new Uint8Array(2000)), { message: shortlyBefore });
  });
}

t.test('clears memory for the next call at the same depth', async (t) => {
  const memory = new PlainMemory();
  memory.write(0, Uint8Array.of(1));
  memory.reset();
  t.same([memory.size, ...memory.read(0, 1)], [0, 0]);
  memory.extend(0, 2 << 20);
  memory.reset();
  t.equal(memory.read(2_000_000, 1)[0], 0);
});

t.test('frees the memory of a deep call before the next transaction', async (t) => {
  const interpreter = new WasmInterpreter();
  const outermost = (): LinearMemory => interpreter.memory(0) as LinearMemory;
  const before = outermost().capacity;
  const far = outermost();
  far.write(100 * 2 ** 20, Uint8Array.of(7));
  t.ok(far.capacity > 100 * 2 ** 20);
  interpreter.memory(1);
  t.ok(far.capacity > 100 * 2 ** 20, 'an inner call keeps the memory');
  const after = outermost();
  t.equal(after.capacity, before);
  t.same(after.read(0, 32), new Uint8Array(32));
});

t.test('reuses memory of a size that a program can pay for between transactions', async (t) => {
  const interpreter = new WasmInterpreter();
  const first = interpreter.memory(0) as LinearMemory;
  first.write(20 * 2 ** 20, Uint8Array.of(7));
  const grown = first.capacity;
  t.ok(grown > 20 * 2 ** 20);
  t.equal((interpreter.memory(0) as LinearMemory).capacity, grown, 'the same engine with its prepared code');
});
