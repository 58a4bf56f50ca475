import t from 'tap';
import { ResourceCode } from '../../../../../src/state-transition/resources/stake.js';
import {
  addTotalWeight,
  requireOwner,
} from '../../../../../src/state-transition/system-contracts/staking/staking-rules.js';
import { addAccount, addressOf, bytesOf, stateWith } from '../../../../support/vm/state-with.js';

t.test('adds to the total weight of a resource, and prevents a negative total with ALLOW_NEW_REWARD', async (t) => {
  for (const [newReward, weight] of [
    [0n, -1n],
    [1n, 0n],
  ] as const) {
    const state = stateWith({ ALLOW_NEW_REWARD: newReward });
    addTotalWeight(state, ResourceCode.BANDWIDTH, 3n);
    addTotalWeight(state, ResourceCode.TRON_POWER, 5n);
    addTotalWeight(state, ResourceCode.ENERGY, -1n);
    addTotalWeight(state, 9, 7n);
    const { properties } = state;
    t.same(
      [
        properties.get('TOTAL_NET_WEIGHT'),
        properties.get('TOTAL_ENERGY_WEIGHT'),
        properties.get('TOTAL_TRON_POWER_WEIGHT'),
      ],
      [3n, weight, 5n],
    );
  }
});

t.test('requires an owner address of the chain with an account', async (t) => {
  const state = stateWith();
  const account = addAccount(state, 1);
  t.equal(requireOwner(state, bytesOf(1)), account);
  t.throws(() => requireOwner(state, new Uint8Array(21)), /Invalid address/);
  t.throws(() => requireOwner(state, bytesOf(2)), { message: `Account[${addressOf(2)}] not exists` });
  t.throws(() => requireOwner(state, bytesOf(2), 'gone'), { message: `Account[${addressOf(2)}] gone` });
});
