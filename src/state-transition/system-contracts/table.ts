import type { MessageType } from '../../codec/descriptor.js';
import * as messages from '../../codec/generated/messages.js';
import type { ContractTypeName } from '../contract-types.js';
import { VERSION } from '../parameters/block-versions.js';
import type { OpenedTypeName } from '../parameters/parameter-table.js';
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
import { all, closedTo, isNotZero, isPositive, type Need, on, opened, passed } from './needs.js';
import { withExchangeArithmetic } from './overflow.js';
import { cancelAllUnfreezeV2 } from './staking/cancel-all-unfreeze-v2.js';
import { delegateResource } from './staking/delegate-resource.js';
import { freezeBalance } from './staking/freeze-balance.js';
import { freezeBalanceV2 } from './staking/freeze-balance-v2.js';
import { undelegateResource } from './staking/undelegate-resource.js';
import { unfreezeBalance } from './staking/unfreeze-balance.js';
import { unfreezeBalanceV2 } from './staking/unfreeze-balance-v2.js';
import { withdrawExpireUnfreeze } from './staking/withdraw-expire-unfreeze.js';

/**
 * Definition of one contract type. The key of the row is the name of the type in `Transaction.Contract.ContractType`,
 * which defines the number of the type.
 */
export interface ContractRow<C extends object = object> {
  /** Message type of the contract's parameter. Reference: TransactionFactory. */
  readonly message: MessageType<C>;
  /**
   * Returns the address of the account whose permission must have signed the transaction. Reference:
   * TransactionCapsule.getOwner.
   */
  ownerOf(contract: C): Uint8Array;
  /** Requirement that is checked before the contract's parameter. */
  readonly needs?: Need;
  /** Rules of a system contract. Undefined for a smart contract type, which runs in the TVM. */
  readonly handler?: ContractHandler<C>;
  /**
   * Set if an overflow is a contract error (of validation or execution) since release 4.8.2. If undefined, an overflow
   * is an unchecked exception. Reference: Exchange*Actuator.
   */
  readonly refusesOverflow?: true;
}

type SystemRow<C extends object> = ContractRow<C> & { readonly handler: ContractHandler<C> };
type SwitchedRow<C extends object> = SystemRow<C> & { readonly needs: Need };

/**
 * Type of the table row of a contract type. If a chain parameter enables the contract type, the row must have a
 * requirement (`needs`).
 */
type RowOf<Name extends ContractTypeName> = Name extends OpenedTypeName ? SwitchedRow<object> : ContractRow;

/** Not created by `system`, because the owner address of this contract type is not in a field `ownerAddress`. */
const shielded: SystemRow<messages.ShieldedTransferContract> = {
  message: messages.ShieldedTransferContract,
  ownerOf: ({ transparentFromAddress }) => transparentFromAddress,
  handler: shieldedTransfer,
};

/** Requirement of the two contract types that start and end a delegation of stake 2.0. */
const DELEGATION = on('ALLOW_DELEGATE_RESOURCE', 'No support for resource delegate');

