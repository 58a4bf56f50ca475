import type { MessageType } from '../../codec/descriptor.js';
import {
  Any,
  TransactionContractContractType as ContractType,
  CreateSmartContract,
  Transaction,
  TransactionContract,
  TransactionRaw,
} from '../../codec/generated/messages.js';
import { illegalArgument, nullPointer } from '../../java/error.js';
import { contractRows } from '../../vm/contracts/table.js';
import { refuse } from '../../vm/errors.js';
import { javaError } from '../../vm/java-errors.js';
import { typeName } from '../../vm/transactions/decode-transaction.js';
import type { ApiContext, ChainView } from '../api-context.js';
import { checkPercent, refer } from './build-transaction.js';

/** What the Java class of every parameter is called. */
const REAL = 'class com.google.protobuf.Any';

/** Contracts whose rules ask whether they are switched on before they look at the parameter's type. */
const SWITCHED_FIRST: ReadonlySet<number> = new Set([
  ContractType.AccountPermissionUpdateContract,
  ContractType.ClearABIContract,
  ContractType.UnDelegateResourceContract,
  ContractType.UpdateBrokerageContract,
  ContractType.UpdateEnergyLimitContract,
]);

/**
 * A transaction around a parameter as it came: it stays as it is, even where it does not belong to the contract's type.
 * Reference: RpcApiService.createCommonTransaction. @throws {ContractValidateError | JavaError}
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

/** @throws {ContractValidateError} a parameter of another type, or one that cannot be read */
function checkParameter({ state }: ChainView, type: number, { typeUrl, value }: Any): void {
  const row = contractRows.get(type);
  // A contract that no release executes.
  if (row === undefined) throw nullPointer();
  const { message, needs } = row;
  const isOfType = typeName(typeUrl) === message.$name;
  const found = isOfType ? readingFailure(() => message.decode(value)) : wrongType(type, message);
  if (found === undefined) return;
  if (isOfType || SWITCHED_FIRST.has(type)) needs?.(state);
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

/** Contracts that write a space before the expected type, and those that write one before the real type too. */
const SPACED: ReadonlySet<number> = new Set([
  ContractType.UpdateAssetContract,
  ContractType.UpdateEnergyLimitContract,
  ContractType.WitnessCreateContract,
  ContractType.WitnessUpdateContract,
]);
const SPACED_TWICE: ReadonlySet<number> = new Set([
  ContractType.CancelAllUnfreezeV2Contract,
  ContractType.TransferContract,
  ContractType.TransferAssetContract,
  ContractType.UnDelegateResourceContract,
  ContractType.UnfreezeAssetContract,
  ContractType.UnfreezeBalanceContract,
  ContractType.UnfreezeBalanceV2Contract,
  ContractType.AccountUpdateContract,
  ContractType.UpdateBrokerageContract,
  ContractType.UpdateSettingContract,
  ContractType.VoteWitnessContract,
  ContractType.WithdrawBalanceContract,
  ContractType.WithdrawExpireUnfreezeContract,
]);

/** Each contract words this in its own way. */
function wrongType(type: number, message: MessageType<object>): string {
  // Shielded transfers leave it to the library that reads the parameter.
  if (type === ContractType.ShieldedTransferContract) return 'Type of the Any message does not match the given class.';
  const isOldName = type === ContractType.UnfreezeBalanceV2Contract;
  const expected = isOldName ? 'UnfreezeBalanceContract' : message.$name.replace(/^.*\./, '');
  const isTwice = SPACED_TWICE.has(type);
  const first = isTwice || SPACED.has(type) ? ' ' : '';
  const between = type === ContractType.TransferContract ? ' ' : '';
  return `contract type error,${first}expected type [${expected}],${isTwice ? ' ' : ''}real type${between}[${REAL}]`;
}
