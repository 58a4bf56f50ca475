import type { TransactionInfo } from '../../../codec/generated/messages.js';
import type { ContractTypeName } from '../../../state-transition/contract-types.js';
import type { ContractRow, contractTable } from '../../../state-transition/system-contracts/table.js';
import { addAssetIssue, addAssetSale, addAssetTransfer, addAssetUnfreeze } from './asset-movements.js';
import { addPoolCreation, addPoolInjection, addPoolTrade, addPoolWithdrawal } from './exchange-movements.js';
import { addCancellation, addOrder } from './market-movements.js';
import { TRX, type TransactionMovements } from './movement.js';
import type { OpenBlock } from './open-block.js';
import { addCall, addDeployment } from './smart-contract-movements.js';
import { addReward, addStake, addUnfrozen, addUnstake } from './stake-movements.js';

/** Function that adds the movements of an executed contract, without fees. The transaction must be successful. */
type Source<Contract> = (
  contract: Contract,
  receipt: TransactionInfo,
  movements: TransactionMovements,
  block: OpenBlock,
) => void;

/** Type of the parameter message of a contract type. */
type ContractOf<Name extends ContractTypeName> = (typeof contractTable)[Name] extends ContractRow<infer C> ? C : never;

/** Function for contract types that change balances only by their fees. */
const feesOnly = (): void => undefined;

/** Function of each contract type. A missing type is a compile error. */
const sources: { readonly [Name in ContractTypeName]: Source<ContractOf<Name>> } = {
  AccountCreateContract: feesOnly,
  TransferContract: ({ ownerAddress, toAddress, amount }, _receipt, movements) =>
    movements.add('transfer', TRX, ownerAddress, toAddress, amount),
  TransferAssetContract: addAssetTransfer,
  VoteWitnessContract: feesOnly,
  WitnessCreateContract: feesOnly,
  AssetIssueContract: addAssetIssue,
  WitnessUpdateContract: feesOnly,
  ParticipateAssetIssueContract: addAssetSale,
  AccountUpdateContract: feesOnly,
  FreezeBalanceContract: addStake,
  UnfreezeBalanceContract: addUnstake,
  WithdrawBalanceContract: addReward,
  UnfreezeAssetContract: addAssetUnfreeze,
  UpdateAssetContract: feesOnly,
  ProposalCreateContract: feesOnly,
  ProposalApproveContract: feesOnly,
  ProposalDeleteContract: feesOnly,
  SetAccountIdContract: feesOnly,
  CreateSmartContract: addDeployment,
  TriggerSmartContract: addCall,
  UpdateSettingContract: feesOnly,
  ExchangeCreateContract: addPoolCreation,
  ExchangeInjectContract: addPoolInjection,
  ExchangeWithdrawContract: addPoolWithdrawal,
  ExchangeTransactionContract: addPoolTrade,
  UpdateEnergyLimitContract: feesOnly,
  AccountPermissionUpdateContract: feesOnly,
  ClearABIContract: feesOnly,
  UpdateBrokerageContract: feesOnly,
  // Transactions of this type always fail in java-tron.
  ShieldedTransferContract: feesOnly,
  MarketSellAssetContract: addOrder,
  MarketCancelOrderContract: addCancellation,
  FreezeBalanceV2Contract: addStake,
  UnfreezeBalanceV2Contract: addUnfrozen,
  WithdrawExpireUnfreezeContract: addUnfrozen,
  DelegateResourceContract: feesOnly,
  UnDelegateResourceContract: feesOnly,
  CancelAllUnfreezeV2Contract: addUnfrozen,
};

/** Names of the contract types that java-tron releases have a handler for. */
export const CONTRACT_TYPE_NAMES: readonly string[] = Object.keys(sources);

/** Returns the function of a contract type; undefined for a type without a handler in java-tron. */
export function sourceOf(name: string): Source<object> | undefined {
  // Cast: a decoded parameter has the message type of its contract type.
  return (sources as Readonly<Record<string, Source<never>>>)[name] as Source<object> | undefined;
}
