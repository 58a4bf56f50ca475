import {
  Any,
  TransactionContractContractType as ContractType,
  CreateSmartContract,
  Transaction,
  TransactionContract,
  TransactionRaw,
} from '../../codec/generated/messages.js';
import { interfaceOf } from '../../encoding/contract-types/contract-interfaces.js';
import { illegalArgument, nullPointer } from '../../java-compat/java-error.js';
import { present } from '../../primitives/assert.js';
import { refuse } from '../../state-transition/errors.js';
import { javaError } from '../../state-transition/java-errors.js';
import { contractRows } from '../../state-transition/system-contracts/table.js';
import { typeName } from '../../state-transition/transactions/decode-transaction.js';
import type { ApiContext, ChainView } from '../context/api-context.js';
import { checkPercent, refer } from './build-transaction.js';

/**
 * Builds a transaction whose contract parameter is already encoded. The parameter is not changed, even if it does not
 * match the contract type. Reference: RpcApiService.createCommonTransaction.
 * @throws {ContractValidateError | JavaError} the contract type is unknown, or the contract is invalid
 */
export function buildCommonTransaction(api: ApiContext, view: ChainView, contract: TransactionContract): Transaction {
  const { type, parameter = new Any() } = contract;
  if (!Object.values<number>(ContractType).includes(type)) {
    throw illegalArgument("Can't get the number of an unknown enum value.");
  }
  const transaction = around(type, parameter);
  if (type === ContractType.CreateSmartContract) checkPercent(deploymentIn(parameter));
  else if (type !== ContractType.TriggerSmartContract) {
    checkParameter(view, type, parameter);
    api.validate(view, transaction);
  }
  return refer(api, view, transaction);
}

function around(type: number, parameter: Any): Transaction {
  const contract = Object.assign(new TransactionContract(), { type, parameter });
  return Object.assign(new Transaction(), { rawData: Object.assign(new TransactionRaw(), { contract: [contract] }) });
}

function deploymentIn({ typeUrl, value }: Any): CreateSmartContract {
  if (typeName(typeUrl) !== CreateSmartContract.$name) throw nullPointer();
  try {
    return CreateSmartContract.decode(value);
  } catch {
    throw nullPointer();
  }
}

/**
 * Checks that the encoded parameter matches the contract type.
 * @throws {ContractValidateError} the parameter is not of the type that belongs to the contract type, or is invalid
 * @throws {JavaError} NullPointerException: no java-tron release executes the contract type
 */
function checkParameter({ state }: ChainView, type: number, { typeUrl, value }: Any): void {
  const row = contractRows.get(type);
  if (row === undefined) throw nullPointer();
  const { message, needs } = row;
  const isOfType = typeName(typeUrl) === message.$name;
  const { wrongType, needsFirst = false } = present(interfaceOf(type), 'every type has a row');
  const found = isOfType
    ? readingFailure(() => message.decode(value))
    : wrongType?.(message.$name.replace(/^.*\./, ''));
  if (found === undefined) return;
  if (isOfType || needsFirst) needs?.(state);
  refuse(found);
}

function readingFailure(read: () => void): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return javaError(error)?.text ?? '';
  }
}
