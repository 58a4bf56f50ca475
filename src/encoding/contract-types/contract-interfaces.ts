import { TransactionContractContractType as ContractType } from '../../codec/generated/messages.js';
import { toAddress } from '../../primitives/address.js';
import { EMPTY_BYTES, toUtf8 } from '../../primitives/bytes.js';
import { wrap64 } from '../../primitives/int64.js';
import type { ContractTypeName } from '../../state-transition/contract-types.js';
import type { ContractRow, contractTable } from '../../state-transition/system-contracts/table.js';
import type { ContractInterface } from './contract-interface.js';
import { unnamed } from './contract-parties.js';
import { frozenSupply, noRecipient, nothing, received, shieldedAmount } from './contract-values.js';
import { REAL, spaced, spacedTwice, unspaced, type WrongType } from './wrong-type.js';

/** Parameter message of a contract type. */
type ContractOf<Name extends ContractTypeName> = (typeof contractTable)[Name] extends ContractRow<infer C> ? C : never;

/**
 * Type of the row of one contract type. The row of a system contract must have the error text for a parameter of the
 * wrong message type (`wrongType`).
 */
type InterfaceOf<Name extends ContractTypeName> = (typeof contractTable)[Name] extends { readonly handler: object }
  ? ContractInterface<ContractOf<Name>> & { readonly wrongType: WrongType }
  : ContractInterface<ContractOf<Name>>;

