import t from 'tap';
import { shieldedTransfer } from '../../../../../src/state-transition/system-contracts/accounts/shielded-transfer.js';
import { refusal, stateWith } from '../../../../support/vm/state-with.js';

// Reference: ShieldedTransferActuator.validate. No proposal can enable shielded transfers any more.
t.test('rejects every shielded transfer with the text of the release', async (t) => {
  const text = (sameNames: bigint) =>
    refusal(shieldedTransfer, stateWith({ ALLOW_SAME_TOKEN_NAME: sameNames }), {})?.text;
  t.equal(text(0n), 'shielded transaction is not allowed before ALLOW_SAME_TOKEN_NAME is opened by the committee');
  t.equal(text(1n), 'Not support Shielded Transaction, need to be opened by the committee');
});
