import {
  ReturnResponse_code as Code,
  TransactionContractContractType as ContractType,
  EstimateEnergyMessage,
  Return,
  type Transaction,
  type TransactionExtention,
  type TriggerSmartContract,
} from '../../../codec/generated/messages.js';
import type { JavaError } from '../../../java-compat/java-error.js';
import { isValidateError } from '../../../state-transition/java-errors.js';
import { decodeTransaction } from '../../../state-transition/transactions/decode-transaction.js';
import type { transactionEndpoints } from '../../endpoints/transaction-endpoints.js';
import { broadcastTransaction } from '../../operations/broadcast.js';
import { buildTransaction } from '../../operations/build-transaction.js';
import { callConstantContract, estimateCall, newCallReply, triggerContract } from '../../operations/call-contract.js';
import { transactionId } from '../../operations/pending-transactions.js';
import { approvedList, requestedSignatures, signWeight } from '../../operations/signatures.js';
import { type GrpcCall, grpcMethod, type MethodsOf } from '../grpc-method.js';
import { noteClass, recordRejection, replyFailureOf } from './reply-failures.js';

/** gRPC methods that broadcast transactions, check signatures and call smart contracts. */
export const transactionMethods: MethodsOf<typeof transactionEndpoints> = {
  BroadcastTransaction: grpcMethod((request, { api, remembered }) =>
    broadcastTransaction(api, decodeTransaction(request), remembered),
  ),
  GetTransactionSignWeight: grpcMethod((request, call) => signWeight(requestedSignatures(call), request)),
  GetTransactionApprovedList: grpcMethod((request, call) => approvedList(requestedSignatures(call), request)),
  TriggerContract: grpcMethod((message, call) =>
    callReply(call, message, ({ api, view }, reply) => triggerContract(api, view, { message, feeLimit: 0n, reply })),
  ),
  TriggerConstantContract: grpcMethod((message, call) =>
    callReply(call, message, ({ api, view }, reply) => callConstantContract(api, view, message, reply)),
  ),
  EstimateEnergy: grpcMethod((message, { api, view }) => {
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

/** Runs a call of a smart contract and returns its reply. Reference: RpcApiService.callContract. */
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
    // For a contract creation, java-tron returns the id of a transaction that contains the call message. This
    // transaction is not the one in the reply.
    const isCreation = message.contractAddress.length === 0;
    extention.txid = transactionId(isCreation ? callRequested(call, message) : transaction);
    result.result = true;
    result.code = Code.SUCCESS;
  } catch (error) {
    noteCallFailure(result, error);
  }
  return Object.assign(extention, { result });
}

function callRequested({ api, view }: GrpcCall, message: TriggerSmartContract): Transaction {
  return buildTransaction(api, view, ContractType.TriggerSmartContract, message);
}

function noteCallFailure(result: Return, error: unknown): void {
  const found = replyFailureOf(error);
  result.result = false;
  if (isValidateError(found) || found.javaClass.endsWith('.VMIllegalException')) recordRejection(result, found);
  else noteClass(result, isChecked(found) ? Code.OTHER_ERROR : Code.CONTRACT_EXE_ERROR, found);
}

/**
 * Returns true for a checked Java exception. The exceptions that java-tron itself declares are checked. Those of Java
 * and of the TVM are unchecked.
 */
function isChecked({ javaClass }: JavaError): boolean {
  return javaClass.startsWith('org.tron.core.exception.');
}