/** One row per contract type, in the order of the type numbers. A missing row is a compile error. */
const contractInterfaces = {
  AccountCreateContract: {
    http: { path: 'createaccount', family: 'CreateAccount' },
    rpc: { bare: 'CreateAccount', full: 'CreateAccount2' },
    recipient: ({ accountAddress }) => accountAddress,
    value: nothing,
    parties: unnamed,
    wrongType: unspaced,
  },
  TransferContract: {
    http: { path: 'createtransaction', family: 'Transfer', hasGet: true, takesData: true, ignoresForms: true },
    rpc: { bare: 'CreateTransaction', full: 'CreateTransaction2' },
    recipient: ({ toAddress }) => toAddress,
    value: ({ amount }) => amount,
    parties: ({ ownerAddress: from, toAddress: to, amount }) => ({ kind: 'transfer', from, to, amount }),
    wrongType: (name) => `contract type error, expected type [${name}], real type [${REAL}]`,
  },
  TransferAssetContract: {
    http: { path: 'transferasset', family: 'TransferAsset', hasGet: true, takesData: true, ignoresForms: true },
    rpc: { bare: 'TransferAsset', full: 'TransferAsset2' },
    recipient: ({ toAddress }) => toAddress,
    value: ({ amount }) => amount,
    parties: ({ ownerAddress: from, toAddress: to, assetName, amount }) => ({
      kind: 'transfer',
      from,
      to,
      asset: toUtf8(assetName),
      amount,
    }),
    wrongType: spacedTwice,
  },
  VoteWitnessContract: {
    http: { path: 'votewitnessaccount', family: 'VoteWitnessAccount', hasGet: true, ignoresForms: true },
    rpc: { bare: 'VoteWitnessAccount', full: 'VoteWitnessAccount2' },
    recipient: ({ votes }) => votes[0]?.voteAddress ?? EMPTY_BYTES,
    value: ({ votes }) => votes.reduce((sum, { voteCount }) => wrap64(sum + voteCount), 0n),
    parties: unnamed,
    wrongType: spacedTwice,
  },
  WitnessCreateContract: {
    http: { path: 'createwitness', family: 'CreateWitness', hasGet: true },
    rpc: { bare: 'CreateWitness', full: 'CreateWitness2' },
    recipient: noRecipient,
    value: () => 9_999_000_000n,
    parties: unnamed,
    wrongType: spaced,
  },
  AssetIssueContract: {
    http: { path: 'createassetissue', family: 'CreateAssetIssue', hasGet: true },
    rpc: { bare: 'CreateAssetIssue', full: 'CreateAssetIssue2' },
    recipient: noRecipient,
    value: () => 1_024_000_000n,
    parties: unnamed,
    wrongType: unspaced,
  },
  WitnessUpdateContract: {
    http: { path: 'updatewitness', family: 'UpdateWitness', hasGet: true },
    rpc: { bare: 'UpdateWitness', full: 'UpdateWitness2' },
    recipient: noRecipient,
    value: nothing,
    parties: unnamed,
    wrongType: spaced,
  },
  ParticipateAssetIssueContract: {
    http: { path: 'participateassetissue', family: 'ParticipateAssetIssue', hasGet: true, ignoresForms: true },
    rpc: { bare: 'ParticipateAssetIssue', full: 'ParticipateAssetIssue2' },
    recipient: ({ toAddress }) => toAddress,
    value: nothing,
    parties: unnamed,
    wrongType: unspaced,
  },
  AccountUpdateContract: {
    http: { path: 'updateaccount', family: 'UpdateAccount', hasGet: true },
    rpc: { bare: 'UpdateAccount', full: 'UpdateAccount2' },
    recipient: noRecipient,
    value: nothing,
    parties: unnamed,
    wrongType: spacedTwice,
  },
  FreezeBalanceContract: {
    http: { path: 'freezebalance', family: 'FreezeBalance' },
    rpc: { bare: 'FreezeBalance', full: 'FreezeBalance2' },
    recipient: ({ receiverAddress }) => receiverAddress,
    value: ({ frozenBalance }) => frozenBalance,
    parties: unnamed,
    wrongType: unspaced,
  },
  UnfreezeBalanceContract: {
    http: { path: 'unfreezebalance', family: 'UnFreezeBalance', hasGet: true },
    rpc: { bare: 'UnfreezeBalance', full: 'UnfreezeBalance2' },
    recipient: ({ receiverAddress }) => receiverAddress,
    value: received('unfreezeAmount'),
    parties: ({ ownerAddress: from, receiverAddress: to }, info) => ({
      kind: 'stake',
      from,
      to,
      amount: info?.unfreezeAmount ?? 0n,
    }),
    wrongType: spacedTwice,
  },
  WithdrawBalanceContract: {
    http: { path: 'withdrawbalance', family: 'WithdrawBalance', hasGet: true, ignoresForms: true },
    rpc: { bare: 'WithdrawBalance', full: 'WithdrawBalance2' },
    recipient: noRecipient,
    value: received('withdrawAmount'),
    parties: unnamed,
    wrongType: spacedTwice,
  },
  UnfreezeAssetContract: {
    http: { path: 'unfreezeasset', family: 'UnFreezeAsset', hasGet: true },
    rpc: { bare: 'UnfreezeAsset', full: 'UnfreezeAsset2' },
    recipient: noRecipient,
    value: ({ ownerAddress }, { state }) => frozenSupply(state, toAddress(ownerAddress)),
    parties: unnamed,
    wrongType: spacedTwice,
  },
  UpdateAssetContract: {
    http: { path: 'updateasset', family: 'UpdateAsset', hasGet: true },
    rpc: { bare: 'UpdateAsset', full: 'UpdateAsset2' },
    recipient: noRecipient,
    value: nothing,
    parties: unnamed,
    wrongType: spaced,
  },
  ProposalCreateContract: {
    http: { path: 'proposalcreate', family: 'ProposalCreate', hasGet: true, ignoresForms: true },
    rpc: { full: 'ProposalCreate' },
    recipient: noRecipient,
    value: nothing,
    parties: unnamed,
    wrongType: unspaced,
  },
  ProposalApproveContract: {
    http: { path: 'proposalapprove', family: 'ProposalApprove', hasGet: true, ignoresForms: true },
    rpc: { full: 'ProposalApprove' },
    recipient: noRecipient,
    value: nothing,
    parties: unnamed,
    wrongType: unspaced,
  },
  ProposalDeleteContract: {
    http: { path: 'proposaldelete', family: 'ProposalDelete', hasGet: true, ignoresForms: true },
    rpc: { full: 'ProposalDelete' },
    recipient: noRecipient,
    value: nothing,
    parties: unnamed,
    wrongType: unspaced,
  },
  SetAccountIdContract: {
    http: { path: 'setaccountid', family: 'SetAccountId', hasGet: true, ignoresForms: true },
    rpc: { bare: 'SetAccountId' },
    recipient: noRecipient,
    value: nothing,
    parties: unnamed,
    wrongType: unspaced,
  },
  CreateSmartContract: {
    http: 'none',
    rpc: 'none',
    recipient: noRecipient,
    value: nothing,
    parties: ({ ownerAddress: from, newContract }) => ({
      kind: 'call',
      from,
      callValue: newContract?.callValue ?? 0n,
    }),
  },
  TriggerSmartContract: {
    http: 'none',
    rpc: 'none',
    recipient: ({ contractAddress }) => contractAddress,
    value: ({ callValue }) => callValue,
    parties: ({ ownerAddress: from, contractAddress: to, callValue, tokenId, callTokenValue }) => ({
      kind: 'call',
      from,
      to,
      callValue,
      token: { id: tokenId, amount: callTokenValue },
    }),
  },
  UpdateSettingContract: {
    http: { path: 'updatesetting', family: 'UpdateSetting', hasGet: true },
    rpc: { full: 'UpdateSetting' },
    recipient: ({ contractAddress }) => contractAddress,
    value: nothing,
    parties: unnamed,
    wrongType: spacedTwice,
  },
  ExchangeCreateContract: {
    http: { path: 'exchangecreate', family: 'ExchangeCreate' },
    rpc: { full: 'ExchangeCreate' },
    recipient: noRecipient,
    value: () => 1_024_000_000n,
    parties: unnamed,
    wrongType: unspaced,
  },
  ExchangeInjectContract: {
    http: { path: 'exchangeinject', family: 'ExchangeInject' },
    rpc: { full: 'ExchangeInject' },
    recipient: noRecipient,
    value: ({ quant }) => quant,
    parties: unnamed,
    wrongType: unspaced,
  },
  ExchangeWithdrawContract: {
    http: { path: 'exchangewithdraw', family: 'ExchangeWithdraw' },
    rpc: { full: 'ExchangeWithdraw' },
    recipient: noRecipient,
    value: ({ quant }) => quant,
    parties: unnamed,
    wrongType: unspaced,
  },
  ExchangeTransactionContract: {
    http: { path: 'exchangetransaction', family: 'ExchangeTransaction' },
    rpc: { full: 'ExchangeTransaction' },
    recipient: noRecipient,
    value: ({ quant }) => quant,
    parties: unnamed,
    wrongType: unspaced,
  },
  UpdateEnergyLimitContract: {
    http: { path: 'updateenergylimit', family: 'UpdateEnergyLimit', hasGet: true },
    rpc: { full: 'UpdateEnergyLimit' },
    recipient: ({ contractAddress }) => contractAddress,
    value: nothing,
    parties: unnamed,
    wrongType: spaced,
    needsFirst: true,
  },
  AccountPermissionUpdateContract: {
    http: { path: 'accountpermissionupdate', family: 'AccountPermissionUpdate', hasGet: true },
    rpc: { full: 'AccountPermissionUpdate' },
    recipient: noRecipient,
    value: () => 100_000_000n,
    parties: unnamed,
    wrongType: unspaced,
    needsFirst: true,
  },
  ClearABIContract: {
    http: { path: 'clearabi', family: 'ClearABI', hasGet: true },
    rpc: { full: 'ClearContractABI' },
    recipient: ({ contractAddress }) => contractAddress,
    value: nothing,
    parties: unnamed,
    wrongType: unspaced,
    needsFirst: true,
  },
  UpdateBrokerageContract: {
    http: { path: 'updateBrokerage', family: 'UpdateBrokerage' },
    rpc: { full: 'UpdateBrokerage' },
    recipient: noRecipient,
    value: nothing,
    parties: unnamed,
    wrongType: spacedTwice,
    needsFirst: true,
  },
  ShieldedTransferContract: {
    http: 'none',
    rpc: 'none',
    recipient: ({ transparentToAddress }) => transparentToAddress,
    value: shieldedAmount,
    parties: unnamed,
    wrongType: () => 'Type of the Any message does not match the given class.',
  },
  MarketSellAssetContract: {
    http: { path: 'marketsellasset', family: 'MarketSellAsset', hasGet: true, takesData: true, ignoresForms: true },
    rpc: { full: 'MarketSellAsset' },
    recipient: noRecipient,
    value: nothing,
    parties: unnamed,
    wrongType: unspaced,
  },
  MarketCancelOrderContract: {
    http: { path: 'marketcancelorder', family: 'MarketCancelOrder', hasGet: true, takesData: true },
    rpc: { full: 'MarketCancelOrder' },
    recipient: noRecipient,
    value: nothing,
    parties: unnamed,
    wrongType: unspaced,
  },
  FreezeBalanceV2Contract: {
    http: { path: 'freezebalancev2', family: 'FreezeBalanceV2' },
    rpc: { full: 'FreezeBalanceV2' },
    recipient: noRecipient,
    value: nothing,
    parties: ({ ownerAddress: from, frozenBalance: amount }) => ({ kind: 'stake', from, amount }),
    wrongType: unspaced,
  },
  UnfreezeBalanceV2Contract: {
    http: { path: 'unfreezebalancev2', family: 'UnFreezeBalanceV2', hasGet: true },
    rpc: { full: 'UnfreezeBalanceV2' },
    recipient: noRecipient,
    value: received('unfreezeAmount'),
    parties: ({ ownerAddress: from, unfreezeBalance: amount }) => ({ kind: 'stake', from, amount }),
    wrongType: () => spacedTwice('UnfreezeBalanceContract'),
  },
  WithdrawExpireUnfreezeContract: {
    http: { path: 'withdrawexpireunfreeze', family: 'WithdrawExpireUnfreeze', hasGet: true, ignoresForms: true },
    rpc: { full: 'WithdrawExpireUnfreeze' },
    recipient: noRecipient,
    value: received('withdrawExpireAmount'),
    parties: ({ ownerAddress: from }, info) => ({ kind: 'stake', from, amount: info?.withdrawExpireAmount ?? 0n }),
    wrongType: spacedTwice,
  },
  DelegateResourceContract: {
    http: { path: 'delegateresource', family: 'DelegateResource' },
    rpc: { full: 'DelegateResource' },
    recipient: ({ receiverAddress }) => receiverAddress,
    value: nothing,
    parties: ({ ownerAddress: from, receiverAddress: to, balance: amount }) => ({ kind: 'stake', from, to, amount }),
    wrongType: unspaced,
  },
  UnDelegateResourceContract: {
    http: { path: 'undelegateresource', family: 'UnDelegateResource', hasGet: true },
    rpc: { full: 'UnDelegateResource' },
    recipient: ({ receiverAddress }) => receiverAddress,
    value: nothing,
    parties: ({ ownerAddress: from, receiverAddress: to, balance: amount }) => ({ kind: 'stake', from, to, amount }),
    wrongType: spacedTwice,
    needsFirst: true,
  },
  CancelAllUnfreezeV2Contract: {
    http: { path: 'cancelallunfreezev2', family: 'CancelAllUnfreezeV2' },
    rpc: { full: 'CancelAllUnfreezeV2' },
    recipient: noRecipient,
    value: (_, { readReceipt }) =>
      [...(readReceipt()?.cancelUnfreezeV2Amount.values() ?? [])].reduce((sum, amount) => sum + amount, 0n),
    parties: ({ ownerAddress: from }) => ({ kind: 'stake', from, amount: 0n }),
    wrongType: spacedTwice,
  },
} as const satisfies { readonly [Name in ContractTypeName]: InterfaceOf<Name> };

type NamesOf<Column> = Column extends object ? Column[keyof Column] : never;

/** gRPC methods that build a transaction of one type. */
export type BuilderRpc = NamesOf<(typeof contractInterfaces)[ContractTypeName]['rpc']>;

/** Rows by contract type number. */
const interfacesByType: ReadonlyMap<number, ContractInterface> = new Map(
  interfaceRows().map(([name, row]) => [ContractType[name], row]),
);

export function interfaceOf(type: number): ContractInterface | undefined {
  return interfacesByType.get(type);
}

export function interfaceRows(): readonly (readonly [type: ContractTypeName, row: ContractInterface])[] {
  return Object.entries<ContractInterface>(contractInterfaces) as [ContractTypeName, ContractInterface][];
}
