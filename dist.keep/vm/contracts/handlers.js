import { accountCreate } from './account-create.js';
import { accountPermissionUpdate } from './account-permission-update.js';
import { accountUpdate } from './account-update.js';
import { assetIssue } from './asset-issue.js';
import { cancelAllUnfreezeV2 } from './cancel-all-unfreeze-v2.js';
import { clearAbi } from './clear-abi.js';
import { delegateResource } from './delegate-resource.js';
import { exchangeCreate } from './exchange-create.js';
import { exchangeInject } from './exchange-inject.js';
import { exchangeTransaction } from './exchange-transaction.js';
import { exchangeWithdraw } from './exchange-withdraw.js';
import { freezeBalance } from './freeze-balance.js';
import { freezeBalanceV2 } from './freeze-balance-v2.js';
import { withExchangeArithmetic, withUncheckedArithmetic } from './java-arithmetic.js';
import { marketCancelOrder } from './market-cancel-order.js';
import { marketSellAsset } from './market-sell-asset.js';
import { participateAssetIssue } from './participate-asset-issue.js';
import { proposalApprove } from './proposal-approve.js';
import { proposalCreate } from './proposal-create.js';
import { proposalDelete } from './proposal-delete.js';
import { setAccountId } from './set-account-id.js';
import { shieldedTransfer } from './shielded-transfer.js';
import { transfer } from './transfer.js';
import { transferAsset } from './transfer-asset.js';
import { undelegateResource } from './undelegate-resource.js';
import { unfreezeAsset } from './unfreeze-asset.js';
import { unfreezeBalance } from './unfreeze-balance.js';
import { unfreezeBalanceV2 } from './unfreeze-balance-v2.js';
import { updateAsset } from './update-asset.js';
import { updateBrokerage } from './update-brokerage.js';
import { updateEnergyLimit } from './update-energy-limit.js';
import { updateSetting } from './update-setting.js';
import { voteWitness } from './vote-witness.js';
import { withdrawBalance } from './withdraw-balance.js';
import { withdrawExpireUnfreeze } from './withdraw-expire-unfreeze.js';
import { witnessCreate } from './witness-create.js';
import { witnessUpdate } from './witness-update.js';
/** One handler per contract type that is not a smart contract. */
const rows = [
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
export const contractHandlers = new Map(rows.map((handler) => [handler.type, withUncheckedArithmetic(handler)]));
//# sourceMappingURL=handlers.js.map