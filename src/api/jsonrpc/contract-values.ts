import {
  type AccountCreateContract,
  TransactionContractContractType as ContractType,
  type DelegateResourceContract,
  type ExchangeInjectContract,
  type FreezeBalanceContract,
  type ShieldedTransferContract,
  type TransactionInfo,
  type TransferContract,
  type TriggerSmartContract,
  type VoteWitnessContract,
} from '../../codec/generated/messages.js';
import { EMPTY_BYTES, equalBytes, toHex } from '../../domain/bytes.js';
import { wrap64 } from '../../domain/int64.js';
import type { State } from '../../vm/state/state.js';
import type { DecodedTransaction } from '../../vm/transaction.js';

/** Whom a contract is for; empty for those that are for nobody. Reference: JsonRpcApiUtil.getTo. */
export function contractRecipient({ contractType, parameter }: DecodedTransaction): Uint8Array {
  switch (contractType) {
    case ContractType.AccountCreateContract:
      return (parameter as AccountCreateContract).accountAddress;
    case ContractType.TransferContract:
    case ContractType.TransferAssetContract:
    case ContractType.ParticipateAssetIssueContract:
      return (parameter as TransferContract).toAddress;
    case ContractType.VoteWitnessContract:
      return (parameter as VoteWitnessContract).votes[0]?.voteAddress ?? EMPTY_BYTES;
    case ContractType.FreezeBalanceContract:
    case ContractType.UnfreezeBalanceContract:
    case ContractType.DelegateResourceContract:
    case ContractType.UnDelegateResourceContract:
      return (parameter as DelegateResourceContract).receiverAddress;
    case ContractType.TriggerSmartContract:
    case ContractType.UpdateSettingContract:
    case ContractType.UpdateEnergyLimitContract:
    case ContractType.ClearABIContract:
      return (parameter as TriggerSmartContract).contractAddress;
    case ContractType.ShieldedTransferContract:
      return (parameter as ShieldedTransferContract).transparentToAddress;
    default:
      return EMPTY_BYTES;
  }
}

/** What JSON-RPC shows as the value of a transaction. Reference: JsonRpcApiUtil.getTransactionAmount. */
export function contractAmount(
  { contractType, parameter, owner }: DecodedTransaction,
  info: TransactionInfo | undefined,
  state: State,
): bigint {
  switch (contractType) {
    case ContractType.TransferContract:
    case ContractType.TransferAssetContract:
      return (parameter as TransferContract).amount;
    case ContractType.VoteWitnessContract:
      return (parameter as VoteWitnessContract).votes.reduce((sum, { voteCount }) => wrap64(sum + voteCount), 0n);
    case ContractType.WitnessCreateContract:
      return 9_999_000_000n;
    case ContractType.AssetIssueContract:
    case ContractType.ExchangeCreateContract:
      return 1_024_000_000n;
    case ContractType.FreezeBalanceContract:
      return (parameter as FreezeBalanceContract).frozenBalance;
    case ContractType.TriggerSmartContract:
      return (parameter as TriggerSmartContract).callValue;
    case ContractType.ExchangeInjectContract:
    case ContractType.ExchangeWithdrawContract:
    case ContractType.ExchangeTransactionContract:
      return (parameter as ExchangeInjectContract).quant;
    case ContractType.AccountPermissionUpdateContract:
      return 100_000_000n;
    case ContractType.ShieldedTransferContract:
      return shieldedAmount(parameter as ShieldedTransferContract);
    case ContractType.UnfreezeAssetContract:
      return frozenSupply(state, owner);
    default:
      return info === undefined ? 0n : receivedAmount(contractType, info);
  }
}

function shieldedAmount({ fromAmount, toAmount }: ShieldedTransferContract): bigint {
  if (fromAmount > 0n) return fromAmount;
  return toAmount > 0n ? toAmount : 0n;
}

/** Amounts that only the receipt knows. */
function receivedAmount(contractType: number, info: TransactionInfo): bigint {
  switch (contractType) {
    case ContractType.UnfreezeBalanceContract:
    case ContractType.UnfreezeBalanceV2Contract:
      return info.unfreezeAmount;
    case ContractType.WithdrawBalanceContract:
      return info.withdrawAmount;
    case ContractType.WithdrawExpireUnfreezeContract:
      return info.withdrawExpireAmount;
    case ContractType.CancelAllUnfreezeV2Contract:
      return [...info.cancelUnfreezeV2Amount.values()].reduce((sum, amount) => sum + amount, 0n);
    default:
      return 0n;
  }
}

/** Frozen supply of the one token that an account issued. */
function frozenSupply(state: State, owner: DecodedTransaction['owner']): bigint {
  const account = state.account(owner);
  if (account === undefined) return 0n;
  const isById = state.properties.isOn('ALLOW_SAME_TOKEN_NAME');
  const id = isById ? account.assetIssuedID : account.assetIssuedName;
  const asset = isById ? state.assetsV2.get(toHex(id)) : state.assets.get(toHex(id));
  if (asset === undefined || !equalBytes(asset.ownerAddress, account.address)) return 0n;
  return asset.frozenSupply.reduce((sum, { frozenAmount }) => sum + frozenAmount, 0n);
}
