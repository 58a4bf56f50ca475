import type { TransactionInfo, TransactionInfoLog } from '../../codec/generated/messages.js';
import { toHex, toUnsigned } from '../../primitives/bytes.js';
import { WORD_BYTES } from '../../primitives/units.js';
import { type AbiValue, decodeParameters, isList } from './decode-log.js';

/** A transfer that a token contract reports with a standard event. */
export interface ContractTransfer {
  readonly kind: 'TRC20' | 'TRC721' | 'TRC1155';
  /** Address (hex) of the contract. */
  readonly token: string;
  /** Address (hex) of the sender. */
  readonly from: string;
  /** Address (hex) of the receiver. */
  readonly to: string;
  /** Amount in token units, or the id of the TRC721 token; decimal. */
  readonly amount: string;
  /** Decimal id of the token within its contract, for TRC1155; undefined for the other kinds. */
  readonly id?: string;
}

/** Topic of `Transfer(address,address,uint256)`, the event of TRC20 and TRC721. */
const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Topic of `TransferSingle(address,address,address,uint256,uint256)`, an event of TRC1155. */
const SINGLE_TOPIC = 'c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
/** Topic of `TransferBatch(address,address,address,uint256[],uint256[])`, an event of TRC1155. */
const BATCH_TOPIC = '4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';
/** Returns the transfers that the events of a receipt report, in their order. */
export function tokenTransfers(info: TransactionInfo | undefined, addressPrefix: number): ContractTransfer[] {
  return (info?.log ?? []).flatMap((log) => {
    const { address, topics, data } = log;
    const [event, from, to, id] = topics;
    if (event === undefined || from === undefined || to === undefined) return [];
    if (toHex(event) !== TRANSFER_TOPIC) return multiTransfers(log, addressPrefix);
    const amount = id ?? data;
    if (amount.length !== WORD_BYTES) return [];
    const textOf = (bytes: Uint8Array): string => toHex(accountOf(bytes, addressPrefix));
    const kind = id === undefined ? 'TRC20' : 'TRC721';
    const parties = { token: textOf(address), from: textOf(from), to: textOf(to) };
    return [{ kind, ...parties, amount: String(toUnsigned(amount)) }];
  });
}

/** Returns the transfers of a TRC1155 event, which moves one or several tokens of a contract. */
function multiTransfers({ address, topics, data }: TransactionInfoLog, addressPrefix: number): ContractTransfer[] {
  const [event, , from, to] = topics;
  if (event === undefined || from === undefined || to === undefined) return [];
  const types = MULTI_TYPES[toHex(event)];
  const [ids, amounts] = (types && decodeParameters(types, data)) ?? [];
  const [idList, amountList] = [listed(ids), listed(amounts)];
  if (idList.length !== amountList.length) return [];
  const textOf = (bytes: Uint8Array): string => toHex(accountOf(bytes, addressPrefix));
  const [token, sender, receiver] = [textOf(address), textOf(from), textOf(to)];
  return idList.map((id, at) => ({
    kind: 'TRC1155',
    token,
    from: sender,
    to: receiver,
    amount: String(amountList[at]),
    id: String(id),
  }));
}

/** For each TRC1155 topic: types of the parameters that are not indexed, which are ids and amounts. */
const MULTI_TYPES: Readonly<Record<string, readonly string[]>> = {
  [SINGLE_TOPIC]: ['uint256', 'uint256'],
  [BATCH_TOPIC]: ['uint256[]', 'uint256[]'],
};

function listed(value: AbiValue | undefined): readonly AbiValue[] {
  if (value === undefined) return [];
  return isList(value) ? value : [value];
}

/** Returns the account address in the last 20 bytes of a word. @param bytes a topic, or a word of the data */
function accountOf(bytes: Uint8Array, addressPrefix: number): Uint8Array {
  return Buffer.concat([Uint8Array.of(addressPrefix), bytes.subarray(-20)]);
}
