import t from 'tap';
import { DelegatedResourceAccountIndex } from '../../../../src/codec/generated/messages.js';
import { ResourceCode } from '../../../../src/state-transition/resources/stake.js';
import {
  convertDelegationIndex,
  delegationKey,
  delegationKeyV2,
  indexDelegation,
  isEmptyDelegation,
  newDelegation,
  setDelegated,
  unindexDelegation,
  unlockExpired,
} from '../../../../src/state-transition/staking/delegation-rows.js';
import { addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];
const { BANDWIDTH, ENERGY } = ResourceCode;

t.test('distinguishes delegation rows by stake version and lock', async (t) => {
  t.equal(delegationKey(A, B), A + B);
  t.equal(delegationKeyV2(A, B, false), `01${A}${B}`);
  t.equal(delegationKeyV2(A, B, true), `02${A}${B}`);
});

// Reference: DelegatedResourceStore.unLockExpireResource. A lock expires when its time is before the time of the head.
const unlocks: readonly (readonly [
  energyUntil: bigint,
  bandwidthUntil: bigint,
  open: readonly bigint[],
  locked: readonly bigint[] | undefined,
])[] = [
  [10n, 10n, [], [3n, 5n]],
  [9n, 10n, [3n, 0n], [0n, 5n]],
  [10n, 9n, [0n, 5n], [3n, 0n]],
  [9n, 9n, [3n, 5n], undefined],
];

t.test('merges an expired locked row into the unlocked row', async (t) => {
  for (const [energyUntil, bandwidthUntil, open, locked] of unlocks) {
    const state = stateWith({ latest_block_header_timestamp: 10n });
    const row = newDelegation(A, B);
    setDelegated(row, ENERGY, 3n, energyUntil);
    setDelegated(row, BANDWIDTH, 5n, bandwidthUntil);
    state.delegatedResources.put(delegationKeyV2(A, B, true), row);
    unlockExpired(state, A, B);
    const amounts = (isLocked: boolean) => {
      const found = state.delegatedResources.get(delegationKeyV2(A, B, isLocked));
      return found && [found.frozenBalanceForEnergy, found.frozenBalanceForBandwidth];
    };
    t.same([amounts(false) ?? [], amounts(true)], [open, locked], `${energyUntil}, ${bandwidthUntil}`);
  }
});

t.test('stores an index row per direction of a delegation and deletes them together', async (t) => {
  const state = stateWith();
  indexDelegation(state, 'v2', A, B, 7n);
  t.same(state.delegationIndex.get(`03${A}${B}`)?.account, bytesOf(2));
  t.same(state.delegationIndex.get(`04${B}${A}`)?.account, bytesOf(1));
  t.equal(state.delegationIndex.get(`03${A}${B}`)?.timestamp, 7n);
  unindexDelegation(state, 'v2', A, B);
  t.same([state.delegationIndex.has(`03${A}${B}`), state.delegationIndex.has(`04${B}${A}`)], [false, false]);
});

t.test('converts an old list row into rows of the same order', async (t) => {
  const state = stateWith();
  const lists = { account: bytesOf(1), toAccounts: [bytesOf(3), bytesOf(2)], fromAccounts: [bytesOf(2)] };
  state.delegationIndex.put(A, Object.assign(new DelegatedResourceAccountIndex(), lists));
  convertDelegationIndex(state, A);
  t.notOk(state.delegationIndex.has(A));
  const time = (key: string) => state.delegationIndex.get(key)?.timestamp;
  t.same([time(`01${A}${C}`), time(`01${A}${B}`), time(`02${A}${B}`)], [1n, 2n, 1n]);
  t.doesNotThrow(() => convertDelegationIndex(state, A), 'once');
});

t.test('reports a row without delegated resources as empty', async (t) => {
  const row = newDelegation(A, B);
  t.ok(isEmptyDelegation(row));
  setDelegated(row, ENERGY, 1n, 0n);
  t.notOk(isEmptyDelegation(row));
});
