import type { MessageType } from '../../../codec/descriptor.js';
import {
  ReturnResponse_code as Code,
  TransactionContractContractType as ContractType,
  CreateSmartContract,
  EstimateEnergyMessage,
  Return,
  Transaction,
  TransactionExtention,
  TriggerSmartContract,
} from '../../../codec/generated/messages.js';
import { utf8 } from '../../../domain/bytes.js';
import { JavaError } from '../../../java/error.js';
import type { ContractTypeName } from '../../../vm/contract-types.js';
import { contractTable } from '../../../vm/contracts/table.js';
import { isValidateError, javaError } from '../../../vm/java-errors.js';
import { decodeTransaction } from '../../../vm/transactions/decode-transaction.js';
import { interfaceRows } from '../../contracts/contract-interfaces.js';
import { broadcastTransaction } from '../../operations/broadcast.js';
import { buildTransaction } from '../../operations/build-transaction.js';
import { callConstantContract, estimateCall, newCallReply, triggerContract } from '../../operations/call-contract.js';
import { buildCommonTransaction } from '../../operations/common-transaction.js';
import { approvedList, asked, signWeight } from '../../operations/signatures.js';
import { transactionId } from '../../operations/waiting.js';
import { type GrpcCall, type GrpcMethod, type GrpcMethods, method } from '../grpc-method.js';
import { transactionExtention } from './query-methods.js';

/** Methods that build transactions, send them, or look at their signatures. */
export const transactionMethods: GrpcMethods = {
  ...builders(),
  DeployContract: method(CreateSmartContract, (request, call) =>
    extentionOf(() => buildTransaction(call.api, call.view, ContractType.CreateSmartContract, request)),
  ),
  CreateCommonTransaction: method(
    Transaction,
    (request, call) => {
      const contract = request.rawData?.contract[0];
      if (contract === undefined) throw new JavaError('java.lang.IndexOutOfBoundsException', 'Index: 0');
      return extentionOf(() => buildCommonTransaction(call.api, call.view, contract));
    },
    'thrown',
  ),
  BroadcastTransaction: method(Transaction, (request, { api, remembered }) =>
    broadcastTransaction(api, decodeTransaction(request), remembered),
  ),
  GetTransactionSignWeight: method(Transaction, (request, call) => signWeight(asked(call), request)),
  GetTransactionApprovedList: method(Transaction, (request, call) => approvedList(asked(call), request)),
};

/** Methods that run contracts without effect. */
export const contractMethods: GrpcMethods = {
  TriggerContract: method(TriggerSmartContract, (message, call) =>
    callReply(call, message, ({ api, view }, reply) => triggerContract(api, view, { message, feeLimit: 0n, reply })),
  ),
  TriggerConstantContract: method(TriggerSmartContract, (message, call) =>
    callReply(call, message, ({ api, view }, reply) => callConstantContract(api, view, message, reply)),
  ),
  EstimateEnergy: method(TriggerSmartContract, (message, { api, view }) => {
    const estimate = new EstimateEnergyMessage();
    const result = new Return();
    try {
      estimateCall(api, view, message, { estimate, result });
    } catch (error) {
      noteCallFailure(result, error);
    }
    return Object.assign(estimate, { result });
  }),
};

function builders(): GrpcMethods {
  const methods: Record<string, GrpcMethod> = {};
  for (const [type, { rpc }] of interfaceRows()) {
    if (rpc === 'none') continue;
    if (rpc.bare !== undefined) methods[rpc.bare] = bareBuilder(type);
    if (rpc.full !== undefined) methods[rpc.full] = fullBuilder(type);
  }
  return methods;
}

function messageOf(type: ContractTypeName): MessageType<object> {
  return contractTable[type].message;
}

function fullBuilder(type: ContractTypeName): GrpcMethod {
  return method(messageOf(type), (request, { api, view }) =>
    extentionOf(() => buildTransaction(api, view, ContractType[type], request)),
  );
}

/** A refusal by the contract's rules leaves the answer empty. */
function bareBuilder(type: ContractTypeName): GrpcMethod {
  return method(messageOf(type), (request, { api, view }) => {
    try {
      return buildTransaction(api, view, ContractType[type], request);
    } catch (error) {
      const found = javaError(error);
      if (found === undefined || !isValidateError(found)) throw error;
      return undefined;
    }
  });
}

/** Reference: RpcApiService.createTransactionExtention. */
function extentionOf(build: () => Transaction): TransactionExtention {
  try {
    return transactionExtention(build());
  } catch (error) {
    const result = new Return();
    const found = failureOf(error);
    if (isValidateError(found)) noteRefusal(result, found);
    else noteClass(result, Code.OTHER_ERROR, found);
    return Object.assign(new TransactionExtention(), { result });
  }
}

/** Reference: RpcApiService.callContract. */
function callReply(
  call: GrpcCall,
  message: TriggerSmartContract,
  run: (call: GrpcCall, reply: ReturnType<typeof newCallReply>) => Transaction,
): TransactionExtention {
  const reply = newCallReply();
  const { extention, result } = reply;
  try {
    const transaction = run(call, reply);
    extention.transaction = transaction;
    // The id is of the call, which a creation takes the place of.
    const isCreation = message.contractAddress.length === 0;
    extention.txid = transactionId(isCreation ? callAsked(call, message) : transaction);
    result.result = true;
    result.code = Code.SUCCESS;
  } catch (error) {
    noteCallFailure(result, error);
  }
  return Object.assign(extention, { result });
}

function callAsked({ api, view }: GrpcCall, message: TriggerSmartContract): Transaction {
  return buildTransaction(api, view, ContractType.TriggerSmartContract, message);
}

function noteCallFailure(result: Return, error: unknown): void {
  const found = failureOf(error);
  result.result = false;
  if (isValidateError(found) || found.javaClass.endsWith('.VMIllegalException')) noteRefusal(result, found);
  else noteClass(result, isChecked(found) ? Code.OTHER_ERROR : Code.CONTRACT_EXE_ERROR, found);
}

function noteRefusal(result: Return, { text }: JavaError): void {
  result.code = Code.CONTRACT_VALIDATE_ERROR;
  result.message = utf8(`Contract validate error : ${text}`);
}

function noteClass(result: Return, code: number, { javaClass, text }: JavaError): void {
  result.code = code;
  result.message = utf8(`class ${javaClass} : ${text}`);
}

/** The reference's own exceptions are checked ones, those of Java and of the virtual machine are not. */
function isChecked({ javaClass }: JavaError): boolean {
  return javaClass.startsWith('org.tron.core.exception.');
}

/** @throws an error of this program */
function failureOf(error: unknown): JavaError {
  const found = javaError(error);
  if (found === undefined) throw error;
  return found;
}
