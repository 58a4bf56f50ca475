import { TransactionContractContractType as ContractType, } from '../../../log/codec/generated/messages.js';
import { decodeParameter } from '../../../vm/transactions/decode-transaction.js';
import { addressText } from './address-text.js';
import { jsonText } from './json-text.js';
/** Amounts that the contract does not name come from the receipt. Reference: TransactionLogTriggerCapsule. */
const stakes = new Map([
    [
        ContractType.UnfreezeBalanceContract,
        (parameter, info) => {
            const { ownerAddress: owner, receiverAddress: receiver } = parameter;
            return { owner, receiver, amount: info?.unfreezeAmount ?? 0n };
        },
    ],
    [
        ContractType.FreezeBalanceV2Contract,
        (parameter) => {
            const { ownerAddress: owner, frozenBalance: amount } = parameter;
            return { owner, amount };
        },
    ],
    [
        ContractType.UnfreezeBalanceV2Contract,
        (parameter) => {
            const { ownerAddress: owner, unfreezeBalance: amount } = parameter;
            return { owner, amount };
        },
    ],
    [
        ContractType.WithdrawExpireUnfreezeContract,
        (parameter, info) => {
            const { ownerAddress: owner } = parameter;
            return { owner, amount: info?.withdrawExpireAmount ?? 0n };
        },
    ],
    [
        ContractType.DelegateResourceContract,
        (parameter) => {
            const { ownerAddress: owner, receiverAddress: receiver, balance: amount } = parameter;
            return { owner, receiver, amount };
        },
    ],
    [
        ContractType.UnDelegateResourceContract,
        (parameter) => {
            const { ownerAddress: owner, receiverAddress: receiver, balance: amount, } = parameter;
            return { owner, receiver, amount };
        },
    ],
    [
        ContractType.CancelAllUnfreezeV2Contract,
        (parameter) => ({ owner: parameter.ownerAddress, amount: 0n }),
    ],
]);
/** Undefined for other contracts, and for a parameter that cannot be read. */
export function stakePartiesOf(contract, info) {
    const read = contract === undefined ? undefined : stakes.get(contract.type);
    if (contract === undefined || read === undefined)
        return undefined;
    const parameter = decodeParameter(contract);
    if (parameter === undefined)
        return undefined;
    const { owner, receiver, amount } = read(parameter, info);
    const to = receiver === undefined || receiver.length === 0 ? null : addressText(receiver);
    return { from: addressText(owner), to, assetName: 'trx', amount, callValue: 0n };
}
/** What was taken back of each resource, as JSON; `null` for all but one contract. */
export function extMapOf(type, info) {
    if (type !== ContractType.CancelAllUnfreezeV2Contract || info === undefined)
        return 'null';
    const members = [...info.cancelUnfreezeV2Amount].map(([resource, amount]) => `${jsonText(resource)}:${amount}`);
    return `{${members.join(',')}}`;
}
//# sourceMappingURL=stake-parties.js.map