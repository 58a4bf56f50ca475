import t from 'tap';
import { AccountUnFreezeV2, ResourceReceipt } from '../../../../src/codec/generated/messages.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import { referenceInterpreter } from '../../../../src/vm/interpreter/reference-interpreter.js';
import { createSmartContractMachine } from '../../../../src/vm/smart-contract/machine.js';
import { callContext, contractAt, worldWith } from '../../../support/vm/vm-world.js';

const CANCEL = 'dc50';

/**
 * Calls a contract that cancels two pending unfreezings of bandwidth and has one expired amount. Returns its internal
 * transactions.
 */
function cancelled(reportsRestaked: boolean): readonly (readonly [note: string, extra: string])[] {
  const state = worldWith([fromHex(CANCEL)], { reportsRestaked, properties: { UNFREEZE_DELAY_DAYS: 14n } });
  const now = state.properties.get('latest_block_header_timestamp');
  state.accountToWrite(contractAt(0))!.unfrozenV2 = [
    { type: 0, unfreezeAmount: 3_000_000n, unfreezeExpireTime: now + 1n },
    { type: 0, unfreezeAmount: 4_000_000n, unfreezeExpireTime: now + 2n },
    { type: 1, unfreezeAmount: 9_000_000n, unfreezeExpireTime: now },
  ].map((fields) => Object.assign(new AccountUnFreezeV2(), fields));
  const machine = createSmartContractMachine(() => undefined, { interpreter: referenceInterpreter, now: Date.now });
  const context = callContext(state, { data: new Uint8Array(0), energy: 1_000_000 });
  const { internalTransactions } = machine.run(state, context, new ResourceReceipt());
  return internalTransactions.map(({ note, extra }) => [Buffer.from(note).toString(), extra]);
}

// Reference: Program.cancelAllUnfreezeV2Action of 4.8.2.
t.test('shows newly staked amounts next to the internal transaction if configured', async (t) => {
  const due = ['withdrawExpireUnfreezeWhileCanceling', ''];
  t.same(cancelled(false), [['cancelAllUnfreezeV2', ''], due]);
  t.same(cancelled(true), [['cancelAllUnfreezeV2', '{"BANDWIDTH":7000000,"ENERGY":0,"TRON_POWER":0}'], due]);
});
