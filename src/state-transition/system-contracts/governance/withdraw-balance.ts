import type { TransactionResult, WithdrawBalanceContract } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { INT64_MAX } from '../../../primitives/int64.js';
import { DAY_MS } from '../../../primitives/units.js';
import { refuse } from '../../errors.js';
import { queryReward, withdrawReward } from '../../rewards/rewards.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { requireOwner } from '../staking/staking-rules.js';

/** Adds the allowance of a witness or voter to its balance, at most once a day. Reference: WithdrawBalanceActuator. */
export const withdrawBalance: ContractHandler<WithdrawBalanceContract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate({ ownerAddress }: WithdrawBalanceContract, state: State): void {
  const { properties, rules } = state;
  const account = requireOwner(state, ownerAddress);
  const owner = toAddress(ownerAddress);
  if (rules.genesisWitnesses.some(({ address }) => address === owner)) {
    refuse(`Account[${owner}] is a guard representative and is not allowed to withdraw Balance`);
  }
  const wait = properties.get('WITNESS_ALLOWANCE_FROZEN_TIME') * DAY_MS;
  if (properties.get('latest_block_header_timestamp') - account.latestWithdrawTime < wait) {
    refuse(`The last withdraw time is ${account.latestWithdrawTime}, less than 24 hours`);
  }
  if (account.allowance <= 0n && queryReward(state, owner) <= 0n) refuse('witnessAccount does not have any reward');
  if (account.balance + account.allowance > INT64_MAX) {
    refuse(state.rules.release.texts.overflow('checkedAdd', account.balance, account.allowance));
  }
}

function execute({ ownerAddress }: WithdrawBalanceContract, state: State, result: TransactionResult): void {
  const owner = toAddress(ownerAddress);
  withdrawReward(state, owner);
  const account = state.existingAccountToWrite(owner);
  const { allowance } = account;
  account.balance = BigInt.asIntN(64, account.balance + allowance);
  account.allowance = 0n;
  account.latestWithdrawTime = state.properties.get('latest_block_header_timestamp');
  state.saveAccount(owner, account);
  result.withdrawAmount = allowance;
}
