import t from 'tap';
import { ContractState } from '../../../../src/codec/generated/messages.js';
import { addContractUsage, caughtUp, energyFactor } from '../../../../src/state-transition/resources/dynamic-energy.js';
import { addressOf, stateWith } from '../../../support/vm/state-with.js';

const heat = (updateCycle: bigint, usage: bigint, factor: bigint) =>
  Object.assign(new ContractState(), { updateCycle, energyUsage: usage, energyFactor: factor });

// The threshold is 100. The factor rises by 20 % in a busy cycle, up to 1,000/10,000. It falls by 5 % in a quiet cycle.
// Reference: ContractStateCapsule.catchUpToCycle.
const rows: readonly (readonly [name: string, row: ContractState, factor: bigint])[] = [
  ['a contract without a row', heat(0n, 999n, 500n), 0n],
  ['from a later cycle', heat(11n, 999n, 500n), 0n],
  ['below the threshold for one cycle', heat(9n, 100n, 500n), 0n],
  ['above the threshold for one cycle', heat(9n, 101n, 0n), 1000n],
  ['above the threshold, then below', heat(8n, 101n, 0n), 450n],
  ['above the threshold with the maximum factor', heat(9n, 101n, 900n), 1000n],
];

t.test('raises the energy factor of a busy contract per cycle and lowers it for an idle one', async (t) => {
  const state = stateWith({
    DYNAMIC_ENERGY_THRESHOLD: 100n,
    DYNAMIC_ENERGY_INCREASE_FACTOR: 2000n,
    DYNAMIC_ENERGY_MAX_FACTOR: 1000n,
  });
  for (const [name, row, factor] of rows) {
    const now = caughtUp(row, 10n, state);
    t.same([now.updateCycle, now.energyFactor, now.energyUsage], [10n, factor, 0n], name);
  }
});

t.test('uses the factor of the current cycle and counts the energy used', async (t) => {
  const state = stateWith({ CURRENT_CYCLE_NUMBER: 10n });
  t.equal(energyFactor(state, addressOf(1)), 10_000);
  addContractUsage(state, addressOf(1), 7);
  addContractUsage(state, addressOf(1), 5);
  t.same(state.contractStates.get(addressOf(1)), heat(10n, 12n, 0n));
  t.equal(energyFactor(state, addressOf(1)), 10_000);
  t.equal(state.contractStates.get(addressOf(1))?.energyUsage, 12n, 'a second read in the same cycle keeps the usage');
});
