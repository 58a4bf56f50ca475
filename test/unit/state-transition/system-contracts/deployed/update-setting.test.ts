import t from 'tap';
import { SmartContract } from '../../../../../src/codec/generated/messages.js';
import { updateSetting } from '../../../../../src/state-transition/system-contracts/deployed/update-setting.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const [OWNER, OTHER, CONTRACT] = [1, 2, 3];

function fresh() {
  const state = stateWith();
  addAccount(state, OWNER);
  addAccount(state, OTHER);
  state.contracts.put(addressOf(CONTRACT), Object.assign(new SmartContract(), { originAddress: bytesOf(OWNER) }));
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER), contractAddress: bytesOf(CONTRACT), consumeUserResourcePercent: 100n };

t.test("sets the callers' percentage of energy only for the deployer", async (t) => {
  refusalsOf(t, updateSetting, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `Account[${addressOf(9)}] does not exist`, fields: { ownerAddress: bytesOf(9) } },
      { text: 'percent not in [0, 100]', fields: { consumeUserResourcePercent: 101n } },
      { text: 'percent not in [0, 100]', fields: { consumeUserResourcePercent: -1n } },
      { text: undefined, fields: { consumeUserResourcePercent: 0n } },
      { text: 'Contract does not exist', fields: { contractAddress: bytesOf(9) } },
      {
        text: `Account[${addressOf(OTHER)}] is not the owner of the contract`,
        fields: { ownerAddress: bytesOf(OTHER) },
      },
    ],
  });
  const state = fresh();
  run(updateSetting, state, { ...accepted, consumeUserResourcePercent: 33n });
  t.equal(state.contracts.get(addressOf(CONTRACT))?.consumeUserResourcePercent, 33n);
});
