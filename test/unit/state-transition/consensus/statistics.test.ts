import t from 'tap';
import { Witness } from '../../../../src/codec/generated/messages.js';
import { utf8 } from '../../../../src/primitives/bytes.js';
import { electWitnesses } from '../../../../src/state-transition/consensus/schedule.js';
import { countBlock, participationRate } from '../../../../src/state-transition/consensus/statistics.js';
import { addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

/**
 * Returns a chain with three witnesses. The head is block 9 at 30 s, in slot 10. The witness with index 10 mod 3 = 1
 * has produced it.
 */
function chain() {
  const state = stateWith({ latest_block_header_number: 9n, latest_block_header_timestamp: 30_000n });
  for (const fill of [1, 2, 3])
    state.witnesses.put(
      addressOf(fill),
      Object.assign(new Witness(), { address: bytesOf(fill), voteCount: BigInt(fill) }),
    );
  return { state, order: electWitnesses(state, [1, 2, 3].map(addressOf)) };
}

const missed = ({ state, order }: ReturnType<typeof chain>) =>
  order.map((address) => state.witnesses.get(address)?.totalMissed);

t.test('counts a block for its producer', async (t) => {
  const { state, order } = chain();
  countBlock(state, { number: 10, timeMs: 33_000, witness: addressOf(1) });
  const row = state.witnesses.get(addressOf(1));
  t.same([row?.totalProduced, row?.latestBlockNum, row?.latestSlotNum], [1n, 10n, 11n]);
  t.same(missed({ state, order }), [0n, 0n, 0n]);
  t.throws(() => countBlock(state, { number: 11, timeMs: 36_000, witness: addressOf(9) }), {
    code: 'NullPointerException',
  });
});

t.test('counts a missed slot for each scheduled witness after a pause of any length', async (t) => {
  const pauses: readonly (readonly [slots: number, missed: readonly bigint[]])[] = [
    [1, [0n, 0n, 1n]],
    [2, [1n, 0n, 1n]],
    [3, [1n, 1n, 1n]],
    [3_000_001, [1_000_000n, 1_000_000n, 1_000_001n]],
  ];
  for (const [slots, expected] of pauses) {
    const made = chain();
    countBlock(made.state, { number: 10, timeMs: 33_000 + slots * 3000, witness: addressOf(1) });
    t.same(missed(made), expected, `${slots}`);
  }
  const first = chain();
  countBlock(first.state, { number: 1, timeMs: 3_000_000, witness: addressOf(1) });
  t.same(missed(first), [0n, 0n, 0n], 'no slot before the first block is counted as missed');
});

t.test('computes participation from the last 128 slots', async (t) => {
  const { state } = chain();
  t.equal(participationRate(state), 100);
  countBlock(state, { number: 10, timeMs: 33_000 + 64 * 3000, witness: addressOf(1) });
  t.equal(participationRate(state), 50);
  countBlock(state, { number: 11, timeMs: 33_000 + 10_064 * 3000, witness: addressOf(1) });
  t.equal(participationRate(state), 0, 'one of 128 slots, rounded down');
  state.properties.setBytes('BLOCK_FILLED_SLOTS', utf8(`${'1'.repeat(127)}0`));
  t.equal(participationRate(state), 99);
});
