import t from 'tap';
import { utf8 } from '../../../../../src/primitives/bytes.js';
import { witnessCreate } from '../../../../../src/state-transition/system-contracts/governance/witness-create.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, BLACKHOLE, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const OWNER = 1;
const COST = 9_999_000_000n;

function fresh() {
  const state = stateWith();
  addAccount(state, OWNER, COST);
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER), url: utf8('u') };

t.test('rejects an application with the text of the first broken rule', async (t) => {
  refusalsOf(t, witnessCreate, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: 'Invalid url', fields: { url: new Uint8Array(257) } },
      { text: `account[${addressOf(9)}] not exists`, fields: { ownerAddress: bytesOf(9) } },
      { text: `Witness[${addressOf(OWNER)}] has existed`, given: (state) => void run(witnessCreate, state, accepted) },
      { text: 'balance < AccountUpgradeCost', given: (state) => void addAccount(state, OWNER, COST - 1n) },
    ],
  });
});

t.test('charges the applicant, marks it, and adds a witness permission since the multi-sign proposal', async (t) => {
  const state = fresh();
  state.properties.set('ALLOW_MULTI_SIGN', 1n);
  t.equal(run(witnessCreate, state, accepted).fee, COST);
  const account = state.account(addressOf(OWNER));
  t.same([account?.isWitness, account?.balance, account?.witnessPermission?.id], [true, 0n, 1]);
  t.equal(state.witnesses.get(addressOf(OWNER))?.url, 'u');
  t.same([state.account(BLACKHOLE)?.balance, state.properties.get('TOTAL_CREATE_WITNESS_FEE')], [COST, COST]);
});
