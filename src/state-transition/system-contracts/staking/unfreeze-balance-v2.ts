import {
  AccountUnFreezeV2,
  type TransactionResult,
  type UnfreezeBalanceV2Contract,
} from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { DAY_MS } from '../../../primitives/units.js';
import { refuse } from '../../errors.js';
import { addFrozenV2, initializeOldTronPower, ResourceCode } from '../../resources/stake.js';
import { withdrawReward } from '../../rewards/rewards.js';
import { stakedTrxV2 } from '../../staking/stake-fields.js';
import { UNFREEZE_MAX } from '../../staking/stake-v2.js';
import { payExpired } from '../../staking/unfreezing.js';
import { reduceVotes } from '../../staking/votes.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { addTotalWeight, requireOwner } from './staking-rules.js';

/** Starts to unfreeze stake 2.0, and adds expired unfreezings to the balance. Reference: UnfreezeBalanceV2Actuator. */
export const unfreezeBalanceV2: ContractHandler<UnfreezeBalanceV2Contract> = {
  fee: () => 0n,
  validate,
  execute,
};

const NAMES: Readonly<Record<number, string>> = {
  [ResourceCode.BANDWIDTH]: 'BANDWIDTH',
  [ResourceCode.ENERGY]: 'Energy',
  [ResourceCode.TRON_POWER]: 'TronPower',
};

function validate({ ownerAddress, unfreezeBalance, resource }: UnfreezeBalanceV2Contract, state: State): void {
  const { properties } = state;
  const account = requireOwner(state, ownerAddress, 'does not exist');
  const hasTronPower = properties.isOn('ALLOW_NEW_RESOURCE_MODEL');
  const name = resource === ResourceCode.TRON_POWER && !hasTronPower ? undefined : NAMES[resource];
  if (name === undefined) {
    refuse(`ResourceCode error.valid ResourceCode[BANDWIDTH、Energy${hasTronPower ? '、TRON_POWER' : ''}]`);
  }
  if (!account.frozenV2.some(({ type, amount }) => type === resource && amount > 0n))
    refuse(`no frozenBalance(${name})`);
  const frozen = account.frozenV2.find(({ type }) => type === resource)?.amount ?? 0n;
  if (unfreezeBalance <= 0n || unfreezeBalance > frozen)
    refuse(`Invalid unfreeze_balance, [${unfreezeBalance}] is error`);
  const now = properties.get('latest_block_header_timestamp');
  const unfreezing = account.unfrozenV2.filter(({ unfreezeExpireTime }) => unfreezeExpireTime > now);
  if (unfreezing.length >= UNFREEZE_MAX) refuse('Invalid unfreeze operation, unfreezing times is over limit');
}

function execute(contract: UnfreezeBalanceV2Contract, state: State, result: TransactionResult): void {
  const { properties } = state;
  const { resource, unfreezeBalance } = contract;
  const owner = toAddress(contract.ownerAddress);
  const now = properties.get('latest_block_header_timestamp');
  withdrawReward(state, owner);
  const account = state.existingAccountToWrite(owner);
  result.withdrawExpireAmount = payExpired(account, now);
  const hasTronPower = properties.isOn('ALLOW_NEW_RESOURCE_MODEL');
  if (hasTronPower && account.oldTronPower === 0n) initializeOldTronPower(account);
  account.unfrozenV2.push(
    Object.assign(new AccountUnFreezeV2(), {
      type: resource,
      unfreezeAmount: unfreezeBalance,
      unfreezeExpireTime: now + properties.get('UNFREEZE_DELAY_DAYS') * DAY_MS,
    }),
  );
  const before = stakedTrxV2(account, resource);
  addFrozenV2(account, resource, -unfreezeBalance);
  addTotalWeight(state, resource, stakedTrxV2(account, resource) - before);
  reduceVotes(state, owner, account, resource);
  if (hasTronPower) account.oldTronPower = -1n;
  state.saveAccount(owner, account);
}
