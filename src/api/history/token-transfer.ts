import {
  TransactionResultContractResult as ContractResult,
  TransactionContractContractType as ContractType,
  type TransferAssetContract,
  type TransferContract,
  type TriggerSmartContract,
} from '../../log/codec/generated/messages.js';
import { toHex, toUtf8 } from '../../log/domain/bytes.js';
import type { TransactionParts } from './block-parts.js';

/** Something of value that went from one account to another. */
export interface TokenTransfer {
  readonly kind: 'TRX' | 'TRC10' | 'TRC20' | 'TRC721';
  /** Id of the TRC10 token, or address (hex) of the contract; empty for TRX. */
  readonly token: string;
  /** Hex. */
  readonly from: string;
  readonly to: string;
  /** Decimal: SUN, units of the token, or the id of the one that changed hands. */
  readonly amount: string;
}

/** `Transfer(address,address,uint256)`, the event of both token standards. */
const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const DONE: ReadonlySet<number | undefined> = new Set([undefined, ContractResult.DEFAULT, ContractResult.SUCCESS]);

/** Transfers of a transaction in the order in which they happened: its own, those of internal transactions, those of events. */
export function transfersOf(transaction: TransactionParts, addressPrefix: number): TokenTransfer[] {
  if (!DONE.has(transaction.message.ret[0]?.contractRet)) return [];
  return [
    ...ownTransfers(transaction),
    ...internalTransfers(transaction),
    ...eventTransfers(transaction, addressPrefix),
  ];
}

function ownTransfers({ type, parameter }: TransactionParts): TokenTransfer[] {
  if (parameter === undefined) return [];
  if (type === ContractType.TransferContract) {
    const { ownerAddress, toAddress, amount } = parameter as TransferContract;
    return [transfer('TRX', '', ownerAddress, toAddress, amount)];
  }
  if (type === ContractType.TransferAssetContract) {
    const { ownerAddress, toAddress, amount, assetName } = parameter as TransferAssetContract;
    return [transfer('TRC10', toUtf8(assetName), ownerAddress, toAddress, amount)];
  }
  if (type === ContractType.TriggerSmartContract) {
    const call = parameter as TriggerSmartContract;
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

function internalTransfers({ internal }: TransactionParts): TokenTransfer[] {
  return internal.flatMap(({ rejected, callerAddress, transferToAddress, callValueInfo }) =>
    rejected
      ? []
      : callValueInfo
          .filter(({ callValue }) => callValue > 0n)
          .map(({ callValue, tokenId }) =>
            transfer(tokenId === '' ? 'TRX' : 'TRC10', tokenId, callerAddress, transferToAddress, callValue),
          ),
  );
}

function eventTransfers({ info }: TransactionParts, addressPrefix: number): TokenTransfer[] {
  return (info?.log ?? []).flatMap(({ address, topics, data }) => {
    const [event, from, to, id] = topics;
    if (event === undefined || from === undefined || to === undefined || toHex(event) !== TRANSFER_TOPIC) return [];
    const amount = id ?? data;
    if (amount.length !== WORD_BYTES) return [];
    const account = (bytes: Uint8Array): Uint8Array =>
      Buffer.concat([Uint8Array.of(addressPrefix), bytes.subarray(-20)]);
    const kind = id === undefined ? 'TRC20' : 'TRC721';
    return [transfer(kind, toHex(account(address)), account(from), account(to), BigInt(`0x${toHex(amount)}`))];
  });
}

const WORD_BYTES = 32;

function transfer(
  kind: TokenTransfer['kind'],
  token: string,
  from: Uint8Array,
  to: Uint8Array,
  amount: bigint,
): TokenTransfer {
  return { kind, token, from: toHex(from), to: toHex(to), amount: String(amount) };
}
