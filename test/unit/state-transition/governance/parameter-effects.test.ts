import t from 'tap';
import { present } from '../../../../src/primitives/assert.js';
import { toUtf8 } from '../../../../src/primitives/bytes.js';
import { allowContractType, applyParameter } from '../../../../src/state-transition/governance/parameter-effects.js';
import type { LongProperty } from '../../../../src/state-transition/parameters/property-table.js';
import { release482 } from '../../../../src/state-transition/releases/release-4.8.2.js';
import { stateWith } from '../../../support/vm/state-with.js';

function approved(id: bigint, value: bigint, properties: Partial<Record<LongProperty, bigint>> = {}) {
  const state = stateWith(properties, release482);
  const parameter = present(release482.parameters.get(id), `parameter ${id} is in the table`);
  applyParameter(state, parameter, value, 77n);
  return state;
}

// Reference: ProposalService.process.
const rows: readonly (readonly [
  id: bigint,
  value: bigint,
  before: Partial<Record<LongProperty, bigint>>,
  after: Partial<Record<LongProperty, bigint>>,
])[] = [
  [2n, 9n, {}, { CREATE_ACCOUNT_FEE: 9n }],
  [17n, 144_000n, {}, { TOTAL_ENERGY_LIMIT: 144_000n, TOTAL_ENERGY_TARGET_LIMIT: 10n }],
  [19n, 144_000n, {}, { TOTAL_ENERGY_CURRENT_LIMIT: 144_000n, TOTAL_ENERGY_TARGET_LIMIT: 10n }],
  [19n, 144_000n, { ALLOW_ADAPTIVE_ENERGY: 1n, TOTAL_ENERGY_CURRENT_LIMIT: 5n }, { TOTAL_ENERGY_CURRENT_LIMIT: 5n }],
  [
    33n,
    2n,
    { TOTAL_ENERGY_LIMIT: 28_800n },
    { ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO: 2880n, TOTAL_ENERGY_TARGET_LIMIT: 10n },
  ],
  [67n, 1n, { CURRENT_CYCLE_NUMBER: 8n }, { ALLOW_NEW_REWARD: 1n, NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE: 9n }],
  [
    67n,
    1n,
    { CURRENT_CYCLE_NUMBER: 8n, NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE: 4n },
    { NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE: 4n },
  ],
  [95n, 1n, {}, { ALLOW_TVM_PRAGUE: 1n, BLOCK_HASH_HISTORY_INSTALLED: 1n }],
];

t.test('stores an approved value with its side effects', async (t) => {
  for (const [id, value, before, after] of rows) {
    const { properties } = approved(id, value, before);
    for (const name of Object.keys(after) as LongProperty[])
      t.equal(properties.get(name), after[name], `${id}: ${name}`);
  }
});

t.test('adds prices to the history from the end of their proposal', async (t) => {
  const energy = approved(11n, 420n).properties;
  t.equal(toUtf8(energy.bytes('ENERGY_PRICE_HISTORY')), '0:100,77:420');
  const bandwidth = approved(3n, 1000n).properties;
  t.equal(toUtf8(bandwidth.bytes('BANDWIDTH_PRICE_HISTORY')), '0:10,77:1000');
});

t.test('enables a contract type by a bit, also in new active permissions', async (t) => {
  const { properties } = stateWith();
  const bit = (type: number) =>
    [properties.bytes('AVAILABLE_CONTRACT_TYPE'), properties.bytes('ACTIVE_DEFAULT_OPERATIONS')].map(
      (bits) => ((bits[type >> 3] ?? 0) >> (type & 7)) & 1,
    );
  t.same(bit(59), [0, 0]);
  const state = stateWith();
  allowContractType(state, 'CancelAllUnfreezeV2Contract');
  t.equal((state.properties.bytes('AVAILABLE_CONTRACT_TYPE')[7] ?? 0) & 8, 8);
  t.equal((state.properties.bytes('ACTIVE_DEFAULT_OPERATIONS')[7] ?? 0) & 8, 8);
  const opened = approved(77n, 1n).properties.bytes('AVAILABLE_CONTRACT_TYPE');
  t.equal((opened[7] ?? 0) & 8, 8, 'cancelling all unfreezing enables contract type 59');
});
