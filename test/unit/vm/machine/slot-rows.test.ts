import t from 'tap';
import { toHex } from '../../../../src/primitives/bytes.js';
import { VERSION } from '../../../../src/state-transition/parameters/block-versions.js';
import type { State } from '../../../../src/state-transition/state/state.js';
import { OWN_ROW, rowKey, storageHashOf } from '../../../../src/state-transition/state/storage-key.js';
import { type CodeResult, push, runCode } from '../../../support/vm/run-code.js';
import { contractAt } from '../../../support/vm/vm-world.js';

const SELF = contractAt(0);
/** Two slots of an old contract that share a row, because their low halves are equal. */
const A = 5n;
const B = A | (1n << 255n);
const [OTHER, ONE_MORE] = [6n, 7n];

const read = (slot: bigint) => `${push(slot)}5450`;
const write = (slot: bigint, value: bigint) => `${push(value)}${push(slot)}55`;
const copy = (from: bigint, to: bigint) => `${push(from)}54${push(to)}55`;

const word = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const keyOf = (slot: bigint, form: number) => rowKey(storageHashOf(SELF, undefined), form, word(slot));
const shared = (state: State, slot: bigint) => wordAt(state, keyOf(slot, 0));
const own = (state: State, slot: bigint) => wordAt(state, keyOf(slot, OWN_ROW));

function wordAt(state: State, key: string): bigint | undefined {
  const row = state.storage.get(key);
  return row === undefined ? undefined : BigInt(`0x${toHex(row)}`);
}

interface Given {
  readonly shared?: readonly (readonly [slot: bigint, value: bigint])[];
  readonly own?: readonly (readonly [slot: bigint, value: bigint])[];
}

function givenRows({ shared = [], own = [] }: Given) {
  return (state: State) => {
    for (const [slot, value] of shared) state.storage.put(keyOf(slot, 0), word(value));
    for (const [slot, value] of own) state.storage.put(keyOf(slot, OWN_ROW), word(value));
  };
}

type Tap = Parameters<typeof runCode>[0];

function runGuarded(t: Tap, code: string, given: Given = {}, version = 0): CodeResult {
  return runCode(t, code, { version, passed: VERSION.V4_8_2_3, given: givenRows(given) });
}

function runOwn(t: Tap, code: string, given: Given = {}): CodeResult {
  const properties = { ALLOW_OPTIMIZE_TVM_STORAGE: 1n };
  return runCode(t, code, { version: 0, passed: VERSION.V4_8_2_3, properties, given: givenRows(given) });
}

// Reference: StorageAliasTest and OptimizeTvmStorageTest of java-tron 4.8.2.3.
t.test('shares one row between two slots of an old contract before 4.8.2.3', async (t) => {
  const code = copy(A, OTHER) + copy(B, ONE_MORE);
  const { state, exception } = runCode(t, code, { version: 0, given: givenRows({ shared: [[A, 7n]] }) });
  t.same([exception, shared(state, OTHER), shared(state, ONE_MORE)], [undefined, 7n, 7n]);
});

t.test('a transaction that touches both slots fails and loses all its energy since 4.8.2.3', async (t) => {
  for (const code of [read(A) + read(B), write(A, 1n) + read(B), read(B) + write(A, 1n), write(A, 1n) + write(B, 0n)]) {
    const { exception, energy } = runGuarded(t, code, { shared: [[A, 7n]] });
    t.same([exception, energy], ['CPU timeout for storage check', 1_000_000n]);
  }
});

t.test('allows repeated access to one of the two slots, and hashes slots of new contracts', async (t) => {
  const again = runGuarded(t, read(A) + write(A, 9n) + write(A, 0n) + write(A, 8n) + read(A), { shared: [[A, 7n]] });
  t.same([again.exception, shared(again.state, A)], [undefined, 8n]);
  t.equal(runGuarded(t, write(A, 1n) + write(B, 2n), {}, 1).exception, undefined);
});

