import { TransactionContractContractType as ContractType, Transaction } from '../../codec/generated/messages.js';
import { nullPointer } from '../../java-compat/java-error.js';
import { toHex } from '../../primitives/bytes.js';
import { javaError } from '../../state-transition/java-errors.js';
import { contractRows } from '../../state-transition/system-contracts/table.js';
import { arrayOf, objectAt, objectOf, textOf } from './json-casts.js';
import { type JsonObject, type JsonValue, printJson } from './json-value.js';
import { parseJsonObject } from './parse-json.js';
import { type ReadOptions, readMessage } from './read-message.js';

/**
 * Reads a transaction from JSON and encodes its contracts again. Omits malformed contracts. Returns undefined if
 * another field of the transaction is malformed. Reference: Util.packTransaction.
 * @throws {JavaError} the text is not a JSON object with `raw_data` and a list `contract` in it
 */
export function readTransaction(text: string, options: ReadOptions): Transaction | undefined {
  const object = parseJsonObject(text, options.release.json);
  const raw = objectOf(object, 'raw_data');
  const contracts = arrayOf(raw, 'contract');
  if (object === null || raw === null || contracts === null) throw nullPointer();
  const closed: JsonValue[] = [];
  for (const at of contracts.keys()) {
    try {
      const contract = closeContract(objectAt(contracts, at, options.release.json), options);
      if (contract !== undefined) closed.push(contract);
    } catch (error) {
      if (javaError(error) === undefined) throw error;
    }
  }
  raw.set('contract', closed);
  object.set('raw_data', raw);
  try {
    return readMessage(printJson(object, options.release.json), Transaction, options);
  } catch (error) {
    if (javaError(error)?.javaClass.endsWith('$ParseException') === true) return undefined;
    throw error;
  }
}

function closeContract(contract: JsonObject | null, options: ReadOptions): JsonObject | undefined {
  const parameter = objectOf(contract, 'parameter');
  const typeName = textOf(contract, 'type');
  if (typeName === null || typeName === '') return undefined;
  const type = Object.hasOwn(ContractType, typeName) ? ContractType[typeName as keyof typeof ContractType] : undefined;
  const messageType = type === undefined ? undefined : contractRows.get(type)?.message;
  if (messageType === undefined) return undefined;
  const value = objectOf(parameter, 'value');
  if (contract === null || parameter === null || value === null) throw nullPointer();
  const message = readMessage(printJson(value, options.release.json), messageType, options);
  parameter.set('value', toHex(messageType.encode(message)));
  contract.set('parameter', parameter);
  return contract;
}