/** One row per contract type, ordered by number. A missing row is a compile error. */
export const contractTable = {
  AccountCreateContract: system(messages.AccountCreateContract, accountCreate),
  TransferContract: system(messages.TransferContract, transfer),
  TransferAssetContract: system(messages.TransferAssetContract, transferAsset),
  VoteWitnessContract: system(messages.VoteWitnessContract, voteWitness),
  WitnessCreateContract: system(messages.WitnessCreateContract, witnessCreate),
  AssetIssueContract: system(messages.AssetIssueContract, assetIssue),
  WitnessUpdateContract: system(messages.WitnessUpdateContract, witnessUpdate),
  ParticipateAssetIssueContract: system(messages.ParticipateAssetIssueContract, participateAssetIssue),
  AccountUpdateContract: system(messages.AccountUpdateContract, accountUpdate),
  FreezeBalanceContract: system(messages.FreezeBalanceContract, freezeBalance),
  UnfreezeBalanceContract: system(messages.UnfreezeBalanceContract, unfreezeBalance),
  WithdrawBalanceContract: system(messages.WithdrawBalanceContract, withdrawBalance),
  UnfreezeAssetContract: system(messages.UnfreezeAssetContract, unfreezeAsset),
  UpdateAssetContract: system(messages.UpdateAssetContract, updateAsset),
  ProposalCreateContract: system(messages.ProposalCreateContract, proposalCreate),
  ProposalApproveContract: system(messages.ProposalApproveContract, proposalApprove),
  ProposalDeleteContract: system(messages.ProposalDeleteContract, proposalDelete),
  SetAccountIdContract: system(messages.SetAccountIdContract, setAccountId),
  CreateSmartContract: smart(messages.CreateSmartContract),
  TriggerSmartContract: smart(messages.TriggerSmartContract),
  UpdateSettingContract: system(messages.UpdateSettingContract, updateSetting),
  ExchangeCreateContract: exchange(messages.ExchangeCreateContract, exchangeCreate),
  ExchangeInjectContract: exchange(messages.ExchangeInjectContract, exchangeInject),
  ExchangeWithdrawContract: exchange(messages.ExchangeWithdrawContract, exchangeWithdraw),
  ExchangeTransactionContract: exchange(messages.ExchangeTransactionContract, exchangeTransaction),
  UpdateEnergyLimitContract: system(
    messages.UpdateEnergyLimitContract,
    updateEnergyLimit,
    passed(VERSION.ENERGY_LIMIT, 'contract type error, unexpected type [UpdateEnergyLimitContract]'),
  ),
  AccountPermissionUpdateContract: system(
    messages.AccountPermissionUpdateContract,
    accountPermissionUpdate,
    on('ALLOW_MULTI_SIGN', 'multi sign is not allowed, need to be opened by the committee'),
  ),
  ClearABIContract: system(
    messages.ClearABIContract,
    clearAbi,
    opened('ClearABIContract', 'contract type error,unexpected type [ClearABIContract]', isNotZero),
  ),
  UpdateBrokerageContract: system(
    messages.UpdateBrokerageContract,
    updateBrokerage,
    opened('UpdateBrokerageContract', 'contract type error, unexpected type [UpdateBrokerageContract]'),
  ),
  ShieldedTransferContract: shielded,
  MarketSellAssetContract: system(
    messages.MarketSellAssetContract,
    marketSellAsset,
    opened('MarketSellAssetContract', closedTo('Market Transaction')),
  ),
  MarketCancelOrderContract: system(
    messages.MarketCancelOrderContract,
    marketCancelOrder,
    opened('MarketCancelOrderContract', closedTo('Market Transaction')),
  ),
  FreezeBalanceV2Contract: system(
    messages.FreezeBalanceV2Contract,
    freezeBalanceV2,
    opened('FreezeBalanceV2Contract', closedTo('FreezeV2 transaction'), isPositive),
  ),
  UnfreezeBalanceV2Contract: system(
    messages.UnfreezeBalanceV2Contract,
    unfreezeBalanceV2,
    opened('UnfreezeBalanceV2Contract', closedTo('UnfreezeV2 transaction'), isPositive),
  ),
  WithdrawExpireUnfreezeContract: system(
    messages.WithdrawExpireUnfreezeContract,
    withdrawExpireUnfreeze,
    opened('WithdrawExpireUnfreezeContract', closedTo('WithdrawExpireUnfreeze transaction'), isPositive),
  ),
  DelegateResourceContract: system(
    messages.DelegateResourceContract,
    delegateResource,
    all(DELEGATION, opened('DelegateResourceContract', closedTo('Delegate resource transaction'), isPositive)),
  ),
  UnDelegateResourceContract: system(
    messages.UnDelegateResourceContract,
    undelegateResource,
    all(DELEGATION, opened('UnDelegateResourceContract', closedTo('unDelegate resource transaction'), isPositive)),
  ),
  CancelAllUnfreezeV2Contract: system(
    messages.CancelAllUnfreezeV2Contract,
    cancelAllUnfreezeV2,
    all(
      opened('CancelAllUnfreezeV2Contract', closedTo('CancelAllUnfreezeV2 transaction')),
      on('UNFREEZE_DELAY_DAYS', closedTo('CancelAllUnfreezeV2 transaction'), isPositive),
    ),
  ),
} as const satisfies { readonly [Name in ContractTypeName]: RowOf<Name> };

/** Rows of {@link contractTable} by the number of the contract type. */
export const contractRows: ReadonlyMap<number, ContractRow> = new Map(
  Object.entries<ContractRow>(contractTable).map(([name, row]) => [
    messages.TransactionContractContractType[name as ContractTypeName],
    row,
  ]),
);

/**
 * Handlers of system contracts by contract type number. Each handler applies `needs` and `refusesOverflow` of its row
 * in the table.
 */
export const contractHandlers: ReadonlyMap<number, ContractHandler<object>> = new Map(
  [...contractRows].flatMap(([type, { handler, needs, refusesOverflow = false }]) => {
    if (handler === undefined) return [];
    const needing = needs === undefined ? handler : withNeeds(handler, needs);
    return [[type, refusesOverflow ? withExchangeArithmetic(needing) : needing]];
  }),
);

function withNeeds(handler: ContractHandler<object>, needs: Need): ContractHandler<object> {
  return {
    ...handler,
    validate: (contract, state, context) => {
      needs(state);
      handler.validate(contract, state, context);
    },
  };
}

/** Returns true if contracts of this type run in the TVM. */
export function isSmartContract(type: number): boolean {
  return contractRows.has(type) && !contractHandlers.has(type);
}

interface Owned {
  readonly ownerAddress: Uint8Array;
}

function smart<C extends Owned>(message: MessageType<C>): ContractRow<C> {
  return { message, ownerOf: ({ ownerAddress }) => ownerAddress };
}

function system<C extends Owned>(message: MessageType<C>, handler: ContractHandler<C>): SystemRow<C>;
function system<C extends Owned>(message: MessageType<C>, handler: ContractHandler<C>, needs: Need): SwitchedRow<C>;
function system<C extends Owned>(message: MessageType<C>, handler: ContractHandler<C>, needs?: Need): SystemRow<C> {
  return { ...smart(message), handler, ...(needs === undefined ? {} : { needs }) };
}

function exchange<C extends Owned>(message: MessageType<C>, handler: ContractHandler<C>): SystemRow<C> {
  return { ...system(message, handler), refusesOverflow: true };
}
