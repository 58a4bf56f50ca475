import t from 'tap';
import { utf8 } from '../../../../../src/primitives/bytes.js';
import { witnessUpdate } from '../../../../../src/state-transition/system-contracts/governance/witness-update.js';
import { committee, VOTER, WITNESS } from '../../../../support/vm/committee.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addressOf, bytesOf, run } from '../../../../support/vm/state-with.js';

const accepted = { ownerAddress: bytesOf(WITNESS), updateUrl: utf8('new') };

t.test('changes the URL of a witness', async (t) => {
  refusalsOf(t, witnessUpdate, {
    fresh: () => committee(),
    accepted,
    rows: [
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: 'account does not exist', fields: { ownerAddress: bytesOf(9) } },
      { text: 'Invalid url', fields: { updateUrl: utf8('') } },
      { text: 'Witness does not exist', fields: { ownerAddress: bytesOf(VOTER) } },
    ],
  });
  const state = committee();
  run(witnessUpdate, state, accepted);
  t.equal(state.witnesses.get(addressOf(WITNESS))?.url, 'new');
});
