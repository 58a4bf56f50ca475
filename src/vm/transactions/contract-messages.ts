import type { MessageType } from '../../codec/descriptor.js';
import * as messages from '../../codec/generated/messages.js';

/**
 * The parameter message of each contract type that the network executes, by its number. Types of the schema that no release
 * executes (votes for assets, storage, custom) are left out. Reference: TransactionFactory, filled by the actuators.
 */
export const contractMessages: ReadonlyMap<number, MessageType<object>> = new Map<number, MessageType<object>>([
  [0, messages.AccountCreateContract],
  [1, messages.TransferContract],
  [2, messages.TransferAssetContract],
  [4, messages.VoteWitnessContract],
  [5, messages.WitnessCreateContract],
  [6, messages.AssetIssueContract],
  [8, messages.WitnessUpdateContract],
  [9, messages.ParticipateAssetIssueContract],
  [10, messages.AccountUpdateContract],
  [11, messages.FreezeBalanceContract],
  [12, messages.UnfreezeBalanceContract],
  [13, messages.WithdrawBalanceContract],
  [14, messages.UnfreezeAssetContract],
  [15, messages.UpdateAssetContract],
  [16, messages.ProposalCreateContract],
  [17, messages.ProposalApproveContract],
  [18, messages.ProposalDeleteContract],
  [19, messages.SetAccountIdContract],
  [30, messages.CreateSmartContract],
  [31, messages.TriggerSmartContract],
  [33, messages.UpdateSettingContract],
  [41, messages.ExchangeCreateContract],
  [42, messages.ExchangeInjectContract],
  [43, messages.ExchangeWithdrawContract],
  [44, messages.ExchangeTransactionContract],
  [45, messages.UpdateEnergyLimitContract],
  [46, messages.AccountPermissionUpdateContract],
  [48, messages.ClearABIContract],
  [49, messages.UpdateBrokerageContract],
  [51, messages.ShieldedTransferContract],
  [52, messages.MarketSellAssetContract],
  [53, messages.MarketCancelOrderContract],
  [54, messages.FreezeBalanceV2Contract],
  [55, messages.UnfreezeBalanceV2Contract],
  [56, messages.WithdrawExpireUnfreezeContract],
  [57, messages.DelegateResourceContract],
  [58, messages.UnDelegateResourceContract],
  [59, messages.CancelAllUnfreezeV2Contract],
]);
