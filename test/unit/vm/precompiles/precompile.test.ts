import t from 'tap';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import {
  addressAt,
  booleanWord,
  longWord,
  perWord,
  safeInt,
  safeLong,
  wordAt,
} from '../../../../src/vm/precompiles/precompile.js';
import { addressOf } from '../../../support/vm/state-with.js';
import { machineOn, OWNER, worldWith } from '../../../support/vm/vm-world.js';

const word = (value: bigint) => fromHex(value.toString(16).padStart(64, '0'));

// Reference: DataWord.intValueSafe, longValueSafe.
t.test('saturates words that do not fit into an int or a long', async (t) => {
  const ints: readonly (readonly [bigint, number])[] = [
    [0n, 0],
    [0x7fffffffn, 0x7fffffff],
    [0x80000000n, 0x7fffffff],
    [1n << 32n, 0x7fffffff],
    [1n << 255n, 0x7fffffff],
  ];
  for (const [value, int] of ints) t.equal(safeInt(word(value)), int, `${value}`);
  t.same(
    [safeLong(word(5n)), safeLong(word(1n << 63n)), safeLong(word(1n << 64n))],
    [5n, 2n ** 63n - 1n, 2n ** 63n - 1n],
  );
});

t.test('reads input by words, padded with zeros', async (t) => {
  const data = fromHex('01'.repeat(33));
  t.equal(toHex(wordAt(data, 1)), `01${'00'.repeat(31)}`);
  t.equal(toHex(wordAt(data, 9)), '00'.repeat(32));
  t.same(
    [0, 1, 32, 33].map((length) => perWord(10, 2)(new Uint8Array(length))),
    [10, 12, 12, 14],
  );
});

t.test('returns output as words', async (t) => {
  t.equal(toHex(longWord(-1n)), `${'00'.repeat(24)}${'ff'.repeat(8)}`);
  t.same([toHex(booleanWord(true)), toHex(booleanWord(false))], [`${'00'.repeat(31)}01`, '00'.repeat(32)]);
  const context = { machine: machineOn(worldWith([])), caller: OWNER };
  t.equal(addressAt(context, fromHex('ff'.repeat(12) + '05'.repeat(20))), addressOf(5));
});
