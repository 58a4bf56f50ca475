import t from 'tap';
import {
  AccountFrozen,
  TransactionContractContractType as ContractType,
  ResourceReceipt,
  SmartContract,
} from '../../../../src/codec/generated/messages.js';
import { resourceOf } from '../../../../src/state-transition/state/state.js';
import type { TransactionContext } from '../../../../src/state-transition/transaction.js';
import type { VmRun } from '../../../../src/vm/smart-contract/execute.js';
import { settleEnergy } from '../../../../src/vm/smart-contract/settle.js';
import { addAccount, addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const [CALLER, MAKER, CONTRACT] = [1, 2, 3];
const TRX = 1_000_000n;

/**
 * Settles a call that has used 50 energy, all charged to the creator of the contract. Caller and creator have a stake
 * of 1 TRX each. The total stake is 10 TRX, and the daily limit of all stakes is 1,000 energy.
 * @returns the accounts that were stored
 */
function settle(makerUsed: bigint) {
  const state = stateWith({ TOTAL_ENERGY_WEIGHT: 10n, TOTAL_ENERGY_CURRENT_LIMIT: 1000n });
  for (const fill of [CALLER, MAKER]) {
    const resource = resourceOf(addAccount(state, fill));
    resource.frozenBalanceForEnergy = Object.assign(new AccountFrozen(), { frozenBalance: TRX });
    if (fill === MAKER) resource.energyUsage = makerUsed;
  }
  state.contracts.put(addressOf(CONTRACT), Object.assign(new SmartContract(), { originAddress: bytesOf(MAKER) }));
  const transaction = { owner: addressOf(CALLER), contractType: ContractType.TriggerSmartContract };
  const prepaid = { left: 0n };
  const run = { contract: addressOf(CONTRACT), bill: { caller: prepaid, origin: prepaid }, deleted: [] };
  const receipt = Object.assign(new ResourceReceipt(), { energyUsageTotal: 50n });
  const mark = state.mark();
  settleEnergy(state, { transaction } as unknown as TransactionContext, run as unknown as VmRun, receipt);
  const stored = state.accountsWrittenSince(mark).map(([address]) => address);
  return { stored: stored.sort(), makers: receipt.originEnergyUsage, callers: receipt.energyUsage };
}

// Found by a comparison with java-tron. With proposal 25, the account trie contains only accounts that were stored.
t.test('charges nothing to a creator above its limit and does not store it', async (t) => {
  t.same(settle(0n), { stored: [addressOf(CALLER), addressOf(MAKER)], makers: 50n, callers: 0n });
  t.same(settle(101n), { stored: [addressOf(CALLER)], makers: 0n, callers: 50n });
});
