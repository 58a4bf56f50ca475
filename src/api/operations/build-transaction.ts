import type { MessageType } from '../../codec/descriptor.js';
import {
  Any,
  TransactionContractContractType as ContractType,
  type CreateSmartContract,
  Transaction,
  TransactionContract,
  TransactionRaw,
} from '../../codec/generated/messages.js';
import { typeOf } from '../../encoding/json/message-fields.js';
import { present } from '../../primitives/assert.js';
import { fromInt64 } from '../../primitives/bytes.js';
import { refuse } from '../../state-transition/errors.js';
import { contractRows, isSmartContract } from '../../state-transition/system-contracts/table.js';
import type { ApiContext, ChainView } from '../context/api-context.js';

/**
 * Builds an unsigned transaction with one contract, and validates it. Creations and calls of smart contracts are
 * validated only when they run. The reference block is the newest solidified block or the head, as configured. The
 * transaction expires a configured time after the head. Reference: Wallet.createTransactionCapsule.
 * @throws {ContractValidateError} the contract is invalid
 */
export function buildTransaction(api: ApiContext, view: ChainView, type: number, message: object): Transaction {
  const transaction = wrapContract(type, message);
  if (!isSmartContract(type)) api.validate(view, transaction);
  else if (type === ContractType.CreateSmartContract) checkPercent(message as CreateSmartContract);
  return refer(api, view, transaction);
}

/**
 * Checks the percentage of energy that callers of a new contract pay. All other rules of a contract creation are
 * checked when it runs.
 * @throws {ContractValidateError} the percentage is not in 0..100
 */
export function checkPercent({ newContract }: CreateSmartContract): void {
  const percent = newContract?.consumeUserResourcePercent ?? 0n;
  if (percent < 0n || percent > 100n) refuse('percent must be >= 0 and <= 100');
}

/** Returns a transaction with one contract and no other fields. */
export function wrapContract(type: number, message: object): Transaction {
  const messageType = typeOf(message);
  const parameter = Object.assign(new Any(), {
    typeUrl: `type.googleapis.com/${messageType.$name}`,
    value: messageType.encode(message),
  });
  const contract = Object.assign(new TransactionContract(), { type, parameter });
  return Object.assign(new Transaction(), {
    rawData: Object.assign(new TransactionRaw(), { contract: [contract] }),
  });
}

/** Returns the raw data of a transaction that this node built. Clients sign this part of the transaction. */
export function rawOf({ rawData }: Transaction): TransactionRaw {
  return present(rawData, 'a transaction is built with its raw data');
}

/** Returns the message type of a contract type. @throws {ContractValidateError} if no release executes the type */
export function messageOfType(type: number | undefined, name: string): MessageType<object> {
  return contractRows.get(type ?? -1)?.message ?? refuse(`don't have this type: ${name}`);
}

/**
 * Sets the permission id of the transaction's contract. Does not write id 0, because that is the default (owner
 * permission). Reference: Util.setTransactionPermissionId.
 */
export function setPermission(transaction: Transaction, permissionId: number): void {
  const contract = transaction.rawData?.contract[0];
  if (permissionId > 0 && contract !== undefined) {
    contract.permissionId = permissionId;
    rawOf(transaction).contract = [contract];
  }
}

/**
 * Sets the reference block, the expiration and the timestamp of a new transaction. Reference: Wallet.setTransaction.
 */
export function refer(api: ApiContext, view: ChainView, transaction: Transaction): Transaction {
  const { properties } = view.state;
  const number = api.settings.refersToSolid
    ? properties.get('LATEST_SOLIDIFIED_BLOCK_NUM')
    : properties.get('latest_block_header_number');
  const id = present(view.blockIdAt(Number(number)), 'the block is the head or the newest solidified block');
  const raw = rawOf(transaction);
  raw.refBlockBytes = fromInt64(number).subarray(6, 8);
  raw.refBlockHash = id.subarray(8, 16);
  raw.expiration = properties.get('latest_block_header_timestamp') + api.settings.expirationMs;
  raw.timestamp = BigInt(api.now());
  return transaction;
}
