import t from 'tap';
import { GrowingBytes } from '../../../src/primitives/growing-bytes.js';

t.test('joins chunks in a buffer of at most twice their size', async (t) => {
  const bytes = new GrowingBytes();
  const all: number[] = [];
  for (let at = 0; at < 5000; at++) {
    bytes.append(Uint8Array.of(at & 255));
    all.push(at & 255);
  }
  t.same([...bytes.bytes()], all);
  t.equal(bytes.size, 5000);
  t.equal(bytes.capacity, 8192);
  bytes.clear();
  t.same([bytes.size, bytes.capacity], [0, 0]);
});

t.test('does not exceed a known final size', async (t) => {
  const bytes = new GrowingBytes();
  for (let at = 0; at < 15; at++) bytes.append(new Uint8Array(100), 1500);
  t.equal(bytes.capacity, 1500);
});
