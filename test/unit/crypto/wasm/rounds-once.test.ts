import t from 'tap';
import { assemble, i32, loadVector, storeVector } from '../../../../src/crypto/wasm/assembler.js';
import { roundsOnce } from '../../../../src/crypto/wasm/rounds-once.js';
import { compileModule } from '../../../../src/crypto/wasm/web-assembly.js';

t.test('rounds once on the machine that runs the tests', async (t) => {
  t.equal(roundsOnce(), true);
});

t.test('restores the engine option that it changed', async (t) => {
  roundsOnce();
  // Code of i8x16.relaxed_swizzle, which needs no flag in engines with relaxed instructions.
  const swizzle = [loadVector(i32(0)), loadVector(i32(16)), 0xfd, 0x80, 0x02];
  const body = storeVector(i32(0), swizzle);
  const module = () => compileModule(assemble([], [{ name: 'run', params: [], results: [], locals: [], body }]));
  if (Number(process.versions.node.split('.')[0]) < 22) t.throws(module);
  else t.ok(module());
});
