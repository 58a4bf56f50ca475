import { accountCreate } from './accounts/account-create.js';
import { accountPermissionUpdate } from './accounts/account-permission-update.js';
import { accountUpdate } from './accounts/account-update.js';
import { setAccountId } from './accounts/set-account-id.js';
import { shieldedTransfer } from './accounts/shielded-transfer.js';
import { transfer } from './accounts/transfer.js';
import { assetIssue } from './assets/asset-issue.js';
import { participateAssetIssue } from './assets/participate-asset-issue.js';
import { transferAsset } from './assets/transfer-asset.js';
import { unfreezeAsset } from './assets/unfreeze-asset.js';
import { updateAsset } from './assets/update-asset.js';
import type { ContractHandler } from './contract-handler.js';
import { clearAbi } from './deployed/clear-abi.js';
import { updateEnergyLimit } from './deployed/update-energy-limit.js';
import { updateSetting } from './deployed/update-setting.js';
import { exchangeCreate } from './exchange/exchange-create.js';
import { exchangeInject } from './exchange/exchange-inject.js';
import { exchangeTransaction } from './exchange/exchange-transaction.js';
import { exchangeWithdraw } from './exchange/exchange-withdraw.js';
import { proposalApprove } from './governance/proposal-approve.js';
import { proposalCreate } from './governance/proposal-create.js';
import { proposalDelete } from './governance/proposal-delete.js';
import { updateBrokerage } from './governance/update-brokerage.js';
import { voteWitness } from './governance/vote-witness.js';
import { withdrawBalance } from './governance/withdraw-balance.js';
import { witnessCreate } from './governance/witness-create.js';
import { witnessUpdate } from './governance/witness-update.js';
import { marketCancelOrder } from './market/market-cancel-order.js';
import { marketSellAsset } from './market/market-sell-asset.js';
import { withExchangeArithmetic, withUncheckedArithmetic } from './overflow.js';
import { cancelAllUnfreezeV2 } from './staking/cancel-all-unfreeze-v2.js';
import { delegateResource } from './staking/delegate-resource.js';
import { freezeBalance } from './staking/freeze-balance.js';
import { freezeBalanceV2 } from './staking/freeze-balance-v2.js';
import { undelegateResource } from './staking/undelegate-resource.js';
import { unfreezeBalance } from './staking/unfreeze-balance.js';
import { unfreezeBalanceV2 } from './staking/unfreeze-balance-v2.js';
import { withdrawExpireUnfreeze } from './staking/withdraw-expire-unfreeze.js';

/** One handler per contract type that is not a smart contract. */
const rows: readonly ContractHandler<object>[] = [
  transfer,
  accountCreate,
  transferAsset,
  witnessCreate,
  assetIssue,
  witnessUpdate,
  participateAssetIssue,
  accountUpdate,
  unfreezeAsset,
  updateAsset,
  proposalCreate,
  proposalApprove,
  proposalDelete,
  setAccountId,
  updateSetting,
  ...[exchangeCreate, exchangeInject, exchangeWithdraw, exchangeTransaction].map(withExchangeArithmetic),
  updateEnergyLimit,
  accountPermissionUpdate,
  clearAbi,
  updateBrokerage,
  shieldedTransfer,
  marketSellAsset,
  marketCancelOrder,
  cancelAllUnfreezeV2,
  delegateResource,
  freezeBalance,
  freezeBalanceV2,
  undelegateResource,
  unfreezeBalance,
  unfreezeBalanceV2,
  voteWitness,
  withdrawBalance,
  withdrawExpireUnfreeze,
];

/** Handlers by contract type. */
export const contractHandlers: ReadonlyMap<number, ContractHandler<object>> = new Map(
  rows.map((handler) => [handler.type, withUncheckedArithmetic(handler)]),
);
