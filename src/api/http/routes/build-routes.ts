import {
  TransactionContractContractType as ContractType,
  CreateSmartContract,
  SmartContract,
  SmartContractABI,
  type Transaction,
} from '../../../codec/generated/messages.js';
import { addressOfText } from '../../../encoding/address-text.js';
import type { BuilderPath } from '../../../encoding/contract-types/contract-interface.js';
import { interfaceRows } from '../../../encoding/contract-types/contract-interfaces.js';
import { intOf, longOf, textOf } from '../../../encoding/json/json-casts.js';
import type { JsonObject } from '../../../encoding/json/json-value.js';
import { printNewTransaction } from '../../../encoding/json/print-transaction.js';
import { readMessage } from '../../../encoding/json/read-message.js';
import { bytesOfHex } from '../../../java-compat/hex.js';
import { illegalArgument, nullPointer } from '../../../java-compat/java-error.js';
import { EMPTY_BYTES, utf8 } from '../../../primitives/bytes.js';
import type { ContractTypeName } from '../../../state-transition/contract-types.js';
import { type ContractRow, contractTable } from '../../../state-transition/system-contracts/table.js';
import { type buildEndpoints, builderEndpoint } from '../../endpoints/build-endpoints.js';
import { buildTransaction, messageOfType, rawOf, setPermission } from '../../operations/build-transaction.js';
import type { HttpCall } from '../http-call.js';
import {
  type Handler,
  type HandlersOf,
  type Posted,
  parsedBody,
  posted,
  type Route,
  type RouteAnswer,
  readPosted,
} from '../route.js';

/**
 * HTTP handlers of the operations in `buildEndpoints`. Each builds an unsigned transaction and needs more than the
 * generic handler of a contract type.
 */
export const buildHandlers: HandlersOf<typeof buildEndpoints> = {
  DeployContract: { get: 'empty', post: deploy },
  CreateCommonTransaction: { post: createCommon },
};

/** Returns the routes of the transaction builders, one for each contract type. */
export function builderRoutes(): Route[] {
  return interfaceRows().flatMap(([type, { http }]) =>
    http === 'none' ? [] : [{ ...builderEndpoint(type, http), ...builder(type, http), family: http.family }],
  );
}

/**
 * Creates a handler that reads a contract from the body, validates the contract and responds with the transaction as
 * JSON.
 */
function builder(type: ContractTypeName, { hasGet, takesData }: BuilderPath): Handler {
  const { message: messageType }: ContractRow = contractTable[type];
  const post: RouteAnswer = (call) => {
    const body = posted(call);
    const message = readPosted(call, body, messageType);
    const transaction = buildTransaction(call.api, call.view, ContractType[type], message);
    const object = requireObject(body);
    applyPermission(object, transaction);
    if (takesData === true) applyExtraData(object, transaction, body.visible);
    return printNewTransaction(transaction, call.print(body.visible));
  };
  return hasGet ? { get: 'empty', post } : { post };
}

/**
 * Sets the permission id of a transaction from the member `Permission_id` of a body. Reference:
 * Util.setTransactionPermissionId.
 * @throws {JavaError} the value is not an integer
 */
export function applyPermission(object: JsonObject, transaction: Transaction): void {
  if (object.has('Permission_id')) setPermission(transaction, intOf(object, 'Permission_id'));
}

/**
 * Sets the data of a transaction from the member `extra_data` of a body. Reference: Util.setTransactionExtraData.
 * @throws {JavaError} the value is null, or malformed
 */
export function applyExtraData(object: JsonObject, transaction: Transaction, visible: boolean): void {
  if (!object.has('extra_data')) return;
  const data = textOf(object, 'extra_data');
  if (data === null) throw nullPointer();
  if (data.length > 0) rawOf(transaction).data = visible ? utf8(data) : bytesOfHex(data);
}

/** Parses the body as a JSON object. @throws {JavaError} NullPointerException: the body is blank */
function requireObject(body: Posted): JsonObject {
  const object = parsedBody(body);
  if (object === null) throw nullPointer();
  return object;
}

/** Builds a transaction of any contract type. Reference: CreateCommonTransactionServlet. */
function createCommon(call: HttpCall): string {
  const body = posted(call);
  const name = textOf(requireObject(body), 'contractType');
  if (name === null) throw nullPointer('Name is null');
  if (!Object.hasOwn(ContractType, name) && name !== 'UNRECOGNIZED') {
    const enumeration = 'org.tron.protos.Protocol.Transaction.Contract.ContractType';
    throw illegalArgument(`No enum constant ${enumeration}.${name}`);
  }
  const type = ContractType[name as keyof typeof ContractType];
  const message = readPosted(call, body, messageOfType(type, name));
  const transaction = buildTransaction(call.api, call.view, type, message);
  applyPermission(requireObject(body), transaction);
  return printNewTransaction(transaction, call.print(body.visible));
}

/** Builds a transaction that creates a smart contract. Reference: DeployContractServlet. */
function deploy(call: HttpCall): string {
  const body = posted(call);
  const { visible } = body;
  const object = requireObject(body);
  const ownerText = textOf(object, 'owner_address');
  const owner = visible ? ownerOfText(call, ownerText) : bytesOfHex(ownerText);
  const create = new CreateSmartContract();
  create.ownerAddress = owner;
  create.callTokenValue = longOf(object, 'call_token_value');
  create.tokenId = longOf(object, 'token_id');
  const abi = object.has('abi')
    ? readMessage(`{"entrys":${textOf(object, 'abi')}}`, SmartContractABI, call.print(visible))
    : new SmartContractABI();
  const contract = new SmartContract();
  contract.abi = abi;
  contract.callValue = longOf(object, 'call_value');
  contract.consumeUserResourcePercent = longOf(object, 'consume_user_resource_percent');
  contract.originEnergyLimit = longOf(object, 'origin_energy_limit');
  contract.originAddress = owner;
  let code = textOf(object, 'bytecode');
  // As in Java's string concatenation, an absent value becomes the text `null`.
  if (object.has('parameter')) code = `${code}${textOf(object, 'parameter')}`;
  contract.bytecode = bytesOfHex(code);
  contract.name = textOf(object, 'name') ?? '';
  const feeLimit = longOf(object, 'fee_limit');
  create.newContract = contract;
  const transaction = buildTransaction(call.api, call.view, ContractType.CreateSmartContract, create);
  rawOf(transaction).feeLimit = feeLimit;
  applyPermission(object, transaction);
  return printNewTransaction(transaction, call.print(visible));
}

function ownerOfText(call: HttpCall, text: string | null): Uint8Array {
  return addressOfText(text, call.api.settings) ?? EMPTY_BYTES;
}