/**
 * Returns code that calls itself and then executes `outer`. In the inner call, which has call data, it executes `inner`
 * and reverts.
 */
function afterFailure(inner: string, outer: string): string {
  const fails = `${inner}${push(0)}${push(0)}fd`;
  // With call data, the code jumps over the outer part.
  const called = `${push(0)}${push(0)}${push(1)}${push(0)}${push(0)}30${push(100_000)}f150`;
  const before = `36${push(0x1000)}57${called}${outer}00`;
  const at = (before.length / 2).toString(16).padStart(4, '0');
  return `${before.replace(push(0x1000), `61${at}`)}5b${fails}`;
}

t.test('forgets slots that a failed call touched', async (t) => {
  const { exception, state } = runGuarded(t, afterFailure(read(A), write(B, 9n)), { shared: [[A, 7n]] });
  t.same([exception, shared(state, B)], [undefined, 9n]);
  const moved = runOwn(t, afterFailure(read(A), copy(B, OTHER)), { shared: [[A, 7n]] });
  t.same([own(moved.state, A), own(moved.state, OTHER), shared(moved.state, A)], [undefined, 7n, undefined]);
});

t.test('moves a written slot to its own row since proposal 99, and deletes the shared row', async (t) => {
  const { state } = runOwn(t, copy(A, OTHER) + write(A, 9n), { shared: [[A, 7n]] });
  t.same([own(state, A), own(state, OTHER)], [9n, 7n]);
  t.same([shared(state, A), shared(state, OTHER)], [undefined, undefined]);
});

t.test('a read moves a slot to its own row only if the slot has a shared row', async (t) => {
  const { state } = runOwn(t, read(A) + read(OTHER), { shared: [[A, 7n]] });
  t.same([own(state, A), shared(state, A), own(state, OTHER)], [7n, undefined, undefined]);
});

t.test('stores zero in the own row of a slot, which takes precedence over the shared row', async (t) => {
  t.equal(own(runOwn(t, write(A, 0n), { shared: [[A, 7n]] }).state, A), 0n);
  const { state } = runOwn(t, copy(A, OTHER), { shared: [[A, 7n]], own: [[A, 0n]] });
  t.same([own(state, OTHER), shared(state, A)], [0n, 7n]);
});

t.test('does not touch the shared row for a slot with its own row', async (t) => {
  const given = { shared: [[A, 7n]], own: [[A, 3n]] } as const;
  for (const code of [read(A), copy(A, OTHER) + write(A, 4n)]) t.equal(shared(runOwn(t, code, given).state, A), 7n);
  t.equal(own(runOwn(t, copy(A, OTHER), given).state, OTHER), 3n);
});

t.test('assigns the shared row to the first touched slot, and reads the other slot as empty', async (t) => {
  const { state, exception } = runOwn(t, copy(A, OTHER) + copy(B, ONE_MORE), { shared: [[A, 7n]] });
  t.same([exception, own(state, OTHER), own(state, ONE_MORE)], [undefined, 7n, 0n]);
  t.same([own(state, A), own(state, B), shared(state, A)], [7n, undefined, undefined]);
  const written = runOwn(t, write(B, 9n), { shared: [[A, 7n]] });
  t.same([own(written.state, B), own(written.state, A), shared(written.state, A)], [9n, undefined, undefined]);
});

t.test(
  'charges a write over a stored zero as a new slot, and over a zero of the same transaction as a change',
  async (t) => {
    const fresh = runOwn(t, write(A, 1n)).energy;
    t.equal(runOwn(t, write(A, 1n), { own: [[A, 0n]] }).energy, fresh);
    // The difference is two pushes and one write. The second write changes a slot that the first write has created, so
    // it does not pay for a new slot.
    t.equal(runOwn(t, write(A, 0n) + write(A, 1n)).energy - fresh, 6n + 5_000n + 5_000n - 20_000n);
  },
);
