import t from 'tap';
import { fromHex } from '../../../../src/primitives/bytes.js';
import { segmentsOf } from '../../../../src/vm/interpreter/segments.js';
import { readRuleSet } from '../../../../src/vm/machine/rule-set.js';
import { instructionSets } from '../../../../src/vm/opcodes/table.js';
import { worldWith } from '../../../support/vm/vm-world.js';

const instructions = instructionSets.of(readRuleSet(worldWith([])));
const GAS = 0x5a;
const SLOAD = 0x54;
const cut = (code: string, ends: readonly number[] = []) =>
  segmentsOf(fromHex(code), instructions, (opcode) => !ends.includes(opcode));

t.test('charges operations with fixed prices together', async (t) => {
  // The code is PUSH1 2, PUSH1 3, ADD, POP.
  t.same(cut('600260030150'), [{ start: 0, need: 0, growth: 2, costs: [3, 3, 3, 2] }]);
});

t.test('requires the stack depth that the operations of a segment need at its start', async (t) => {
  // The code is ADD, ADD, DUP4.
  t.same(cut('010183'), [{ start: 0, need: 6, growth: 0, costs: [3, 3, 3] }]);
  // The code is SWAP16, which needs 17 words, and two pushes.
  t.same(cut('9f5f5f'), [{ start: 0, need: 17, growth: 2, costs: [3, 2, 2] }]);
});

t.test(
  'ends a segment at an operation with a variable price, whose stack demand but not its price is included',
  async (t) => {
    // The code is PUSH0, MSTORE, PUSH0, PUSH0.
    t.same(cut('5f525f5f'), [
      { start: 0, need: 1, growth: 1, costs: [2] },
      { start: 2, need: 0, growth: 2, costs: [2, 2] },
    ]);
  },
);

t.test('starts a segment at a jump destination, after an end and after an invalid opcode', async (t) => {
  t.same(
    cut('5f5b5f').map(({ start }) => start),
    [0, 1],
  );
  t.same(
    cut('5a505a50', [GAS]).map(({ start }) => start),
    [0, 1, 3],
  );
  t.same(
    cut('5f0c5f5f54505f', [SLOAD]).map(({ start }) => start),
    [0, 2, 5],
    'the invalid opcode is found when its segment is charged',
  );
});

t.test('does not decode the data of a PUSH as an operation', async (t) => {
  t.same(
    cut('61545b5f', [SLOAD]).map(({ start, costs }) => [start, costs.length]),
    [[0, 2]],
  );
});
