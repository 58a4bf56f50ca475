import t from 'tap';
import { SmartContract, SmartContractABI } from '../../../../../src/codec/generated/messages.js';
import { updateEnergyLimit } from '../../../../../src/state-transition/system-contracts/deployed/update-energy-limit.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const [OWNER, OTHER, CONTRACT] = [1, 2, 3];

function fresh(head = 4_727_890n) {
  const state = stateWith({ latest_block_header_number: head });
  addAccount(state, OWNER);
  addAccount(state, OTHER);
  const row = { originAddress: bytesOf(OWNER), abi: new SmartContractABI() };
  state.contracts.put(addressOf(CONTRACT), Object.assign(new SmartContract(), row));
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER), contractAddress: bytesOf(CONTRACT), originEnergyLimit: 5n };

t.test('rejects an energy limit with the text of the first broken rule', async (t) => {
  refusalsOf(t, updateEnergyLimit, {
    fresh,
    accepted,
    rows: [
      {
        text: 'contract type error, unexpected type [UpdateEnergyLimitContract]',
        given: ({ properties }) => properties.set('latest_block_header_number', 4_727_889n),
      },
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `Account[${addressOf(9)}] does not exist`, fields: { ownerAddress: bytesOf(9) } },
      { text: 'origin energy limit must be > 0', fields: { originEnergyLimit: 0n } },
      { text: 'Contract does not exist', fields: { contractAddress: bytesOf(9) } },
      {
        text: `Account[${addressOf(OTHER)}] is not the owner of the contract`,
        fields: { ownerAddress: bytesOf(OTHER) },
      },
    ],
  });
});

t.test('updates the energy limit, and removes the ABI from the contract row of an old chain', async (t) => {
  const state = fresh();
  run(updateEnergyLimit, state, accepted);
  const row = state.contracts.get(addressOf(CONTRACT));
  t.same([row?.originEnergyLimit, row?.abi], [5n, undefined]);
});
