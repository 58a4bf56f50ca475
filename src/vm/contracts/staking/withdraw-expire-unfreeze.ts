import {
  type AccountUnFreezeV2,
  type TransactionResult,
  WithdrawExpireUnfreezeContract,
} from '../../../codec/generated/messages.js';
import { toAddress } from '../../../domain/address.js';
import { INT64_MAX } from '../../../domain/int64.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { requireOwner } from './staking-rules.js';

/** Stake 2.0: pays out what waited long enough. Reference: WithdrawExpireUnfreezeActuator. */
export const withdrawExpireUnfreeze: ContractHandler<WithdrawExpireUnfreezeContract> = {
  type: 56,
  message: WithdrawExpireUnfreezeContract,
  owner: ({ ownerAddress }) => ownerAddress,
  fee: () => 0n,
  validate,
  execute,
};

function validate({ ownerAddress }: WithdrawExpireUnfreezeContract, state: State): void {
  const { properties } = state;
  if (!properties.supportsUnfreezeDelay()) {
    refuse('Not support WithdrawExpireUnfreeze transaction, need to be opened by the committee');
  }
  const account = requireOwner(state, ownerAddress);
  const sum = expiredSum(account.unfrozenV2, properties.get('latest_block_header_timestamp'));
  if (sum <= 0n) refuse('no unFreeze balance to withdraw ');
  if (account.balance + sum > INT64_MAX) {
    refuse(state.rules.release.texts.overflow('checkedAdd', account.balance, sum));
  }
}

function execute({ ownerAddress }: WithdrawExpireUnfreezeContract, state: State, result: TransactionResult): void {
  const owner = toAddress(ownerAddress);
  const account = state.accountToWrite(owner)!;
  const now = state.properties.get('latest_block_header_timestamp');
  const sum = expiredSum(account.unfrozenV2, now);
  account.balance += sum;
  account.unfrozenV2 = account.unfrozenV2.filter(({ unfreezeExpireTime }) => unfreezeExpireTime > now);
  state.saveAccount(owner, account);
  result.withdrawExpireAmount = sum;
}

function expiredSum(entries: readonly AccountUnFreezeV2[], now: bigint): bigint {
  const expired = entries.filter(
    ({ unfreezeAmount, unfreezeExpireTime }) => unfreezeAmount > 0n && unfreezeExpireTime <= now,
  );
  return expired.reduce((total, { unfreezeAmount }) => total + unfreezeAmount, 0n);
}
