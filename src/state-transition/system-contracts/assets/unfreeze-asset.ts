import type { UnfreezeAssetContract } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { wrap64 } from '../../../primitives/int64.js';
import { isNamedTokens } from '../../balances/tokens.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { failOnOverflow } from '../overflow.js';
import { requireOwner } from '../staking/staking-rules.js';
import { addAsset } from './asset-balance.js';

/** Unfreezes the expired part of the supply that an issuer froze of its asset. Reference: UnfreezeAssetActuator. */
export const unfreezeAsset: ContractHandler<UnfreezeAssetContract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate({ ownerAddress }: UnfreezeAssetContract, state: State): void {
  const account = requireOwner(state, ownerAddress, 'does not exist');
  if (account.frozenSupply.length === 0) refuse('no frozen supply balance');
  const issued = isNamedTokens(state) ? account.assetIssuedName : account.assetIssuedID;
  if (issued.length === 0) refuse('this account has not issued any asset');
  const now = state.properties.get('latest_block_header_timestamp');
  if (!account.frozenSupply.some(({ expireTime }) => expireTime <= now)) {
    refuse("It's not time to unfreeze asset supply");
  }
}

function execute({ ownerAddress }: UnfreezeAssetContract, state: State): void {
  const owner = toAddress(ownerAddress);
  const account = state.existingAccountToWrite(owner);
  const now = state.properties.get('latest_block_header_timestamp');
  const free = account.frozenSupply.filter(({ expireTime }) => expireTime <= now);
  const amount = free.reduce((sum, { frozenBalance }) => wrap64(sum + frozenBalance), 0n);
  const key = isNamedTokens(state) ? account.assetIssuedName : account.assetIssuedID;
  failOnOverflow(() => addAsset(state, owner, account, key, amount));
  account.frozenSupply = account.frozenSupply.filter(({ expireTime }) => expireTime > now);
}
