import type { CancelAllUnfreezeV2Contract, TransactionResult } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { refuse } from '../../errors.js';
import { addFrozenV2, ResourceCode } from '../../resources/stake.js';
import { stakedTrxV2 } from '../../staking/stake-fields.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { addTotalWeight, requireOwner } from './staking-rules.js';

/**
 * Stakes all pending unfreezings of stake 2.0 again, and adds expired unfreezings to the balance. Reference:
 * CancelAllUnfreezeV2Actuator.
 */
export const cancelAllUnfreezeV2: ContractHandler<CancelAllUnfreezeV2Contract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate({ ownerAddress }: CancelAllUnfreezeV2Contract, state: State): void {
  if (requireOwner(state, ownerAddress).unfrozenV2.length === 0) refuse('No unfreezeV2 list to cancel');
}

/** Resource names in the order in which receipts list them. It is the iteration order of Java's HashMap. */
const RESOURCES = [
  ['ENERGY', ResourceCode.ENERGY],
  ['TRON_POWER', ResourceCode.TRON_POWER],
  ['BANDWIDTH', ResourceCode.BANDWIDTH],
] as const;

function execute({ ownerAddress }: CancelAllUnfreezeV2Contract, state: State, result: TransactionResult): void {
  const owner = toAddress(ownerAddress);
  const account = state.existingAccountToWrite(owner);
  const now = state.properties.get('latest_block_header_timestamp');
  const restaked = new Map<number, bigint>();
  let paid = 0n;
  for (const { type, unfreezeAmount, unfreezeExpireTime } of account.unfrozenV2) {
    if (unfreezeExpireTime <= now) {
      paid += unfreezeAmount;
      continue;
    }
    const before = stakedTrxV2(account, type);
    addFrozenV2(account, type, unfreezeAmount);
    addTotalWeight(state, type, stakedTrxV2(account, type) - before);
    restaked.set(type, (restaked.get(type) ?? 0n) + unfreezeAmount);
  }
  account.unfrozenV2 = [];
  if (paid > 0n) account.balance += paid;
  state.saveAccount(owner, account);
  result.withdrawExpireAmount = paid;
  for (const [name, resource] of RESOURCES) result.cancelUnfreezeV2Amount.set(name, restaked.get(resource) ?? 0n);
}
