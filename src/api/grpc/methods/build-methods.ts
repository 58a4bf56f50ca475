import {
  ReturnResponse_code as Code,
  TransactionContractContractType as ContractType,
  Return,
  type Transaction,
  TransactionExtention,
} from '../../../codec/generated/messages.js';
import { interfaceRows } from '../../../encoding/contract-types/contract-interfaces.js';
import { JavaError } from '../../../java-compat/java-error.js';
import type { ContractTypeName } from '../../../state-transition/contract-types.js';
import { isValidateError, javaError } from '../../../state-transition/java-errors.js';
import type { buildEndpoints } from '../../endpoints/build-endpoints.js';
import { buildTransaction } from '../../operations/build-transaction.js';
import { buildCommonTransaction } from '../../operations/common-transaction.js';
import { type GrpcHandler, grpcMethod, type MethodsOf } from '../grpc-method.js';
import { noteClass, recordRejection, replyFailureOf } from './reply-failures.js';
import { transactionExtention } from './reply-messages.js';

/**
 * gRPC methods of the operations in `buildEndpoints`. Each method builds an unsigned transaction that the generic
 * methods (`builderMethods`) cannot build.
 */
export const buildMethods: MethodsOf<typeof buildEndpoints> = {
  DeployContract: grpcMethod((request, call) =>
    extentionOf(() => buildTransaction(call.api, call.view, ContractType.CreateSmartContract, request)),
  ),
  CreateCommonTransaction: grpcMethod((request, call) => {
    const contract = request.rawData?.contract[0];
    if (contract === undefined) throw new JavaError('java.lang.IndexOutOfBoundsException', 'Index: 0');
    return extentionOf(() => buildCommonTransaction(call.api, call.view, contract));
  }, 'thrown'),
};

/** Returns the methods that build a transaction of one contract type, by name of the RPC. */
export function builderMethods(): ReadonlyMap<string, GrpcHandler> {
  const methods = new Map<string, GrpcHandler>();
  for (const [type, { rpc }] of interfaceRows()) {
    if (rpc === 'none') continue;
    if (rpc.bare !== undefined) methods.set(rpc.bare, bareBuilder(type));
    if (rpc.full !== undefined) methods.set(rpc.full, fullBuilder(type));
  }
  return methods;
}

function fullBuilder(type: ContractTypeName): GrpcHandler {
  return grpcMethod((request, { api, view }) =>
    extentionOf(() => buildTransaction(api, view, ContractType[type], request)),
  );
}

/** Creates a method that returns only the transaction. If the contract is invalid, the reply is an empty message. */
function bareBuilder(type: ContractTypeName): GrpcHandler {
  return grpcMethod((request, { api, view }) => {
    try {
      return buildTransaction(api, view, ContractType[type], request);
    } catch (error) {
      const found = javaError(error);
      if (found === undefined || !isValidateError(found)) throw error;
      return undefined;
    }
  });
}

/** Builds a transaction and returns it with its id and result. Reference: RpcApiService.createTransactionExtention. */
function extentionOf(build: () => Transaction): TransactionExtention {
  try {
    return transactionExtention(build());
  } catch (error) {
    const result = new Return();
    const found = replyFailureOf(error);
    if (isValidateError(found)) recordRejection(result, found);
    else noteClass(result, Code.OTHER_ERROR, found);
    return Object.assign(new TransactionExtention(), { result });
  }
}
