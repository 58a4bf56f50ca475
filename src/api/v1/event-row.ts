import type { TransactionInfoLog } from '../../codec/generated/messages.js';
import { type AbiValue, isList } from '../../encoding/abi/decode-log.js';
import type { NamedLog } from '../../encoding/abi/event-decoder.js';
import { addressText } from '../../encoding/address-text.js';
import { JsonObject, type JsonValue, jsonObject } from '../../encoding/json/json-value.js';
import { toHex } from '../../primitives/bytes.js';
import { logAddress } from '../../projections/indexes/contract-events.js';
import { type ContractAbis, declarationOf } from '../abi/contract-abis.js';
import type { ReadBlock, ReadTransaction } from '../context/read-block.js';

/** A log and its position in the chain. */
export interface PositionedLog {
  readonly block: ReadBlock;
  readonly transaction: ReadTransaction;
  /** Index of the log among the logs of its transaction. */
  readonly index: number;
  readonly log: TransactionInfoLog;
}

/** Context for rendering events as JSON. */
export interface EventForm {
  readonly abis: ContractAbis;
  readonly addressPrefix: number;
  /** Height of the newest solidified block. Events above this height are marked as unconfirmed. */
  readonly solidifiedNumber: number;
}

/**
 * Renders a log in TronGrid's form. If no ABI matches, name and result are empty, and the raw `topics` and `data` are
 * added.
 */
export function eventRow({ block, transaction, index, log }: PositionedLog, form: EventForm): JsonObject {
  const { addressPrefix, abis, solidifiedNumber } = form;
  const contract = logAddress(log.address, addressPrefix);
  const named = abis.decode(contract, log);
  const caller = transaction.info?.contractAddress ?? contract;
  const row = jsonObject({
    block_number: BigInt(block.number),
    block_timestamp: BigInt(block.header.timestamp),
    caller_contract_address: addressText(caller.length === 0 ? contract : caller),
    contract_address: addressText(contract),
    event_index: BigInt(index),
    event_name: named?.event.name ?? '',
    result: resultOf(named),
    result_type: typesOf(named),
    event: named === undefined ? '' : declarationOf(named.event),
    transaction_id: toHex(transaction.id),
  });
  if (named === undefined) {
    row.set('topics', log.topics.map(toHex));
    row.set('data', toHex(log.data));
  }
  if (block.number > solidifiedNumber) row.set('_unconfirmed', true);
  return row;
}

/** Returns each parameter value twice: under its index and under its name. */
function resultOf(named: NamedLog | undefined): JsonObject {
  const result = new JsonObject();
  const parameters = named?.parameters ?? [];
  for (const [at, { value }] of parameters.entries()) result.set(String(at), jsonOf(value));
  for (const { name, value } of parameters) if (name !== '') result.set(name, jsonOf(value));
  return result;
}

/** Returns the types of the parameters by name. A parameter without a name in the ABI is listed under its index. */
function typesOf(named: NamedLog | undefined): JsonObject {
  const types = new JsonObject();
  for (const [at, { name, type }] of (named?.parameters ?? []).entries()) types.set(name || String(at), type);
  return types;
}

function jsonOf(value: AbiValue): JsonValue {
  if (typeof value === 'string') return value;
  if (isList(value)) return value.map(jsonOf);
  return jsonObject(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonOf(member)])));
}
