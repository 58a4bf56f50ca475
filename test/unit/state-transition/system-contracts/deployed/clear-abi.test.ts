import t from 'tap';
import { SmartContract, SmartContractABI, SmartContractABIEntry } from '../../../../../src/codec/generated/messages.js';
import { clearAbi } from '../../../../../src/state-transition/system-contracts/deployed/clear-abi.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const [OWNER, OTHER, CONTRACT] = [1, 2, 3];

function fresh() {
  const state = stateWith({ ALLOW_TVM_CONSTANTINOPLE: 1n });
  addAccount(state, OWNER);
  addAccount(state, OTHER);
  state.contracts.put(addressOf(CONTRACT), Object.assign(new SmartContract(), { originAddress: bytesOf(OWNER) }));
  const entry = Object.assign(new SmartContractABIEntry(), { name: 'transfer' });
  state.abis.put(addressOf(CONTRACT), Object.assign(new SmartContractABI(), { entrys: [entry] }));
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER), contractAddress: bytesOf(CONTRACT) };

t.test('clears an ABI only for the deployer', async (t) => {
  refusalsOf(t, clearAbi, {
    fresh,
    accepted,
    rows: [
      {
        text: 'contract type error,unexpected type [ClearABIContract]',
        given: ({ properties }) => properties.set('ALLOW_TVM_CONSTANTINOPLE', 0n),
      },
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `Account[${addressOf(9)}] not exists`, fields: { ownerAddress: bytesOf(9) } },
      { text: 'Contract not exists', fields: { contractAddress: bytesOf(9) } },
      {
        text: `Account[${addressOf(OTHER)}] is not the owner of the contract`,
        fields: { ownerAddress: bytesOf(OTHER) },
      },
    ],
  });
  const state = fresh();
  run(clearAbi, state, accepted);
  t.same(state.abis.get(addressOf(CONTRACT))?.entrys, []);
});
