import { TransactionContractContractType as ContractType, } from '../../log/codec/generated/messages.js';
import { EMPTY_BYTES, equalBytes, toHex } from '../../log/domain/bytes.js';
import { wrap64 } from '../../log/domain/int64.js';
/** Whom a contract is for; empty for those that are for nobody. Reference: JsonRpcApiUtil.getTo. */
export function contractRecipient({ contractType, parameter }) {
    switch (contractType) {
        case ContractType.AccountCreateContract:
            return parameter.accountAddress;
        case ContractType.TransferContract:
        case ContractType.TransferAssetContract:
        case ContractType.ParticipateAssetIssueContract:
            return parameter.toAddress;
        case ContractType.VoteWitnessContract:
            return parameter.votes[0]?.voteAddress ?? EMPTY_BYTES;
        case ContractType.FreezeBalanceContract:
        case ContractType.UnfreezeBalanceContract:
        case ContractType.DelegateResourceContract:
        case ContractType.UnDelegateResourceContract:
            return parameter.receiverAddress;
        case ContractType.TriggerSmartContract:
        case ContractType.UpdateSettingContract:
        case ContractType.UpdateEnergyLimitContract:
        case ContractType.ClearABIContract:
            return parameter.contractAddress;
        case ContractType.ShieldedTransferContract:
            return parameter.transparentToAddress;
        default:
            return EMPTY_BYTES;
    }
}
/** What JSON-RPC shows as the value of a transaction. Reference: JsonRpcApiUtil.getTransactionAmount. */
export function contractAmount({ contractType, parameter, owner }, info, state) {
    switch (contractType) {
        case ContractType.TransferContract:
        case ContractType.TransferAssetContract:
            return parameter.amount;
        case ContractType.VoteWitnessContract:
            return parameter.votes.reduce((sum, { voteCount }) => wrap64(sum + voteCount), 0n);
        case ContractType.WitnessCreateContract:
            return 9999000000n;
        case ContractType.AssetIssueContract:
        case ContractType.ExchangeCreateContract:
            return 1024000000n;
        case ContractType.FreezeBalanceContract:
            return parameter.frozenBalance;
        case ContractType.TriggerSmartContract:
            return parameter.callValue;
        case ContractType.ExchangeInjectContract:
        case ContractType.ExchangeWithdrawContract:
        case ContractType.ExchangeTransactionContract:
            return parameter.quant;
        case ContractType.AccountPermissionUpdateContract:
            return 100000000n;
        case ContractType.ShieldedTransferContract:
            return shieldedAmount(parameter);
        case ContractType.UnfreezeAssetContract:
            return frozenSupply(state, owner);
        default:
            return info === undefined ? 0n : receivedAmount(contractType, info);
    }
}
function shieldedAmount({ fromAmount, toAmount }) {
    if (fromAmount > 0n)
        return fromAmount;
    return toAmount > 0n ? toAmount : 0n;
}
/** Amounts that only the receipt knows. */
function receivedAmount(contractType, info) {
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
function frozenSupply(state, owner) {
    const account = state.account(owner);
    if (account === undefined)
        return 0n;
    const isById = state.properties.isOn('ALLOW_SAME_TOKEN_NAME');
    const id = isById ? account.assetIssuedID : account.assetIssuedName;
    const asset = isById ? state.assetsV2.get(toHex(id)) : state.assets.get(toHex(id));
    if (asset === undefined || !equalBytes(asset.ownerAddress, account.address))
        return 0n;
    return asset.frozenSupply.reduce((sum, { frozenAmount }) => sum + frozenAmount, 0n);
}
//# sourceMappingURL=contract-values.js.map