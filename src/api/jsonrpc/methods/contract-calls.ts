import {
  EstimateEnergyMessage,
  Return,
  type Transaction,
  TransactionResultCode,
  TriggerSmartContract,
} from '../../../codec/generated/messages.js';
import { bytesOfHex } from '../../../java-compat/hex.js';
import { EMPTY_BYTES, toUtf8 } from '../../../primitives/bytes.js';
import { isValidateError, javaError } from '../../../state-transition/java-errors.js';
import type { ConstantResult } from '../../../vm/smart-contract/constant.js';
import type { ApiContext, ChainView } from '../../context/api-context.js';
import { callConstantContract, estimateCall, newCallReply } from '../../operations/call-contract.js';
import { contract } from '../../operations/smart-contracts.js';
import type { CallArguments } from '../parameters.js';
import type { RpcForm } from '../quantities.js';
import { data, isNothing, quantity, readHexAddress, readQuantity } from '../quantities.js';
import { internalError, invalidRequest, REVERT_CODE, RpcError } from '../rpc-error.js';
import { buildTransfer } from './build-transaction.js';
import { callData } from './call-data.js';
import { shownReason } from './revert-reason.js';

/** Context for executing calls. */
interface Caller {
  readonly api: ApiContext;
  /**
   * JSON-RPC error code for a reverted call. The output of the call is then the data of the error. If undefined, the
   * output is not returned.
   */
  readonly revertCode: number | undefined;
}

/**
 * Converts call arguments to a contract call. Reference: CallArguments.
 * @throws {RpcError | JavaError} the arguments are malformed
 */
export function readCall(args: CallArguments, form: RpcForm): TriggerSmartContract {
  return Object.assign(new TriggerSmartContract(), {
    ownerAddress: readHexAddress(args.from, form),
    contractAddress: readHexAddress(args.to, form),
    callValue: readQuantity(args.value, form.release),
    data: bytesOfHex(callData(args, form.release)),
  });
}

/**
 * Returns the output of a call. The call does not change the state. Reference: TronJsonRpcImpl.getCall.
 * @throws {RpcError | JavaError} the arguments are malformed, or the call fails
 */
export function callRpc(caller: Caller, view: ChainView, args: CallArguments): string {
  const message = readCall(args, caller.api.settings);
  const { returnData } = runCall(caller, view, message, ['ContractValidateException', 'VMIllegalException']);
  return data(returnData);
}

/**
 * Returns the energy that a call, a creation or a transfer needs. Reference: TronJsonRpcImpl.estimateGas.
 * @throws {RpcError | JavaError} the arguments are malformed, or the call fails
 */
export function estimateGas(caller: Caller, view: ChainView, args: CallArguments): string {
  const { api } = caller;
  const { estimatesEnergy } = api.settings;
  const ownerAddress = readHexAddress(args.from, api.settings);
  const contractAddress = estimatedContract(view, args, api.settings);
  if (contractAddress === undefined) {
    buildTransfer(api, view, ownerAddress, { ...args, permissionId: 0n, extraData: '', visible: false });
    return '0x0';
  }
  const message = Object.assign(new TriggerSmartContract(), { ownerAddress, contractAddress });
  try {
    message.callValue = readQuantity(args.value, api.settings.release);
    message.data = bytesOfHex(callData(args, api.settings.release));
  } catch (error) {
    throw refusalOf(error, []);
  }
  if (!estimatesEnergy) return quantity(runCall(caller, view, message, ['ContractValidateException']).energyUsed);
  return quantity(runEstimate(caller, view, message));
}

/**
 * Returns the address of the called contract. The address is empty for a creation, and undefined for a transfer.
 * Reference: CallArguments.getContractType.
 * @throws {RpcError} the arguments are malformed
 */
function estimatedContract(view: ChainView, args: CallArguments, form: RpcForm): Uint8Array | undefined {
  const { from, to, value } = args;
  if (isNothing(from)) throw invalidRequest();
  const code = callData(args, form.release);
  if (isNothing(to)) {
    if (isNothing(code)) throw invalidRequest();
    return EMPTY_BYTES;
  }
  const address = readHexAddress(to, form);
  if (contract(view, address) !== undefined) return address;
  if (value === null || value === '') throw invalidRequest('invalid json request: invalid value');
  return undefined;
}

function runCall(
  caller: Caller,
  view: ChainView,
  message: TriggerSmartContract,
  refusals: readonly string[],
): { readonly returnData: Uint8Array; readonly energyUsed: bigint } {
  const reply = newCallReply();
  let transaction: Transaction;
  try {
    transaction = callConstantContract(caller.api, view, message, reply);
  } catch (error) {
    throw refusalOf(error, refusals);
  }
  const returnData = reply.extention.constantResult[0] ?? EMPTY_BYTES;
  if (transaction.ret[0]?.ret === TransactionResultCode.FAILED)
    throw failedCall(caller, toUtf8(reply.result.message), returnData);
  return { returnData, energyUsed: reply.extention.energyUsed };
}

/** Returns the error of a call that failed. @param returnData output of the call */
function failedCall({ api, revertCode }: Caller, text: string, returnData: Uint8Array): RpcError {
  const message = text + shownReason(returnData, api.settings.release);
  return revertCode === undefined || (revertCode !== REVERT_CODE && returnData.length === 0)
    ? internalError(message)
    : new RpcError(revertCode, message, data(returnData));
}

function runEstimate(caller: Caller, view: ChainView, message: TriggerSmartContract): bigint {
  const reply = { estimate: new EstimateEnergyMessage(), result: new Return() };
  let run: ConstantResult;
  try {
    run = estimateCall(caller.api, view, message, reply);
  } catch (error) {
    throw refusalOf(error, ['ContractValidateException']);
  }
  if (run.message !== null) throw failedCall(caller, run.message, run.returnData);
  return reply.estimate.energyRequired;
}

/**
 * Converts a failure to an RPC error. A failed contract validation, and the exception classes that `refusals` names,
 * become "invalid request" errors. Any other Java exception becomes an internal error.
 * @throws `error` itself if it has no corresponding Java exception
 */
export function refusalOf(error: unknown, refusals: readonly string[]): Error {
  if (error instanceof RpcError) return internalError(error.text);
  const found = javaError(error);
  if (found === undefined) throw error;
  if (isValidateError(found) || refusals.some((name) => found.javaClass.endsWith(`.${name}`))) {
    return invalidRequest(found.text);
  }
  return internalError(found.text === null ? 'invalid json request' : found.text.replaceAll('"', "'"));
}
