import { TransactionResultContractResult as ContractResult, TransactionContractContractType as ContractType, } from '../../log/codec/generated/messages.js';
import { toHex, toUtf8 } from '../../log/domain/bytes.js';
/** `Transfer(address,address,uint256)`, the event of both token standards. */
const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const DONE = new Set([undefined, ContractResult.DEFAULT, ContractResult.SUCCESS]);
/** Transfers of a transaction in the order in which they happened: its own, those of internal transactions, those of events. */
export function transfersOf(transaction, addressPrefix) {
    if (!DONE.has(transaction.message.ret[0]?.contractRet))
        return [];
    return [
        ...ownTransfers(transaction),
        ...internalTransfers(transaction),
        ...eventTransfers(transaction, addressPrefix),
    ];
}
function ownTransfers({ type, parameter }) {
    if (parameter === undefined)
        return [];
    if (type === ContractType.TransferContract) {
        const { ownerAddress, toAddress, amount } = parameter;
        return [transfer('TRX', '', ownerAddress, toAddress, amount)];
    }
    if (type === ContractType.TransferAssetContract) {
        const { ownerAddress, toAddress, amount, assetName } = parameter;
        return [transfer('TRC10', toUtf8(assetName), ownerAddress, toAddress, amount)];
    }
    if (type === ContractType.TriggerSmartContract) {
        const call = parameter;
        const { ownerAddress, contractAddress, callValue, callTokenValue, tokenId } = call;
        return [
            ...(callValue > 0n ? [transfer('TRX', '', ownerAddress, contractAddress, callValue)] : []),
            ...(callTokenValue > 0n
                ? [transfer('TRC10', String(tokenId), ownerAddress, contractAddress, callTokenValue)]
                : []),
        ];
    }
    return [];
}
function internalTransfers({ internal }) {
    return internal.flatMap(({ rejected, callerAddress, transferToAddress, callValueInfo }) => rejected
        ? []
        : callValueInfo
            .filter(({ callValue }) => callValue > 0n)
            .map(({ callValue, tokenId }) => transfer(tokenId === '' ? 'TRX' : 'TRC10', tokenId, callerAddress, transferToAddress, callValue)));
}
function eventTransfers({ info }, addressPrefix) {
    return (info?.log ?? []).flatMap(({ address, topics, data }) => {
        const [event, from, to, id] = topics;
        if (event === undefined || from === undefined || to === undefined || toHex(event) !== TRANSFER_TOPIC)
            return [];
        const amount = id ?? data;
        if (amount.length !== WORD_BYTES)
            return [];
        const account = (bytes) => Buffer.concat([Uint8Array.of(addressPrefix), bytes.subarray(-20)]);
        const kind = id === undefined ? 'TRC20' : 'TRC721';
        return [transfer(kind, toHex(account(address)), account(from), account(to), BigInt(`0x${toHex(amount)}`))];
    });
}
const WORD_BYTES = 32;
function transfer(kind, token, from, to, amount) {
    return { kind, token, from: toHex(from), to: toHex(to), amount: String(amount) };
}
//# sourceMappingURL=token-transfer.js.map