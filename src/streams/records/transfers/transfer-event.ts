import {
  TransactionResultContractResult as ContractResult,
  TransactionInfoCode,
} from '../../../codec/generated/messages.js';
import { addressText } from '../../../encoding/address-text.js';
import { fromHex, toUtf8, utf8 } from '../../../primitives/bytes.js';
import { trc10Assets } from '../../../projections/assets.js';
import type { StateReader } from '../../../projections/state/state-reader.js';
import { resultName } from '../../../state-transition/transactions/execute-transaction.js';
import { TRIGGER_FRAMES } from '../../event-kinds.js';
import type { BlockContent, StreamedTransaction } from '../../follow/block-content.js';
import type { RecordFinality, TransferOptions } from '../event-options.js';
import type { EventObject } from '../event-value.js';
import { contractTypeName } from './block-movements.js';
import { type Movement, TRX } from './movement.js';

/** Default options: all movements except the initial balances of genesis. */
export const ALL_TRANSFERS: TransferOptions = {
  key: 'recipient',
  genesis: false,
  account: [],
  token: [],
  contractType: [],
  result: [],
};

/** Movement with the data of its record. */
interface TransferRecord {
  readonly key: string;
  readonly event: EventObject;
}

interface TransferForm {
  /** True if the block was reverted. */
  readonly removed: boolean;
  readonly finality: RecordFinality;
  readonly options: TransferOptions;
  /** State that contains the TRC10 assets of the block. */
  readonly head: StateReader;
}

/**
 * Returns the records of a block's movements that match the options. `index` is the index among all movements of the
 * block.
 */
export function transferRecords(
  block: Pick<BlockContent, 'timeMs' | 'number' | 'id'>,
  movements: readonly Movement[],
  { removed, finality, options, head }: TransferForm,
): TransferRecord[] {
  return movements.flatMap((movement, index) => {
    const { kind, standard, tokenId, amount, transaction } = movement;
    const token = tokenText(movement);
    const [from, to] = [addressOrNull(movement.from), addressOrNull(movement.to)];
    const contractType = (transaction && contractTypeName(transaction)) ?? null;
    const result = transaction === undefined ? null : resultOf(transaction);
    const isSelected =
      matches(options.account, from, to) &&
      matches(options.token, token) &&
      matches(options.contractType, contractType) &&
      matches(options.result, result);
    if (!isSelected) return [];
    const event = {
      timeStamp: block.timeMs,
      triggerName: TRIGGER_FRAMES.transfer,
      blockNumber: block.number,
      blockHash: block.id,
      removed,
      finality,
      transactionId: transaction?.idHex ?? null,
      index,
      kind,
      standard,
      token,
      tokenId: tokenId ?? null,
      from,
      to,
      amount: String(amount),
      ...unitOf(movement, head),
      contractType,
      result,
    };
    const parties = options.key === 'sender' ? [from, to] : [to, from];
    return [{ key: (options.key === 'token' ? token : (parties[0] ?? parties[1])) ?? token, event }];
  });
}

/** Returns true if one of the values is in the list, or the list is empty. */
function matches(list: readonly string[], ...values: readonly (string | null)[]): boolean {
  return list.length === 0 || values.some((value) => value !== null && list.includes(value));
}

function tokenText({ standard, token }: Movement): string {
  return standard === 'TRX' || standard === 'TRC10' ? token : addressText(fromHex(token));
}

function addressOrNull(address: string | undefined): string | null {
  return address === undefined ? null : addressText(fromHex(address));
}

/**
 * Returns the result of a transaction. A transaction without a smart contract always has the result `SUCCESS`, because
 * a block cannot contain a failed one.
 */
function resultOf({ info, message }: StreamedTransaction): string {
  if (info?.result !== TransactionInfoCode.FAILED) return 'SUCCESS';
  return resultName(message.ret[0]?.contractRet ?? 0);
}

/** Results of transactions in records. */
export const RESULT_NAMES: readonly string[] = Object.keys(ContractResult);

/**
 * Returns decimals and symbol of a token. Both are unknown for a token contract, because only a call of the contract
 * returns them.
 */
function unitOf({ standard, token }: Movement, head: StateReader): Pick<EventObject, 'decimals' | 'symbol'> {
  if (standard === 'TRX') return { decimals: 6, symbol: TRX };
  const asset = standard === 'TRC10' ? trc10Assets.at(head).byId(utf8(token)) : undefined;
  if (asset === undefined) return { decimals: null, symbol: null };
  return { decimals: asset.precision, symbol: asset.abbr.length === 0 ? null : toUtf8(asset.abbr) };
}
