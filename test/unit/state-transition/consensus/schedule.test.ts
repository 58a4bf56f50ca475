import t from 'tap';
import { Witness } from '../../../../src/codec/generated/messages.js';
import {
  absoluteSlot,
  activeWitnesses,
  electWitnesses,
  nextBlockSlotTime,
  scheduledWitness,
  slotAt,
  slotTime,
} from '../../../../src/state-transition/consensus/schedule.js';
import type { LongProperty } from '../../../../src/state-transition/parameters/property-table.js';
import { addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const head = (timestamp: bigint, more: Partial<Record<LongProperty, bigint>> = {}) =>
  stateWith({ latest_block_header_number: 5n, latest_block_header_timestamp: timestamp, ...more });

function witnessed(state: ReturnType<typeof head>, count: number) {
  const fills = Array.from({ length: count }, (_, at) => at + 1);
  for (const fill of fills) {
    const witness = { address: bytesOf(fill), voteCount: BigInt(fill) };
    state.witnesses.put(addressOf(fill), Object.assign(new Witness(), witness));
  }
  return electWitnesses(state, fills.map(addressOf));
}

t.test('selects the 27 candidates with the most votes', async (t) => {
  const state = head(0n);
  t.same(activeWitnesses(state), []);
  const order = witnessed(state, 30);
  t.equal(order.length, 30);
  t.same(activeWitnesses(state), order.slice(0, 27));
  t.same([order[0], order[29]], [addressOf(30), addressOf(1)]);
  t.throws(() => electWitnesses(state, [addressOf(99)]), { code: 'NullPointerException' });
});

// Reference: DposSlot.getSlot, getTime. The time of genesis is 0 in this test.
const times: readonly (readonly [head: bigint, slot: number, timeMs: number])[] = [
  [6000n, 1, 9000],
  [6001n, 1, 9000],
  [8999n, 2, 12_000],
];

t.test('aligns slots to three seconds from genesis', async (t) => {
  for (const [timestamp, slot, timeMs] of times) t.equal(slotTime(head(timestamp), slot), timeMs, `${timestamp}`);
  t.equal(slotTime(stateWith(), 1), 3000, 'the slot after genesis');
  t.same(
    [slotAt(head(6000n), 8999), slotAt(head(6000n), 9000), slotAt(head(6000n), 11_999), slotAt(head(6000n), 12_000)],
    [0, 1, 1, 2],
  );
  t.equal(absoluteSlot(head(0n), 8999), 2);
});

t.test('counts shorter slots in a private network', async (t) => {
  const state = head(6001n);
  const short = { ...state, properties: state.properties, rules: { ...state.rules, slotMs: 200 } } as typeof state;
  t.same([slotTime(short, 1), slotTime(short, 3), slotAt(short, 6599)], [6200, 6600, 2]);
  t.equal(absoluteSlot(short, 6599), 32);
  t.equal(nextBlockSlotTime(short), 6201n);
});

t.test('skips two slots after a maintenance', async (t) => {
  t.equal(slotTime(head(6000n, { state_flag: 1n }), 1), 15_000);
  t.equal(nextBlockSlotTime(head(6000n, { state_flag: 1n })), 15_000n);
  t.equal(nextBlockSlotTime(head(6001n)), 9001n, 'a head between two slots, plus three seconds');
});

t.test('assigns witnesses slot by slot', async (t) => {
  const state = head(6000n);
  t.throws(() => scheduledWitness(state, 1), { message: 'active witnesses is null.' });
  const order = witnessed(state, 3);
  t.same(
    [1, 2, 3, 4].map((slot) => scheduledWitness(state, slot)),
    [0, 1, 2, 0].map((index) => order[index]),
  );
  t.throws(() => scheduledWitness(state, -3), { message: 'current slot should be positive.' });
});
