import t from 'tap';
import { DuplicateWitnessDetector } from '../../../../src/chain/production/duplicate-witness-detector.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import type { DecodedBlock } from '../../../../src/state-transition/block/decoded-block.js';

const block = (byte: string, timeMs: number): DecodedBlock => {
  const idHex = byte.repeat(32);
  return { idHex, id: fromHex(idHex), timeMs } as unknown as DecodedBlock;
};

t.test('stops production for one round after it detects a duplicate producer', async (t) => {
  const watch = new DuplicateWitnessDetector();
  t.ok(watch.received(block('02', 1000), 1500, true));
  t.ok(watch.isBackingOff(1500 + 81_000));
  t.notOk(watch.isBackingOff(1500 + 81_001));
  t.notOk(watch.isBackingOff(1500), 'the pause ended');
});

t.test('backs off only on the node whose block has the lower id', async (t) => {
  const [low, high] = [new DuplicateWitnessDetector(), new DuplicateWitnessDetector()];
  low.produced(block('01', 1000));
  high.produced(block('02', 1000));
  t.ok(low.received(block('02', 1000), 1100, true));
  t.notOk(high.received(block('01', 1000), 1100, true));
  t.notOk(high.isBackingOff(1100));
});

t.test('ignores old blocks, own blocks and blocks of the backup master', async (t) => {
  const watch = new DuplicateWitnessDetector();
  watch.produced(block('05', 1000));
  t.notOk(watch.received(block('05', 1000), 1100, true));
  t.notOk(watch.received(block('07', 1000), 4001, true));
  t.notOk(watch.received(block('07', 1000), 1100, false));
  t.notOk(watch.isBackingOff(100_000));
});
