import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { replayConstant } from './replay-constant.js';

// Constant calls recorded from java-tron 4.7.2 (November 2026). The recording of the chain has no state changes.
const folder = join(fileURLToPath(new URL('../golden', import.meta.url)), 'tvm-constant');

t.test('answers constant calls like java-tron', async (t) => {
  const report = await replayConstant(folder, 'tvm-constant', () => {});
  t.equal(report.operations, 3935);
  t.equal(report.mismatched, 0, report.first ?? 'no difference');
});
