import t from 'tap';
import { brokerageOf } from '../../../../../src/state-transition/rewards/rewards.js';
import { updateBrokerage } from '../../../../../src/state-transition/system-contracts/governance/update-brokerage.js';
import { committee, VOTER, WITNESS } from '../../../../support/vm/committee.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addressOf, bytesOf, run } from '../../../../support/vm/state-with.js';

const accepted = { ownerAddress: bytesOf(WITNESS), brokerage: 100 };

function fresh() {
  const state = committee();
  state.properties.set('CHANGE_DELEGATION', 1n);
  return state;
}

t.test('sets the brokerage percentage of a witness once rewards are shared', async (t) => {
  refusalsOf(t, updateBrokerage, {
    fresh,
    accepted,
    rows: [
      {
        text: 'contract type error, unexpected type [UpdateBrokerageContract]',
        given: ({ properties }) => properties.set('CHANGE_DELEGATION', 0n),
      },
      { text: 'Invalid ownerAddress', fields: { ownerAddress: new Uint8Array(20) } },
      { text: 'Invalid brokerage', fields: { brokerage: 101 } },
      { text: 'Invalid brokerage', fields: { brokerage: -1 } },
      { text: `Not existed witness:${addressOf(VOTER)}`, fields: { ownerAddress: bytesOf(VOTER) } },
      { text: 'Account does not exist', given: (state) => state.accounts.delete(addressOf(WITNESS)) },
    ],
  });
  const state = fresh();
  t.equal(brokerageOf(state, addressOf(WITNESS)), 20n, 'the default before the witness sets it');
  run(updateBrokerage, state, { ...accepted, brokerage: 0 });
  t.equal(brokerageOf(state, addressOf(WITNESS)), 0n);
});
