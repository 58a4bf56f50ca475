import type { TransactionResult, WithdrawExpireUnfreezeContract } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { INT64_MAX } from '../../../primitives/int64.js';
import { refuse } from '../../errors.js';
import { expiredUnfreezing } from '../../staking/unfreezing.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { requireOwner } from './staking-rules.js';

/** Adds expired unfreezings of stake 2.0 to the balance. Reference: WithdrawExpireUnfreezeActuator. */
export const withdrawExpireUnfreeze: ContractHandler<WithdrawExpireUnfreezeContract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate({ ownerAddress }: WithdrawExpireUnfreezeContract, state: State): void {
  const { properties } = state;
  const account = requireOwner(state, ownerAddress);
  const sum = expiredUnfreezing(account, properties.get('latest_block_header_timestamp'));
  if (sum <= 0n) refuse('no unFreeze balance to withdraw ');
  if (account.balance + sum > INT64_MAX) {
    refuse(state.rules.release.texts.overflow('checkedAdd', account.balance, sum));
  }
}

function execute({ ownerAddress }: WithdrawExpireUnfreezeContract, state: State, result: TransactionResult): void {
  const owner = toAddress(ownerAddress);
  const account = state.existingAccountToWrite(owner);
  const now = state.properties.get('latest_block_header_timestamp');
  const sum = expiredUnfreezing(account, now);
  account.balance += sum;
  account.unfrozenV2 = account.unfrozenV2.filter(({ unfreezeExpireTime }) => unfreezeExpireTime > now);
  state.saveAccount(owner, account);
  result.withdrawExpireAmount = sum;
}
