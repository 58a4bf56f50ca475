import {
  TransactionResultContractResult as ContractResult,
  type TransactionInfoLog,
} from '../../codec/generated/messages.js';
import { type AbiValue, decodeParameters, isList } from '../../encoding/abi/decode-log.js';
import { contractParties } from '../../encoding/contract-types/read-contract.js';
import { toHex } from '../../primitives/bytes.js';
import { WORD_BYTES } from '../../primitives/units.js';
import type { TransactionParts } from './block-parts.js';

type Told = Omit<TransactionParts, 'index'>;

/** A transfer of value between two accounts. */
export interface TokenTransfer {
  readonly kind: 'TRX' | 'TRC10' | 'TRC20' | 'TRC721' | 'TRC1155';
  /** Id of the TRC10 token, or address (hex) of the contract; empty for TRX. */
  readonly token: string;
  /** Sender and receiver, hex. */
  readonly from: string;
  readonly to: string;
  /** Decimal text: SUN, token units, or the id of the transferred TRC721 token. */
  readonly amount: string;
  /** Decimal text: token id within the contract, for TRC1155 only. */
  readonly id?: string;
}

/** Topic of `Transfer(address,address,uint256)`, the event of TRC20 and TRC721. */
const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/**
 * Topics of the TRC1155 events `TransferSingle(address,address,address,uint256,uint256)` and
 * `TransferBatch(address,address,address,uint256[],uint256[])`.
 */
const SINGLE_TOPIC = 'c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
const BATCH_TOPIC = '4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';
const DONE: ReadonlySet<number | undefined> = new Set([undefined, ContractResult.DEFAULT, ContractResult.SUCCESS]);

/**
 * Returns the transfers of a successful transaction: that of its contract, then those of internal transactions, then
 * those of events.
 */
export function transfersOf(transaction: Told, addressPrefix: number): TokenTransfer[] {
  if (!DONE.has(transaction.message.ret[0]?.contractRet)) return [];
  return [
    ...ownTransfers(transaction),
    ...internalTransfers(transaction),
    ...eventTransfers(transaction, addressPrefix),
  ];
}

function ownTransfers({ contract, parameter, info }: Told): TokenTransfer[] {
  const parties = contract && contractParties(contract.type, parameter, info);
  if (parties === undefined || parties.kind === 'stake' || parties.to === undefined) return [];
  const { from, to } = parties;
  if (parties.kind === 'transfer') {
    const { asset, amount } = parties;
    return [transfer(asset === undefined ? 'TRX' : 'TRC10', asset ?? '', from, to, amount)];
  }
  const { callValue, token } = parties;
  return [
    ...(callValue > 0n ? [transfer('TRX', '', from, to, callValue)] : []),
    ...(token !== undefined && token.amount > 0n ? [transfer('TRC10', String(token.id), from, to, token.amount)] : []),
  ];
}

function internalTransfers({ internal }: Told): TokenTransfer[] {
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

function eventTransfers({ info }: Told, addressPrefix: number): TokenTransfer[] {
  return (info?.log ?? []).flatMap((log) => {
    const { address, topics, data } = log;
    const [event, from, to, id] = topics;
    if (event === undefined || from === undefined || to === undefined) return [];
    if (toHex(event) !== TRANSFER_TOPIC) return multiTransfers(log, addressPrefix);
    const amount = id ?? data;
    if (amount.length !== WORD_BYTES) return [];
    const account = (bytes: Uint8Array): Uint8Array => accountOf(bytes, addressPrefix);
    const kind = id === undefined ? 'TRC20' : 'TRC721';
    return [transfer(kind, toHex(account(address)), account(from), account(to), BigInt(`0x${toHex(amount)}`))];
  });
}

/** Returns the transfers of a TRC1155 event, which moves one or several tokens of a contract. */
function multiTransfers({ address, topics, data }: TransactionInfoLog, addressPrefix: number): TokenTransfer[] {
  const [event, , from, to] = topics;
  if (event === undefined || from === undefined || to === undefined) return [];
  const types = MULTI_TYPES[toHex(event)];
  const [ids, amounts] = (types && decodeParameters(types, data)) ?? [];
  const [idList, amountList] = [listed(ids), listed(amounts)];
  if (idList.length !== amountList.length) return [];
  const textOf = (bytes: Uint8Array): string => toHex(accountOf(bytes, addressPrefix));
  const [token, giver, taker] = [textOf(address), textOf(from), textOf(to)];
  return idList.map((id, at) => ({
    kind: 'TRC1155',
    token,
    from: giver,
    to: taker,
    amount: String(amountList[at]),
    id: String(id),
  }));
}

/** Types of the non-indexed event parameters, by topic: ids, then amounts. */
const MULTI_TYPES: Readonly<Record<string, readonly string[]>> = {
  [SINGLE_TOPIC]: ['uint256', 'uint256'],
  [BATCH_TOPIC]: ['uint256[]', 'uint256[]'],
};

function listed(value: AbiValue | undefined): readonly AbiValue[] {
  if (value === undefined) return [];
  return isList(value) ? value : [value];
}

/** Returns the address with the prefix. @param bytes whose last 20 are the address without the prefix */
function accountOf(bytes: Uint8Array, addressPrefix: number): Uint8Array {
  return Buffer.concat([Uint8Array.of(addressPrefix), bytes.subarray(-20)]);
}

function transfer(
  kind: TokenTransfer['kind'],
  token: string,
  from: Uint8Array,
  to: Uint8Array,
  amount: bigint,
): TokenTransfer {
  return { kind, token, from: toHex(from), to: toHex(to), amount: String(amount) };
}
